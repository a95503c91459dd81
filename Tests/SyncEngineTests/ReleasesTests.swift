import Testing

@testable import SyncEngine

@Suite struct ReleasesTests {
    /// Returns the number of todos that all releases of a pull go through.
    private func work(todos: Int, releasable: (Int) -> Bool) -> Int {
        var releases = Releases()
        var (loaded, released, work) = (0, 0, 0)
        for start in stride(from: 0, to: todos, by: 8000) {
            loaded += 8000
            guard releases.isDue(loaded: loaded, released: released) else { continue }
            work += loaded + released
            if releasable(start) { (loaded, released) = (0, released + loaded) }
            releases.end(loaded: loaded)
        }
        return work
    }

    @Test(arguments: [80_000, 800_000, 8_000_000])
    func `releases cost a few steps for each todo, even if none can be released`(todos: Int) {
        #expect(work(todos: todos) { _ in true } <= 8 * todos)
        #expect(work(todos: todos) { _ in false } <= 2 * todos)
        #expect(work(todos: todos) { $0 > todos / 2 } <= 8 * todos)
    }

    @Test func `a few todos aren't worth a release`() {
        #expect(!Releases().isDue(loaded: Releases.least - 1, released: 0))
        #expect(Releases().isDue(loaded: Releases.least, released: 0))
    }
}
