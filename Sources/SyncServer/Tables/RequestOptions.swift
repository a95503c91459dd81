internal import Remotes

/// The options in a request's query, except the flavor.
struct RequestOptions: Sendable {
    var filter: FilterExpression?
    var order: [RecordOrder] = []
    /// The names of the properties to return; nil for all properties.
    var selection: [String]?
    var skip = 0
    var top: Int?
    /// Whether a list has the form `{"results": …, "count": …}`.
    var countsAll = false
    var includesDeleted = false
    /// The system properties that a v1 request asks for; v2 returns all of them.
    var systemProperties: SystemProperties = []
    /// The cursor that a client of the change feed sends.
    var deltaToken: String?
    /// The number of seconds to wait for changes.
    var wait = 0

    static let maximumTop = 1000
    static let maximumWait = 60
    /// The number of records in a page: the default in v1, and the maximum in v2.
    static let pageSize = 50

    /// The supported names that begin with `$`; any other such name is refused.
    private static let names = ["$filter", "$orderby", "$select", "$skip", "$top", "$inlinecount"]
    private static let namesOfV2 = names + ["$count", "$deltatoken"]
    /// The names that v1 refuses in requests for a single record.
    private static let namesOfLists = ["$orderby", "$inlinecount", "$skip", "$top"]

    /// Parses the options that the endpoint uses; writes use only `__systemProperties`.
    init(_ parameters: QueryParameters, _ endpoint: Endpoint, _ flavor: Flavor) throws(Refusal) {
        try Self.checkNames(parameters, flavor)
        if flavor == .v1, let text = try parameters.value(anyCase: "__systemProperties") {
            systemProperties = try SystemProperties(parameter: text)
        }
        if endpoint == .changes {
            deltaToken = try parameters.value("after")
            top = try Self.number(parameters, "$top")
            wait = try Self.number(parameters, "wait") ?? 0
            guard wait <= Self.maximumWait else {
                throw .malformed("wait must be at most \(Self.maximumWait) seconds.")
            }
        }
        guard endpoint == .list || endpoint == .read else { return }
        if let text = try parameters.value(anyCase: "__includeDeleted") {
            includesDeleted = try Self.bool(text, of: "__includeDeleted")
        }
        // Version 2 reads the options for lists only if the request is for a list.
        guard endpoint == .list || flavor == .v1 else { return }
        filter = try Self.filter(parameters, flavor)
        selection = try Self.selection(parameters)
        if endpoint == .list {
            try readListOptions(parameters, flavor)
        } else if let name = parameters.all.map(\.name).first(where: Self.namesOfLists.contains) {
            throw .malformed("\(name) is not supported in a request for a single item.")
        }
    }

    private mutating func readListOptions(
        _ parameters: QueryParameters, _ flavor: Flavor
    ) throws(Refusal) {
        if let text = try parameters.value("$orderby") {
            do throws(ODataProblem) {
                order = try RecordOrder.list(odata: text, flavor: flavor)
            } catch {
                throw .malformed("$orderby: \(error.message)")
            }
        }
        skip = try Self.number(parameters, "$skip") ?? 0
        top = try Self.number(parameters, "$top")
        if let top, top > Self.maximumTop {
            throw .malformed("You cannot request more than \(Self.maximumTop) records.")
        }
        switch try parameters.value("$inlinecount") {
        case "allpages"?: countsAll = true
        case "none"?, nil: break
        default: throw .malformed("$inlinecount takes allpages or none.")
        }
        if flavor == .v2, let text = try parameters.value("$count"), try Self.bool(text, of: "$count") {
            countsAll = true
        }
        if flavor == .v2 { deltaToken = try parameters.value("$deltatoken") }
    }
}

extension RequestOptions {
    private static func checkNames(_ parameters: QueryParameters, _ flavor: Flavor) throws(Refusal) {
        let supported = flavor == .v1 ? names : namesOfV2
        for (name, value) in parameters.all.map({ ($0.name, $0.value) }) {
            if supported.contains(name), value.isEmpty {
                throw .malformed("The query option \(name) is empty.")
            }
            if name.utf8.first == UInt8(ascii: "$"), !supported.contains(name) {
                throw .malformed("The query option \(name.shortened) is not supported.")
            }
            if name.utf8.starts(with: "__".utf8),
                !["__systemproperties", "__includedeleted"].contains(name.lowercased())
            {
                throw .malformed("The query option \(name.shortened) is not supported.")
            }
        }
    }

