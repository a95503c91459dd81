import Foundation
import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import TodoModel
import WorkingCopy

/// Base versions stay trusted, whatever happens to the file with the journal's length.
@Suite struct JournalLengthTests {
    private static let file = ".todosync/journal.length"

    @Test(arguments: [true, false])
    func `a compaction that is interrupted makes no base version doubtful`(isCrash: Bool) async throws {
        var number = 0
        var isDone = false
        while !isDone {
            number += PropertySeeds.callStride
            let (world, here) = try await withPendingRemoval()
            let failing = FailingFileSystem(failingAt: number, andAfter: isCrash, code: EIO)
            _ = try? world.workspace(at: here.folder, failing).compact(keeping: 0)
            isDone = failing.calls < number
            await expectRemoved(here, world, "at call \(number)")
        }
        #expect(number > 15)
    }

    @Test func `what somebody wrote behind the last operation's end makes no base version doubtful`()
        async throws
    {
        let (world, here) = try await withPendingRemoval()
        let stray = "stray\n\u{0}more\n"
        let journal = try #require(here.folder.read(".todosync/journal"))
        try here.folder.write(journal + stray, to: ".todosync/journal")
        let line = journal.count { $0 == "\n" } + 1
        #expect(try here.workspace.check(repairs: false).problems == [.strayLines(line: line)])
        _ = try await here.workspace.sync(SyncOptions(isDryRun: true))
        let report = try await here.sync()
        #expect(report.conflicts == [])
        #expect(here["a.yaml"]?.contains("there") == true && here["a.yaml"]?.contains("priority") == false)
        #expect(world.notices.allSatisfy { $0.contains("that no command wrote") })
        #expect(world.notices.last?.contains(".todosync/damaged-1") == true)
        #expect(here.folder.read(".todosync/damaged-1/journal") == stray)
        #expect(try here.workspace.check(repairs: false).isHealthy)
    }

