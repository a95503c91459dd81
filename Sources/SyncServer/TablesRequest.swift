/// A request of the tables protocol, independent of the HTTP framework.
package struct TablesRequest: Sendable {
    package var method: String
    /// The path below the server's root, percent-encoded as received: `/tables/todoitem/a%20b`.
    package var path: String
    /// The part after the `?`, percent-encoded as received.
    package var query: String
    package var headers: Headers
    package var body: [UInt8]
    /// The URL of the server's root as the client reached it, used for `Location` and `Link`:
    /// `http://127.0.0.1:8080`.
    package var root: String

    package init(
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

/// The response to a ``TablesRequest``.
package struct TablesResponse: Sendable {
    package var status: Int
    package var headers: Headers
    package var body: [UInt8]
    /// Returns the next part of a body that is sent while it is being created; nil at its end.
    ///
    /// Without this function, ``body`` is the whole body.
    package var nextPart: (@Sendable () async -> [UInt8]?)?

    package init(status: Int, headers: Headers = Headers(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// The headers of a request or response, in order; names are case-insensitive.
package struct Headers: Sendable, Hashable {
    package struct Field: Sendable, Hashable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package private(set) var fields: [Field]

    package init(_ fields: [Field] = []) { self.fields = fields }

    /// Returns the values of the headers with a name, in order.
    package func values(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The value of the first header with a name; setting it replaces all headers with the name.
    package subscript(_ name: String) -> String? {
        get { values(name).first }
        set {
            fields.removeAll { $0.name.lowercased() == name.lowercased() }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }
}
