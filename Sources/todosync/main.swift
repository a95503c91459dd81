internal import CSystemCalls
internal import Platform

// `main` is synchronous because an asynchronous one would delay the start of every command; see
// `waiting(for:)`.
csystem_grow_memory_in_large_steps()
csystem_finish_start()
csystem_look_up_names_without_modules()
Interruption.begin()
let arguments = processArguments()
exit(Interpreter(process: .ofThisProcess(arguments: arguments)).run(arguments).rawValue)
