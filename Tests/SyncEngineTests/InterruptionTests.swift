import Foundation
import SyncEngine
import Synchronization
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// What the command after an interrupted one reports, and how it recovers.
@Suite struct InterruptionTests {
    typealias Call = FailingFileSystem.Call

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Whether the pull crashes at a call.
        var stop: @Sendable (Call) -> Bool
        /// What others do before the next command.
        var meanwhile: @Sendable (Machine) throws -> Void = { _ in }
        /// Whether a call of the next command fails.
        var fails: @Sendable (Call) -> Bool = { _ in false }
        /// The notice, without the command's name.
        var notice: String
        /// The path of the pull's new file after the recovery.
        var newPath: String? = "n.yaml"
        var files: [String: String]

        /// The files that the pull brings.
        static let news = ["a.yaml": "id: a\ntext: there\n", "b.yaml": "id: b\ntext: there\n", "n.yaml": new]
        static let new = "id: n\ntext: new\n"
        static let isExchange: @Sendable (Call) -> Bool = { $0.manner == .exchanging }
        static let isCreation: @Sendable (Call) -> Bool = {
            $0.manner == .keeping && $0.name.contains(".made.")
        }

        static let all = [
            Row(
                testDescription: "cut off before anything was recorded", stop: { $0.operation == .write },
                notice: "", newPath: nil, files: news),
            Row(
                testDescription: "cut off before the second file",
                stop: { isExchange($0) && $0.name.contains(".1.new.") },
                notice: "finished interrupted in part: 1 todo was left unchanged", files: news),
            Row(
                testDescription: "cut off before any file, and then all files were edited", stop: isExchange,
                meanwhile: { machine in
                    machine.edit("a.yaml", "text: A", "text: A\nx: 1")
                    machine.edit("b.yaml", "text: B", "text: B\nx: 1")
                },
                notice: "finished interrupted in part: 2 todos were left unchanged",
                files: [
                    "a.yaml": "id: a\ntext: there\nx: 1\n", "b.yaml": "id: b\ntext: there\nx: 1\n",
                    "n.yaml": new,
                ]),
            Row(
                testDescription: "cut off when all files were there",
                stop: { $0.name == FailingFileSystem.everything.description },
                notice: "finished interrupted", files: news),
            Row(
                testDescription: "a new file is in the way of one that was not written", stop: isCreation,
                meanwhile: { $0["n.yaml"] = "text: in the way\n" },
                notice: "finished interrupted", newPath: "n-n.yaml",
                files: news.merging(["n.yaml": "text: in the way\n", "n-n.yaml": new]) { $1 }),
            Row(
                testDescription: "a folder is in the way of one that was not written", stop: isCreation,
                meanwhile: { try $0.folder.write("f", to: "n.yaml/f.txt") },
                notice: "finished interrupted", newPath: "n-n.yaml",
                files: [
                    "a.yaml": "id: a\ntext: there\n", "b.yaml": "id: b\ntext: there\n",
                    "n.yaml/f.txt": "f", "n-n.yaml": new,
                ]),
            Row(
                testDescription: "the place of one that was not written can't be had", stop: isCreation,
                fails: { isCreation($0) && $0.name.contains(".0.made.") },
                notice: "finished interrupted", newPath: "n-n.yaml", files: news),
            Row(
                testDescription: "nothing was written, and there is no place any more for what was not there",
                stop: isExchange, meanwhile: { try $0.folder.write("n*\n", to: ".todosyncignore") },
                notice: "could not finish interrupted: 3 todos were left unchanged",
                newPath: nil,
                files: ["a.yaml": "id: a\ntext: there\n", "b.yaml": "id: b\ntext: there\n"]),
        ]
    }

    @Test(arguments: Row.all)
    func `the next command reports what became of what was begun`(_ row: Row) async throws {
        let world = World()
        let machines = try await world.machines(
            2, ["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])
        let (here, there) = (machines[0], machines[1])
        there.edit("a.yaml", "A", "there")
        there.edit("b.yaml", "B", "there")
        there["n.yaml"] = Row.new
        try await there.push()
        let crashing = FailingFileSystem(crashingAt: row.stop, code: 5)
        _ = try? await world.workspace(at: here.folder, crashing).pull(SyncOptions())
        try row.meanwhile(here)
        let earlier = try here.status
        let failing = FailingFileSystem { call throws(FileError) in
            if row.fails(call) { throw FileError(call.operation, call.name, code: EACCES) }
        }
        let next = Machine(folder: here.folder, workspace: world.workspace(at: here.folder, failing))
        // A command that does nothing itself still recovers.
        #expect(throws: EngineError.self) { try next.workspace.undo("no operation") }
        let recovered = try here.status
        #expect(earlier.pendingLines == recovered.pendingLines && earlier.invalid == recovered.invalid)
        #expect(here.files.first { $0.value == Row.new }?.key == row.newPath)
        try await next.pull()
        #expect(world.notices.map(words) == (row.notice.isEmpty ? [] : [row.notice]))
        #expect(here.files == row.files)
    }

    @Test func `a text that has no path after an interruption is in the log, and comes when it has one`()
        async throws
    {
        let world = World()
        let machines = try await world.machines(2, [:])
        machines[1]["n.yaml"] = Row.new
        try await machines[1].push()
        let here = machines[0]
        let crashing = FailingFileSystem(crashingAt: Row.isCreation, code: 5)
        _ = try? await world.workspace(at: here.folder, crashing).pull(SyncOptions())
        try here.folder.write("*\n", to: ".todosyncignore")
        try await here.push()
        #expect(world.notices.map(words) == ["could not finish interrupted: 1 todo was left unchanged"])
        #expect(try here.texts().contains(Row.new))
        #expect(here.files == [:])
        #expect(await world.remote.liveRecords().count == 1, "it is not taken for deleted")
        try here.folder.remove(".todosyncignore")
        try await here.pull()
        #expect(here.files == ["n.yaml": Row.new])
        #expect(try here.isClean)
    }

    @Test func `a push that was interrupted has left nothing to finish in the files`() async throws {
        let world = World()
        let machine = try await world.machines(1, ["a.yaml": "id: a\ntext: A\n"])[0]
        machine.edit("a.yaml", "A", "edited")
        let isSent = Mutex(false)
        world.put(
            InterposedRemote(world.remote) { _, operations, remote in
                isSent.withLock { $0 = true }
                return await remote.push(operations).answers
            })
        let crashing = FailingFileSystem(crashingAt: { _ in isSent.withLock { $0 } }, code: 5)
        _ = try? await world.workspace(at: machine.folder, crashing).push(SyncOptions())
        world.put(world.remote)
        try await machine.push()
        #expect(world.notices.map(words) == ["interrupted left nothing to finish in the files"])
        #expect(try machine.isClean)
        // The next command doesn't recover again.
        try await machine.push()
        #expect(world.notices.count == 1)
    }

    @Test func `a copy at the old path of a file that an interrupted pull has moved stays a copy`()
        async throws
    {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
        machines[1].rename("a.yaml", to: "z.yaml")
        try await machines[1].push()
        let here = machines[0]
        let writes = Mutex(0)
        let crashing = FailingFileSystem(
            crashingAt: { call in
                // The first write records that the journal will grow, and the second one announces the move.
                guard call.operation == .write else { return false }
                return writes.withLock { count in
                    count += 1
                    return count > 2
                }
            }, code: 5)
        _ = try? await world.workspace(at: here.folder, crashing).pull(SyncOptions())
        let copy = "id: a\ntext: copy\n"
        here["a.yaml"] = copy
        let duplicates = try here.status.duplicates.map { "\($0.path) \($0.keptBy)" }
        #expect(duplicates == ["a.yaml z.yaml"])
        try await here.push()
        #expect(here.files == ["a.yaml": copy, "z.yaml": "id: a\ntext: A\n"])
        #expect(await world.remote.liveRecords().map(\.layout?.path) == ["z.yaml"])
        #expect(world.notices.map(words) == ["finished interrupted"])
    }

    @Test func `a path that an interrupted move to another file system had still to free can be had`()
        async throws
    {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
        let (here, there) = (machines[0], machines[1])
        try here.folder.makeFolder("other")
        there.rename("a.yaml", to: "other/a.yaml")
        try await there.push()
        let status = try FileManager.default.attributesOfItem(atPath: here.folder.path(of: "other"))
        let inode = try #require(status[.systemFileNumber] as? UInt64)
        var crashing = FailingFileSystem(
            crashingAt: { $0.name == "a.yaml" && $0.manner == .replacing }, code: 5)
        crashing.foreignFolders = [inode]
        _ = try? await world.workspace(at: here.folder, crashing).pull(SyncOptions())
        #expect(here.files.count == 2, "it is at both paths")
        there["a.yaml"] = "id: b\ntext: B\n"
        try await there.push()
        var whole = FailingFileSystem()
        whole.foreignFolders = [inode]
        _ = try await world.workspace(at: here.folder, whole).pull(SyncOptions())
        #expect(here.files == there.files)
        #expect(try here.isClean)
    }

    @Test(arguments: ["# note\n", ""], [Verb.pull, .push, .sync])
    func `markers that somebody worked on after an interruption are a conflict's`(note: String, verb: Verb)
        async throws
    {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
        let (here, there) = (machines[0], machines[1])
        there.edit("a.yaml", "A", "there")
        try await there.push()
        here.edit("a.yaml", "A", "here")
        let crashing = FailingFileSystem(crashingAt: { $0.operation == .remove }, code: 5)
        _ = try? await world.workspace(at: here.folder, crashing).pull(SyncOptions())
        let markers = try #require(here["a.yaml"])
        #expect(markers.contains("<<<<<<<"))
        here["a.yaml"] = note + markers
        let status = try here.status
        #expect(status.conflicts.map(\.kind) == [.editEdit] && status.invalid.isEmpty)
        let report = try await here.run(verb)
        #expect(report.conflicts.map(\.kind) == [.editEdit] && report.pushed.isEmpty)
        #expect(report.conflicts.map(\.hasMarkers) == [true] && report.invalid.isEmpty)
        #expect(here["a.yaml"] == note + markers)
        #expect(try here.resolve("a", by: .use(.local)).resolved.map(\.path) == ["a.yaml"])
        #expect(here["a.yaml"] == note + "id: a\ntext: here\n")
    }

    /// The content at the path of a file to remove, the notice's beginning, and the files after a pull.
    @Test(
        arguments: [
            ("id: a\ntext: A\n", "could not finish", [:]), (nil, "finished", [:]),
            ("- no todo\n", "could not finish", ["a.yaml": "- no todo\n"]),
            ("id: x\ntext: X\n", "finished", ["a.yaml": "id: x\ntext: X\n"]),
            ("text: A\n", "could not finish", [:]), ("id: a\ntext: edited\n", "could not finish", nil),
            ("id: a\ntext: [\n", "could not finish", ["a.yaml": "id: a\ntext: [\n"]),
        ] as [(String?, String, [String: String]?)])
    func `an interrupted removal is finished where the file is gone`(
        content: String?, outcome: String, files: [String: String]?
    ) async throws {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
        machines[1]["a.yaml"] = nil
        try await machines[1].push()
        let here = machines[0]
        let crashing = FailingFileSystem(crashingAt: { $0.name == "a.yaml" && $0.manner != nil }, code: 5)
        _ = try? await world.workspace(at: here.folder, crashing).pull(SyncOptions())
        here["a.yaml"] = content
        #expect(throws: EngineError.self) { try here.workspace.undo("no operation") }
        let notice = try #require(world.notices.first)
        #expect(notice.hasPrefix(outcome), "\(notice)")
        #expect(here["a.yaml"] == content)
        try await here.pull()
        if let files {
            #expect(here.files == files)
        } else {
            #expect(try here.status.conflicts.map(\.kind) == [.editDelete])
        }
    }

    @Test func `an interrupted removal of a file that is no todo any more, where none was, is given up`()
        async throws
    {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
        machines[1]["a.yaml"] = nil
        try await machines[1].push()
        let here = machines[0]
        here.rename("a.yaml", to: "z.yaml")
        let crashing = FailingFileSystem(crashingAt: { $0.name == "z.yaml" && $0.manner != nil }, code: 5)
        _ = try? await world.workspace(at: here.folder, crashing).pull(SyncOptions())
        here["z.yaml"] = "- no todo\n"
        try await here.pull()
        #expect(world.notices.map(words) == ["could not finish interrupted: 1 todo was left unchanged"])
        #expect(here.files == ["z.yaml": "- no todo\n"])
        #expect(try here.isClean)
    }

    private func words(_ notice: String) -> String {
        notice.replacing("an interrupted command (todosync)", with: "interrupted")
    }
}
