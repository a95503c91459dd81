import LosslessYAML

extension [UInt8] {
    /// Whether any line could be read as a marker.
    var hasMarkerLine: Bool {
        do { return try ConflictedText.read(self) != nil } catch { return true }
    }
}

extension Document {
    /// Returns the document with quoted strings rewritten if they have a line that could be read as a marker.
    func withoutMarkerLines() -> Document {
        guard bytes.hasMarkerLine, case .mapping(let cleared) = value(clearingMarkersIn: root),
            // An update rewrites only strings that change, so change each string and then change it back.
            let changed = try? Document(parsing: updated(to: cleared)),
            let document = try? Document(parsing: changed.updated(to: fields)), document.fields == fields
        else { return self }
        return document
    }

    /// Returns a node's value with an empty string for each string that has a marker line.
    private func value(clearingMarkersIn node: Node) -> Value {
        switch node.shape {
        case .scalar: Array(bytes[node.range]).hasMarkerLine ? .string("") : node.value
        case .alias: node.value
        case .sequence(_, let items): .list(items.map { value(clearingMarkersIn: $0.value) })
        case .mapping(_, let entries):
            .mapping(Mapping(entries.map { (key: $0.key, value: value(clearingMarkersIn: $0.value)) }))
        }
    }
}
