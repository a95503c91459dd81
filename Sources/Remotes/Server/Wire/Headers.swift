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
