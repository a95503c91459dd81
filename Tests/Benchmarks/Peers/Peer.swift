/// Another program that keeps todos or folders in sync on several machines.
protocol Peer {
    /// The program's name, with its server's if it has one.
    var name: String { get }
    /// The largest number of todos that can be measured in a reasonable time.
    var maximumTodos: Int { get }
    /// How todosync reaches its own remote for the comparison.
    var transport: Transport { get }

    /// Creates the data in a folder, and starts the server if the program has one.
    func prepare(_ files: TodoFiles, in folder: String, _ runner: CommandRunner) throws -> ServerProcess?

    /// Returns the commands for a job; nil if the program doesn't support it.
    func commands(for job: PeerJob, in folder: String) -> [Command]?
}

/// The jobs for comparing programs other than git, in order.
enum PeerJob: String, CaseIterable {
    case firstSync = "first sync"
    case secondCopy = "second copy"
    case nothingNew = "sync without news"
    case list = "list"
}

/// The cost of a job with todosync and another program, for each repetition.
struct PeerMeasurement {
    let job: PeerJob
    let peer: String
    let transport: Transport
    let todos: Int
    var todosync: [Duration] = []
    var other: [Duration] = []
}

extension Comparison {
    /// Measures the installed peers, except git.
    func peerMeasurements() throws -> [PeerMeasurement] {
        let supported: [(any Peer)?] = [Taskwarrior(), Unison(), Vdirsyncer()]
        let peers = supported.compactMap(\.self)
        return try peers.flatMap { peer in
            let files = TodoFiles(count: min(peer.maximumTodos, options.todos.max() ?? 1))
            var all: [PeerMeasurement] = []
            for repetition in 1...options.repetitions {
                report("\(peer.name), \(files.count) todos, \(repetition) of \(options.repetitions)")
                let once = try measureOnce(peer, files, in: root)
                if all.isEmpty {
                    all = once
                } else {
                    for index in all.indices {
                        all[index].todosync += once[index].todosync
                        all[index].other += once[index].other
                    }
                }
            }
            return all
        }
    }

    private func measureOnce(
        _ peer: any Peer, _ files: TodoFiles, in root: String
    ) throws -> [PeerMeasurement] {
        try makeFolder(root + "/home")
        defer { removeFolder(root) }
        let runner = runner(in: root)
        let tool = Todosync(program: options.todosync)
        var folders = Folders(root: root + "/" + tool.name, todos: files.count)
        try runner.run(tool.preparation(folders))
        var server: ServerProcess?
        if peer.transport == .http, let command = tool.server(folders) {
            let started = try ServerProcess(
                command, environment: runner.environment, log: folders.root + "/log")
            folders.remoteURL = tool.remoteURL(on: started.url)
            server = started
        }
        try runner.run(tool.connecting(folders))
        try files.write(to: folders.phone)
        try makeFolder(root + "/peer")
        let other = try peer.prepare(files, in: root + "/peer", runner)
        return try withExtendedLifetime((server, other)) {
            try PeerJob.allCases.compactMap { job in
                guard let otherTool = peer.commands(for: job, in: root + "/peer") else { return nil }
                return PeerMeasurement(
                    job: job, peer: peer.name, transport: peer.transport, todos: files.count,
                    todosync: [try runner.run(tool.commands(for: job, folders)).duration],
                    other: [try runner.run(otherTool).duration])
            }
        }
    }
}

extension Todosync {
    fileprivate func commands(for job: PeerJob, _ folders: Folders) -> [Command] {
        switch job {
        case .firstSync: commands(for: .firstPush, folders)
        case .secondCopy: commands(for: .clone, folders)
        case .nothingNew: [Command(program: program, arguments: ["-C", folders.laptop, "sync"])]
        case .list: [Command(program: program, arguments: ["-C", folders.laptop, "list"])]
        }
    }
}
