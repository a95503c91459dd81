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
        let seeds = first..<first + (Self.count ?? (Self.seed == nil ? 10 : 1))
        let events = await Self.run(seeds)
        let counts = StoryEvent.allCases.map { "\($0) \(events.counts[$0] ?? 0)" }
        print("\(seeds.count) histories with git: " + counts.joined(separator: ", "))
        expectFloors(events, seeds.count)
    }

    /// The number of conflicts in these histories before git's changes were judged by three rules, for each
    /// four of them.
    private static let earlierConflicts = 9

    @Test func `people who use git first and edit only a field of their own are seldom asked`() async {
        let count: UInt64 = PropertySeeds.isLongRun ? 12 : 4
        let events = await Self.run(0..<count, .ownFields)
        let conflicts = events.counts[.conflict] ?? 0
        print(
            "\(events.histories) histories with own fields: \(conflicts) conflicts, asked in "
                + "\(events.askedSyncs) of \(events.syncs) syncs")
        #expect(events.histories == Int(count) && events.syncs > 12 * events.histories)
        #expect(conflicts == events.counts[.falseConflict] ?? 0)
        #expect(8 * conflicts <= Self.earlierConflicts * events.histories)
        #expect(events.askedSyncs <= conflicts)
    }

    private static func run(_ seeds: Range<UInt64>, _ kind: GitStory.Kind? = nil) async -> StoryEvents {
        let width = UInt64(ProcessInfo.processInfo.activeProcessorCount)
        var events = StoryEvents()
        await withTaskGroup(of: StoryEvents.self) { group in
            for offset in 0..<width {
                group.addTask {
                    await run(
                        stride(from: seeds.lowerBound + offset, to: seeds.upperBound, by: Int(width)), kind)
                }
            }
            for await part in group { events.add(part) }
        }
        return events
    }

    /// Expects that enough happened for the test to be meaningful.
    private func expectFloors(_ events: StoryEvents, _ histories: Int) {
        guard histories >= 50 else { return }
        let floors: [StoryEvent: Int] = [
            .held: 5, .behind: 2, .absent: 2, .forwarded: 2, .stash: 2, .checkout: 5, .duringGit: 2,
            .excursionBack: 5, .pushedEdit: 20, .pushedDelete: 2, .conflict: 2, .mergeConflict: 2,
        ]
        for (event, floor) in floors {
            #expect(events.counts[event] ?? 0 >= floor * histories / 100, "\(event) happened too rarely")
        }
        // The documented limits must stay exceptions.
        for limit in [StoryEvent.replacedByGit, .cleanedTodo] {
            #expect(events.counts[limit] ?? 0 <= histories / 20, "\(limit) happened too often")
        }
        guard histories >= 400 else { return }
        // A guard withholds deletes only when all todos are gone, which git seldom does.
        let exceptions: Set<StoryEvent> = [.excusedReturn, .replacedByGit, .cleanedTodo, .withheld]
        for event in StoryEvent.allCases where !exceptions.contains(event) {
            #expect(events.counts[event] ?? 0 > 0, "\(event) never happened")
        }
    }

    @concurrent
    private static func run(_ seeds: StrideTo<UInt64>, _ kind: GitStory.Kind?) async -> StoryEvents {
        var events = StoryEvents()
        for seed in seeds {
            do {
                var story = try GitStory(seed: seed, kind, prints: Self.count == nil && Self.seed != nil)
                defer { events.add(story.events) }
                try await story.run()
            } catch {
                Issue.record("\(error)\nrepeat it with TODOSYNC_GIT_SEED=\(seed)")
            }
        }
        return events
    }
}
