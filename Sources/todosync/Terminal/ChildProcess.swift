internal import Platform

/// A program that the user named, or that the user's programs need, with this process's environment and
/// standard error.
struct ChildProcess {
    let arguments: [String]
    /// The program's name in error messages.
    let name: String

    /// Runs the program in the foreground, with this process's output, and returns its exit status; -1 if a
    /// signal ended it.
    ///
    /// While the program runs, it gets Ctrl-C, as with git, and any signal that asks this process to end.
    ///
    /// - Parameter input: An input of any size, which the program doesn't have to read; nil for that of this
    ///   process.
    func run(reading input: [UInt8]? = nil) throws -> Int32 {
        let interrupt = signal(SIGINT, SIG_IGN)
        let quit = signal(SIGQUIT, SIG_IGN)
        // This process must not end if the program ends before it has read everything.
        let broken = signal(SIGPIPE, SIG_IGN)
        defer {
            signal(SIGINT, interrupt)
            signal(SIGQUIT, quit)
            signal(SIGPIPE, broken)
        }
        let program = ChildProgram(arguments, .inherited, isInOwnGroup: false)
        return try translatingProblems {
            guard let input else { return wait(for: try program.start()) }
            var pipe = try ChildPipe()
            defer {
                pipe.closeReading()
                pipe.closeWriting()
            }
            let child = try program.start(input: pipe.reading)
            pipe.closeReading()
            Stream(descriptor: pipe.writing, name: name).writeIgnoringErrors(input)
            pipe.closeWriting()
            return wait(for: child)
        }
    }

    /// Runs the program with an input, and returns its exit status and output.
    ///
    /// - Parameters:
    ///   - limit: The number of bytes that the program may print.
    ///   - seconds: The time that the program may run.
    ///   - isInOwnGroup: Whether the program and what it starts are killed together, so that it can't use the
    ///     terminal.
    /// - Throws: A ``ChildProgram/Problem`` if the program exceeds a limit, a ``Failure`` if it can't be
    ///   started, or `CancellationError` if a signal asks this command to end.
    func filter(
        _ input: [UInt8], limit: Int, time: Duration, isInOwnGroup: Bool = true
    ) throws -> (status: Int32, output: [UInt8]) {
        try translatingProblems {
            let answer = try ChildProgram(arguments, .inherited, isInOwnGroup: isInOwnGroup).run(
                input, limit: limit, time: time, isInterrupted: { Interruption.status != nil })
            return (answer.status, answer.output)
        }
    }

    private func translatingProblems<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch ChildProgram.Problem.cannotStart(let code) {
            throw Failure(
                .cannotReadOrWrite, "\(visible(name)) can't be started: \(systemErrorWords(code))")
        } catch ChildProgram.Problem.interrupted {
            throw CancellationError()
        }
    }

    private func wait(for child: pid_t) -> Int32 {
        var status: Int32 = 0
        var isSignaled = false
        while waitpid(child, &status, WNOHANG) == 0 {
            if let signal = Interruption.signal, !isSignaled {
                isSignaled = true
                kill(child, signal)
            }
            poll(nil, 0, 10)
        }
        return ChildProgram.exitStatus(status)
    }
}
