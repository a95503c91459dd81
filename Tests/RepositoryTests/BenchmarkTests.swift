import Foundation
import Testing

/// The benchmark at a tiny size, so that it cannot rot.
@Suite struct BenchmarkTests {
    @Test func `the benchmark does every job and prints its table`() throws {
        let result = try run(
            buildFolder.appending(path: "benchmarks"),
            ["--todos", "50,60", "--repeat", "1", "--requests", "3"])
        try #require(result.status == 0, "\(result.output)")
        let rows = result.output.split(separator: "\n").filter { $0.hasPrefix("|") }.map { row in
            row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let exchanges = ["sync without news", "push of 1 edit", "pull of 1 edit"]
        let byFolder = ["first push", "clone", "status, nothing changed"] + exchanges
        let expected =
            [["job", "by", "todos"], ["---", "---", "---:"], ["start (`--version`)", "–", "–"]]
            + ["50", "60"].flatMap { size in
                byFolder.map { [$0, $0.hasPrefix("status") ? "–" : "a folder", size] }
                    + (["first push", "clone"] + exchanges).map { [$0, "HTTP", size] }
            }
        let comparison = rows.prefix(expected.count)
        #expect(comparison.map { Array($0.prefix(3)) } == expected)
        #expect(comparison.dropFirst(2).allSatisfy { $0.count == 6 && $0[3].hasSuffix(" ms") })
        let loads = rows.dropFirst(expected.count + 2)
        #expect(loads.map { $0[0] } == ["GET of one record", "PATCH with If-Match", "batch of 100 inserts"])
        #expect(loads.allSatisfy { $0.count == 6 && $0[4].hasSuffix(" ms") && $0[5].hasSuffix(" ms") })
    }

    @Test func `the benchmark explains an argument that it does not know`() throws {
        let result = try run(buildFolder.appending(path: "benchmarks"), ["--todo", "50"])
        #expect(result.status == 1)
        #expect(result.output.contains("--todo\n\nusage: benchmarks"))
    }
}
