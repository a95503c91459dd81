internal import Foundation

extension Comparison {
    /// Measures todosync's server on its own.
    func serverLoads() throws -> [ServerLoad] {
        report("requests to the server")
        return try withFolder { folder, runner in
            try withServers(of: folder, 1, runner) { ports, _ in
                try ServerLoadTest(ports: ports, requests: options.requests).loads()
            }
        }
    }

    /// Measures the size of `.todosync` and the cost of a sync while edits are synced one at a time.
    func growth() throws -> Growth {
        try makeFolder(root + "/home")
        defer { removeFolder(root) }
        let runner = runner(in: root)
        let tool = Todosync(program: options.todosync)
        let files = TodoFiles(count: options.todos.max() ?? 1)
        let folders = Folders(root: root, todos: files.count)
        report("\(options.syncs) syncs of an edit each")
        try runner.run(tool.preparation(folders) + tool.connecting(folders))
        try files.write(to: folders.phone)
        for job in [Job.firstPush, .clone] { try runner.run(tool.commands(for: job, folders)) }
        let state = folders.laptop + "/.todosync"
        let before = try contents(of: state)
        let durations = try (0..<options.syncs).map { number in
            try files.edit("edits", to: "again \(number)", of: .one, seed: number, in: folders.laptop)
            return try runner.run(tool.commands(for: .merge(.one), folders)).duration
        }
        return Growth(
            todos: files.count, todoBytes: files.size, afterClone: before,
            afterSyncs: try contents(of: state), syncs: durations)
    }

    private func contents(of folder: String) throws -> Growth.Contents {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        let sizes = try names.compactMap { name -> Int? in
            let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
            guard attributes[.type] as? FileAttributeType == .typeRegular else { return nil }
            return attributes[.size] as? Int
        }
        return Growth.Contents(files: sizes.count, bytes: sizes.reduce(0, +))
    }
}

/// How `.todosync` and the duration of a sync grow while edits are synced one at a time.
struct Growth {
    /// The contents of `.todosync`.
    struct Contents {
        let files: Int
        let bytes: Int
    }

    let todos: Int
    /// The total size of the todos, in bytes.
    let todoBytes: Int
    let afterClone: Contents
    let afterSyncs: Contents
    let syncs: [Duration]
}
