internal import LosslessYAML
package import TodoModel
internal import Values

/// The property `todosync` of a record: its ``Layout`` as JSON.
package enum LayoutProperty {
    /// The property's name in a record.
    package static let name = "todosync"
    /// The names of the property's members.
    package static let members = ["path", "yaml", "device"]

    /// Returns the property as JSON; nil for an empty layout.
    package static func json(_ layout: Layout) -> [UInt8]? {
        json(withoutDevice: layout).map { json($0, with: layout.device) }
    }

    /// Returns the property without the device; nil for an empty layout.
    static func json(withoutDevice layout: Layout) -> [UInt8]? {
        if layout.path == nil, layout.yaml == nil { return nil }
        var bytes: [UInt8] = []
        // Write the JSON directly: every record of a push has a layout, and creating a mapping first is
        // slower.
        bytes.append(contentsOf: "{".utf8)
        if let path = layout.path {
            bytes.append(contentsOf: "\"path\":".utf8)
            JSON.write(.string(path), to: &bytes)
        }
        if let yaml = layout.yaml {
            bytes.append(contentsOf: (layout.path == nil ? "\"yaml\":" : ",\"yaml\":").utf8)
            JSON.write(.string(yaml), to: &bytes)
        }
        bytes.append(contentsOf: "}".utf8)
        return bytes
    }

    /// Adds a device to a property without one.
    static func json(_ property: [UInt8], with device: String?) -> [UInt8] {
        guard let device else { return property }
        var bytes = property
        bytes.removeLast()
        bytes.append(contentsOf: ",\"device\":".utf8)
        JSON.write(.string(device), to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// Parses the property; members that are not strings count as absent.
    static func layout(_ value: Value) -> Layout? {
        guard case .mapping(let mapping) = value else { return nil }
        return Layout(
            path: string(mapping["path"]), yaml: string(mapping["yaml"]), device: string(mapping["device"]))
    }

    private static func string(_ value: Value?) -> String? {
        guard case .string(let string)? = value else { return nil }
        return string
    }
}
