internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

extension MarkerLabels {
    /// Creates the marker labels for a conflict with the remote's state; each label names its side's origin.
    init(against remote: RemoteState, deviceName: String?, _ configuration: Configuration) {
        self.init()
        if configuration.hasPlainLabels { return }
        let version = remote.version?.label.map { "version \($0)" }
        let origin = [remote.todo?.device, version].compactMap(\.self).joined(separator: ", ")
        self.init(local: deviceName, remote: origin.isEmpty ? nil : origin)
    }
}

extension Version {
    /// The maximum length of a version that is shown; versions from todosync's own servers have 12
    /// characters.
    private static let maximumLabelLength = 40

    /// The version as conflict markers show it, without characters that could end the parentheses; nil if
    /// nothing is left.
    fileprivate var label: String? {
        let shown = string.unicodeScalars.lazy.filter { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                || "+/=-_.".unicodeScalars.contains(scalar)
        }
        let label = String(String.UnicodeScalarView(shown.prefix(Self.maximumLabelLength)))
        return label.isEmpty ? nil : label
    }
}
