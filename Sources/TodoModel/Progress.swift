internal import Synchronization

/// A command's progress with one kind of work.
package struct Progress: Sendable, Hashable {
    package enum Work: Sendable, Hashable, CaseIterable {
        case reading, pulling, pushing, checking, compacting, copying, forgetting
    }

    /// The unit of the counts.
    package enum Unit: Sendable, Hashable { case files, todos, tables, bytes }

    package var work: Work
    package var unit: Unit
    package var done: Int
    /// The total amount of work; nil if it isn't known.
    package var total: Int?

    package init(_ work: Work, _ unit: Unit, done: Int, total: Int? = nil) {
        self.work = work
        self.unit = unit
        self.done = done
        self.total = total
    }

    /// A function that receives reports, on any thread.
    package typealias Reporter = @Sendable (Progress) -> Void
}

/// Counts work that threads share, and reports the count at intervals.
package final class ProgressCounter: Sendable {
    private let start: Progress
    private let count = Atomic(0)
    private let report: Progress.Reporter

    /// The number of steps between two reports, because a report costs more than a step.
    package static let interval = 256

    package init(
        _ work: Progress.Work, _ unit: Progress.Unit, total: Int?, _ report: @escaping Progress.Reporter
    ) {
        start = Progress(work, unit, done: 0, total: total)
        self.report = report
    }

    /// Adds steps to the count.
    package func add(_ steps: Int = 1) {
        let (before, after) = count.add(steps, ordering: .relaxed)
        guard before / Self.interval != after / Self.interval else { return }
        var progress = start
        progress.done = after
        report(progress)
    }
}
