import Foundation
import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import TodoModel
import WorkingCopy

/// Files in `.todosync` that were damaged, truncated or lost.
@Suite(.serialized) struct DamageTests {
    enum Damage: String, CaseIterable {
        case flip, zero, cut, remove, insert, garbage
    }

    /// Files in `.todosync`, damaged at many offsets in every way.
    @Test(
        arguments: [
            ".todosync/journal", ".todosync/config.yaml", ".todosync/.gitignore", ".todosync/cache",
            ".todosync/journal.length",
        ],
        Damage.allCases)
    func `no damage loses an edit, deletes on its own or stops a command for good`(
        _ file: String, _ damage: Damage
    ) async throws {
        let world = World(seed: 7)
        let template = try await world.busyMachine()
        let expected = template.files
        let backup = await world.remote.backup()
        let size = try #require(template.folder.bytes(file)).count
        let count = PropertySeeds.isLongRun ? size : 2
        var random = SplitMix64(seed: UInt64(size) ^ UInt64(damage.rawValue.utf8.count))
        for number in 0..<min(count, size) {
            let offset = PropertySeeds.isLongRun ? number : Int.random(in: 0..<size, using: &random)
            await world.remote.restore(backup)
            let folder = try TemporaryFolder(copyOf: template.folder)
            try folder.damage(file, at: offset, damage, &random)
            let machine = Machine(folder: folder, workspace: world.workspace(at: folder, FailingFileSystem()))
            let label = "\(file) \(damage) at \(offset)"
            do {
                _ = try machine.status
                let report = try machine.workspace.check(repairs: true)
                #expect(try machine.workspace.check(repairs: false).problems == report.problems, "\(label)")
                #expect(!report.problems.contains { !$0.waitsForUser }, "\(label)")
                _ = try await machine.pull()
                _ = try await machine.push()
                _ = try await machine.sync()
            } catch let error as EngineError {
                // Only the user can repair the configuration, which the error names.
                switch error {
                case .configuration, .noRemote, .lostConfiguration:
                    #expect(file.hasSuffix("config.yaml"), "\(label)")
                default: throw error
                }
                try folder.write(try #require(template.folder.read(file)), to: file)
                _ = try await machine.sync()
            } catch let error as RemoteError {
                guard file.hasSuffix("config.yaml") else { throw error }
            }
            await expectNothingLost(machine, expected, world, label)
        }
    }

    @Test(arguments: UInt64(0)..<(PropertySeeds.isLongRun ? 300 : 6))
    func `several files damaged at once lose nothing either`(_ seed: UInt64) async throws {
        let world = World(seed: seed)
        let template = try await world.busyMachine()
        let expected = template.files
        var random = SplitMix64(seed: seed)
        let folder = try TemporaryFolder(copyOf: template.folder)
        for file in [".todosync/journal", ".todosync/.gitignore", ".todosync/journal.length"] {
            guard let bytes = folder.bytes(file), let damage = Damage.allCases.randomElement(using: &random)
            else { continue }
            try folder.damage(file, at: Int.random(in: 0...bytes.count, using: &random), damage, &random)
        }
        let machine = Machine(folder: folder, workspace: world.workspace(at: folder, FailingFileSystem()))
        _ = try await machine.push()
        _ = try await machine.sync()
        await expectNothingLost(machine, expected, world, "seed \(seed)")
    }

    // MARK: Single cases

    @Test func `a base version that may be older than the file is not taken for it`() async throws {
        let world = World()
        let machine = try await world.busyMachine()
        // The record that changed `e` to `later` is lost. Compared with the remaining base version, the
        // user's edit wouldn't be an edit.
        let journal = try #require(machine.folder.read(".todosync/journal"))
        let lost = try #require(journal.range(of: "later"))
        try machine.folder.write(
            journal.replacingCharacters(in: lost, with: "lates"), to: ".todosync/journal")
        try await machine.pull()
        let content = try #require(machine["e.yaml"])
        #expect(content.contains("pushed") && content.contains("later"))
        #expect(world.notices.contains { $0.contains("damaged") })
        #expect(machine.folder.exists(".todosync/damaged-1/journal"))
    }

    @Test(arguments: [false, true])
    func `a journal that was cut short or is an older one is not believed`(isOlder: Bool) async throws {
        let world = World()
        let machine = try await world.busyMachine()
        // The journal ends before or in the record that changed `e` to `later`, as if interrupted there.
        let journal = try #require(machine.folder.read(".todosync/journal"))
        let lost = try #require(journal.range(of: "later"))
        let whole = journal[..<lost.lowerBound].lastIndex(of: "\n").map { journal[...$0] } ?? ""
        try machine.folder.write(
            String(isOlder ? whole : journal[..<lost.lowerBound]), to: ".todosync/journal")
        #expect(try !machine.workspace.check(repairs: false).isHealthy)
        try await machine.pull()
        let content = try #require(machine["e.yaml"])
        #expect(content.contains("pushed") && content.contains("later"))
        #expect(world.notices.contains { $0.contains("truncated") })
        let count = world.notices.count
        try await machine.pull()
        #expect(world.notices.count == count, "it is told once")
    }

    @Test func `a check finds a healthy working directory healthy, whatever is pending`() async throws {
        let machine = try await World().busyMachine()
        let before = machine.folder.contentsBesidesCache()
        #expect(try machine.workspace.check(repairs: false).isHealthy)
        #expect(try machine.workspace.check(repairs: true).isHealthy)
        #expect(machine.folder.contentsBesidesCache() == before)
    }

    @Test func `a check reports a torn line, leftovers and an interrupted command, and repairs them`()
        async throws
    {
        let world = World()
        let machine = try await world.busyMachine()
        let failing = FailingFileSystem(failingAt: 60, andAfter: true, code: 5)
        _ = try? await world.workspace(at: machine.folder, failing).push(SyncOptions())
        let journal = try #require(machine.folder.read(".todosync/journal"))
        try machine.folder.write(journal + "0123", to: ".todosync/journal")
        try machine.folder.write("id: a\ntext: left\n", to: ".todosync/tmp/o.0.0.old")
        let found = try machine.workspace.check(repairs: false).problems
        #expect(found.contains { if case .damagedJournal(_, isTorn: true) = $0 { true } else { false } })
        #expect(found.contains { if case .leftovers = $0 { true } else { false } })
        let report = try machine.workspace.check(repairs: true)
        #expect(report.problems == [] && report.repaired == found)
        #expect(try machine.workspace.check(repairs: false).isHealthy)
        // The leftover's text is in the log.
        let kept = try machine.workspace.directory.history().operations.flatMap(\.events).contains { event in
            if case .kept(_, let text?) = event {
                text.bytes == Array("id: a\ntext: left\n".utf8)
            } else {
                false
            }
        }
        #expect(kept)
    }

    @Test(arguments: [true, false])
    func `anything else at the journal's path is named, and only a repair moves it away`(
        isLink: Bool
    ) async throws {
        let world = World()
        let machine = try await world.busyMachine()
        let expected = machine.files
        try machine.folder.remove(".todosync/journal")
        if isLink {
            try machine.folder.link(".todosync/journal", to: "elsewhere")
        } else {
            try machine.folder.makeFolder(".todosync/journal")
        }
        let files = machine.files
        for command in [
            { _ = try machine.status }, { _ = try machine.workspace.undo(nil) },
        ] {
            let error = #expect(throws: EngineError.self) { try command() }
            guard case .damaged(".todosync/journal", _)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(try machine.workspace.check(repairs: false).problems == [.wrongJournal])
        #expect(machine.files == files)
        let report = try machine.workspace.check(repairs: true)
        #expect(report.repaired == [.wrongJournal] && !report.problems.contains { !$0.waitsForUser })
        let kept = try FileManager.default.attributesOfItem(
            atPath: machine.folder.path(of: ".todosync/damaged-1/journal"))
        #expect(kept[.type] as? FileAttributeType == (isLink ? .typeSymbolicLink : .typeDirectory))
        _ = try await machine.pull()
        _ = try await machine.sync()
        await expectNothingLost(machine, expected, world, isLink ? "link" : "folder")
    }

    @Test func `a check does not touch a configuration, and reports where it is wrong`() throws {
        let machine = try World().machine(["a.yaml": "id: a\ntext: A\n"])
        try machine.folder.write("remote: [\n", to: ".todosync/config.yaml")
        let report = try machine.workspace.check(repairs: true)
        #expect(report.problems.map(\.waitsForUser) == [true])
        #expect(machine.folder.read(".todosync/config.yaml") == "remote: [\n")
    }
}

extension StateProblem {
    fileprivate var waitsForUser: Bool {
        switch self {
        case .configuration, .lostConfiguration: true
        // The next pull writes the length again.
        case .noJournalLength: true
        default: false
        }
    }
}

extension TemporaryFolder {
    func bytes(_ path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: self.path(of: path)).map(Array.init)
    }

    fileprivate func damage(
        _ file: String, at offset: Int, _ damage: DamageTests.Damage, _ random: inout SplitMix64
    ) throws {
        guard var bytes = bytes(file) else { return }
        let offset = min(offset, bytes.count)
        switch damage {
        case .flip where offset < bytes.count: bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case .flip: break
        case .zero: for index in offset..<min(offset + 64, bytes.count) { bytes[index] = 0 }
        case .cut: bytes.removeSubrange(offset...)
        case .remove: try remove(file)
        case .insert: bytes.insert(UInt8.random(in: 0...255, using: &random), at: offset)
        case .garbage:
            for index in offset..<bytes.count { bytes[index] = .random(in: 0...255, using: &random) }
        }
        if damage != .remove { try Data(bytes).write(to: URL(filePath: path(of: file))) }
    }
}
