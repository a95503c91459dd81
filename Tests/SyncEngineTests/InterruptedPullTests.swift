import Foundation
import SyncEngine
import Synchronization
import TestSupport
import Testing
import WorkingCopy

/// A command that ends in the middle of pulling changes, and a user who continues with the files as they are.
@Suite struct InterruptedPullTests {
    /// What the user does with the files that were pulled by then.
    enum Reaction: CaseIterable, CustomTestStringConvertible {
        case reverting, editing, recreating, deleting

        var testDescription: String { "\(self)" }
    }

    private static let base = [
        "pulled.yaml": "id: pulled\ntext: old\npriority: low\n",
        "merged.yaml": "id: merged\ntext: old\npriority: low\n",
        "deleted.yaml": "id: deleted\ntext: old\n",
    ]

    @Test(arguments: [Verb.pull, .sync], Reaction.allCases)
    func `what the user makes of it stays, wherever the command ended`(
        _ verb: Verb, _ reaction: Reaction
    ) async throws {
        var number = 0
        var isDone = false
        var reactions = 0
        while !isDone {
            number += PropertySeeds.callStride
            let world = World()
            let machines = try await world.machines(2, Self.base)
            let (here, there) = (machines[0], machines[1])
            there.edit("pulled.yaml", "old", "new")
            there.edit("merged.yaml", "old", "new")
            there["deleted.yaml"] = nil
            there["inserted.yaml"] = "id: inserted\ntext: new\n"
            try await there.sync()
            here.edit("merged.yaml", "low", "high")

            let failing = FailingFileSystem(failingAt: number, andAfter: true, code: EIO)
            let stopped = Machine(
                folder: here.folder, workspace: world.workspace(at: here.folder, failing))
            _ = try? await stopped.run(verb)
            isDone = failing.calls < number

            var expected = [
                "pulled.yaml": "id: pulled\ntext: new\npriority: low\n",
                "merged.yaml": "id: merged\ntext: new\npriority: high\n",
                "inserted.yaml": "id: inserted\ntext: new\n",
            ]
            for (path, content) in Self.reactions(reaction, to: here.files) {
                here[path] = content
                if let content { expected[path] = content } else { expected[path] = nil }
                reactions += 1
            }
            for _ in 0..<2 {
                for machine in machines { try await machine.sync() }
            }
            #expect(here.files == expected, "at call \(number)")
            #expect(there.files == expected, "at call \(number)")
            #expect(try here.status.isClean, "at call \(number)")
            if here.files != expected { return }
        }
        #expect(reactions > 5 / PropertySeeds.callStride)
    }

    /// Returns the user's new texts for the files that were pulled; nil for a file that the user deletes.
    private static func reactions(
        _ reaction: Reaction, to files: [String: String]
    ) -> [String: String?] {
        var written: [String: String?] = [:]
        switch reaction {
        case .reverting:
            if files["pulled.yaml"]?.contains("new") == true { written["pulled.yaml"] = base["pulled.yaml"] }
        case .editing:
            for (path, content) in files where content.contains("text: new") {
                written[path] = content.replacingOccurrences(of: "new", with: "mine")
            }
        case .recreating:
            if files["deleted.yaml"] == nil { written["deleted.yaml"] = base["deleted.yaml"] }
        case .deleting:
            for path in ["pulled.yaml", "merged.yaml"] where files[path]?.contains("new") == true {
                written[path] = .some(nil)
            }
        }
        return written
    }

