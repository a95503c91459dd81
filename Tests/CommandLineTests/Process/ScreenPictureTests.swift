import Foundation
import TestSupport
import Testing

/// The picture of a terminal in README.md.
@Suite(.ownThreads) struct ScreenPictureTests {
    private static let script = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../Screens/draw").standardized.path

    @Test(.enabled(if: Python.has("sys"), "Python is not installed"))
    func `it shows what the program prints`() throws {
        let folder = try ThrowAwayFolder()
        let result = try Program.shell(
            "python3 '\(Self.script)' '\(TestedBinary.path)' --check", in: folder.path,
            environment: TestedEnvironment(home: folder.path))
        #expect(result.status == 0, "\(result.output)")
    }
}
