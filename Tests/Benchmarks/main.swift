#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

// Measures todosync and git at the same work, in turns, and prints a table in Markdown.
do {
    let options = try Options(CommandLine.arguments.dropFirst())
    if options.wantsHelp {
        print(Options.help)
    } else {
        let measurements = try Comparison(options: options).measurements()
        print(Table(measurements: measurements, machine: .this(), options: options).text)
    }
} catch {
    report("benchmarks: \(error)")
    exit(1)
}