    /// The user deletes files that the command has changed or was about to change.
    @Test(arguments: [[], [FailingFileSystem.MissingCall.exchange], [.exchange, .renameKeeping]])
    func `a todo deleted after the command ended does not come back unasked`(
        _ missing: Set<FailingFileSystem.MissingCall>
    ) async throws {
        let paths = ["pulled.yaml", "merged.yaml", "moved.yaml"]
        var base = Self.base
        base["deleted.yaml"] = nil
        base["moved.yaml"] = "id: moved\ntext: old\n"
        var number = 0
        var isDone = false
        var deletions = 0
        var returns: [Int] = []
        while !isDone {
            number += PropertySeeds.callStride
            let world = World()
            let machines = try await world.machines(2, base)
            let (here, there) = (machines[0], machines[1])
            for path in paths { there.edit(path, "old", "new") }
            there.rename("moved.yaml", to: "there.yaml")
            try await there.sync()
            here.edit("merged.yaml", "low", "high")

            var failing = FailingFileSystem(failingAt: number, andAfter: true, code: EIO)
            failing.missing = missing
            _ = try? await world.workspace(at: here.folder, failing).pull(SyncOptions())
            isDone = failing.calls < number

            let deleted = here.files
            // Otherwise, the command has moved a file away to write it.
            let isComplete = deleted.count == paths.count
            for path in deleted.keys { here[path] = nil }
            deletions += deleted.count
            let report = try await here.sync()
            let back = Set(here.files.keys).subtracting(report.conflicts.map(\.path))
            if isComplete && !back.isEmpty { returns.append(number) }
        }
        #expect(deletions > 20 / PropertySeeds.callStride)
        // A linked file that still has its staged name can't be distinguished from one not yet linked.
        let maximum = missing.contains(.renameKeeping) ? paths.count : 0
        #expect(returns.count <= maximum, "at calls \(returns)")
    }

    /// A new file is announced, staged and moved into place, and the command can end before the last step.
    @Test(arguments: [1, 6], ["", "sub/"])
    func `an older file where one was announced and never came is no edit of it`(
        _ count: Int, _ folder: String
    ) async throws {
        var number = 0
        var isDone = false
        var olderFiles = 0
        let paths = (1...count).map { "\(folder)\($0).yaml" }
        while !isDone {
            number += PropertySeeds.callStride
            let world = World()
            let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
            let (here, there) = (machines[0], machines[1])
            try await pushNewFiles(paths, from: there)
            let expected = there.files
            let failing = FailingFileSystem(failingAt: number, andAfter: true, code: EIO)
            _ = try? await world.workspace(at: here.folder, failing).pull(SyncOptions())
            isDone = failing.calls < number
            for path in paths where here[path] == nil {
                here[path] = "id: t\(path.filter(\.isNumber))\ntext: older\n"
                olderFiles += 1
            }
            try await here.sync()
            try await there.sync()
            #expect(there.files == expected, "at call \(number)")
            if there.files != expected { return }
        }
        #expect(olderFiles > 20 / PropertySeeds.callStride)
    }

    /// A file that moves there makes the command create the folder, so that the new files arrive one by one.
    @Test func `an edit of a new file stays where its folder came first`() async throws {
        var number = 0
        var isDone = false
        var edits = 0
        while !isDone {
            number += PropertySeeds.callStride
            let world = World()
            let machines = try await world.machines(2, ["moved.yaml": "id: moved\ntext: M\n"])
            let (here, there) = (machines[0], machines[1])
            there.rename("moved.yaml", to: "sub/moved.yaml")
            let paths = ["sub/1.yaml", "sub/2.yaml"]
            try await pushNewFiles(paths, from: there)
            let failing = FailingFileSystem(failingAt: number, andAfter: true, code: EIO)
            _ = try? await world.workspace(at: here.folder, failing).pull(SyncOptions())
            isDone = failing.calls < number
            let come = paths.filter { here[$0] != nil }
            edits += come.count
            if try await !editsStay(come, on: here, at: number) { return }
        }
        #expect(edits > 20 / PropertySeeds.callStride)
    }

    /// Creates a todo at each path, and pushes them with the other changes.
    private func pushNewFiles(_ paths: [String], from machine: Machine) async throws {
        for path in paths { machine[path] = "id: t\(path.filter(\.isNumber))\ntext: new\n" }
        try await machine.push()
    }

    /// Edits files and syncs, and expects the edits to stay; returns whether nothing was in conflict.
    private func editsStay(_ paths: [String], on machine: Machine, at number: Int) async throws -> Bool {
        for path in paths { machine.edit(path, "new", "mine") }
        let report = try await machine.sync()
        #expect(report.conflicts.isEmpty, "at call \(number)")
        #expect(paths.allSatisfy { machine[$0]?.contains("mine") == true }, "at call \(number)")
        return report.conflicts.isEmpty
    }

