import Foundation
import Testing

/// The benchmark at a tiny size, so that it cannot rot.
@Suite struct BenchmarkTests {
    @Test func `the benchmark does every job and prints its table`() throws {
        let result = try run(
            buildFolder.appending(path: "benchmarks"), ["--todos", "50,60", "--repeat", "1"])
        try #require(result.status == 0, "\(result.output)")
        let rows = result.output.split(separator: "\n").filter { $0.hasPrefix("|") }.map { row in
            row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let jobs = [
            "first push", "clone", "status, nothing changed", "sync without news", "push of 1 edit",
            "pull of 1 edit",
        ]
        let expected =
            [["job", "todos"], ["---", "---:"], ["start (`--version`)", "–"]]
            + ["50", "60"].flatMap { size in jobs.map { [$0, size] } }
        #expect(rows.map { Array($0.prefix(2)) } == expected)
        #expect(rows.dropFirst(2).allSatisfy { $0.count == 5 && $0[2].hasSuffix(" ms") })
    }

    @Test func `the benchmark explains an argument that it does not know`() throws {
        let result = try run(buildFolder.appending(path: "benchmarks"), ["--todo", "50"])
        #expect(result.status == 1)
        #expect(result.output.contains("--todo\n\nusage: benchmarks"))
    }
}
