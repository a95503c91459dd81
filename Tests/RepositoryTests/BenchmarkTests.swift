import Foundation
import TestSupport
import Testing

/// Runs the benchmark at a tiny size, so that it keeps working.
@Suite(.ownThreads) struct BenchmarkTests {
    @Test func `the benchmark runs every job and prints its tables`() throws {
        let result = try run(
            buildFolder.appending(path: "benchmarks"),
            ["--todos", "50,60", "--repeat", "1", "--requests", "3", "--syncs", "2"])
        try #require(result.status == 0, "\(result.output)")
        let rows = result.output.split(separator: "\n").filter { $0.hasPrefix("|") }.map { row in
            row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        func sharedJobs(_ size: Int) -> [[String]] {
            let tenth = size / 10
            let first = ["first push", "clone"]
            let exchanges =
                ["push of 1 edit", "pull of 1 edit", "push of \(tenth) edits", "pull of \(tenth) edits"]
                + ["1 edit", "\(size) edits", "\(tenth) edits"].map { "merge and push of \($0)" }
                + ["1 edit", "\(tenth) edits"].map { "conflict in \($0), up to the markers" }
            let byFolder =
                first + ["status, nothing changed", "sync without news"] + exchanges[..<2]
                + ["status, \(tenth) edits"] + exchanges[2...]
            return byFolder.map { [$0, $0.hasPrefix("status") ? "–" : "a folder", "\(size)"] }
                + (first + ["sync without news"] + exchanges).map { [$0, "HTTP", "\(size)"] }
        }
        let expected =
            [["job", "by", "todos"], ["---", "---", "---:"], ["start (`--version`)", "–", "–"]]
            + sharedJobs(50) + sharedJobs(60)
        let comparison = rows.prefix(expected.count)
        #expect(comparison.map { Array($0.prefix(3)) } == expected)
        #expect(comparison.dropFirst(2).allSatisfy { $0.count == 6 && $0[3].hasSuffix(" ms") })
        // Two of the four kinds of system calls don't depend on the number of todos.
        let floors = rows.dropFirst(expected.count + 2).prefix(4 + 2)
        #expect(floors.map { $0[1] } == ["50", "50", "–", "–", "60", "60"])
        #expect(floors.allSatisfy { $0.count == 3 && $0[2].hasSuffix(" ms") })
        let memory = rows.dropFirst(expected.count + 2 + floors.count + 2).prefix(2 * 5)
        #expect(memory.allSatisfy { $0.count == 6 && $0[3].hasSuffix(" MiB") && $0[4].hasSuffix(" MiB") })
        let isPeer = { (row: [String]) in row.count == 6 && row[2].hasSuffix(" ms") && row[3].hasSuffix(" ms")
        }
        let afterMemory = rows.dropFirst(expected.count + 2 + floors.count + 2 + memory.count)
        #expect(afterMemory.first == ["job", "todos", "todosync", "other", "", "todosync ÷ other"])
        // The rows depend on which programs are installed.
        let afterPeers = afterMemory.dropFirst(2).drop(while: isPeer)
        let growth = afterPeers.dropFirst(2).prefix(2)
        #expect(growth.map { $0[0] } == ["after the clone", "after 2 syncs of an edit each"])
        #expect(growth.allSatisfy { $0.count == 4 && $0[3].hasSuffix(" ms") })
        let loads = afterPeers.dropFirst(2 + growth.count + 2)
        #expect(loads.map { $0[0] } == ["GET of one record", "PATCH with If-Match", "batch of 100 inserts"])
        #expect(loads.allSatisfy { $0.count == 6 && $0[4].hasSuffix(" ms") && $0[5].hasSuffix(" ms") })
    }

    @Test func `the benchmark explains an unknown argument`() throws {
        let result = try run(buildFolder.appending(path: "benchmarks"), ["--todo", "50"])
        #expect(result.status == 1)
        #expect(result.output.contains("--todo\n\nusage: benchmarks"))
    }
}