    /// The first command ends before it moves files into place, and the second one anywhere in its recovery.
    @Test(
        arguments: [(1, ""), (6, ""), (1, "sub/"), (6, "sub/")],
        [Set(), [FailingFileSystem.MissingCall.exchange]])
    func `an edit of a file stays where the recovery brought it and ended`(
        _ files: (count: Int, folder: String), _ missing: Set<FailingFileSystem.MissingCall>
    ) async throws {
        var number = 0
        var isDone = false
        var edits = 0
        while !isDone {
            number += PropertySeeds.callStride
            let world = World()
            let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
            let (here, there) = (machines[0], machines[1])
            let paths = (1...files.count).map { "\(files.folder)\($0).yaml" }
            there.edit("a.yaml", "A", "new")
            try await pushNewFiles(paths, from: there)
            var pulling = FailingFileSystem(crashingAt: { $0.manner == .keeping }, code: EIO)
            pulling.missing = missing
            _ = try? await world.workspace(at: here.folder, pulling).pull(SyncOptions())
            var recovering = FailingFileSystem(failingAt: number, andAfter: true, code: EIO)
            recovering.missing = missing
            _ = try? await world.workspace(at: here.folder, recovering).pull(SyncOptions())
            isDone = recovering.calls < number

            let come = (paths + ["a.yaml"]).filter { here[$0]?.contains("new") == true }
            edits += come.count
            if try await !editsStay(come, on: here, at: number) { return }
        }
        #expect(edits > 20 / PropertySeeds.callStride)
    }

    /// The editor removes a file and writes it again, and the recovery finds it missing in between.
    @Test(arguments: [(1, ""), (6, ""), (1, "sub/"), (6, "sub/")])
    func `an edit of a new file stays if it is saved during the recovery`(
        _ files: (count: Int, folder: String)
    ) async throws {
        var number = 0
        var isDone = false
        var edits = 0
        while !isDone {
            number += PropertySeeds.callStride
            let world = World()
            let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
            let (here, there) = (machines[0], machines[1])
            let paths = (1...files.count).map { "\(files.folder)\($0).yaml" }
            try await pushNewFiles(paths, from: there)
            let (folder, path, wanted) = (here.folder, paths[0], number)
            let stopping = FailingFileSystem(
                crashingAt: {
                    $0.name == FailingFileSystem.everything.description
                        && FileManager.default.fileExists(atPath: folder.path(of: path))
                }, code: EIO)
            _ = try? await world.workspace(at: here.folder, stopping).pull(SyncOptions())
            let saved = try #require(here[paths[0]]).replacingOccurrences(of: "new", with: "mine")
            here[paths[0]] = nil
            let recovering = FailingFileSystem { call throws(FileError) in
                if call.number == wanted { try? folder.write(saved, to: path) }
            }
            let report = try await world.workspace(at: here.folder, recovering).pull(SyncOptions())
            isDone = recovering.calls < number
            if !isDone { edits += 1 }
            #expect(report.conflicts.isEmpty, "at call \(number)")
            if isDone { here[paths[0]] = saved }
            for machine in [here, there, here] { try await machine.sync() }
            #expect(here[paths[0]] == saved, "at call \(number)")
            #expect(there[paths[0]] == saved, "at call \(number)")
            #expect(try here.status.isClean, "at call \(number)")
            if !report.conflicts.isEmpty { return }
        }
        #expect(edits > 20 / PropertySeeds.callStride)
    }

    /// Makes two machines; the second one has pushed an edit of a file.
    private func news() async throws -> (world: World, here: Machine, there: Machine) {
        let world = World()
        let machines = try await world.machines(2, Self.base)
        machines[1].edit("pulled.yaml", "old", "new")
        try await machines[1].push()
        var here = machines[0]
        // A dry run leaves replaced files to the next command, so it doesn't see what is written into them.
        here.isCompared = false
        return (world, here, machines[1])
    }

