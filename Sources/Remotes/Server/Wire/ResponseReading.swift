internal import LosslessYAML
internal import TodoModel
internal import Values

extension ServerResponse {
    /// Reads the body as JSON.
    ///
    /// - Parameter recordDepth: The nesting level of the records. An unreadable record doesn't affect the
    ///   others.
    func json(recordDepth: Int) throws(InvalidResponse) -> Value {
        do {
            // A page of large todos can have more values than a request may have.
            return try JSON.readRecords(
                body, recordDepth: recordDepth, maximumSize: ServerResponse.maximumSize,
                maximumValueCount: 8_000_000)
        } catch {
            throw InvalidResponse("the response is not JSON: \(error.message)")
        }
    }

    /// The version in the header `ETag`.
    var version: Version? { headers["etag"].flatMap(EntityTag.version) }

    /// The server's message in a form that is safe to show; nil if there isn't one.
    var message: String? {
        (body.count <= ServerMessage.maximumSource ? try? JSON.read(body) : nil).flatMap(ServerMessage.text)
    }

    /// The server's message, or the status if there isn't one.
    var words: String { message ?? RemoteError.words(ofStatus: status, message: nil) }
}

/// The message in the body of a server's error.
enum ServerMessage {
    static let maximumSource = 65_536
    private static let maximumLength = 300

    /// Returns the message of an error's body (the member `error`, `message` or `description`, or a string)
    /// on one line, without control characters and of limited length; nil if there isn't one.
    static func text(_ body: Value) -> String? {
        var text: String?
        switch body {
        case .string(let string): text = string
        case .mapping(let mapping):
            for name in ["error", "message", "description"] where text == nil {
                switch mapping[name] {
                case .string(let string): text = string
                // This is the format of OData's errors.
                case .mapping(let inner):
                    if case .string(let string)? = inner["message"] { text = string }
                default: break
                }
            }
        default: break
        }
        return text.map(oneLine).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns text on one line, without control characters and of limited length.
    static func oneLine(_ text: String) -> String {
        let words = text.prefix(4 * maximumLength).unicodeScalars.split { scalar in
            scalar.value <= 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.properties.isBidiControl
                || scalar.properties.generalCategory == .lineSeparator
                || scalar.properties.generalCategory == .paragraphSeparator
        }
        let line = words.map { String($0) }.joined(separator: " ")
        return line.count <= maximumLength ? line : line.prefix(maximumLength) + "…"
    }
}

extension LayoutProperty {
    /// Returns the property; nil for an empty layout.
    static func value(_ layout: Layout, hasDevice: Bool = true) -> Value? {
        var mapping = Mapping()
        mapping["path"] = layout.path.map { .string($0) }
        mapping["yaml"] = layout.yaml.map { .string($0) }
        if mapping.isEmpty { return nil }
        if hasDevice { mapping["device"] = layout.device.map { .string($0) } }
        return .mapping(mapping)
    }
}
