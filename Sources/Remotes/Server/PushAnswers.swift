internal import TodoModel

/// Gathers the answers to a push: what was answered counts, whatever becomes of the rest.
struct PushAnswers {
    private var answers: [PushAnswer?]
    private var reasons: [Int: String] = [:]
    /// What went wrong first, for one operation or for all that follow.
    private var failure: (any Error)?
    /// Whether asking on makes no sense: what is nonsense for one operation may be none for another, but what
    /// can't be reached, or does not allow it, won't change.
    private(set) var isStopped = false

    init(count: Int) { answers = .init(repeating: nil, count: count) }

    /// Takes in the answer to an operation, which `body` finds, or why there is none.
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

    /// Takes note of what leaves operations without an answer.
    ///
    /// That the key does not allow one thing says nothing of others that may have been carried out.
    mutating func fail(_ error: any Error) {
        if failure == nil || failure.map(Self.isDenial) == true && !Self.isDenial(error) { failure = error }
        if !(error is NonsenseAnswer) { isStopped = true }
    }

    /// Returns an answer for each operation.
    ///
    /// - Throws: What went wrong first, where no operation was answered but with what the key does not allow.
    func all() throws -> [PushAnswer] {
        if let failure, answers.allSatisfy(\.isNoAnswer) { throw failure }
        let rest = failure.map(Self.reason) ?? "the answer does not contain it"
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
        case let nonsense as NonsenseAnswer: nonsense.reason
        case let error as RemoteError: error.description
        case is CancellationError: "the request was cancelled"
        default: "it was not sent"
        }
    }
}

extension PushAnswer? {
    /// Whether it tells nothing of an operation but that the whole exchange stopped.
    fileprivate var isNoAnswer: Bool {
        switch self {
        case nil, .notAllowed: true
        default: false
        }
    }
}
