import NIOCore
import Testing

@testable import SyncServer

@Suite struct RequestLimiterTests {
    private let begin = NIODeadline.uptimeNanoseconds(1_000_000_000)

    @Test func `a minute's requests can come at once, then one at a time`() {
        let limiter = RequestLimiter()
        for _ in 0..<60 { #expect(limiter.take(for: "a", perMinute: 60, at: begin) == nil) }
        #expect(limiter.take(for: "a", perMinute: 60, at: begin) == 1)
        #expect(limiter.take(for: "a", perMinute: 60, at: begin + .milliseconds(900)) == 1)
        #expect(limiter.take(for: "a", perMinute: 60, at: begin + .milliseconds(1100)) == nil)
        #expect(limiter.take(for: "a", perMinute: 60, at: begin + .milliseconds(1100)) == 1)
    }

    @Test func `a bucket holds at most a minute's requests, however long it is unused`() {
        let limiter = RequestLimiter()
        #expect(limiter.take(for: "a", perMinute: 2, at: begin) == nil)
        let later = begin + .hours(10)
        #expect(limiter.take(for: "a", perMinute: 2, at: later) == nil)
        #expect(limiter.take(for: "a", perMinute: 2, at: later) == nil)
        #expect(limiter.take(for: "a", perMinute: 2, at: later) == 30)
    }

    @Test func `a clock that goes back removes no requests`() {
        let limiter = RequestLimiter()
        #expect(limiter.take(for: "a", perMinute: 2, at: begin + .hours(1)) == nil)
        #expect(limiter.take(for: "a", perMinute: 2, at: begin) == nil)
    }

    @Test func `clients with full buckets are forgotten if there are many`() {
        let limiter = RequestLimiter()
        for client in 0..<9_999 { _ = limiter.take(for: "\(client)", perMinute: 1, at: begin) }
        #expect(limiter.take(for: "a", perMinute: 1, at: begin + .minutes(9)) == nil)
        #expect(limiter.clientCount == 10_000)
        #expect(limiter.take(for: "b", perMinute: 1, at: begin + .minutes(9) + .seconds(1)) == nil)
        #expect(limiter.clientCount == 2)
        #expect(limiter.take(for: "a", perMinute: 1, at: begin + .minutes(9) + .seconds(1)) == 59)
    }

    @Test func `a client without a full bucket is never forgotten`() {
        let limiter = RequestLimiter()
        for client in 0..<30_000 { _ = limiter.take(for: "\(client)", perMinute: 1, at: begin) }
        #expect(limiter.clientCount == 30_000)
        #expect(limiter.take(for: "0", perMinute: 1, at: begin) == 60)
    }
}
