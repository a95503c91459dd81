internal import TodoModel

/// Collects the answers to a push.
///
/// An error doesn't discard the answers that came before it.
struct PushAnswers {
    private var answers: [PushAnswer?]
    private var reasons: [Int: String] = [:]
    /// The first error, which affects one operation or all that follow.
    private var failure: (any Error)?
    /// Whether to stop sending operations.
    ///
    /// After an invalid answer to one operation, other operations can still succeed, but not if the server
    /// can't be reached or denies access.
    private(set) var isStopped = false

    init(count: Int) { answers = .init(repeating: nil, count: count) }

    /// Records the answer to an operation that `body` returns, or its error.
    mutating func answer(_ position: Int, _ body: () async throws -> PushAnswer) async {
        do {
            answers[position] = try await body()
        } catch {
            fail(position, error)
        }
    }

    mutating func set(_ position: Int, _ answer: PushAnswer) { answers[position] = answer }

    mutating func fail(_ position: Int, _ error: any Error) {
        if case RemoteError.notAllowed(let problem) = error { answers[position] = .notAllowed(problem) }
        reasons[position] = Self.reason(error)
        fail(error)
    }

    /// Records an error that leaves operations without an answer.
    ///
    /// Any other error takes precedence over a missing permission, because that error leaves open whether
    /// operations were applied.
    mutating func fail(_ error: any Error) {
        if failure == nil || failure.map(Self.isDenial) == true && !Self.isDenial(error) { failure = error }
        if !(error is InvalidResponse) { isStopped = true }
    }

    /// Returns an answer for each operation.
    ///
    /// - Throws: The first error, if every operation is unanswered or not allowed.
    func all() throws -> [PushAnswer] {
        if let failure, answers.allSatisfy(\.isNoAnswer) { throw failure }
        let rest = failure.map(Self.reason) ?? "the response has no result for the operation"
        return answers.enumerated().map { position, answer in
            answer ?? .unknown(message: reasons[position] ?? rest)
        }
    }

    private static func isDenial(_ error: any Error) -> Bool {
        if case RemoteError.notAllowed = error { true } else { false }
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let failure as TransferFailure: failure.reason
        case let invalid as InvalidResponse: invalid.reason
        case let error as RemoteError: error.description
        case is CancellationError: "the request was cancelled"
        default: "it was not sent"
        }
    }
}

extension PushAnswer? {
    /// Whether the operation has no answer of its own, but only the error that stopped the exchange.
    fileprivate var isNoAnswer: Bool {
        switch self {
        case nil, .notAllowed: true
        default: false
        }
    }
}
