import TestSupport
import Testing

/// Tests the trait that fails tests that seldom exercise what they check.
@Suite struct CoverageTests {
    @Test(arguments: [(0, false), (4, false), (5, true), (20, true)])
    func `a label has to be covered as often as the trait requires`(count: Int, isEnough: Bool) async throws {
        let test = try #require(Test.current)
        let testCase = try #require(Test.Case.current)
        let trait: Coverage = .covers(["a": 50])
        let shortfalls = try await trait.shortfalls {
            for number in 0..<10 {
                try await trait.provideScope(for: test, testCase: testCase) {
                    cover("a", number < count)
                    cover("b")
                }
            }
        }
        #expect(shortfalls.isEmpty == isEnough, "\(shortfalls)")
    }

    @Test(.covers(["a case": 100]), arguments: 0..<10)
    func `the cases of a test are counted together`(_ number: Int) { cover("a case") }
}
