import Platform

/// libFuzzer's entry point for programs with their own `main`.
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ tryText: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(
    runFuzzer(&count, &arguments) { start, count in
        let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
        if let problem = FuzzTarget.chosen.problem(with: bytes) {
            puts(problem)
            fflush(nil)
            abort()
        }
        return 0
    })
