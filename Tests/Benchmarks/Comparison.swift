internal import Foundation

/// The cost of a job with a tool and a number of todos, for each repetition.
struct Measurement {
    let job: Job
    let transport: Transport
    let todos: Int
    let tool: String
    var efforts: [Effort]
}

/// Creates the data and runs every job with every tool in turn, so that noise affects all tools equally.
struct Comparison {
    let tools: [any Tool]
    let options: Options

    /// - Throws: ``MissingBinary`` if there is no binary to measure.
    init(options: Options) throws {
        self.options = options
        guard FileManager.default.isExecutableFile(atPath: options.todosync) else {
            throw MissingBinary(path: options.todosync)
        }
        let git = installedProgram("git").map { Git(program: $0) }
        if git == nil { report("git is not installed: todosync is measured alone") }
        tools = [Todosync(program: options.todosync)] + [git].compactMap(\.self)
    }

    /// The folder of this run, which is removed at the end.
    var root: String {
        options.folder + "/todosync-benchmarks-\(ProcessInfo.processInfo.processIdentifier)"
    }

    /// Runs all measurements in a new folder.
    func measurements() throws -> [Measurement] {
        try makeFolder(root)
        defer { removeFolder(root) }
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
                    for index in all.indices { all[index].efforts += once[index].efforts }
                }
            }
            return all
        }
    }

    /// Measures every job once for every tool, on new folders.
    private func measureOnce(
        _ files: TodoFiles, _ transport: Transport, _ repetition: Int, in root: String
    ) throws -> [Measurement] {
        defer { removeFolder(root) }
        try makeFolder(root + "/home")
        try writeText(Git.configuration, to: root + "/home/.gitconfig")
        let runner = runner(in: root)
        var servers: [ServerProcess] = []
        var allFolders: [String: Folders] = [:]
        for tool in tools {
            var folders = Folders(root: root + "/" + tool.name, todos: files.count)
            _ = try runner.run(tool.preparation(folders))
            if transport == .http {
                guard let command = try tool.server(folders) else { continue }
                let server = try ServerProcess(
                    command, environment: runner.environment, log: folders.root + "/log")
                folders.remoteURL = tool.remoteURL(on: server.url)
                servers.append(server)
            }
            _ = try runner.run(tool.connecting(folders))
            try files.write(to: folders.phone)
            allFolders[tool.name] = folders
        }
        let tools = tools.filter { allFolders[$0.name] != nil }
        let jobs = Job.all.filter { job in
            (job.dependsOnTodos || files.count == options.todos.first)
                && (job.isExchange || transport == .folder)
                // With 1,000 todos, a tenth equals a hundred, so it isn't measured twice.
                && (job != .merge(.hundred)
                    || Edits.hundred.count(of: files.count) != Edits.tenth.count(of: files.count))
        }
        defer { withExtendedLifetime(servers) {} }
        return try jobs.flatMap { job in
            // The tools take turns going first, because the disk can be busier for the first one.
            let turns = repetition.isMultiple(of: 2) ? tools.reversed() : tools
            return try turns.compactMap { tool -> Measurement? in
                guard let folders = allFolders[tool.name] else { return nil }
                try prepare(job, files, folders, runner, tool)
                let commands = repeatElement(tool.commands(for: job, folders), count: job.runs)
                var effort = try runner.run(commands.flatMap(\.self))
                effort.duration /= job.runs
                try synchronize(job, folders, runner, tool)
                return Measurement(
                    job: job, transport: transport, todos: files.count, tool: tool.name, efforts: [effort])
            }.sorted { $0.tool > $1.tool }
        }
    }

    /// Prepares a job; the preparation isn't measured.
    private func prepare(
        _ job: Job, _ files: TodoFiles, _ folders: Folders, _ runner: CommandRunner, _ tool: any Tool
    ) throws {
        let number = Job.all.firstIndex(of: job) ?? 0
        func edit(_ field: String, of edits: Edits, in folder: String, to value: String) throws {
            try files.edit(field, to: "\(value) \(number)", of: edits, seed: number, in: folder)
        }
        switch job {
        case .status:
            // Both tools cache what they read in files, but only at the second look if the files were just
            // written.
            try runner.run(tool.commands(for: .status, folders))
        case .push(let edits): try edit("edits", of: edits, in: folders.phone, to: "")
        case .statusAfter(let edits): try edit("edits", of: edits, in: folders.phone, to: "")
        case .merge(let edits):
            try edit("text", of: edits, in: folders.phone, to: "by phone")
            try runner.run(tool.commands(for: .push(edits), folders))
            try edit("edits", of: edits, in: folders.laptop, to: "")
        case .conflict(let edits):
            try edit("text", of: edits, in: folders.phone, to: "by phone")
            try runner.run(tool.commands(for: .push(edits), folders))
            try edit("text", of: edits, in: folders.laptop, to: "by laptop")
        case .start, .firstPush, .clone, .syncWithoutNews, .pull: break
        }
    }

    /// Brings all sides to the same state after a job.
    private func synchronize(
        _ job: Job, _ folders: Folders, _ runner: CommandRunner, _ tool: any Tool
    ) throws {
        switch job {
        case .merge: try runner.run(tool.synchronizing(folders, conflicts: false))
        case .conflict: try runner.run(tool.synchronizing(folders, conflicts: true))
        case .statusAfter(let edits):
            // The next job must include only its own edits.
            try runner.run(tool.commands(for: .push(edits), folders))
            try runner.run(tool.commands(for: .pull(edits), folders))
        case .start, .firstPush, .clone, .status, .syncWithoutNews, .push, .pull: break
        }
    }

    func runner(in root: String) -> CommandRunner {
        CommandRunner(
            environment: [
                "PATH=/usr/bin:/bin", "HOME=\(root)/home", "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C.UTF-8",
            ],
            outputFile: root + "/output")
    }
}

/// The binary to measure doesn't exist.
struct MissingBinary: Error, CustomStringConvertible {
    let path: String

    var description: String {
        "there is no \(path); build it first: .ci/release"
    }
}
