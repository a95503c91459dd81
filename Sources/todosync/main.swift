#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

// `main` is synchronous, as an asynchronous one makes every command's start slower; see `waiting(for:)`.
endOnInterruption()
let interpreter = Interpreter(process: .ofThisProcess())
exit(interpreter.run(Array(CommandLine.arguments.dropFirst())).rawValue)
