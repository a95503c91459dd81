internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

extension MarkerLabels {
    /// Returns what the markers of a conflict with the remote's state say of where each side comes from.
    init(against remote: RemoteState, deviceName: String?, _ configuration: Configuration) {
        self.init()
        if configuration.hasPlainLabels { return }
        let version = remote.version.label.map { "version \($0)" }
        let origin = [remote.todo?.device, version].compactMap(\.self).joined(separator: ", ")
        self.init(local: deviceName, remote: origin.isEmpty ? nil : origin)
    }
}

extension Version {
    /// The most characters of a version that are shown; those that todosync's own servers give have 12.
    private static let maximumLabelLength = 40

    /// The version as markers show it: what could end the parentheses is left out; nil if nothing is left.
    fileprivate var label: String? {
        let shown = string.unicodeScalars.lazy.filter { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                || "+/=-_.".unicodeScalars.contains(scalar)
        }
        let label = String(String.UnicodeScalarView(shown.prefix(Self.maximumLabelLength)))
        return label.isEmpty ? nil : label
    }
}
