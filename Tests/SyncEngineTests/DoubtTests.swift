import Foundation
import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel

/// Base versions that might be older than their files stay in doubt until they are compared with the remote.
@Suite struct DoubtTests {
    /// Why the first pull can't compare a todo.
    enum Obstacle: CaseIterable {
        case none, ignored, unusableRecord, openConflict
    }

    @Test(arguments: Obstacle.allCases, [1000, 1])
    func `an edit back to the text of an older base version is not taken for none`(
        _ obstacle: Obstacle, pageSize: Int
    ) async throws {
        let world = World(pageSize: pageSize)
        let machines = try await world.machines(
            2, ["e.yaml": "id: e\ntext: pushed\n", "other.yaml": "id: other\ntext: A\n"])
        let (here, there) = (machines[0], machines[1])
        func publish(_ text: String) async throws {
            there["e.yaml"] = "id: e\ntext: \(text)\n"
            try await there.sync()
        }
        if obstacle == .openConflict {
            here.edit("e.yaml", "pushed", "mine")
            try await publish("first")
            try await here.pull()
        }
        let older = try #require(here.folder.bytes(".todosync/journal"))
        if obstacle == .openConflict {
            try here.resolve(by: .use(.remote))
            here.edit("e.yaml", "first", "pushed")
            try await here.push()
            try await there.pull()
        }
        try await publish("later")
        try await here.pull()
        // According to the older journal, this text was the last that was resolved or pushed.
        let old = obstacle == .openConflict ? "first" : "pushed"
        here.edit("e.yaml", "later", old)
        try Data(older).write(to: URL(filePath: here.folder.path(of: ".todosync/journal")))
        try here.folder.remove(".todosync/journal.length")
        for number in 0..<3 { await world.remote.put(id: "more\(number)", fields: ["text": .string("more")]) }
        switch obstacle {
        case .none, .openConflict: break
        case .ignored: here[".todosyncignore"] = "e.yaml\n"
        case .unusableRecord: await world.remote.put(id: "e", fields: ["text": .bool(true)])
        }
        _ = try await here.pull()
        _ = try await here.pull()
        switch obstacle {
        case .none: break
        case .openConflict: try here.resolve()
        case .ignored: here[".todosyncignore"] = nil
        case .unusableRecord: await world.remote.put(id: "e", fields: ["text": .string("later")])
        }
        try await here.sync()
        let text = try #require(here["e.yaml"])
        #expect(text.contains("later") && text.contains(old), "\(text)")
        try here.resolve(by: .use(.local))
        try await here.sync()
        #expect(try here.isClean && here.workspace.check(repairs: false).isHealthy)
        #expect(here["e.yaml"] == "id: e\ntext: \(old)\n")
        // All base versions have been compared.
        here.edit("e.yaml", old, "edited")
        there["other.yaml"] = "id: other\ntext: there\n"
        try await there.push()
        let count = world.notices.count
        #expect(try await here.sync().conflicts == [])
        #expect(world.notices.count == count)
    }
}
