import Remotes
import TestSupport
import Testing
import TodoModel

@Suite(.oneStoreAtATime) struct `Remote conformance` {
    @Test(arguments: RemoteConformance.all)
    func `the in-memory remote conforms`(_ conformance: RemoteConformance) async throws {
        let seeds = Counter()
        try await conformance.check { pageSize in
            let remote = InMemoryRemote(seed: await seeds.next(), pageSize: pageSize)
            return (remote, remote)
        }
    }

    @Test(arguments: RemoteConformance.all + RemoteConformance.waiting)
    func `a store's table conforms`(_ conformance: RemoteConformance) async throws {
        try await withTemporaryFolder { folder in
            let numbers = Counter()
            try await conformance.check { pageSize in
                let path = "\(folder)/store \(await numbers.next())"
                var one = try Store.create(at: path, surroundings: .testing).table(.standard)
                // A separate connection, like another process.
                var other = try Store.open(at: path, surroundings: .testing).table(.standard)
                one.pageSize = pageSize
                other.pageSize = pageSize
                return (one, other)
            }
        }
    }
}

private actor Counter {
    private var value: UInt64 = 0

    func next() -> UInt64 {
        value += 1
        return value
    }
}