    private static func filter(
        _ parameters: QueryParameters, _ flavor: Flavor
    ) throws(Refusal) -> FilterExpression? {
        guard let text = try parameters.value("$filter") else { return nil }
        do throws(ODataProblem) {
            return try FilterExpression(odata: text, flavor: flavor)
        } catch {
            throw .malformed("$filter: \(error.message)")
        }
    }

    private static func selection(_ parameters: QueryParameters) throws(Refusal) -> [String]? {
        guard let text = try parameters.value("$select") else { return nil }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map {
            String($0).trimmedOfBlanks
        }
        if names == ["*"] { return nil }
        guard !names.contains("") else {
            throw .malformed("$select: the name \(names.count { !$0.isEmpty } + 1) is empty.")
        }
        return names
    }

    private static func number(_ parameters: QueryParameters, _ name: String) throws(Refusal) -> Int? {
        guard let text = try parameters.value(name) else { return nil }
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int(text)
        else { throw .malformed("\(name) takes a whole number that is not negative.") }
        return number
    }

    private static func bool(_ text: String, of name: String) throws(Refusal) -> Bool {
        switch text.lowercased() {
        case "true": true
        case "false": false
        default: throw .malformed("\(name) takes true or false.")
        }
    }
}

/// The decoded parameters of a query, in order.
struct QueryParameters: Sendable {
    struct Parameter: Sendable {
        let name: String
        let value: String
    }

    private(set) var all: [Parameter] = []
    /// The maximum number of parameters in a query; clients send at most ten.
    private static let maximumCount = 100

    init(_ query: String) throws(Refusal) {
        for part in query.utf8.split(separator: UInt8(ascii: "&")) {
            guard all.count < Self.maximumCount else {
                throw .malformed("The query has more than \(Self.maximumCount) parameters.")
            }
            let sides = part.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false
            ).map(Substring.init)
            guard let name = PercentEncoding.decoded(sides[0], plusIsSpace: true),
                let value = PercentEncoding.decoded(sides.dropFirst().first ?? "", plusIsSpace: true)
            else {
                throw .malformed("The query's parameter \(all.count + 1) is not percent-encoded UTF-8.")
            }
            all.append(Parameter(name: name, value: value))
        }
    }

    /// Returns the value of the parameter whose name matches; nil if there isn't one.
    func value(where matches: (String) -> Bool) throws(Refusal) -> String? {
        let found = all.filter { matches($0.name) }
        guard found.count <= 1 else {
            throw .malformed("The query has \(found[0].name.shortened) more than once.")
        }
        return found.first?.value
    }

    func value(_ name: String) throws(Refusal) -> String? {
        try value { $0.utf8.elementsEqual(name.utf8) }
    }

    /// Returns the value of a parameter, ignoring the name's case; nil if there isn't one.
    func value(anyCase name: String) throws(Refusal) -> String? {
        try value { $0.lowercased() == name.lowercased() }
    }

    /// Returns the encoded query with some parameters set and the others unchanged.
    func replacing(_ changed: [Parameter]) -> String {
        let kept = all.filter { parameter in !changed.contains { $0.name == parameter.name } }
        return (kept + changed).map {
            "\(PercentEncoding.ofLink($0.name))=\(PercentEncoding.ofLink($0.value))"
        }.joined(separator: "&")
    }
}

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

extension Flavor {
    static let headerName = "ZUMO-API-VERSION"

    /// Parses a request's `ZUMO-API-VERSION`: `2.0.x` is v2; without it, the flavor is `unsaid`.
    ///
    /// The query takes precedence over the header.
    init(_ headers: Headers, _ parameters: QueryParameters, fallback: Flavor = .v1) throws(Refusal) {
        self = fallback
        // A proxy can combine several headers into one.
        let fields = headers.values(Self.headerName).flatMap {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        for text in try parameters.value(anyCase: Self.headerName).map({ [$0] }) ?? fields {
            self = try Self.read(text)
        }
    }

    private static func read(_ text: String) throws(Refusal) -> Flavor {
        let parts = text.trimmedOfBlanks.utf8.split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].elementsEqual("2".utf8), parts[1].elementsEqual("0".utf8),
            !parts[2].isEmpty, parts[2].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else {
            throw .malformed(
                "An invalid API version was specified in the request: use ZUMO-API-VERSION 2.0.0, or none.")
        }
        return .v2
    }
}