    /// The editor opened the file before the pull, and writes to it afterward.
    @Test func `what is written into a replaced file after the command is merged in by the next one`()
        async throws
    {
        let (world, here, there) = try await news()
        let editor = try #require(FileHandle(forWritingAtPath: here.folder.path(of: "pulled.yaml")))
        try editor.seekToEnd()
        try await here.pull()
        #expect(here["pulled.yaml"] == "id: pulled\ntext: new\npriority: low\n")
        try editor.write(contentsOf: Data("late: 1\n".utf8))
        try await here.sync()
        #expect(here["pulled.yaml"] == "id: pulled\ntext: new\npriority: low\nlate: 1\n")
        try await there.pull()
        #expect(there["pulled.yaml"] == here["pulled.yaml"])
        #expect(world.notices.contains { $0.hasPrefix("pulled.yaml: ") && $0.hasSuffix("was merged") })
    }

    /// The command is interrupted before its end, and an editor keeps writing to the old file.
    @Test func `a late write does not hide that the file was replaced`() async throws {
        let (world, here, _) = try await news()
        let editor = try #require(FileHandle(forWritingAtPath: here.folder.path(of: "pulled.yaml")))
        try editor.seekToEnd()
        let stopping = FailingFileSystem(
            crashingAt: { $0.name == FailingFileSystem.everything.description }, code: EIO)
        _ = try? await world.workspace(at: here.folder, stopping).pull(SyncOptions())
        try editor.write(contentsOf: Data("late: 1\n".utf8))
        here.edit("pulled.yaml", "new", "old")
        try await here.sync()
        #expect(here["pulled.yaml"] == "id: pulled\ntext: old\npriority: low\nlate: 1\n")
        #expect(try here.isClean)
    }

    /// The command is interrupted after it has found the late write, which it can't merge.
    @Test func `a late write that was found does not hide that the file was replaced`() async throws {
        let (world, here, _) = try await news()
        let editor = try #require(FileHandle(forUpdatingAtPath: here.folder.path(of: "pulled.yaml")))
        let progress = Mutex((hasExchanged: false, looks: 0))
        let stopping = FailingFileSystem(
            crashingAt: { call in
                let isWritten = progress.withLock { progress in
                    if call.manner == .exchanging { progress.hasExchanged = true }
                    guard progress.hasExchanged, call.operation == .open, call.name.contains(".new.") else {
                        return false
                    }
                    // The first open compares the file, and the second one checks it again.
                    progress.looks += 1
                    return progress.looks == 2
                }
                if isWritten {
                    try? editor.truncate(atOffset: 0)
                    try? editor.write(contentsOf: Data("id: pulled\ntext: late\npriority: low\n".utf8))
                }
                return call.name == FailingFileSystem.everything.description
            }, code: EIO)
        _ = try? await world.workspace(at: here.folder, stopping).pull(SyncOptions())
        #expect(world.notices.contains { $0.contains("an editor saved it") })
        here.edit("pulled.yaml", "new", "old")
        try await here.sync()
        // The late write is an edit of the old text, which the file has again.
        #expect(here["pulled.yaml"] == "id: pulled\ntext: late\npriority: low\n")
        #expect(try here.isClean)
    }

    /// A power failure can leave a file with its full length, but with zeros for data not yet on disk.
    @Test(arguments: [0, 10, 30])
    func `a part of a staged text that a power failure left does not count as a replaced text`(
        _ length: Int
    ) async throws {
        let world = World()
        let machines = try await world.machines(2, Self.base)
        let (here, there) = (machines[0], machines[1])
        there.edit("merged.yaml", "old", "new")
        try await there.push()
        here.edit("merged.yaml", "low", "high")
        let pulling = FailingFileSystem(crashingAt: { $0.manner == .exchanging }, code: EIO)
        _ = try? await world.workspace(at: here.folder, pulling).pull(SyncOptions())
        let staged = here.folder.contents().filter { $0.key.contains(".new.") }
        #expect(staged.count == 1)
        for (path, text) in staged {
            let zeros = [UInt8](repeating: 0, count: text.utf8.count - length)
            let torn = Data(text.utf8.prefix(length) + zeros)
            try torn.write(to: URL(filePath: here.folder.path(of: path)))
        }
        try await here.sync()
        #expect(here["merged.yaml"] == "id: merged\ntext: new\npriority: high\n")
        let events = try here.workspace.directory.history().operations.flatMap(\.events)
        #expect(!events.contains { if case .kept = $0 { true } else { false } })
    }

