internal import CSystemCalls
internal import Platform

// `main` is synchronous because an asynchronous one would delay the start of every command; see
// `waiting(for:)`.
csystem_grow_memory_in_large_steps()
Interruption.begin()
do {
    let arguments = try processArguments()
    exit(Interpreter(process: .ofThisProcess(arguments: arguments)).run(arguments).rawValue)
} catch {
    exit(Interpreter(process: .ofThisProcess(arguments: [])).end(with: error).rawValue)
}
