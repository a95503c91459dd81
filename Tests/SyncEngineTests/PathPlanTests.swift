import Testing
import TodoModel

@testable import SyncEngine

/// Which todo gets which path, by the rules alone.
@Suite struct PathPlanTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The wanted paths, by id.
        var wishes: [String: String]
        /// The ids of the todos that have paths, by path; an empty id stands for a file that stays.
        var holders: [String: String] = [:]
        var unusable: Set<String> = []
        /// The planned paths, by id; an exclamation mark follows a path that applies to this folder only.
        var expected: [String: String]
    }

    static let rows = [
        Row(
            testDescription: "free paths", wishes: ["a": "x.yaml", "b": "y/z.yml"],
            expected: ["a": "x.yaml", "b": "y/z.yml"]),
        Row(
            testDescription: "two want one", wishes: ["b": "x.yaml", "a": "x.yaml"],
            expected: ["a": "x.yaml", "b": "x-b.yaml"]),
        Row(
            testDescription: "three want one", wishes: ["c": "w/x.yml", "b": "w/x.yml", "a": "w/x.yml"],
            expected: ["a": "w/x.yml", "b": "w/x-b.yml", "c": "w/x-c.yml"]),
        Row(
            testDescription: "a smaller id has it", wishes: ["b": "x.yaml"], holders: ["x.yaml": "a"],
            expected: ["b": "x-b.yaml"]),
        Row(
            testDescription: "a larger id has it and makes room", wishes: ["b": "x.yaml"],
            holders: ["x.yaml": "c"], expected: ["b": "x.yaml", "c": "x-c.yaml"]),
        Row(
            testDescription: "who makes room may have its own name already", wishes: ["b": "x.yaml"],
            holders: ["x.yaml": "c", "x-c.yaml": "c"], expected: ["b": "x.yaml", "c": "x-c.yaml"]),
        Row(
            testDescription: "something else is there", wishes: ["a": "x.yaml"], holders: ["x.yaml": ""],
            expected: ["a": "x-a.yaml!"]),
        Row(
            testDescription: "it can't be used", wishes: ["a": "w/x.yaml"], unusable: ["w/x.yaml"],
            expected: ["a": "w/x-a.yaml!"]),
        Row(
            testDescription: "the unique name is taken, too", wishes: ["b": "x.yaml", "a": "x.yaml"],
            holders: ["x-b.yaml": ""], expected: ["a": "x.yaml", "b": "x-b-2.yaml"]),
        Row(
            testDescription: "an id longer than its beginning", wishes: ["12345678-9": "x.yaml"],
            holders: ["x.yaml": "", "x-12345678.yaml": "0"], expected: ["12345678-9": "x-12345678-9.yaml!"]),
        Row(
            testDescription: "a name that is no todo's", wishes: ["a": "w/x.txt"], unusable: ["w/x.txt"],
            expected: ["a": "w/x.txt-a.yaml!"]),
        Row(
            testDescription: "a name without an ending", wishes: ["a": "x"], unusable: ["x"],
            expected: ["a": "x-a.yaml!"]),
        Row(
            testDescription: "a folder with no place", wishes: ["a": "W W/X x.yaml"],
            unusable: ["W W/X x.yaml", "W W/X x-a.yaml", "W W/x-x-a.yaml"],
            expected: ["a": "x-x-a.yaml!"]),
    ]

    @Test(arguments: rows) func `todos get their paths`(_ row: Row) throws {
        let wishes = try row.wishes.map { id, path in
            PathPlan.Wish(id: try #require(TodoID(id)), path: path)
        }
        let plan = PathPlan(wishes, isUsable: { !row.unusable.contains($0) }) { path in
            row.holders[path].map { TodoID($0).map(PathPlan.Holder.todo) ?? .fixed }
        }
        let assignedPaths = plan.assignedPaths.map { id, assigned in
            (id.string, assigned.path + (assigned.isPathLocalOnly ? "!" : ""))
        }
        #expect(Dictionary(uniqueKeysWithValues: assignedPaths) == row.expected)
    }

    @Test func `where no name can be had the todo stays outside`() throws {
        let id = try #require(TodoID("a"))
        let plan = PathPlan([PathPlan.Wish(id: id, path: "x.yaml")], isUsable: { _ in false }) { _ in nil }
        #expect(plan.assignedPaths.isEmpty)
    }
}
