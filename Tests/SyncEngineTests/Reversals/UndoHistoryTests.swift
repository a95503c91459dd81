import Foundation
import TestSupport
import Testing

/// Histories of undos and redos, with results that a model of the users' changes predicts.
///
/// `TODOSYNC_UNDO_HISTORIES=10000` tries that many. `TODOSYNC_UNDO_SEED=7` tries only that one, and prints
/// its steps.
@Suite struct UndoHistoryTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seed = environment["TODOSYNC_UNDO_SEED"].flatMap(UInt64.init)
    private static let count = environment["TODOSYNC_UNDO_HISTORIES"].flatMap(UInt64.init) ?? 20

    @Test func `an undo reverses what its user did, and nothing of others`() async {
        let seeds = Self.seed.map { $0..<$0 + 1 } ?? 0..<Self.count
        let width = UInt64(ProcessInfo.processInfo.activeProcessorCount)
        var events: [ReversalEvent: Int] = [:]
        await withTaskGroup(of: [ReversalEvent: Int].self) { group in
            for offset in 0..<width {
                group.addTask {
                    await Self.run(
                        stride(from: seeds.lowerBound + offset, to: seeds.upperBound, by: Int(width)))
                }
            }
            for await part in group { events.merge(part, uniquingKeysWith: +) }
        }
        let counts = ReversalEvent.allCases.map { "\($0) \(events[$0] ?? 0)" }
        print("\(seeds.count) histories: " + counts.joined(separator: ", "))
        for event in ReversalEvent.allCases {
            // Few histories redo the undo of a resolve before they resolve the conflict again.
            let mostForOne = event == .answer ? 50 : 25
            #expect(events[event] ?? 0 >= seeds.count / mostForOne, "\(event) is too rare")
        }
    }

    @concurrent
    private static func run(_ seeds: StrideTo<UInt64>) async -> [ReversalEvent: Int] {
        var events: [ReversalEvent: Int] = [:]
        for seed in seeds {
            do {
                var history = try await ReversalHistory(seed: seed, prints: Self.seed != nil)
                try await history.run()
                events.merge(history.events, uniquingKeysWith: +)
            } catch {
                Issue.record("\(error)\nrepeat it with TODOSYNC_UNDO_SEED=\(seed)")
            }
        }
        return events
    }
}
