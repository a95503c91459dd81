import LosslessYAML
import TestSupport
import Testing
import TodoModel

@Suite struct `The misbehaving remote` {
    @Test(arguments: RemoteConformance.all)
    func `without misbehavior, it conforms to the protocol`(_ conformance: RemoteConformance) async throws {
        try await conformance.check { pageSize in
            let seed = UInt64.random(in: 0...UInt64.max)
            let remote = MisbehavingRemote(InMemoryRemote(seed: seed, pageSize: pageSize), behaviors: [])
            return (remote, remote)
        }
    }

    @Test func `a lost request changes nothing, but a lost answer can follow a change`() async throws {
        let inner = InMemoryRemote()
        let remote = MisbehavingRemote(inner, behaviors: [.losesRequests])
        guard case .unknown? = try await remote.answers(to: [.example("a")]).first else {
            Issue.record("an answer came")
            return
        }
        #expect(await inner.liveRecords().isEmpty)
        await remote.setBehaviors([.losesAnswers])
        for number in 0..<20 {
            let answers = try await remote.answers(to: ["a", "b"].map { .example("\($0)\(number)") })
            #expect(answers.count == 2)
        }
        #expect((1..<40).contains(await inner.liveRecords().count))
    }

    @Test(arguments: UInt64(0)..<20)
    func `retrying unknown operations applies each operation once`(seed: UInt64) async throws {
        let inner = InMemoryRemote(seed: seed)
        let remote = MisbehavingRemote(
            inner, behaviors: [.throwsUnavailable, .losesRequests, .losesAnswers, .repeatsRequests],
            rate: 0.4,
            seed: seed)
        var pending = (0..<20).map { PushOperation.example("todo \($0)") }
        var rounds = 0
        while !pending.isEmpty, rounds < 1000 {
            rounds += 1
            guard let answers = try? await remote.answers(to: pending) else { continue }
            for answer in answers {
                if case .movedOn = answer { Issue.record("an operation conflicts with itself") }
            }
            pending = zip(pending, answers).filter { if case .unknown = $1 { true } else { false } }.map(\.0)
        }
        #expect(await inner.liveRecords().count == 20)
        #expect(try await inner.changes(after: nil).next.string.hasPrefix("20/"))
    }

    @Test func `each kind of misbehavior shows in the changes`() async throws {
        let inner = InMemoryRemote(pageSize: 2)
        _ = try await inner.answers(to: ["a", "b"].map(PushOperation.example))
        let remote = MisbehavingRemote(inner, behaviors: [.answersStale])
        let first = try await remote.changes(after: nil)
        _ = try await inner.answers(to: [.example("c")])
        #expect(try await remote.changes(after: nil).isLast == first.isLast)
        await remote.setBehaviors([.emptiesTable])
        #expect(try await remote.changes(after: nil).records.isEmpty)
        #expect(try await remote.changes(after: first.next).next == first.next)
        await remote.setBehaviors([.deletesEverything])
        #expect(try await remote.changes(after: nil).records.map(\.isDeleted) == [true, true])
        await remote.setBehaviors([.addsGarbage])
        #expect(try await remote.changes(after: nil).records.count > 40)
        await remote.setBehaviors([.throwsUnavailable])
        await #expect(throws: RemoteError.self) { try await remote.changes(after: nil) }
        await remote.setBehaviors([])
        #expect(try await remote.changes(after: nil).records.map(\.id) == ["a", "b"])
        let counts = await remote.counts
        #expect(
            counts == [
                .answersStale: 1, .emptiesTable: 2, .deletesEverything: 1, .addsGarbage: 1,
                .throwsUnavailable: 1,
            ])
    }
}
