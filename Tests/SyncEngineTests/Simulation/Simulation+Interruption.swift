import SyncEngine
import TestSupport
import WorkingCopy

extension Simulation {
    /// Has a user go on with what an interrupted command has left, and often sync at once.
    ///
    /// After a power failure, nothing tells a file that the user set back from one that was never written.
    /// The same holds where a file had lost its id, and the command gave it back.
    ///
    /// - Throws: ``SimulationFailure`` if that sync takes back what the user wrote.
    mutating func goOn(
        _ machine: SimulatedMachine, from before: [String: [UInt8]], pending: Set<String>,
        after loss: MemoryDisk.PowerLoss?
    ) async throws {
        var expected: [String: Set<Int>] = [:]
        var editor = SimulatedEditor(machine: machine, random: random)
        for _ in 0..<Int.random(in: 0...3, using: &editor.random) {
            let files = machine.files
            let event = editor.goOn(from: before, pending: pending)
            events.note(event)
            for (path, bytes) in machine.files where files[path] != bytes {
                let isExpected =
                    event == .editAfterCrash
                    || event == .revertAfterCrash && loss == nil && Self.hasID(bytes)
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
        let found = machine.textsInFiles()
        for (path, texts) in expected where !texts.isSubset(of: found) {
            let lost = texts.subtracting(found).sorted()
            throw SimulationFailure("\(path): the sync after an interrupted command took back \(lost)")
        }
    }

    private static func hasID(_ bytes: [UInt8]) -> Bool {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").contains { $0.hasPrefix("id:") }
    }
}
