import Testing

@testable import SyncEngine

/// How many deletes it takes for the guard to withhold them.
@Suite struct DeleteGuardTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// The numbers of deleted todos at the top, and in the folder `work`.
        var deleted = 0
        var deletedAtWork = 0
        /// The numbers of all todos.
        var all: Int
        var allAtWork = 0
        var applied = 0
        var allowed: Int?
        var withheld = 0
        var isWithheld: Bool

        var testDescription: String {
            "\(deleted)+\(deletedAtWork) of \(all)+\(allAtWork), done \(applied), "
                + "allowed \(allowed ?? -1), before \(withheld)"
        }

        static let all = [
            // More than ten.
            Row(deleted: 10, all: 10, isWithheld: false), Row(deleted: 11, all: 11, isWithheld: true),
            Row(deleted: 5, all: 5, applied: 5, isWithheld: false),
            Row(deleted: 5, all: 5, applied: 6, isWithheld: true),
            // More than half.
            Row(deleted: 11, all: 22, isWithheld: false), Row(deleted: 11, all: 21, isWithheld: true),
            Row(deleted: 6, all: 17, applied: 5, isWithheld: false),
            Row(deleted: 6, all: 16, applied: 5, isWithheld: true),
            // All todos of a folder, if they are more than ten.
            Row(deletedAtWork: 11, all: 30, allAtWork: 11, isWithheld: true),
            Row(deletedAtWork: 11, all: 30, allAtWork: 12, isWithheld: false),
            Row(deleted: 1, deletedAtWork: 10, all: 30, allAtWork: 10, isWithheld: false),
            Row(deleted: 1, deletedAtWork: 11, all: 30, allAtWork: 11, isWithheld: true),
            // The number allowed.
            Row(deleted: 11, all: 11, allowed: 10, isWithheld: true),
            Row(deleted: 11, all: 11, allowed: 11, isWithheld: false),
            Row(deleted: 11, all: 11, allowed: 0, isWithheld: true),
            Row(deletedAtWork: 11, all: 30, allAtWork: 11, allowed: 11, isWithheld: false),
            // As many as were withheld before, although they are only a small share now.
            Row(deleted: 12, all: 100, withheld: 12, isWithheld: true),
            Row(deleted: 13, all: 100, withheld: 12, isWithheld: true),
            Row(deleted: 11, all: 100, withheld: 12, isWithheld: false),
            Row(deleted: 11, all: 100, withheld: 1, isWithheld: true),
            Row(deleted: 12, all: 100, withheld: 0, isWithheld: false),
            Row(deleted: 10, all: 100, withheld: 10, isWithheld: false),
            Row(deleted: 12, all: 100, allowed: 12, withheld: 12, isWithheld: false),
        ]
    }

    @Test(arguments: Row.all)
    func `deletes are withheld from these numbers on`(_ row: Row) {
        let top = { (count: Int) in (0..<count).map { "\($0).yaml" } }
        let work = { (count: Int) in (0..<count).map { "work/\($0).yaml" } }
        let guarded = DeleteGuard(
            deletes: top(row.deleted) + work(row.deletedAtWork),
            applied: (0..<row.applied).map { "gone\($0).yaml" },
            others: top(row.all) + work(row.allAtWork), allowed: row.allowed, withheld: row.withheld)
        #expect(guarded.withholds == row.isWithheld)
        #expect(guarded.count == row.deleted + row.deletedAtWork + row.applied)
        #expect(guarded.total == row.all + row.allAtWork + row.applied)
    }
}
