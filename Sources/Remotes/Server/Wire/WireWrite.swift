internal import LosslessYAML
internal import TodoModel

/// An operation as a request of the tables protocol.
struct WireWrite {
    var method: ServerRequest.Method
    /// The path below the URL's prefix.
    var path: String
    /// The version in `If-Match`; nil for no condition.
    var condition: Version?
    var body: Mapping?

    /// Creates the request for an operation.
    ///
    /// - Parameters:
    ///   - hasLayout: Whether the server accepts the property `todosync`.
    ///   - hasDevice: Whether the server accepts the device in that property.
    init(_ operation: PushOperation, url: ServerURL, hasLayout: Bool = true, hasDevice: Bool = true) {
        let item = "\(url.innerPath)/\(PercentEncoding.ofValue(operation.id))"
        func body(_ fields: Mapping, _ layout: Layout, replacing: Bool) -> Mapping {
            var body: Mapping = ["id": .string(operation.id)]
            for (name, value) in fields.entries { body[name] = value }
            if hasLayout {
                // An empty layout removes the stored layout; an insert has nothing to remove.
                body[LayoutProperty.name] =
                    LayoutProperty.value(layout, hasDevice: hasDevice) ?? (replacing ? .null : nil)
            }
            return body
        }
        switch operation.change {
        case .insert(let fields, let layout):
            (method, path) = (.post, url.innerPath)
            self.body = body(fields, layout, replacing: false)
        case .update(let fields, let layout, let base):
            (method, path, condition) = (.patch, item, base)
            self.body = body(fields, layout, replacing: true)
        case .delete(let base):
            (method, path, condition) = (.delete, item, base)
        case .recreate(let fields, let layout, let base):
            (method, path, condition) = (.put, item, base)
            self.body = body(fields, layout, replacing: true)
        }
    }
}
