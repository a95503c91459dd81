package import TodoModel

/// The requirements for every remote, as cases that a test runs with its kind of remote.
///
/// It throws ``Disagreement`` instead of using a test library, so that any target can include it.
package struct RemoteConformance: Sendable, CustomStringConvertible {
    /// Creates an empty remote, and returns two independent clients for it.
    package typealias MakeClients = @Sendable (_ pageSize: Int) async throws -> (any Remote, any Remote)

    /// The behavior that the case requires.
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
    /// - Throws: ``Disagreement`` if the remote behaves differently.
    package func check(_ makeClients: MakeClients) async throws {
        try await body(makeClients)
    }

    package static let all = writes + retries + rules + feed + cursors + concurrency
}

/// A remote that doesn't behave as required.
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

/// Throws if a condition is false.
func expect(_ claim: Bool, _ what: String, line: Int = #line) throws {
    guard claim else { throw Disagreement(description: "\(what) (line \(line))") }
}
