import TestSupport
import Testing

@testable import todosync

/// The errors for arguments that the parser refuses.
@Suite struct UsageMessageTests {
    struct Row: Sendable {
        let arguments: [String]
        let message: String

        init(_ arguments: String, _ message: String) {
            self.arguments = arguments.split(separator: " ").map(String.init)
            self.message = message
        }
    }

    @Test(arguments: [
        Row("push --foo", "unknown option '--foo'"),
        Row("push --jsno", "unknown option '--jsno'; did you mean '--json'?"),
        Row("list --zzz", "unknown option '--zzz'"),
        Row("resolve --use locl", "--use takes local, remote or base, not 'locl'"),
        Row("next --limit x", "'x' is not valid for --limit"),
        Row("serve --listen foo", "'foo' is not an address; use a form such as 127.0.0.1:8080 or [::1]:8080"),
        Row("serve key add a --store s", "the option --access is missing"),
        Row("clone", "the argument <url> is missing"),
        Row(
            "remote set-url upstream store", "a working directory has only one remote, origin; type its URL"),
        Row("remote add origin", "the URL is missing after origin"),
        Row("remote remove upstream", "a working directory has only one remote, origin"),
    ])
    func `a refused argument is reported in one sentence`(row: Row) throws {
        let folder = try ThrowAwayFolder()
        let result = try Program.todosync(row.arguments, in: folder.path)
        #expect(result.status == 64)
        #expect(result.errors.hasPrefix("error: \(row.message)\n"), "\(result.errors)")
    }
}
