import Foundation
import SyncEngine
import Synchronization
import TestSupport
import Testing
import TodoModel
import WorkingCopy

/// Machines that share remotes, with a clock that stands still and seeded randomness.
final class World: Sendable {
    /// The remote behind ``url``, unless a different one was put there.
    let remote: InMemoryRemote
    static let url = "/store"
    private let inner: Mutex<Inner>

    private struct Inner {
        var generator: SplitMix64
        var remotes: [String: any Remote]
        var notices: [String] = []
    }

    init(seed: UInt64 = 0, pageSize: Int = 1000) {
        remote = InMemoryRemote(seed: seed, pageSize: pageSize)
        inner = Mutex(Inner(generator: SplitMix64(seed: ~seed), remotes: [Self.url: remote]))
    }

    /// The notices to the user, besides the reports.
    var notices: [String] { inner.withLock(\.notices) }

    /// Puts a remote behind a URL; with nil, nothing can be reached there.
    func put(_ remote: (any Remote)?, at url: String = World.url) {
        inner.withLock { $0.remotes[url] = remote }
    }

    func surroundings(_ commandLine: String = "todosync", device: String? = nil) -> Surroundings {
        Surroundings(
            now: { "2026-12-01T09:30:00Z" },
            randomBytes: { [self] count in
                inner.withLock { inner in
                    (0..<count).map { _ in UInt8.random(in: 0...255, using: &inner.generator) }
                }
            },
            connect: { [self] url in
                guard let remote = inner.withLock({ $0.remotes[url] }) else {
                    throw RemoteError.unreachable(url: url, reason: "nothing is there")
                }
                return remote
            },
            notice: { [self] line in inner.withLock { $0.notices.append(line) } },
            pause: { _ in },
            // Not zero, because a process that another test starts holds the lock until it runs its program.
            lockTimeout: .seconds(10), commandLine: commandLine, deviceName: device)
    }

    /// Makes a working directory of the remote with files in it.
    ///
    /// - Parameter hasPlainLabels: False for markers that show where each side comes from.
    func machine(
        _ files: [String: String] = [:], include: [String] = [], url: String? = World.url,
        fileSystem: any FileSystem = FailingFileSystem(), device: String? = nil, hasPlainLabels: Bool = true
    ) throws -> Machine {
        let folder = try TemporaryFolder()
        for (path, content) in files { try folder.write(content, to: path) }
        let workspace = workspace(at: folder, fileSystem, device: device)
        try workspace.directory.create(Configuration(remote: url, include: include))
        if hasPlainLabels, url != nil {
            let configuration = ".todosync/config.yaml"
            try folder.write((folder.read(configuration) ?? "") + "merge.labels: plain\n", to: configuration)
        }
        return Machine(folder: folder, workspace: workspace, isCompared: true)
    }

    func workspace(
        at folder: TemporaryFolder, _ fileSystem: any FileSystem, device: String? = nil
    ) -> Workspace {
        var surroundings = surroundings(device: device)
        // The folder exists as long as the workspace, even if the test no longer uses the folder.
        surroundings.notice = { [notice = surroundings.notice] line in
            withExtendedLifetime(folder) { notice(line) }
        }
        return Workspace(
            directory: WorkingDirectory(root: folder.path, fileSystem: fileSystem),
            surroundings: surroundings)
    }

    /// Makes machines that all have the same files, synced.
    func machines(_ count: Int, _ files: [String: String]) async throws -> [Machine] {
        var machines = [try machine(files)]
        _ = try await machines[0].sync()
        while machines.count < count {
            let machine = try machine()
            _ = try await machine.pull()
            machines.append(machine)
        }
        return machines
    }
}

/// A working directory, and the editor that writes into it.
struct Machine {
    let folder: TemporaryFolder
    var workspace: Workspace
    /// Whether `status`, `prompt` and a dry run are compared with each report; false where files or the disk
    /// change in between, and where the same command is repeated at each call.
    var isCompared = false

    /// The content of a file; nil removes it.
    subscript(path: String) -> String? {
        get { folder.read(path) }
        nonmutating set {
            do {
                if let newValue {
                    try folder.write(newValue, to: path)
                } else if folder.exists(path) {
                    try folder.remove(path)
                }
            } catch {
                preconditionFailure("a test can write in its folder: \(error)")
            }
        }
    }