    /// Recovery abandons a change, and is interrupted before it has removed the staged text.
    @Test func `a text that was given up is nobody's edit`() async throws {
        let world = World()
        let machines = try await world.machines(2, Self.base)
        let (here, there) = (machines[0], machines[1])
        there.edit("merged.yaml", "old", "new")
        try await there.push()
        here.edit("merged.yaml", "low", "high")
        let pulling = FailingFileSystem(crashingAt: { $0.manner == .exchanging }, code: EIO)
        _ = try? await world.workspace(at: here.folder, pulling).pull(SyncOptions())
        here.edit("merged.yaml", "high", "medium")
        let edited = here["merged.yaml"]
        let recovering = FailingFileSystem(
            crashingAt: { $0.operation == .remove && $0.name.contains(".new.") }, code: EIO)
        for fileSystem in [recovering, FailingFileSystem()] {
            #expect(throws: (any Error).self) {
                try world.workspace(at: here.folder, fileSystem).undo("no operation")
            }
        }
        #expect(here["merged.yaml"] == edited)
        #expect(!world.notices.contains { $0.contains("an editor saved it") })
        let events = try here.workspace.directory.history().operations.flatMap(\.events)
        #expect(!events.contains { if case .kept = $0 { true } else { false } })
    }

    @Test
    func `a check reports nothing of what is kept for the next command, also where somebody wrote into it`()
        async throws
    {
        let world = World()
        let machines = try await world.machines(2, Self.base)
        machines[1].edit("pulled.yaml", "old", "new")
        try await machines[1].push()
        let path = machines[0].folder.path(of: "pulled.yaml")
        let editor = try #require(FileHandle(forWritingAtPath: path))
        try editor.seekToEnd()
        try await machines[0].pull()
        try editor.write(contentsOf: Data("late: 1\n".utf8))
        #expect(try machines[0].workspace.check(repairs: false).problems == [])
    }

    @Test func `what is written into it and conflicts is named, and can be restored`() async throws {
        let (world, here, _) = try await news()
        let editor = try #require(FileHandle(forUpdatingAtPath: here.folder.path(of: "pulled.yaml")))
        try await here.pull()
        try editor.truncate(atOffset: 0)
        try editor.write(contentsOf: Data("id: pulled\ntext: late\npriority: high\n".utf8))
        try await here.sync()
        #expect(here["pulled.yaml"] == "id: pulled\ntext: new\npriority: high\n")
        let notice = try #require(world.notices.first)
        let command = try #require(notice.firstMatch(of: #/restore (\S+) --to ([^\s"]+)" to bring/#))
        _ = try here.workspace.restore(String(command.1), to: String(command.2))
        #expect(here["pulled.yaml"] == "id: pulled\ntext: late\npriority: high\n")
    }

    @Test func `replaced files that nobody has written into are gone after the next command`() async throws {
        let world = World()
        let machines = try await world.machines(2, Self.base)
        machines[1].edit("pulled.yaml", "old", "new")
        machines[1]["deleted.yaml"] = nil
        try await machines[1].push()
        try await machines[0].pull()
        func kept() -> [String] {
            machines[0].folder.contents().filter { $0.key.hasPrefix(".todosync/tmp/") }.values.sorted()
        }
        #expect(kept() == [Self.base["deleted.yaml"], Self.base["pulled.yaml"]])
        #expect(try machines[0].workspace.check(repairs: false).isHealthy)
        try await machines[0].pull()
        #expect(kept() == [])
        #expect(world.notices == [])
    }
}
