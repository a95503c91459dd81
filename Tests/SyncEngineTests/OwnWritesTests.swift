import LosslessYAML
import SyncEngine
import Synchronization
import TestSupport
import Testing
import TodoModel

/// A pull doesn't read back what was pushed, but reads what others wrote in between.
@Suite struct OwnWritesTests {
    private static let files = Dictionary(
        uniqueKeysWithValues: (0..<1800).map { ("\($0).yaml", "id: t\($0)\ntext: todo \($0)\n") })

    @Test func `a pull after a push of several batches reads nothing of it`() async throws {
        let world = World()
        let remote = CountingRemote(world.remote)
        world.put(remote)
        let machine = try world.machine(Self.files)
        #expect(try await machine.push().pushed.count == 1800)
        try await machine.pull()
        machine.edit("7.yaml", "todo 7", "edited")
        try await machine.sync()
        machine["8.yaml"] = nil
        try await machine.sync()
        try await machine.sync()
        #expect(remote.readRecords == 0)
        #expect(try machine.isClean)
    }

    @Test func `a sync after the first one with an empty remote reads nothing of it`() async throws {
        let world = World()
        let remote = CountingRemote(world.remote)
        world.put(remote)
        let machine = try world.machine(Self.files)
        #expect(try await machine.sync().pushed.count == 1800)
        #expect(try await machine.sync().pulled.isEmpty)
        #expect(remote.readRecords == 0)
    }

    @Test(arguments: 1...3)
    func `what another machine writes between two batches is pulled`(batch: Int) async throws {
        let world = World()
        let other = try world.machine(["other.yaml": "id: other\ntext: other\n"])
        let machine = try world.machine(Self.files)
        world.put(
            CountingRemote(world.remote) { number in
                if number == batch {
                    _ = try await world.remote.push(
                        [
                            PushOperation(
                                operationID: "0123", id: "other",
                                change: .insert(
                                    fields: ["text": .string("other")],
                                    layout: Layout(path: "other.yaml", yaml: "id: other\ntext: other\n")))
                        ])
                }
            })
        #expect(try await machine.push().pushed.count == 1800)
        #expect(try await machine.pull().pulled.map(\.path) == ["other.yaml"])
        #expect(machine["other.yaml"] == other["other.yaml"])
    }

    @Test func `an answer that was lost is asked for again before its changes count as read`() async throws {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: a\n"])
        let behavior = MisbehavingRemote(world.remote, behaviors: [.losesAnswers], rate: 1, seed: 7)
        for round in 0..<10 {
            world.put(behavior)
            machines[0]["\(round).yaml"] = "id: t\(round)\ntext: todo \(round)\n"
            machines[0].edit("a.yaml", "text: ", "text: x")
            _ = try? await machines[0].push()
            world.put(world.remote)
            machines[1].edit("a.yaml", "id: a\n", "id: a\nn\(round): 1\n")
            try await machines[1].sync()
            try await machines[0].sync()
            try await machines[1].sync()
            #expect(machines[0].files == machines[1].files)
            #expect(try machines.allSatisfy { try $0.isClean })
        }
        #expect(await behavior.counts[.losesAnswers] ?? 0 >= 10)
    }
}

/// A remote that counts the records read from it.
private final class CountingRemote: Remote {
    private let inner: InMemoryRemote
    private let beforePush: @Sendable (Int) async throws -> Void
    private let counts = Mutex((records: 0, pushes: 0))

    var readRecords: Int { counts.withLock(\.records) }

    /// - Parameter beforePush: Gets the number of the following push, starting at 1.
    init(_ inner: InMemoryRemote, beforePush: @escaping @Sendable (Int) async throws -> Void = { _ in }) {
        self.inner = inner
        self.beforePush = beforePush
    }

    func meet(_ recorded: RecordedHistory?, wantsNews: Bool) async throws -> RemoteIdentity {
        try await inner.meet(recorded, wantsNews: wantsNews)
    }

    func changes(after cursor: Cursor?) async throws -> ChangePage {
        let page = try await inner.changes(after: cursor)
        counts.withLock { $0.records += page.records.count }
        return page
    }

    func push(_ operations: [PushOperation]) async throws -> PushReply {
        let number = counts.withLock { counts in
            counts.pushes += 1
            return counts.pushes
        }
        try await beforePush(number)
        return await inner.push(operations)
    }
}
