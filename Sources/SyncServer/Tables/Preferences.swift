internal import Remotes

/// The supported preferences in a request's `Prefer` header (RFC 7240).
struct Preferences: Sendable {
    /// `odata.track-changes`: return the table's change feed.
    var tracksChanges = false
    /// `odata.maxpagesize`; values other than a positive number are ignored.
    var maximumPageSize: Int?
    /// `return=minimal`: respond to a successful write without the record.
    var isMinimal = false

    init() {}

    /// Parses preferences by their names in OData 4.0, or in 4.01, which omits `odata.`.
    init(_ headers: Headers) {
        for preference in headers.values("prefer").flatMap({ $0.split(separator: ",") }) {
            let text = preference.split(separator: ";", maxSplits: 1).first ?? ""
            let sides = text.split(separator: "=", maxSplits: 1).map { String($0).trimmedOfBlanks }
            guard let name = sides.first?.lowercased() else { continue }
            let value = sides.dropFirst().first.map { $0.filter { $0 != "\"" } }
            switch name {
            case "odata.track-changes", "track-changes": tracksChanges = true
            case "odata.maxpagesize", "maxpagesize":
                if let number = value.flatMap({ Int($0) }), number > 0 { maximumPageSize = number }
            case "return": isMinimal = value?.lowercased() == "minimal"
            default: break
            }
        }
    }
}
