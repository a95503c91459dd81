/// The time when a request arrived at a server, from which the time of its queries counts.
package struct Arrival: Sendable {
    let time: ContinuousClock.Instant

    package init(time: ContinuousClock.Instant) { self.time = time }

    package static var now: Arrival { Arrival(time: .now) }
}
