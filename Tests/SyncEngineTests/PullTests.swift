import Foundation
import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import TodoModel
import WorkingCopy

/// A pull that takes several pages.
@Suite struct PullTests {
    @Test func `todos that swap their paths on different pages swap them`() async throws {
        let world = World(pageSize: 1)
        let machines = try await world.machines(
            2, ["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n", "c.yaml": "id: c\ntext: C\n"])
        machines[0].rename("a.yaml", to: "x.yaml")
        machines[0].rename("b.yaml", to: "a.yaml")
        machines[0].rename("x.yaml", to: "b.yaml")
        machines[0].edit("c.yaml", "text: C", "text: D")
        try await machines[0].push()
        try await machines[1].pull()
        #expect(machines[1].files == machines[0].files)
        #expect(try machines[1].isClean)
    }

    @Test func `a smaller id on a later page gets the path as if it had come on the same one`() async throws {
        let files = [1, 1000].map { pageSize in
            Task {
                let world = World(pageSize: pageSize)
                for id in ["c", "b", "a"] {
                    let layout = Layout(path: "todo.yaml", yaml: "id: \(id)\ntext: \(id)\n")
                    await world.remote.put(
                        RemoteRecord(
                            id: id, version: Version(""), fields: ["text": .string(id)], layout: layout))
                }
                let machine = try world.machine()
                _ = try await machine.pull()
                return machine.files
            }
        }
        let (paged, whole) = (try await files[0].value, try await files[1].value)
        #expect(paged == whole)
        #expect(paged["todo.yaml"] == "id: a\ntext: a\n")
    }

    @Test(arguments: [1, 7, 1000])
    func `the guard counts the deletes of all pages, and not what came with them`(pageSize: Int) async throws
    {
        let world = World(pageSize: pageSize)
        let names = (0..<20).map { "\($0).yaml" }
        let files = Dictionary(uniqueKeysWithValues: names.map { ($0, "id: t\($0.dropLast(5))\ntext: t\n") })
        let machines = try await world.machines(2, files)
        for name in names.prefix(11) { machines[0][name] = nil }
        for number in 0..<30 { machines[0]["new-\(number).yaml"] = "id: n\(number)\ntext: n\n" }
        try await machines[0].push(allowing: 11)
        let report = try await machines[1].pull()
        #expect(report.withheld?.count == 11)
        #expect(report.withheld?.of == 20)
        #expect(machines[1].files.count == 50)
        #expect(try await machines[1].pull(allowing: 11).withheld == nil)
        #expect(machines[1].files == machines[0].files)
    }

    @Test(arguments: 1...6)
    func `a clone that was interrupted goes on behind the pages that it has applied`(pages: Int) async throws
    {
        let world = World(pageSize: 1)
        let names = (0..<12).map { "\($0).yaml" }
        let files = Dictionary(uniqueKeysWithValues: names.map { ($0, "id: t\($0.dropLast(5))\ntext: t\n") })
        _ = try await world.machines(1, files)
        let remote = FlakyFeed(world.remote, failingAfter: pages)
        world.put(remote)
        let folder = try TemporaryFolder()
        func clone() async throws -> SyncReport {
            try await Workspace.clone(World.url, into: folder.path, world.surroundings()) {
                folder.contents().isEmpty
            }
        }
        await #expect(throws: (any Error).self) {
            if let stop = try await clone().stop { throw stop }
        }
        // Batches have 1, 2 and 4 pages; a batch that couldn't be read to its end is read again.
        let kept = [0, 1, 1, 3, 3, 3, 3][pages]
        #expect(folder.visibleContents().count == kept)
        let count = await remote.askedCount
        let report = try await clone()
        #expect(report.pulled.count == 12 - kept)
        #expect(report.todoCount == 12)
        #expect(folder.visibleContents() == files)
        #expect(await remote.askedCount - count == 12 - kept)
        await #expect(throws: EngineError.self) { try await clone() }
    }

    @Test(arguments: [Verb.pull, .sync])
    func `a change that a folder does not let in adds nothing to the journal when it is tried again`(
        _ verb: Verb
    ) async throws {
        let (machine, growth) = try await failingMachine(verb, EACCES)
        #expect(growth[0] < 3 * Self.largeText.utf8.count / 2)
        #expect(growth.dropFirst() == [0, 0])
        let report = try await machine.run(verb)
        #expect(report.held.waiting.map(\.path) == ["sub/a.yaml"])
        #expect(report.held.waiting.first?.message.hasPrefix("can't write to the folder /") == true)
    }

    @Test(arguments: [Verb.pull, .sync])
    func `a change that can't be written is tried once in a run`(_ verb: Verb) async throws {
        let (machine, growth) = try await failingMachine(verb, EIO)
        for size in growth { #expect(size < 3 * Self.largeText.utf8.count / 2) }
        #expect(try await machine.run(verb).held.waiting.map(\.path) == ["sub/a.yaml"])
    }

    private static let largeText = "id: a\ntext: a\nnote: " + String(repeating: "x", count: 20_000) + "\n"

    /// Returns a machine that can't create a todo's file, and how much its journal grew in each of three
    /// runs.
    private func failingMachine(_ verb: Verb, _ code: Int32) async throws -> (Machine, [Int]) {
        let world = World()
        let machines = try await world.machines(2, ["b.yaml": "id: b\ntext: b\n"])
        machines[0]["sub/a.yaml"] = Self.largeText
        try await machines[0].push()
        let folder = machines[1].folder
        let fileSystem = FailingFileSystem { call throws(FileError) in
            let isFailing: Bool =
                switch call.operation {
                case .rename, .link, .writeInFolder: true
                case .makeFolder: call.name == "sub"
                default: false
                }
            if isFailing { throw FileError(call.operation, call.name, code: code) }
        }
        let machine = Machine(folder: folder, workspace: world.workspace(at: folder, fileSystem))
        var sizes = [folder.bytes(".todosync/journal")?.count ?? 0]
        for _ in 0..<3 {
            try await machine.run(verb)
            sizes.append(folder.bytes(".todosync/journal")?.count ?? 0)
        }
        return (machine, zip(sizes.dropFirst(), sizes).map { $0 - $1 })
    }
}

/// A remote that answers a number of requests for changes, then fails once.
private actor FlakyFeed: Remote {
    private let inner: InMemoryRemote
    private let failure: Int
    /// The number of requested pages.
    private(set) var askedCount = 0

    init(_ inner: InMemoryRemote, failingAfter count: Int) {
        self.inner = inner
        failure = count + 1
    }

    func meet(_ recorded: RecordedHistory?, wantsNews: Bool) async throws -> RemoteIdentity {
        try await inner.meet(recorded, wantsNews: wantsNews)
    }

    func changes(after cursor: Cursor?) async throws -> ChangePage {
        askedCount += 1
        if askedCount == failure { throw RemoteError.unreachable(url: "u", reason: "it is gone") }
        return try await inner.changes(after: cursor)
    }

    func push(_ operations: [PushOperation]) async throws -> PushReply {
        await inner.push(operations)
    }
}
