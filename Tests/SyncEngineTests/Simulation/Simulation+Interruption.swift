import SyncEngine
import TestSupport
import TodoModel
import WorkingCopy

/// The state before an interrupted command, and how the command was interrupted.
struct InterruptedCommand {
    var files: [String: [UInt8]]
    /// The paths of files with edits.
    var pending: Set<String>
    /// Whether the previous command came to its end.
    var isFirst: Bool
    /// Whether the command was a push, a pull or a sync.
    var isExchange = false
    var loss: MemoryDisk.PowerLoss?
}

extension Simulation {
    /// Lets a user continue after an interrupted command, and often sync right away.
    ///
    /// After a power failure, a file that the user reverted can't be distinguished from one that was never
    /// written. The same applies if a file had lost its id and the command restored it. And a file that only
    /// a command on this machine had changed no longer has an edit once the user has reverted it.
    ///
    /// - Throws: ``SimulationFailure`` if that sync reverts what the user wrote or restores what the user
    ///   deleted.
    mutating func goOn(
        _ machine: SimulatedMachine, after command: InterruptedCommand
    ) async throws {
        var expected: [String: Set<Int>] = [:]
        var deleted: Set<TodoID> = []
        // A new file that comes back might be one that couldn't be created before.
        let former = command.isFirst ? Self.ids(in: command.files) : []
        var editor = SimulatedEditor(machine: machine, random: random)
        for _ in 0..<Int.random(in: 0...3, using: &editor.random) {
            let files = machine.files
            let event = editor.goOn(from: command.files, pending: command.pending)
            events.note(event)
            let (earlier, now) = (Self.ids(in: files), Self.ids(in: machine.files))
            // The deleted file can be a copy of a file that has lost its id and gets it back.
            if machine.files.values.allSatisfy(Self.hasID) {
                deleted.formUnion(former.intersection(earlier).subtracting(now))
            }
            deleted.subtract(now)
            for path in files.keys where machine[path] == nil { expected[path] = nil }
            for (path, bytes) in machine.files where files[path] != bytes {
                let isExpected =
                    event == .editAfterCrash
                    || event == .revertAfterCrash && command.loss == nil && command.isExchange
                        && Self.hasID(bytes)
                let texts = UserTexts.all(in: bytes)
                let written = texts.subtracting(UserTexts.all(in: files[path] ?? []))
                expected[path] = isExpected ? written.union(texts.intersection(expected[path] ?? [])) : nil
            }
        }
        random = editor.random
        guard random.chance(0.7) else { return }
        events.note(.syncAfterCrash)
        guard let report = try? await machine.workspace().sync(SyncOptions()) else { return }
        hasConflict = !report.conflicts.isEmpty
        try await checkKinds(of: report.conflicts)
        guard !hasDamagedState else { return }
        let back = deleted.intersection(Self.ids(in: machine.files)).subtracting(report.conflicts.map(\.id))
        if command.loss == nil, let id = back.min() {
            throw SimulationFailure("the sync after an interrupted command brought \(id) back")
        }
        let found = machine.textsInFiles()
        for (path, texts) in expected where !texts.isSubset(of: found) {
            let lost = texts.subtracting(found).sorted()
            throw SimulationFailure("\(path): the sync after an interrupted command took back \(lost)")
        }
    }

    private static func ids(in files: [String: [UInt8]]) -> Set<TodoID> {
        Set(files.values.compactMap { try? Todo(parsing: $0).id })
    }

    private static func hasID(_ bytes: [UInt8]) -> Bool {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").contains { $0.hasPrefix("id:") }
    }
}
