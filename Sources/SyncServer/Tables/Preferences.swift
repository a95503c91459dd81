/// What a request's `Prefer` (RFC 7240) asks for, as far as the server does it.
struct Preferences: Sendable {
    /// `odata.track-changes`: answer with the table's change feed.
    var tracksChanges = false
    /// `odata.maxpagesize`; what is no number from 1 up is as good as not said.
    var maximumPageSize: Int?
    /// `return=minimal`: answer a write that was carried out without the record.
    var isMinimal = false

    init() {}

    /// Reads the names as OData 4.0 has them, and without `odata.` as 4.01 has them, too.
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
