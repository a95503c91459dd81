import Synchronization
package import Testing

/// Requires that a test's cases exercise what the test checks, like QuickCheck's `checkCoverage`.
///
/// For example, a law about clean merges also holds for stories without any. The test calls ``cover(_:_:)``
/// where it checks the law, and the trait fails the test if that happened too seldom.
package struct Coverage: TestTrait, TestScoping {
    /// How often each label must be covered, per hundred cases.
    fileprivate let leastPerHundred: [String: Int]

    /// Counts what a test has covered.
    private final class Counts: Sendable {
        let cases = Atomic(0)
        let covered = Mutex<[String: Int]>([:])
    }

    @TaskLocal private static var counts: Counts?

    package func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { self }

    package func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        guard testCase == nil else {
            Self.counts?.cases.add(1, ordering: .relaxed)
            return try await function()
        }
        for shortfall in try await shortfalls(performing: function) { Issue.record("\(shortfall)") }
    }

    /// Runs a test's cases; returns the labels that they covered too seldom, with the numbers.
    package func shortfalls(
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws -> [String] {
        let counts = Counts()
        try await Self.$counts.withValue(counts) { try await function() }
        let (cases, covered) = (counts.cases.load(ordering: .relaxed), counts.covered.withLock(\.self))
        return leastPerHundred.compactMap { label, perHundred in
            // Rounded down, so that a run with few seeds isn't required to have such a case.
            let (count, least) = (covered[label] ?? 0, cases * perHundred / 100)
            return count < least ? "\(label): \(count) times in \(cases) cases" : nil
        }
    }

    fileprivate static func cover(_ label: String) {
        counts?.covered.withLock { $0[label, default: 0] += 1 }
    }
}

extension Trait where Self == Coverage {
    /// - Parameter leastPerHundred: How often each label must be covered, per hundred cases.
    package static func covers(_ leastPerHundred: [String: Int]) -> Self {
        Coverage(leastPerHundred: leastPerHundred)
    }
}

/// Records that a test has exercised what a label describes, if it has.
package func cover(_ label: String, _ isCovered: Bool = true) {
    if isCovered { Coverage.cover(label) }
}
