import Testing

/// The program strace, which makes system calls fail or wait.
enum Strace {
    /// Whether strace is installed and may trace programs.
    static let isUsable = works("strace -o /dev/null -e inject=getcwd:error=EIO true")

    /// Whether strace can delay calls, too, which older versions can't.
    static let canDelay = works("strace -f -o /dev/null -e inject=getcwd:delay_enter=1 sh -c pwd")

    /// Why strace can't be used.
    ///
    /// `.ci/run` fails if strace isn't installed, but not if the system forbids tracing.
    static let whyNot: Comment =
        works("strace --version") ? "the system does not let a program be traced" : "strace is not installed"

    private static func works(_ command: String) -> Bool {
        let result = try? Program.shell(command, in: "/", environment: TestedEnvironment(home: "/"))
        return result?.status == 0
    }
}
