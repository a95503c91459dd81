import Testing
import Values

@testable import todosync

@Suite struct PastTimeTests {
    private func instant(_ argument: String) throws -> String? {
        let now = try #require(Instant("2026-11-21T07:00:00Z"))
        return PastTime(argument: argument)?.instant(now: now, in: LocalZone { _ in 0 }).internetTime
    }

    @Test(arguments: [
        ("2026-11-20T10:00:00+01:00", "2026-11-20T09:00:00.000Z"),
        ("3d", "2026-11-18T07:00:00.000Z"), ("2w", "2026-11-07T07:00:00.000Z"),
        ("0d", "2026-11-21T07:00:00.000Z"),
    ])
    func `a time and a span are exact`(argument: String, time: String) throws {
        #expect(try instant(argument) == time)
    }

    @Test(arguments: ["2026-02-30", "3", "d", "-3d", "yesterday?", ""])
    func `nonsense is refused`(argument: String) throws {
        #expect(try instant(argument) == nil)
    }
}
