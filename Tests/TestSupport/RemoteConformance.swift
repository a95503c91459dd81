package import TodoModel

/// What every remote must do, as cases that a test runs on a remote of its kind.
///
/// It throws ``Disagreement`` instead of using a test library, so that it can be a part of any target.
package struct RemoteConformance: Sendable, CustomStringConvertible {
    /// Makes an empty remote, and returns two clients of it that work side by side.
    package typealias MakeClients = @Sendable (_ pageSize: Int) async throws -> (any Remote, any Remote)

    /// The case's claim.
    package let description: String
    private let body: @Sendable (MakeClients) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (MakeClients) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// Creates a case for one client of a remote with large pages.
    init(_ description: String, on body: @escaping @Sendable (any Remote) async throws -> Void) {
        self.init(description) { makeClients in try await body(makeClients(1000).0) }
    }

    /// Runs the case.
    ///
    /// - Throws: ``Disagreement`` where the remote does something else than the case claims.
    package func check(_ makeClients: MakeClients) async throws {
        try await body(makeClients)
    }

    package static let all = writes + retries + rules + feed + cursors + concurrency
}

/// A remote did something else than it must.
package struct Disagreement: Error, CustomStringConvertible {
    package let description: String
}

/// Throws if two values differ.
func expect<Value: Equatable>(
    _ actual: Value, _ expected: Value, _ what: String, line: Int = #line
) throws {
    guard actual == expected else {
        throw Disagreement(description: "\(what) (line \(line)): \(actual) instead of \(expected)")
    }
}

/// Throws if a claim does not hold.
func expect(_ claim: Bool, _ what: String, line: Int = #line) throws {
    guard claim else { throw Disagreement(description: "\(what) (line \(line))") }
}
