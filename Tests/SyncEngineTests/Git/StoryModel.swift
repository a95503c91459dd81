/// The fields of one todo's file: each value is a word that is written nowhere else.
typealias StoryFields = [String: String]

/// What people and todosync's commands wrote and deleted, and how the remote changed.
///
/// Writes and replacements have numbers that increase with time.
struct StoryModel {
    private struct Place: Hashable {
        var todo: String
        var field: String
    }

    private struct Write {
        var time: Int
        /// The newest value on the remote that the writer's machine had seen.
        var known: String?
    }

    private var time = 0
    private var words = 0
    private var writes: [Place: [String: Write]] = [:]
    private var replaced: [Place: [String: Int]] = [:]
    /// The versions of each todo that machines have seen on the remote.
    private var versions: [String: Set<StoryFields>] = [:]
    /// The values that a machine replaced without having seen them.
    private var overtaken: [Place: [String: String]] = [:]
    /// The values that a machine has seen on the remote.
    private var seen: [String: [Place: Set<String>]] = [:]
    /// The todos that users deleted on each machine, and those deleted in commits.
    private var deletes: [String: Set<String>] = [:]
    private(set) var committedDeletes: Set<String> = []
    private var latest: [String: [String: StoryFields]] = [:]

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

    mutating func write(_ todo: String, _ field: String, _ value: String, at machine: String) {
        time += 1
        writes[Place(todo: todo, field: field), default: [:]][value] = Write(
            time: time, known: latest[machine]?[todo]?[field])
    }

    mutating func delete(_ todo: String, at machine: String) { deletes[machine, default: []].insert(todo) }

    mutating func deleteInCommit(_ todo: String) { committedDeletes.insert(todo) }

    /// Notes what somebody did to files on purpose.
    mutating func note(
        _ before: [String: StoryFields], _ after: [String: StoryFields], at machine: String
    ) {
        for (todo, fields) in after {
            for (field, value) in fields where before[todo]?[field] != value {
                write(todo, field, value, at: machine)
            }
        }
        for todo in before.keys where after[todo] == nil { delete(todo, at: machine) }
    }

    /// Notes that the todos' files exist, so that the todos no longer count as deleted.
    mutating func noteFiles(_ todos: some Sequence<String>, at machine: String) {
        deletes[machine]?.subtract(todos)
    }

    // MARK: What the remote gets

    /// Notes that a machine has seen a state of the remote.
    mutating func see(_ remote: [String: StoryFields], at machine: String) {
        latest[machine] = remote
        for (todo, fields) in remote {
            versions[todo, default: []].insert(fields)
            for (field, value) in fields {
                seen[machine, default: [:]][Place(todo: todo, field: field), default: []].insert(value)
            }
        }
    }

    /// Returns whether a todo has had these fields on the remote.
    func hasBeenRemote(_ todo: String, _ fields: StoryFields) -> Bool {
        versions[todo]?.contains(fields) == true
    }

    /// How a change on the remote is judged.
    enum Verdict: Equatable {
        case fine
        /// The writer hadn't seen the value that was replaced.
        case overtaken
        /// The value was replaced before, and the machine that sent it had never seen it on the remote.
        case unseenVersion
        case wrong(String)
    }

    /// Judges a machine's replacement of a value on the remote.
    mutating func judge(
        _ todo: String, _ field: String, from old: String?, to new: String?, by machine: String
    ) -> Verdict {
        let place = Place(todo: todo, field: field)
        time += 1
        if let old { replaced[place, default: [:]][old] = time }
        guard let new else { return .wrong("\(todo) lost its \(field) \(old ?? "")") }
        guard let write = writes[place]?[new] else {
            return .wrong("\(todo)'s \(field) became \(new), which nobody wrote there")
        }
        if let then = replaced[place]?[new], write.time < then {
            if seen[machine]?[place]?.contains(new) != true { return .unseenVersion }
            // A value that was replaced unseen may come back.
            if overtaken[place]?[new] == machine { return .fine }
            return .wrong("\(todo)'s \(field) went back from \(old ?? "nothing") to \(new)")
        }
        guard let old, write.known != old else { return .fine }
        overtaken[place, default: [:]][old] = machine
        return .overtaken
    }

    /// Returns whether a machine may delete a todo on the remote, because somebody has deleted it.
    func mayDelete(_ todo: String, by machine: String, isInHead: Bool) -> Bool {
        deletes[machine]?.contains(todo) == true || !isInHead && committedDeletes.contains(todo)
    }
}
