/// The fields of one todo's file: each value is a word that is written nowhere else.
typealias StoryFields = [String: String]

/// What people wrote over what, and what they deleted.
///
/// A value *supersedes* another one if somebody wrote it over that value, or over a value that supersedes it.
/// Only a value that supersedes the remote's may replace it without a question.
struct StoryModel {
    private struct FieldKey: Hashable {
        var todo: String
        var field: String
    }

    private var words = 0
    /// The values over which each value was written.
    private var older: [FieldKey: [String: Set<String>]] = [:]
    /// The values that git had taken out of the file, without a checkout, before somebody wrote another one.
    private var unseen: [FieldKey: [String: Set<String>]] = [:]
    /// The todos that users deleted on each machine, and those deleted in commits.
    private var deletes: [String: Set<String>] = [:]
    private(set) var committedDeletes: Set<String> = []

    /// Returns a value that nobody wrote before.
    mutating func newWord() -> String {
        words += 1
        return "w\(words)w"
    }

    /// Returns the words in a text.
    static func words(in text: String) -> Set<String> {
        Set(text.matches(of: /w[0-9]+w/).map { String($0.output) })
    }

    // MARK: What people do

    /// Notes that somebody wrote a value.
    ///
    /// - Parameters:
    ///   - old: What the writer has seen: the value in the file, or those in a question.
    ///   - taken: The value that git has taken out of the file since the last command.
    mutating func write(
        _ todo: String, _ field: String, _ value: String, over old: some Sequence<String>,
        taken: String? = nil
    ) {
        let key = FieldKey(todo: todo, field: field)
        older[key, default: [:]][value, default: []].formUnion(old.filter { $0 != value })
        if let taken { unseen[key, default: [:]][value, default: []].insert(taken) }
    }

    mutating func delete(_ todo: String, at machine: String) { deletes[machine, default: []].insert(todo) }

    mutating func deleteInCommit(_ todo: String) { committedDeletes.insert(todo) }

    /// Notes that the todos' files exist, so that the todos no longer count as deleted.
    mutating func noteFiles(_ todos: some Sequence<String>, at machine: String) {
        deletes[machine]?.subtract(todos)
    }

    // MARK: What the remote gets

    /// How a change on the remote is judged.
    enum Verdict: Equatable {
        case fine
        /// The writer hadn't seen the value that was replaced, because git had taken it out of the file.
        case replacedByGit
        case wrong(String)
    }

    /// Returns whether a value was written over another one, directly or indirectly.
    func supersedes(_ todo: String, _ field: String, _ new: String, _ old: String) -> Bool {
        reaches(FieldKey(todo: todo, field: field), new, old, countsUnseen: false)
    }

    private func reaches(_ key: FieldKey, _ new: String, _ old: String, countsUnseen: Bool) -> Bool {
        var (reached, next): (Set<String>, [String]) = ([new], [new])
        while let value = next.popLast() {
            if value == old { return true }
            var values = older[key]?[value] ?? []
            if countsUnseen { values.formUnion(unseen[key]?[value] ?? []) }
            next += values.subtracting(reached)
            reached.formUnion(values)
        }
        return false
    }

    /// Judges the replacement of a value on the remote.
    func judge(_ todo: String, _ field: String, from old: String?, to new: String?) -> Verdict {
        let key = FieldKey(todo: todo, field: field)
        guard let new else { return .wrong("\(todo) lost its \(field) \(old ?? "")") }
        guard older[key]?[new] != nil else {
            return .wrong("\(todo)'s \(field) became \(new), which nobody wrote there")
        }
        guard let old, !reaches(key, new, old, countsUnseen: false) else { return .fine }
        if reaches(key, new, old, countsUnseen: true) { return .replacedByGit }
        let isReverted = reaches(key, old, new, countsUnseen: false)
        return .wrong(
            "\(todo)'s \(field) \(old) was \(isReverted ? "reverted to" : "overwritten by") \(new)")
    }

    /// Returns whether a machine may delete a todo on the remote, because somebody has deleted it.
    func mayDelete(_ todo: String, by machine: String, isInHead: Bool) -> Bool {
        deletes[machine]?.contains(todo) == true || !isInHead && committedDeletes.contains(todo)
    }
}
