internal import LosslessYAML
internal import TodoModel

/// The property `todosync` of a record: its ``Layout`` as JSON.
enum LayoutProperty {
    /// Returns the property, or nil for a layout that says nothing.
    static func json(_ layout: Layout) -> [UInt8]? {
        var mapping = Mapping()
        if let path = layout.path { mapping["path"] = .string(path) }
        if let yaml = layout.yaml { mapping["yaml"] = .string(yaml) }
        return mapping.isEmpty ? nil : JSON.write(.mapping(mapping))
    }

    /// Reads the property; what is no string in it is taken as absent.
    static func layout(_ value: Value) -> Layout? {
        guard case .mapping(let mapping) = value else { return nil }
        return Layout(path: string(mapping["path"]), yaml: string(mapping["yaml"]))
    }

    private static func string(_ value: Value?) -> String? {
        guard case .string(let string)? = value else { return nil }
        return string
    }
}
