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
        let known = flavor == .v1 ? names : namesOfV2
        for (name, value) in parameters.all.map({ ($0.name, $0.value) }) {
            if known.contains(name), value.isEmpty { throw .malformed("The query option \(name) is empty.") }
            if name.utf8.first == UInt8(ascii: "$"), !known.contains(name) {
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
