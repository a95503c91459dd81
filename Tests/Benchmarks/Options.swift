internal import Foundation

/// The options on the command line.
struct Options {
    /// The sizes to measure, as numbers of todos.
    var todos = [1000, 10_000]
    /// How often each job is run; the table shows the medians.
    var repetitions = 5
    /// The number of requests of each kind that a connection sends to the server.
    var requests = 200
    /// The number of edits to sync one at a time for measuring growth.
    var syncs = 1000
    /// The URL of an empty database, if only servers are measured.
    var database: String?
    /// The number of connections that wait for changes.
    var watchers = 10_000
    /// The folder to create the data's folder in.
    var folder = FileManager.default.temporaryDirectory.path
    /// The binary to measure; by default, the one beside this program.
    var todosync = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "todosync").path
    var wantsHelp = false

    static let help = """
        usage: benchmarks [--todos 1000,10000] [--repeat 5] [--requests 200] [--syncs 1000]
                          [--folder DIR] [--todosync FILE]
               benchmarks --database URL [--watchers 10000] [--repeat 5] [--requests 200]
                          [--folder DIR] [--todosync FILE]

        Does the same work with todosync and with git, in turns, by a folder and over HTTP, and prints medians
        and ratios; then the time that the system calls take alone; some of the work beside Taskwarrior,
        unison and vdirsyncer where they and their servers are installed; how many requests a second
        todosync's server answers; and how what todosync keeps grows with each sync. A folder in /dev/shm
        leaves the disk out of it.
        With an empty PostgreSQL database, measures servers only: on a folder, on the database, and several on
        the database.
        Build the binary first: .ci/release
        """

    /// Parses the arguments after the program's name.
    init(_ arguments: some Sequence<String>) throws {
        var rest = Array(arguments)[...]
        while let name = rest.popFirst() {
            if name == "--help" || name == "-h" {
                wantsHelp = true
                continue
            }
            guard let value = rest.popFirst() else { throw UsageError(argument: name) }
            switch name {
            case "--todos": todos = try value.split(separator: ",").map { try count($0, of: name) }
            case "--repeat": repetitions = try count(value[...], of: name)
            case "--requests": requests = try count(value[...], of: name)
            case "--syncs": syncs = try count(value[...], of: name)
            case "--database": database = value
            case "--watchers": watchers = try count(value[...], of: name)
            case "--folder": folder = URL(filePath: value).path
            case "--todosync": todosync = URL(filePath: value).path
            default: throw UsageError(argument: name)
            }
        }
    }
}

/// An argument that is unknown, lacks its value, or has a value that isn't a positive number.
struct UsageError: Error, CustomStringConvertible {
    let argument: String

    var description: String { "can't make sense of \(argument)\n\n\(Options.help)" }
}

private func count(_ text: Substring, of argument: String) throws -> Int {
    guard let count = Int(text), count > 0 else { throw UsageError(argument: "\(argument) \(text)") }
    return count
}
