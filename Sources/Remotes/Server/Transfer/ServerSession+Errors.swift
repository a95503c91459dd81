internal import NIOHTTP1
internal import TodoModel

extension ServerSession {
    /// Returns the error for an answer that stops the exchange: no success, and nothing that is foreseen at
    /// its place.
    func error(for answer: ServerAnswer, writing: Bool = false) -> RemoteError {
        let said = answer.message
        switch answer.status {
        case 401, 403: return denial(answer.status, said, writing: writing)
        case 404: return .unusable("\(url.string): there is no such table (\(said))")
        case 429: return .unavailable("\(url.string): the server asks for a pause\(pause(answer)): \(said)")
        default:
            let status = said.hasSuffix("\(answer.status)") ? "" : " (status \(answer.status))"
            return .unavailable("\(url.string): \(said)\(status)")
        }
    }

    /// Returns the error for a 401 or a 403.
    func denial(_ status: Int, _ said: String, writing: Bool) -> RemoteError {
        let isKnown = status == 403 && hasKey
        let need = "\(writing ? "write" : "read") access to the table \(url.table.string)"
        return .notAllowed(
            "\(url.string): \(said)", isKnown ? .insufficient(need: need) : .unknown(url: url.string))
    }

    /// Returns how long the server wants to be left alone, in words.
    private func pause(_ answer: ServerAnswer) -> String {
        guard let text = answer.headers.first(name: "retry-after"),
            let delay = RetryDelay.requested(text, date: answer.headers.first(name: "date"))
        else { return "" }
        return " of \(delay.components.seconds) seconds"
    }
}