    /// All files that the user sees.
    var files: [String: String] { folder.visibleContents() }

    /// Adds a setting to the configuration.
    func configure(_ line: String) throws {
        let path = ".todosync/config.yaml"
        try folder.write((folder.read(path) ?? "") + line + "\n", to: path)
    }

    func rename(_ path: String, to newPath: String) {
        let content = self[path]
        self[path] = nil
        self[newPath] = content
    }

    /// Replaces a part of a file's content, which must be there.
    func edit(_ path: String, _ old: String, _ new: String) {
        guard let content = self[path], content.contains(old) else {
            preconditionFailure("\(path) has no \(old): \(self[path] ?? "absent")")
        }
        self[path] = content.replacingOccurrences(of: old, with: new)
    }

    @discardableResult
    func push(_ policy: ConflictPolicy = .markers, todos: [String] = [], allowing deletes: Int? = nil)
        async throws
        -> SyncReport
    {
        try await exchange(.push, options(policy, todos: todos, allowing: deletes))
    }

    @discardableResult
    func pull(_ policy: ConflictPolicy = .markers, allowing deletes: Int? = nil) async throws -> SyncReport {
        try await exchange(.pull, options(policy, allowing: deletes))
    }

    @discardableResult
    func sync(_ policy: ConflictPolicy = .markers, allowing deletes: Int? = nil) async throws -> SyncReport {
        try await exchange(.sync, options(policy, allowing: deletes))
    }

    private func exchange(_ verb: Verb, _ options: SyncOptions) async throws -> SyncReport {
        guard isCompared, isChosen else { return try await workspace.perform(verb, options).orStop() }
        return try await compare(verb, workspace.run(verb, options).orStop())
    }

    /// Whether to compare this command's report: always in a long run, otherwise in a quarter of all states.
    private var isChosen: Bool {
        PropertySeeds.isLongRun || (folder.bytes(".todosync/journal")?.count ?? 0) % 4 == 1
    }

    /// The number of edits isn't limited, because most tests edit all of their todos at once.
    private func options(
        _ policy: ConflictPolicy, todos: [String] = [], allowing deletes: Int?
    ) -> SyncOptions {
        var options = SyncOptions(todos: todos, policy: policy, allowedDeletes: deletes)
        options.allowedEdits = 1_000_000
        return options
    }

    @discardableResult
    func run(_ verb: Verb, _ policy: ConflictPolicy = .markers) async throws -> SyncReport {
        switch verb {
        case .push: try await push(policy)
        case .pull: try await pull(policy)
        case .sync: try await sync(policy)
        }
    }

    @discardableResult
    func resolve(_ names: String..., by resolution: Resolution = .file) throws -> ResolveReport {
        try workspace.resolve(names, resolution)
    }

    /// What `status` reports.
    var status: StatusReport { get throws { try workspace.status() } }

    /// Whether nothing is pending, in conflict or invalid.
    var isClean: Bool { get throws { try status.isClean } }
}

/// The commands that talk to a remote.
enum Verb: CaseIterable, CustomTestStringConvertible {
    case push, pull, sync

    var testDescription: String { "\(self)" }
}

extension SyncReport {
    /// Throws what stopped the command before it did anything.
    fileprivate func orStop() throws -> SyncReport {
        if hasDoneNothing, let stop { throw stop }
        return self
    }

    /// The pushed todos, in the form `update a.yaml`.
    var pushedLines: [String] { pushed.map(\.words) }

    /// The pulled todos, in the form `update a.yaml`.
    var pulledLines: [String] { pulled.map(\.words) }

    var conflictKinds: [String] { conflicts.map(\.kind.rawValue) }
}

extension StatusReport {
    /// The pending todos, in the form `update a.yaml: text`.
    var pendingLines: [String] {
        pending.map { todo in
            todo.words + (todo.previousPath.map { " from \($0)" } ?? "")
                + (todo.fields.isEmpty ? "" : ": " + todo.fields.joined(separator: " "))
        }
    }
}

extension ReportRow {
    /// The id; empty if there is none.
    var name: String { id?.string ?? "" }
    var words: String { "\(operation?.rawValue ?? "") \(path)" }
}
