import Foundation
import TestSupport
import Testing

/// What the commands say of todos that can't be synced for now.
@Suite(.ownThreads) struct WaitingTests {
    private let folder: ThrowAwayFolder

    init() throws { folder = try ThrowAwayFolder() }

    private func run(_ script: String) throws -> String {
        let result = try Program.shell(
            "unset TODOSYNC_SEED\n" + script, in: folder.path,
            environment: TestedEnvironment(home: folder.path))
        return result.output.replacing(folder.path, with: "~")
    }

    @Test func `status --verbose names the files with several names`() throws {
        let output = try run(
            """
            todosync init --quiet .
            todosync add --quiet Milk
            ln milk.yaml milk.txt
            todosync status --verbose | tail -n 3
            """)
        #expect(
            output == """
                Files with several names (hard links):
                  (a command that changes such a file leaves its other names as they are)
                  milk.yaml

                """)
    }
}
