internal import LosslessYAML
internal import TodoModel

/// An operation as the tables protocol has it.
struct WireWrite {
    var method: ServerRequest.Method
    /// The path below what the server's own path is.
    var path: String
    /// What `If-Match` names; nil for none.
    var condition: Version?
    var body: Mapping?

    /// - Parameters:
    ///   - hasLayout: whether the server takes the property `todosync`.
    ///   - hasDevice: whether the server takes the device in it.
    init(_ operation: PushOperation, url: ServerURL, hasLayout: Bool = true, hasDevice: Bool = true) {
        let item = "\(url.innerPath)/\(PercentEncoding.ofValue(operation.id))"
        func body(_ fields: Mapping, _ layout: Layout, replacing: Bool) -> Mapping {
            var body: Mapping = ["id": .string(operation.id)]
            for (name, value) in fields.entries { body[name] = value }
            if hasLayout {
                // Where there may be an older one, a layout that says nothing takes it away.
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
