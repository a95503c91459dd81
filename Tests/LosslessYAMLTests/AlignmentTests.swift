import Synchronization
import Testing

@testable import LosslessYAML

@Suite struct AlignmentTests {
    /// An element that counts how often it is compared.
    private struct Element: Hashable {
        let number: Int
        let count: Count

        final class Count: Sendable {
            let comparisons = Mutex(0)
        }

        static func == (left: Element, right: Element) -> Bool {
            left.count.comparisons.withLock { $0 += 1 }
            return left.number == right.number
        }

        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    @Test(arguments: [100, 900, 1100])
    func `the number of comparisons grows with the number of elements, not with its square`(count: Int) {
        let counter = Element.Count()
        func elements(_ numbers: [Int]) -> [Element] { numbers.map { Element(number: $0, count: counter) } }
        // The first and the last elements differ, so that nothing between them is left out.
        let middle = (0..<count).map { $0 % 50 }
        let pairs = Alignment.pairs(elements([-1] + middle + [-2]), elements([-3] + middle + [-4]))
        #expect(pairs.count == count)
        #expect(counter.comparisons.withLock { $0 } <= 10 * count)
    }
}
