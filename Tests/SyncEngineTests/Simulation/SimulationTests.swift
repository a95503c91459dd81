import Foundation
import TestSupport
import Testing

/// Histories with everything that can go wrong.
///
/// `TODOSYNC_HISTORIES=1000000` tries that many. `TODOSYNC_SEED=7` repeats that one, and prints its steps;
/// with both, the seed is the first of that many.
@Suite struct SimulationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seed = environment["TODOSYNC_SEED"].flatMap(UInt64.init)
    private static let count =
        environment["TODOSYNC_HISTORIES"].flatMap(UInt64.init) ?? (seed == nil ? 300 : 1)

    @Test func `after any history all agree, nothing is lost, and there is nothing left to do`() async {
        let first = Self.seed ?? 0
        let seeds = first..<first + Self.count
        let width = UInt64(ProcessInfo.processInfo.activeProcessorCount)
        var events = SimulatedEvents()
        await withTaskGroup(of: SimulatedEvents.self) { group in
            for offset in 0..<width {
                group.addTask {
                    await Self.run(
                        stride(from: seeds.lowerBound + offset, to: seeds.upperBound, by: Int(width)))
                }
            }
            for await part in group { events.add(part) }
        }
        let counts = SimulatedEvent.allCases.map { "\($0) \(events.counts[$0] ?? 0)" }
        print("\(seeds.count) histories: " + counts.joined(separator: ", "))
        for event in SimulatedEvent.allCases {
            // Backups and their restoration are both rare.
            let mostForOne = event == .olderState ? 600 : 100
            #expect(events.counts[event] ?? 0 >= seeds.count / mostForOne, "\(event) is too rare")
        }
    }

    @concurrent
    private static func run(_ seeds: StrideTo<UInt64>) async -> SimulatedEvents {
        var events = SimulatedEvents()
        for seed in seeds {
            do {
                var simulation = try Simulation(seed: seed, prints: Self.count == 1)
                try await simulation.run()
                events.add(simulation.events)
            } catch {
                Issue.record("\(error)\nreplay it with TODOSYNC_SEED=\(seed)")
            }
        }
        return events
    }
}
