/// A request of the tables protocol, free of the framework that received it.
public struct TablesRequest: Sendable {
    public var method: String
    /// The path below the server's root, percent-encoded as it came: `/tables/todoitem/a%20b`.
    public var path: String
    /// What follows the `?`, percent-encoded as it came.
    public var query: String
    public var headers: Headers
    public var body: [UInt8]
    /// The URL by which the client reached the server's root, for `Location` and `Link`:
    /// `http://127.0.0.1:8080`.
    public var root: String

    public init(
        method: String, path: String, query: String = "", headers: Headers = Headers(), body: [UInt8] = [],
        root: String
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.root = root
    }
}

/// The answer to a ``TablesRequest``.
public struct TablesResponse: Sendable {
    public var status: Int
    public var headers: Headers
    public var body: [UInt8]

    public init(status: Int, headers: Headers = Headers(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// The header fields of a message, in their order; names are compared without regard to case.
public struct Headers: Sendable, Hashable {
    public struct Field: Sendable, Hashable {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    public private(set) var fields: [Field]

    public init(_ fields: [Field] = []) { self.fields = fields }

    /// The values of a name, in their order.
    public func values(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The only value of a name, or the first of several; setting one replaces all.
    public subscript(_ name: String) -> String? {
        get { values(name).first }
        set {
            fields.removeAll { $0.name.lowercased() == name.lowercased() }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }
}
