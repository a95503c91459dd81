import Foundation
import TestSupport
import Testing

/// One person's everyday use of the commands on several machines.
@Suite(.ownThreads) struct LifeTests {
    @Test func `two weeks with three hundred todos end with the same todos everywhere`() throws {
        let home = try ThrowAwayFolder(device: "phone")
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Life/two-weeks")
        let result = try Program.shell(
            "\(script.path) 2>&1", in: home.path, environment: TestedEnvironment(home: home.path))
        #expect(result.status == 0, "\(result.output.suffix(2000))")
        #expect(result.output.hasSuffix("$ todosync fsck --store store\nall is well\n"))
    }
}
