import Foundation
import TestSupport
import Testing

/// Everyday use of the commands, as scripts that expect each exit status or each change sent.
@Suite(.ownThreads) struct LifeTests {
    private func run(_ script: String, in home: ThrowAwayFolder) throws -> Program.Result {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Life/" + script).path
        return try Program.shell(
            "\(path) 2>&1", in: home.path, environment: TestedEnvironment(home: home.path))
    }

    @Test func `two weeks with three hundred todos end with the same todos everywhere`() throws {
        let result = try run("two-weeks", in: ThrowAwayFolder(device: "phone"))
        #expect(result.status == 0, "\(result.output.suffix(2000))")
        #expect(result.output.hasSuffix("$ todosync fsck --store store\nall is well\n"))
    }

    @Test func `two weeks of a team with git send and ask only what is expected, and lose nothing`() throws {
        let result = try run("team-of-three", in: ThrowAwayFolder())
        #expect(result.status == 0, "\(result.output.suffix(2000))")
        #expect(result.output.components(separatedBy: "all is well\n").count == 4)
    }
}
