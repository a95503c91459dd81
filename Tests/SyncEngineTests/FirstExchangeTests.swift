import Platform
import SyncEngine
import Synchronization
import TestSupport
import Testing
import TodoModel
import WorkingCopy

@Suite struct FirstExchangeTests {
    @Test(arguments: Verb.allCases)
    func `the remote is met before the folder was looked at, and not waited for where that fails`(
        verb: Verb
    ) async throws {
        let world = World()
        let folder = try await world.machines(1, ["a.yaml": "id: a\ntext: a\n"])[0].folder
        let remote = EndlessRemote()
        world.put(remote)
        let fileSystem = FailingFileSystem { call throws(FileError) in
            if call.operation == .list { throw FileError(.list, ".", code: EIO) }
        }
        let machine = Machine(folder: folder, workspace: world.workspace(at: folder, fileSystem))
        await #expect(throws: FileError.self) { try await machine.run(verb) }
        #expect(remote.wasMet)
    }
}

/// A remote that doesn't answer until the caller gives up.
private final class EndlessRemote: Remote {
    private let noted = Mutex(false)

    var wasMet: Bool { noted.withLock(\.self) }

    func meet(_ recorded: RecordedHistory?, wantsNews: Bool) async throws -> RemoteIdentity {
        noted.withLock { $0 = true }
        try await Task.sleep(for: .seconds(3600))
        throw RemoteError.unreachable(url: "u", reason: "it does not answer")
    }

    func changes(after cursor: Cursor?) async throws -> ChangePage {
        throw RemoteError.unreachable(url: "u", reason: "it does not answer")
    }

    func push(_ operations: [PushOperation]) async throws -> PushReply {
        throw RemoteError.unreachable(url: "u", reason: "it does not answer")
    }
}
