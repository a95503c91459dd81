/// Returns the words that the process was started with, without its own name.
func processArguments() throws -> [String] {
    var words = CommandLine.arguments
    if words.isEmpty {
        // On Linux the runtime has found none where it can't read `/proc/self/maps`.
        words = try readFile("/proc/self/cmdline").split(separator: 0, omittingEmptySubsequences: false)
            .dropLast().map { String(decoding: $0, as: UTF8.self) }
    }
    return Array(words.dropFirst())
}
