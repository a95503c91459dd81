import TestSupport
import Testing

/// The trait that fails tests that seldom reach what they are about.
@Suite struct CoverageTests {
    @Test(arguments: [(0, false), (4, false), (5, true), (20, true)])
    func `a label is to be covered as often as the trait says`(count: Int, isEnough: Bool) async throws {
        let test = try #require(Test.current)
        let testCase = try #require(Test.Case.current)
        let trait: Coverage = .covers(["a": 50])
        try await withKnownIssue {
            try await trait.provideScope(for: test, testCase: nil) {
                for number in 0..<10 {
                    try await trait.provideScope(for: test, testCase: testCase) {
                        cover("a", number < count)
                        cover("b")
                    }
                }
            }
        } when: {
            !isEnough
        }
    }

    @Test(.covers(["a case": 100]), arguments: 0..<10)
    func `the cases of a test count together`(_ number: Int) { cover("a case") }
}
