import Testing
import WorkingCopy

@Suite struct ConcurrentlyTests {
    @Test(arguments: [0, 1, 31, 32, 33, 1000])
    func `results are in the order of the elements, however many threads share the work`(count: Int) {
        #expect(mapConcurrently(Array(0..<count)) { $0 * 3 } == (0..<count).map { $0 * 3 })
    }
}
