internal import NIOHTTP1
internal import TodoModel

extension ServerSession {
    /// Returns the error for an answer that stops the exchange: no success, and nothing that is foreseen at
    /// its place.
    func error(for answer: ServerAnswer) -> RemoteError {
        let said = answer.message
        switch answer.status {
        case 401: return .notAllowed("\(url.string): \(said)")
        case 403: return .notAllowed("\(url.string): the key may not do this: \(said)")
        case 404: return .unusable("\(url.string): there is no such table (\(said))")
        case 429: return .unavailable("\(url.string): the server asks for a pause\(pause(answer)): \(said)")
        default:
            let status = said.hasSuffix("\(answer.status)") ? "" : " (status \(answer.status))"
            return .unavailable("\(url.string): \(said)\(status)")
        }
    }

    /// Returns how long the server wants to be left alone, in words.
    private func pause(_ answer: ServerAnswer) -> String {
        guard let text = answer.headers.first(name: "retry-after"),
            let delay = RetryDelay.requested(text, date: answer.headers.first(name: "date"))
        else { return "" }
        return " of \(delay.components.seconds) seconds"
    }
}
