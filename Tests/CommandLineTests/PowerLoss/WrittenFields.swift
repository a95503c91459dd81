/// The values that users wrote into fields of todos, and which of them nobody has knowingly replaced.
///
/// A todo is identified by the value of its `key`, which no user changes. A deleted field has the value nil.
struct WrittenFields {
    struct Field: Hashable, Comparable, CustomStringConvertible {
        var todo: String
        var name: String
        var description: String { "\(todo).\(name)" }

        static func < (left: Field, right: Field) -> Bool {
            (left.todo, left.name) < (right.todo, right.name)
        }
    }

    private struct Write {
        var value: String?
        /// The value that the user saw.
        var seen: String?
        var side: String
        /// Whether the value is an earlier one.
        var isRevert: Bool
    }

    private var writes: [Field: [Write]] = [:]
    private var count = 0

    var fields: [Field] { writes.keys.sorted() }

    /// Returns a value that nobody wrote before.
    mutating func new() -> String {
        count += 1
        return "v\(count)"
    }

    mutating func wrote(
        _ value: String?, over seen: String?, in field: Field, by side: String, isRevert: Bool = false
    ) {
        writes[field, default: []].append(Write(value: value, seen: seen, side: side, isRevert: isRevert))
    }

    /// Records that a user has chosen one of several values.
    mutating func chose(_ value: String?, of values: Set<String?>, in field: Field, by side: String) {
        for seen in values { wrote(value, over: seen, in: field, by: side, isRevert: true) }
    }

    /// Returns whether two users replaced the same value, so that one of them might have been asked.
    func isForked(_ field: Field) -> Bool {
        let sides = Dictionary(grouping: writes[field] ?? [], by: \.seen).values.map { Set($0.map(\.side)) }
        return sides.contains { $0.count > 1 }
    }

    /// Returns the values that nobody who saw them has replaced; several if users didn't see each other's
    /// values.
    func live(_ field: Field) -> Set<String?> {
        let all = writes[field] ?? []
        return Set(
            all.indices.filter { index in !all[(index + 1)...].contains { $0.seen == all[index].value } }
                .map { all[$0].value })
    }

    /// Returns whether one of several values can have been chosen without a question.
    ///
    /// If a user goes back to an earlier value while another user replaces it, the first user's value is
    /// unchanged. Paths never conflict.
    func needsNoConflict(_ field: Field) -> Bool {
        field.name == TodoFileOfUser.pathName || live(field).count < 2
            || writes[field]?.contains(where: \.isRevert) == true
    }
}