    @Test func `what may have been written by a command that was interrupted is believed to be lost`()
        async throws
    {
        var number = 0
        var isDone = false
        var grown = 0
        while !isDone {
            number += PropertySeeds.callStride
            let (world, here) = try await withPendingRemoval()
            let before = try #require(here.folder.bytes(".todosync/journal"))
            let failing = FailingFileSystem(failingAt: number, andAfter: true, code: EIO)
            _ = try? await world.workspace(at: here.folder, failing).sync(SyncOptions())
            isDone = failing.calls < number
            let after = try #require(here.folder.bytes(".todosync/journal"))
            guard after.count > before.count, !isDone else { continue }
            grown += 1
            let garbage = (before.count..<after.count).map {
                $0.isMultiple(of: 30) ? UInt8(ascii: "\n") : 0xFF
            }
            try Data(before + garbage + [0x0A]).write(
                to: URL(filePath: here.folder.path(of: ".todosync/journal")))
            let problems = try here.workspace.check(repairs: false).problems
            #expect(
                problems.contains { if case .damagedJournal(_, isTorn: false) = $0 { true } else { false } },
                "at call \(number): \(problems)")
        }
        #expect(grown > 10 / PropertySeeds.callStride)
    }

    @Test func `records behind an older end are not taken for somebody's writing`() async throws {
        let (_, here) = try await withPendingRemoval()
        try losingRecordsBehindEnd(here)
        let problems = try here.workspace.check(repairs: false).problems
        #expect(problems.contains { if case .damagedJournal = $0 { true } else { false } })
    }

    @Test func `a crash while records are given up lets the loss be reported`() async throws {
        var number = 0
        var (reported, distrusted) = (0, 0)
        var isDone = false
        while !isDone {
            number += PropertySeeds.callStride
            let (world, here) = try await withPendingRemoval()
            try losingRecordsBehindEnd(here)
            let failing = FailingFileSystem(failingAt: number, andAfter: true, code: EIO)
            _ = try? world.workspace(at: here.folder, failing).check(repairs: true)
            isDone = failing.calls < number
            let isReported = try here.workspace.check(repairs: false).problems.contains { problem in
                if case .damagedJournal(_, isTorn: false) = problem { true } else { false }
            }
            let isDistrusted = here.folder.read(".todosync/journal")?.contains(#""distrusted""#) == true
            #expect(isReported || isDistrusted, "at call \(number)")
            reported += isReported ? 1 : 0
            distrusted += isDistrusted ? 1 : 0
        }
        #expect(reported > 5 / PropertySeeds.callStride)
        #expect(distrusted > 0)
    }

    @Test func `after a loss no length is noted that the journal does not have`() async throws {
        var number = 0
        var begun = 0
        var isDone = false
        while !isDone {
            number += PropertySeeds.callStride
            let (world, here) = try await withPendingRemoval()
            let journal = try #require(here.folder.read(".todosync/journal"))
            let lines = journal.split(separator: "\n", omittingEmptySubsequences: false)
            try here.folder.write(lines.dropLast(3).joined(separator: "\n") + "\n", to: ".todosync/journal")
            let failing = FailingFileSystem(failingAt: number, andAfter: true, code: EIO)
            _ = try? world.workspace(at: here.folder, failing).add(
                NewTodo(text: "Milk", fields: [:], path: nil))
            isDone = failing.calls < number
            let left = try #require(here.folder.read(".todosync/journal"))
            guard let distrusted = left.range(of: #""distrusted""#),
                left[distrusted.upperBound...].contains(#""record":"begin""#)
            else { continue }
            begun += 1
            let problems = try here.workspace.check(repairs: false).problems
            #expect(
                !problems.contains { if case .damagedJournal = $0 { true } else { false } },
                "at call \(number)")
        }
        #expect(begun > 12 / PropertySeeds.callStride)
    }

    /// Damages the first record after an operation's end, with the length that the journal had at that end.
    private func losingRecordsBehindEnd(_ here: Machine) throws {
        let journal = try #require(here.folder.bytes(".todosync/journal"))
        let length = try #require(here.folder.read(Self.file))
        try here.set("a.yaml", "n", "9")
        try here.folder.write(length, to: Self.file)
        var bytes = try #require(here.folder.bytes(".todosync/journal"))
        bytes[journal.count] ^= 1
        try Data(bytes).write(to: URL(filePath: here.folder.path(of: ".todosync/journal")))
    }

    @Test(arguments: [true, false])
    func `anything else at its path stops nothing`(isLink: Bool) async throws {
        let (_, here) = try await withPendingRemoval()
        try here.folder.remove(Self.file)
        if isLink {
            try here.folder.link(Self.file, to: "elsewhere")
        } else {
            try here.folder.write("theirs", to: Self.file + "/inner.txt")
        }
        _ = try here.status
        try here.set("a.yaml", "n", "1")
        try await here.pull()
        // A link is replaced by a file. A folder isn't, because it might have content.
        let problems: [StateProblem] = isLink ? [] : [.wrongJournalLength]
        #expect(try here.workspace.check(repairs: false).problems == problems)
        #expect(try here.workspace.check(repairs: true).repaired == problems)
        if !isLink { #expect(here.folder.read(".todosync/damaged-1/journal.length/inner.txt") == "theirs") }
        try await here.sync()
        #expect(try here.workspace.check(repairs: false).isHealthy)
    }

    @Test func `a changed digit is no length`() async throws {
        let machine = try await World().machines(1, ["a.yaml": "id: a\ntext: A\n"])[0]
        let text = try #require(machine.folder.read(Self.file))
        for (old, new) in [("0000", "0001"), ("0000", "000 ")] {
            try machine.folder.write(
                text.replacingOccurrences(of: old, with: new), to: Self.file)
            #expect(try !machine.workspace.check(repairs: false).isHealthy)
            try await machine.sync()
            #expect(machine.folder.read(Self.file)?.utf8.count == text.utf8.count)
            #expect(try machine.workspace.check(repairs: false).isHealthy)
        }
    }

    @Test func `a power failure leaves a length, if only an older one`() async throws {
        for seed in UInt64(0)..<20 {
            let world = World(seed: seed)
            let disk = MemoryDisk()
            disk.makeFolder("work")
            var surroundings = world.surroundings()
            surroundings.lockTimeout = .zero
            let workspace = Workspace(
                directory: WorkingDirectory(root: "work", fileSystem: disk), surroundings: surroundings)
            try workspace.directory.create(Configuration(remote: World.url))
            var random = SplitMix64(seed: seed)
            for number in 0..<3 {
                disk.save(Array("id: \(number)\ntext: A\n".utf8), to: "work/\(number).yaml")
                #expect(try await workspace.sync(SyncOptions()).stop == nil)
                disk.losePower(&random)
                let problems = try workspace.check(repairs: false).problems
                #expect(!problems.contains { [.noJournalLength, .wrongJournalLength].contains($0) })
                #expect(disk.read("work/" + Self.file)?.count == 37)
            }
        }
    }

    /// Makes a machine whose user removed a field while the remote got a different edit of the todo.
    private func withPendingRemoval() async throws -> (World, Machine) {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\npriority: high\n"])
        for number in 0..<3 { try machines[0].set("a.yaml", "n", "\(number)") }
        try await machines[0].sync()
        try await machines[1].sync()
        machines[0].edit("a.yaml", "priority: high\n", "")
        machines[1].edit("a.yaml", "text: A", "text: there")
        try await machines[1].push()
        return (world, machines[0])
    }

    private func expectRemoved(_ here: Machine, _ world: World, _ label: String) async {
        do {
            let report = try await here.sync()
            #expect(report.conflicts == [], "\(label)")
        } catch {
            Issue.record("\(error) \(label)")
        }
        let text = here["a.yaml"] ?? ""
        #expect(text.contains("there") && !text.contains("priority"), "\(label): \(text)")
        #expect(!world.notices.contains { $0.contains("journal") }, "\(label): \(world.notices)")
    }
}
