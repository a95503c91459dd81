import Foundation
import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// Combinations of damage to the files in `.todosync`, before each command.
///
/// By default, some random ones are tried; `TODOSYNC_PROPERTY_SEEDS` tries that many in order.
@Suite struct DamageCombinationTests {
    enum Damage: Int, CaseIterable {
        case none, deleted, emptied, halved, flipped, older
    }

    enum Command: Int, CaseIterable {
        case status, push, pull, sync, resolve, log, check
    }

    private static let files = ["journal", "config.yaml", ".gitignore", "cache", "journal.length"]
    private static let count = UInt64(Command.allCases.count) * 7776

    struct Combination: CustomTestStringConvertible {
        var command: Command
        var damages: [Damage]

        init(number: UInt64) {
            var rest = Int(number)
            func take(_ count: Int) -> Int {
                defer { rest /= count }
                return rest % count
            }
            command = Command(rawValue: take(Command.allCases.count)) ?? .status
            damages = DamageCombinationTests.files.map { _ in
                Damage(rawValue: take(Damage.allCases.count)) ?? .none
            }
        }

        var testDescription: String {
            "\(command) with "
                + zip(DamageCombinationTests.files, damages)
                .filter { $0.1 != .none }.map { "\($0) \($1)" }.joined(separator: ", ")
        }

        /// Whether an older state can look like the newest one, because the recorded length is wrong or
        /// older, too.
        var hidesAge: Bool {
            [.older, .halved].contains(damages[0]) && [.flipped, .older].contains(damages[4])
        }
    }

    @Test func `no combination loses an edit, is believed or stops a command for good`() async throws {
        let world = World(seed: 3)
        var older: [String: [UInt8]] = [:]
        let template = try await world.busyMachine { machine in
            _ = try machine.status
            for file in Self.files { older[file] = machine.folder.bytes(".todosync/" + file) }
        }
        _ = try template.status
        let backup = await world.remote.backup()
        let expected = template.files
        var random = SplitMix64(seed: 5)
        for number in PropertySeeds.range(default: 8) where number < Self.count {
            let picked = PropertySeeds.isLongRun ? number : UInt64.random(in: 0..<Self.count, using: &random)
            let combination = Combination(number: picked)
            await world.remote.restore(backup)
            let folder = try TemporaryFolder(copyOf: template.folder)
            for (file, damage) in zip(Self.files, combination.damages) {
                try folder.damage(".todosync/" + file, damage, older: older[file], &random)
            }
            let machine = Machine(folder: folder, workspace: world.workspace(at: folder, FailingFileSystem()))
            try await check(machine, combination, template, expected, world)
        }
    }

    private func check(
        _ machine: Machine, _ combination: Combination, _ template: Machine, _ expected: [String: String],
        _ world: World
    ) async throws {
        let label = combination.testDescription
        do {
            try await run(combination.command, machine)
        } catch EngineError.configuration, EngineError.noRemote, EngineError.lostConfiguration, is RemoteError
        {
            #expect(combination.damages[1] != .none, "\(label)")
        }
        // Only the user can repair the configuration.
        try machine.folder.write(
            try #require(template.folder.read(".todosync/config.yaml")), to: ".todosync/config.yaml")
        try await machine.sync()
        if combination.hidesAge {
            // The folder can match the older state, so nothing shows that it has an edit.
            #expect(machine.files.values.contains { $0.contains("edited-a") }, "\(label)")
        } else {
            await expectNothingLost(machine, expected, world, label)
        }
        #expect(try machine.workspace.check(repairs: false).isHealthy, "\(label)")
        #expect(
            try machine.status.pending.allSatisfy { $0.operation != .delete }, "\(label): nobody deleted")
        // Everything works again once the user has resolved the conflict that only markers show. Without a
        // record of the conflict, the file is compared with the remote's version once more.
        let status = try machine.status
        #expect(status.invalid.isEmpty, "\(label)")
        if status.conflicts.contains(where: { $0.kind == .git }) { _ = try machine.resolve(by: .use(.local)) }
        try await machine.sync()
        _ = try machine.resolve(by: .use(.local))
        try await machine.sync()
        let again = try await machine.sync()
        #expect(again.pushed == [] && again.pulled == [] && !again.needsUser, "\(label): \(again)")
        let clone = try world.machine()
        try await clone.pull()
        #expect(Set(clone.files.values) == Set(machine.files.values), "\(label)")
    }

    private func run(_ command: Command, _ machine: Machine) async throws {
        switch command {
        case .status: _ = try machine.status
        case .push: try await machine.push()
        case .pull: try await machine.pull()
        case .sync: try await machine.sync()
        case .resolve: try machine.resolve()
        case .log: _ = try machine.workspace.log(nil)
        case .check: _ = try machine.workspace.check(repairs: true)
        }
    }
}

extension TemporaryFolder {
    fileprivate func damage(
        _ file: String, _ damage: DamageCombinationTests.Damage, older: [UInt8]?, _ random: inout SplitMix64
    ) throws {
        guard var bytes = bytes(file) else { return }
        switch damage {
        case .none: return
        case .deleted: return try remove(file)
        case .emptied: bytes = []
        case .halved: bytes.removeSubrange((bytes.count / 2)...)
        case .flipped:
            guard let index = bytes.indices.randomElement(using: &random) else { return }
            bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case .older:
            guard let older else { return }
            bytes = older
        }
        try Data(bytes).write(to: URL(filePath: path(of: file)))
    }
}
