internal import Foundation

/// How long a tool took for a job at a number of todos, once for each repetition.
struct Measurement {
    let job: Job
    let transport: Transport
    let todos: Int
    let tool: String
    var durations: [Duration]
}

/// Makes the data and has every tool do every job, in turns, so that noise meets all alike.
struct Comparison {
    let tools: [any Tool]
    let options: Options

    /// - Throws: ``MissingBinary`` where there is nothing to measure.
    init(options: Options) throws {
        self.options = options
        guard FileManager.default.isExecutableFile(atPath: options.todosync) else {
            throw MissingBinary(path: options.todosync)
        }
        let git = installedProgram("git").map { Git(program: $0) }
        if git == nil { report("git is not installed: todosync is measured alone") }
        tools = [Todosync(program: options.todosync)] + [git].compactMap(\.self)
    }

    /// Does all the work in a folder of its own, which is removed in the end.
    func measurements() throws -> [Measurement] {
        let root = options.folder + "/todosync-benchmarks-\(ProcessInfo.processInfo.processIdentifier)"
        try makeFolder(root)
        defer { try? FileManager.default.removeItem(atPath: root) }
        return try options.todos.flatMap { count in
            var all: [Measurement] = []
            for repetition in 1...options.repetitions {
                report("\(count) todos, \(repetition) of \(options.repetitions)")
                let once = try Transport.allCases.flatMap { transport in
                    try measureOnce(
                        TodoFiles(count: count), transport, repetition, in: root + "/\(repetition)")
                }
                if all.isEmpty {
                    all = once
                } else {
                    for index in all.indices { all[index].durations += once[index].durations }
                }
            }
            return all
        }
    }

    /// Measures every job once for every tool, on new folders.
    private func measureOnce(
        _ files: TodoFiles, _ transport: Transport, _ repetition: Int, in root: String
    ) throws -> [Measurement] {
        defer { try? FileManager.default.removeItem(atPath: root) }
        try makeFolder(root + "/home")
        try writeText(Git.configuration, to: root + "/home/.gitconfig")
        let runner = runner(in: root)
        var servers: [ServerProcess] = []
        var allFolders: [String: Folders] = [:]
        for tool in tools {
            var folders = Folders(root: root + "/" + tool.name)
            _ = try runner.time(tool.preparation(folders))
            if transport == .http {
                guard let command = try tool.server(folders) else { continue }
                let server = try ServerProcess(
                    command, environment: runner.environment, log: folders.root + "/log")
                folders.remoteURL = tool.remoteURL(on: server.url)
                servers.append(server)
            }
            _ = try runner.time(tool.connecting(folders))
            try files.write(to: folders.phone)
            allFolders[tool.name] = folders
        }
        let tools = tools.filter { allFolders[$0.name] != nil }
        let jobs = Job.allCases.filter { job in
            (job.dependsOnTodos || files.count == options.todos.first)
                && (job.isExchange || transport == .folder)
        }
        defer { withExtendedLifetime(servers) {} }
        return try jobs.flatMap { job in
            // Who begins changes, as the first may find the disk busier.
            let turns = repetition.isMultiple(of: 2) ? tools.reversed() : tools
            return try turns.compactMap { tool -> Measurement? in
                guard let folders = allFolders[tool.name] else { return nil }
                try prepare(job, files, edit: repetition, folders, runner, tool)
                let commands = repeatElement(tool.commands(for: job, folders), count: job.runs)
                let duration = try runner.time(commands.flatMap(\.self)) / job.runs
                return Measurement(
                    job: job, transport: transport, todos: files.count, tool: tool.name, durations: [duration]
                )
            }.sorted { $0.tool > $1.tool }
        }
    }

    /// Does what a job rests on and is no part of what is measured.
    private func prepare(
        _ job: Job, _ files: TodoFiles, edit: Int, _ folders: Folders, _ runner: CommandRunner,
        _ tool: any Tool
    ) throws {
        switch job {
        case .status:
            // Both remember what they saw of files; so soon after writing, only a second look is worth it.
            _ = try runner.time(tool.commands(for: .status, folders))
        case .pushOfOneEdit: try files.makeEdit(edit, in: folders.phone)
        case .start, .firstPush, .clone, .syncWithoutNews, .pullOfOneEdit: break
        }
    }

    private func runner(in root: String) -> CommandRunner {
        CommandRunner(
            environment: [
                "PATH=/usr/bin:/bin", "HOME=\(root)/home", "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C.UTF-8",
            ],
            outputFile: root + "/output")
    }

    /// Measures a server of ours alone.
    func serverLoads() throws -> [ServerLoad] {
        let root = options.folder + "/todosync-benchmarks-\(ProcessInfo.processInfo.processIdentifier)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        try makeFolder(root + "/home")
        let runner = runner(in: root)
        let tool = Todosync(program: options.todosync)
        let folders = Folders(root: root)
        _ = try runner.time(tool.preparation(folders))
        guard let command = tool.server(folders) else { return [] }
        let server = try ServerProcess(command, environment: runner.environment, log: root + "/log")
        guard let port = server.url.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw ServerFailure(reason: "it said \(server.url)")
        }
        report("requests to the server")
        return try withExtendedLifetime(server) {
            try ServerLoadTest(port: port, requests: options.requests).loads()
        }
    }
}

/// There is no binary to measure.
struct MissingBinary: Error, CustomStringConvertible {
    let path: String

    var description: String {
        "there is no \(path); build it first: swift build -c release --product todosync"
    }
}
