internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// The settings in the file `todosync/config.yaml` in the user's configuration folder.
///
///     device:
///       name: phone
///     filters:
///       urgent: priority:high due<+3d
struct UserConfiguration {
    private static let kind = UserFile.Kind(
        name: "config.yaml", content: "settings", forbidden: 0)

    /// The setting `device.name`: nil if it is missing, empty if todosync must not send this device's name.
    private(set) var deviceName: String?

    /// The setting `filters`: the words of saved filters, by name.
    private(set) var filters: [ByteKey: String] = [:]

    /// Creates the settings from the file; a missing file sets nothing.
    ///
    /// - Throws: A ``Failure`` if the file can't be read or understood.
    init(_ process: ProcessSurroundings) throws {
        guard UserFile.hasFolder(process.environment) else { return }
        let file = try UserFile(Self.kind, process)
        if file.lines.allSatisfy(Self.isBlankOrComment) { return }
        let document: Document
        do {
            document = try Document(parsing: Array(file.lines.map { $0 + "\n" }.joined().utf8))
        } catch {
            throw Self.failure(file.path, (error.line, error.column), "\(error)")
        }
        for (key, value) in document.fields.entries {
            // `device: {name: phone}` can also be written as `device.name: phone`.
            var settings = [(key, value)]
            if key != "filters", case .mapping(let inner) = value {
                settings = inner.entries.map { ("\(key).\($0.key)", $0.value) }
            }
            for (name, value) in settings {
                switch (name, value) {
                case (_, .null): break
                case ("device.name", .string(let name)): deviceName = name
                case ("filters", let value):
                    guard let filters = Configuration.filters(value) else {
                        throw Self.failure(
                            file.path, document.position(ofTopLevelKey: key),
                            Configuration.filtersRule)
                    }
                    self.filters = filters
                default:
                    throw Self.failure(
                        file.path, document.position(ofTopLevelKey: key),
                        name == "device.name"
                            ? "device.name must be a string (put it in quotes)" : "unknown setting \(name)")
                }
            }
        }
    }

    private static func isBlankOrComment(_ line: String) -> Bool {
        let text = line.drop(while: \.isWhitespace)
        return text.isEmpty || text.hasPrefix("#")
    }

    private static func failure(
        _ path: String, _ position: (line: Int, column: Int), _ reason: String
    ) -> Failure {
        Failure(
            .configuration, "\(visible(path)):\(position.line):\(position.column): \(visible(reason))",
            hint: "correct or remove the line; the settings are device.name and filters")
    }
}

/// Returns the device name that other devices see.
///
/// This is the name in the user's configuration, otherwise the machine's name up to its first dot.
func deviceName(_ process: ProcessSurroundings) throws -> String? {
    if let name = try UserConfiguration(process).deviceName { return name }
    return process.hostName().split(separator: ".", omittingEmptySubsequences: false).first.map(String.init)
}
