import Foundation
import TestSupport
import Testing

/// The table with the results of todosync and other tools for fifteen ordinary merges.
@Suite(.ownThreads) struct MergeComparisonTests {
    private static let script = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../../Benchmarks/Merges/run").standardized.path

    @Test(.enabled(if: Python.has("yaml"), "Python's yaml is not installed"))
    func `todosync and git merge as the pages show`() throws {
        let folder = try ThrowAwayFolder()
        let result = try Program.shell(
            "python3 '\(Self.script)' '\(TestedBinary.path)' --tools todosync,git --check", in: folder.path,
            environment: TestedEnvironment(home: folder.path))
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output == "")
    }
}
