import Foundation
import LosslessYAML
import Testing
import ThreeWayMerge

/// The merges in a file that other programs can run, too.
@Suite struct GoldenMergeTests {
    struct File: Decodable {
        var cases: [Case]
    }

    struct Case: Decodable, CustomTestStringConvertible {
        /// The number of the rule in Merging.md, or what else decides.
        var rule: String
        var name: String
        var base: String?
        var local: String
        var remote: String
        /// The merged text; nil for a conflict.
        var result: String?
        /// The text with markers; nil without a conflict.
        var conflict: String?

        var testDescription: String { "\(rule): \(name)" }
    }

    static let cases = (try? File.read())?.cases ?? []

    @Test(arguments: cases) func `a merge has the recorded result`(row: Case) throws {
        let (base, local, remote) = try (row.base.map(document), document(row.local), document(row.remote))
        switch merge(base: base, local: local, remote: remote, rules: .todo).outcome {
        case .clean(let bytes): #expect(string(bytes) == row.result && row.conflict == nil)
        case .conflicted(let text):
            #expect(string(text.text(style: .merge)) == row.conflict && row.result == nil)
        case .unwritable(let obstacle): throw obstacle
        }
    }

    @Test(arguments: cases) func `both directions conflict, or neither, and have the same values`(row: Case)
        throws
    {
        func values(_ outcome: MergedText, _ side: Side) throws -> Unordered {
            let text: [UInt8]? =
                switch outcome {
                case .clean(let bytes): bytes
                case .conflicted(let text): text.taking(side)
                case .unwritable(let obstacle): throw obstacle
                }
            return try Document(parsing: try #require(text)).fields.withoutOrder
        }
        let (base, local, remote) = try (row.base.map(document), document(row.local), document(row.remote))
        let there = merge(base: base, local: local, remote: remote, rules: .todo)
        let back = merge(base: base, local: remote, remote: local, rules: .todo)
        #expect(there.conflictingFields == back.conflictingFields)
        #expect(try values(there.outcome, .local) == values(back.outcome, .remote))
        #expect(try values(there.outcome, .remote) == values(back.outcome, .local))
    }

    @Test func `the file has cases of every rule`() throws {
        let cases = try File.read().cases
        #expect(cases.count >= 100)
        #expect(Set(cases.map(\.name)).count == cases.count)
        for rule in ["1", "2", "3", "4", "5", "6", "7", "layout"] {
            #expect(cases.count { $0.rule == rule } >= 7, "\(rule)")
        }
        for row in cases { #expect((row.result == nil) != (row.conflict == nil), "\(row.name)") }
    }
}

extension GoldenMergeTests.File {
    fileprivate static func read() throws -> Self {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "GoldenMerges.json")
        return try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
    }
}
