internal import CSystemCalls
internal import Platform

// `main` is synchronous because an asynchronous one would delay the start of every command; see
// `waiting(for:)`.
csystem_grow_memory_in_large_steps()
csystem_finish_start()
Interruption.begin()
let arguments = processArguments()
exit(Interpreter(process: .ofThisProcess(arguments: arguments)).run(arguments).rawValue)
