import Foundation
import TestSupport
import Testing

/// The scripts in `completions` are what the program generates:
/// `todosync --generate-completion-script bash > completions/todosync.bash`, and so on.
@Suite(.ownThreads) struct CompletionTests {
    @Test(arguments: [("bash", "todosync.bash"), ("zsh", "_todosync"), ("fish", "todosync.fish")])
    func `completions are current`(shell: String, file: String) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
        let script = try String(
            contentsOf: root.appendingPathComponent("completions/\(file)"), encoding: .utf8)
        let generated = try Program.todosync("--generate-completion-script", shell, in: "/")
        #expect(generated.status == 0)
        #expect(generated.output == script)
    }
}
