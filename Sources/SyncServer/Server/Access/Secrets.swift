internal import Remotes

extension Headers {
    /// The secrets in a request, from all headers that clients of the tables protocol send them in.
    var secrets: [String] {
        let bearers = values("Authorization").compactMap { value -> String? in
            let words = value.split(separator: " ", maxSplits: 1)
            guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
            return String(words[1].drop { $0 == " " })
        }
        return (values("x-zumo-application") + bearers + values("X-ZUMO-AUTH")).filter { !$0.isEmpty }
    }
}
