import LosslessYAML
import Synchronization
import Testing
import TodoModel

@testable import Remotes

/// A feature that another server lacks is detected and reported once.
@Suite struct LackingServerTests {
    private final class Reported: Sendable {
        private let noted = Mutex<[ServerFeature]>([])
        var features: [ServerFeature] { noted.withLock { $0 } }
        func note(_ feature: ServerFeature) { noted.withLock { $0.append(feature) } }
    }

    /// Inserts, edits, reads and deletes a todo, then reads again; returns the reports.
    private func reported(_ options: ForeignServer.Options) async throws -> [ServerFeature] {
        let reported = Reported()
        try await ForeignServer(options).running { server in
            let remote = try HTTPRemote.testing(server.url(), .testing(lacks: { reported.note($0) }))
            let version = try await remote.accepted(.insert("a"))
            let changed = try await remote.accepted(.update("b", version))
            _ = try await remote.allChanges()
            _ = try await remote.accepted(.delete(changed))
            _ = try await remote.allChanges()
        }
        return reported.features
    }

    @Test(arguments: [WireFlavor.v1, .v2], [false, true])
    func `a server that keeps everything causes no report`(
        flavor: WireFlavor, isNode: Bool
    ) async throws {
        #expect(try await reported(.init(flavor: flavor, isNode: isNode)) == [])
    }

    @Test(arguments: [WireFlavor.v1, .v2])
    func `a table without tombstones is reported once`(flavor: WireFlavor) async throws {
        #expect(try await reported(.init(flavor: flavor, deletesHard: true)) == [.tombstones])
        #expect(try await reported(.init(flavor: flavor, hidesDeleted: true)) == [.tombstones])
    }

    @Test func `rows without a deleted property are detected without a delete`() async throws {
        let reported = Reported()
        let server = ForeignServer(.init(hidesDeleted: true))
        server.write("one", ["text": "a"])
        try await server.running { server in
            _ = try await HTTPRemote.testing(server.url(), .testing(lacks: { reported.note($0) }))
                .allChanges()
        }
        #expect(reported.features == [.tombstones])
    }

    @Test func `a server that refuses or drops nested values is reported once`() async throws {
        for status in [400, 500] {
            #expect(try await reported(.init(refusesObjects: status)) == [.nestedValues])
        }
        #expect(try await reported(.init(dropsObjects: true)) == [.nestedValues])
        #expect(try await reported(.init(flavor: .v1, dropsObjects: true)) == [.nestedValues])
    }
}
