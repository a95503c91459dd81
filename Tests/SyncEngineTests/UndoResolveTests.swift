import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge

/// The undo of a resolved conflict whose answer has reached the remote.
@Suite struct UndoResolveTests {
    @Test func `once its answer was pushed, the undo of a resolve restores what the remote had`()
        async throws
    {
        let machines = try await World().machines(2, ["a.yaml": "id: a\ntext: A\nn: 1\n"])
        let (here, there) = (machines[0], machines[1])
        there.edit("a.yaml", "A", "there")
        try await there.push()
        try here.set("a.yaml", "text", "here")
        try await here.pull()
        try here.resolve(by: .use(.local))
        let resolve = try here.workspace.log(nil)[0].operation
        try await here.push()
        // Other users' later changes stay.
        try await there.pull()
        there.edit("a.yaml", "n: 1", "n: 2")
        try await there.push()
        try await here.sync()
        let report = try here.workspace.undo(nil)
        #expect(report.operation?.operation == resolve && report.refused == [])
        #expect(here.files == ["a.yaml": "id: a\ntext: there\nn: 2\n"])
        #expect(try here.workspace.redo().undone.map(\.fields) == [["text"]])
        #expect(here.files == ["a.yaml": "id: a\ntext: here\nn: 2\n"])
        _ = try here.workspace.undo(nil)
        try await here.sync()
        try await there.sync()
        #expect(there.files == ["a.yaml": "id: a\ntext: there\nn: 2\n"])
    }

    @Test(arguments: [true, false])
    func `the pushed answer about a delete is undone`(isDeletedHere: Bool) async throws {
        let machines = try await World().machines(2, ["a.yaml": "id: a\ntext: A\n"])
        let (here, there) = (machines[0], machines[1])
        if isDeletedHere { there.edit("a.yaml", "A", "there") } else { there["a.yaml"] = nil }
        try await there.push()
        if isDeletedHere { here["a.yaml"] = nil } else { here.edit("a.yaml", "A", "here") }
        try await here.pull()
        try here.resolve(by: .use(.local))
        try await here.push()
        _ = try here.workspace.undo(nil)
        try await here.sync()
        try await there.sync()
        let expected = isDeletedHere ? ["a.yaml": "id: a\ntext: there\n"] : [:]
        #expect(here.files == expected && there.files == expected)
    }

    @Test func `a conflict that was resolved in parts is undone as a whole`() async throws {
        let machines = try await World().machines(2, ["a.yaml": "id: a\ntext: A\nn: 1\n"])
        let (here, there) = (machines[0], machines[1])
        there["a.yaml"] = "id: a\ntext: there\nn: 2\n"
        try await there.push()
        try here.set("a.yaml", "place", "home")
        here["a.yaml"] = "id: a\ntext: here\nn: 3\nplace: home\n"
        try await here.pull()
        try here.resolve(by: .fields([ByteKey("text"): .take(.local)]))
        try here.resolve(by: .use(.local))
        try await here.push()
        #expect(try here.workspace.undo(nil).undone.map(\.path) == ["a.yaml"])
        #expect(here.files == ["a.yaml": "id: a\ntext: there\nn: 2\n"])
        // The first part has nothing left to take back, so the next undo moves on.
        #expect(try here.workspace.undo(nil).refused == [])
        #expect(try here.workspace.undo(nil).operation?.operation != nil)
    }

    @Test func `an answer that was changed again since is left as it is`() async throws {
        let machines = try await World().machines(2, ["a.yaml": "id: a\ntext: A\n"])
        let (here, there) = (machines[0], machines[1])
        there.edit("a.yaml", "A", "there")
        try await there.push()
        here.edit("a.yaml", "A", "here")
        try await here.pull()
        try here.resolve(by: .use(.local))
        try await here.push()
        try await there.pull()
        there.edit("a.yaml", "here", "later")
        try await there.push()
        try await here.sync()
        #expect(try here.workspace.undo(nil).refused.map(\.reason) == ["text changed again since"])
        #expect(here.files == ["a.yaml": "id: a\ntext: later\n"])
    }

    @Test func `an aborted merge that was met again keeps no older change from being undone`() async throws {
        let machines = try await World().machines(
            2, ["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])
        let (here, there) = (machines[0], machines[1])
        there.edit("a.yaml", "A", "there")
        try await there.push()
        try here.set("b.yaml", "text", "changed")
        here.edit("a.yaml", "A", "here")
        try await here.pull()
        try here.resolve(by: .abort)
        try await here.push()
        try here.resolve(by: .use(.local))
        try await here.push()
        for path in ["a.yaml", "b.yaml"] {
            #expect(try here.workspace.undo(nil).undone.map(\.path) == [path])
        }
        #expect(here.files == ["a.yaml": "id: a\ntext: there\n", "b.yaml": "id: b\ntext: B\n"])
    }
}
