internal import Foundation
internal import Platform

/// The least that a job takes on a machine: its system calls alone, made by this program on one thread.
struct Floor {
    enum Work: String, CaseIterable {
        case scan = "read the attributes of all files (for a status)"
        case creation = "create all files (for a clone)"
        case synchronization = "append 300 bytes to a file, on disk (for a push or a pull of one edit)"
        case request = "connect to a server and get one record (for an exchange over HTTP)"

        var dependsOnTodos: Bool { self == .scan || self == .creation }
    }

    let work: Work
    let todos: Int
    let durations: [Duration]
}

extension Comparison {
    /// Measures the floors of all numbers of todos.
    func floors() throws -> [Floor] {
        report("what the machine allows")
        return try withFolder { store, runner in
            try withServers(of: store, 1, runner) { ports, _ in
                try options.todos.flatMap { count in
                    let works = Floor.Work.allCases.filter {
                        $0.dependsOnTodos || count == options.todos.first
                    }
                    return try works.map { work in
                        Floor(
                            work: work, todos: count,
                            durations: try durations(of: work, TodoFiles(count: count), ports[0]))
                    }
                }
            }
        }
    }

    private func durations(
        of work: Floor.Work, _ files: TodoFiles, _ port: UInt16
    ) throws -> [Duration] {
        let root = root + "/floor"
        defer { removeFolder(root) }
        try makeFolder(root)
        switch work {
        case .scan:
            try files.write(to: root)
            return try repeated { try scan(root) }
        case .creation:
            let texts = files.all
            return try (0..<options.repetitions).map { number in
                let folder = root + "/\(number)"
                try makeFolder(folder)
                return try ContinuousClock().measure { try create(texts, in: folder) }
            }
        case .synchronization:
            let file = open(root + "/file", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw FloorFailure(call: "open") }
            defer { close(file) }
            let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 300)
            return try repeated {
                guard write(file, bytes, bytes.count) == bytes.count else {
                    throw FloorFailure(call: "write")
                }
                #if canImport(Darwin)
                    let code = fcntl(file, F_FULLFSYNC)
                #else
                    let code = fdatasync(file)
                #endif
                if code < 0 { throw FloorFailure(call: "fdatasync") }
            }
        case .request:
            let load = ServerLoadTest(ports: [port], requests: 1)
            let id = try load.insert(0, "floor", in: "floor")
            return try repeated {
                let answer = try HTTPConnection(port: port).send(load.request("GET", "/tables/floor/\(id)"))
                guard answer.status == 200 else {
                    throw ServerFailure(reason: "it answered \(answer.status)")
                }
            }
        }
    }

    /// Lists a folder and its subfolders, and reads the attributes of each file.
    private func scan(_ path: String) throws {
        guard let folder = opendir(path) else { throw FloorFailure(call: "opendir") }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix(".") { continue }
            if entry.pointee.d_type == UInt8(DT_DIR) {
                try scan(path + "/" + name)
            } else {
                var status = stat()
                guard fstatat(dirfd(folder), name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                    throw FloorFailure(call: "fstatat")
                }
            }
        }
    }

    private func create(_ files: [(folder: String, name: String, text: [UInt8])], in root: String) throws {
        var current = ""
        var folder: Int32 = -1
        defer { close(folder) }
        for file in files {
            if file.folder != current {
                current = file.folder
                close(folder)
                guard mkdir(root + "/" + current, 0o777) == 0 else { throw FloorFailure(call: "mkdir") }
                folder = open(root + "/" + current, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            }
            let new = openat(folder, file.name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard new >= 0, write(new, file.text, file.text.count) == file.text.count, close(new) == 0 else {
                throw FloorFailure(call: "openat, write or close")
            }
        }
    }

    private func repeated(_ body: () throws -> Void) throws -> [Duration] {
        try (0..<options.repetitions).map { _ in try ContinuousClock().measure(body) }
    }
}

/// A system call failed while a floor was measured.
struct FloorFailure: Error, CustomStringConvertible {
    let call: String
    let code = errno

    var description: String { "\(call): \(String(cString: strerror(code)))" }
}
