import LosslessYAML
import Testing
import ThreeWayMerge

/// A merge and the same merge with the sides swapped.
///
/// All texts begin with the `id` and the `text`.
struct TwoWayRow: CustomTestStringConvertible {
    var testDescription: String
    var base: String?
    var local: String
    var remote: String
    var merged: String
    var swapped: String

    static let first = "id: a\ntext: t\n"

    /// Checks the merge in both directions.
    func check(before first: String = first) throws {
        func merged(_ local: String, _ remote: String) throws -> String {
            let base = try base.map { try document(first + $0) }
            return try merge(
                base: base, local: document(first + local), remote: document(first + remote), rules: .todo
            ).outcome.shown
        }
        let merged = try (merged(local, remote), merged(remote, local))
        #expect(merged.0 == first + self.merged, "\(merged.0)")
        #expect(merged.1 == first + swapped, "\(merged.1)")
    }
}
