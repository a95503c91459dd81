import Foundation
import TestSupport
import Testing

/// Histories of people who use git on a folder of todos in every way, and sync at any point.
///
/// `TODOSYNC_GIT_HISTORIES=10000` tries that many. With `TODOSYNC_GIT_SEED=7`, the seed is the first of them.
/// The seed alone tries only that history, and prints its steps.
@Suite(.ownThreads) struct GitStoryTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seed = environment["TODOSYNC_GIT_SEED"].flatMap(UInt64.init)
    private static let count = environment["TODOSYNC_GIT_HISTORIES"].flatMap(UInt64.init)

    @Test func `git changes and deletes nothing for everybody, and nothing is lost`() async {
        let first = Self.seed ?? 0
        let seeds = first..<first + (Self.count ?? (Self.seed == nil ? 100 : 1))
        let width = UInt64(ProcessInfo.processInfo.activeProcessorCount)
        var events = StoryEvents()
        await withTaskGroup(of: StoryEvents.self) { group in
            for offset in 0..<width {
                group.addTask {
                    await Self.run(
                        stride(from: seeds.lowerBound + offset, to: seeds.upperBound, by: Int(width)))
                }
            }
            for await part in group { events.add(part) }
        }
        let counts = StoryEvent.allCases.map { "\($0) \(events.counts[$0] ?? 0)" }
        print("\(seeds.count) histories with git: " + counts.joined(separator: ", "))
        print(
            "\(events.plainHistories) of them only commit and pull at home: asked in \(events.askedPlainSyncs) of "
                + "\(events.plainSyncs) syncs")
        expectFloors(events, seeds.count)
    }

    /// Expects that enough happened for the test to be meaningful.
    private func expectFloors(_ events: StoryEvents, _ histories: Int) {
        guard histories >= 100 else { return }
        let floors: [StoryEvent: Int] = [
            .held: 5, .behind: 2, .absent: 2, .forwarded: 2, .stash: 2, .checkout: 5, .duringGit: 2,
            .excursionBack: 5, .pushedEdit: 20, .pushedDelete: 2, .conflict: 2, .mergeConflict: 2,
        ]
        for (event, floor) in floors {
            #expect(events.counts[event] ?? 0 >= floor, "\(event) happened too rarely")
        }
        #expect(
            events.askedPlainSyncs * 50 <= events.plainSyncs, "who only commits and pulls is asked too often")
        guard histories >= 400 else { return }
        for event in StoryEvent.allCases where event != .excusedReturn && event != .excusedVersion {
            #expect(events.counts[event] ?? 0 > 0, "\(event) never happened")
        }
    }

    @concurrent
    private static func run(_ seeds: StrideTo<UInt64>) async -> StoryEvents {
        var events = StoryEvents()
        for seed in seeds {
            do {
                var story = try GitStory(seed: seed, isTold: Self.count == nil && Self.seed != nil)
                defer { events.add(story.events) }
                try await story.run()
            } catch {
                Issue.record("\(error)\nrepeat it with TODOSYNC_GIT_SEED=\(seed)")
            }
        }
        return events
    }
}
