internal import TodoModel

extension ServerSession {
    /// Returns the error for a response that stops the exchange: neither a success nor a status that the
    /// caller handles.
    func error(for answer: ServerResponse, writing: Bool = false) -> RemoteError {
        switch answer.status {
        case 401, 403: denial(answer.status, answer.words, writing: writing)
        case 404: .noSuchTable(url: url.string, message: answer.words)
        case 429: .overloaded(url: url.string, pause: pause(answer), message: answer.words)
        case 503 where hasLongPause(answer):
            .overloaded(url: url.string, pause: pause(answer), message: answer.words)
        default: .refused(url: url.string, status: answer.status, message: answer.message)
        }
    }

    /// Returns the error for a 401 or a 403.
    func denial(_ status: Int, _ message: String, writing: Bool) -> RemoteError {
        guard status == 403, hasKey else { return .notAllowed(.unknown(url: url.string, message: message)) }
        let table = url.table.string
        return .notAllowed(
            .insufficient(
                url: url.string, needed: writing ? .write(table: table) : .read(table: table),
                message: message))
    }

    /// Returns the number of seconds that the server asks to wait; nil if it doesn't ask.
    private func pause(_ answer: ServerResponse) -> Int64? {
        answer.headers["retry-after"].flatMap {
            RetryDelay.requested($0, date: answer.headers["date"])?.components.seconds
        }
    }

    /// Returns whether the server asks for a longer pause than a request waits for.
    private func hasLongPause(_ answer: ServerResponse) -> Bool {
        pause(answer).map { .seconds($0) > RetryDelay.longestRequested } ?? false
    }
}
