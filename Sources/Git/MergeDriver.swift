/// The merge driver in git's configuration that runs todosync; see `gitattributes(5)`.
package struct MergeDriver: Sendable, Hashable {
    /// The driver's name in attributes.
    package static let name = "todosync"
    package static let nameKey = "merge.todosync.name"
    package static let commandKey = "merge.todosync.driver"
    /// The driver's name in git's messages.
    package static let title = "todosync, field by field"

    /// The command's arguments; git replaces the placeholders with its files and labels.
    private static let arguments = " merge-file -L %X -L %S -L %Y --path %P %A %O %B"

    /// Merges line by line where git's `PATH` doesn't have todosync: without markers, one side would be lost.
    ///
    /// The labels are git's own words, because todosync takes `local` and `remote` for its own markers.
    private static let fallback = fallbackStart + "-L ours -L base -L theirs %A %O %B" + fallbackEnd
    private static let fallbackStart = "; s=$?; if [ $s = 127 ]; then git merge-file "
    private static let fallbackEnd = "; else exit $s; fi"

    /// The command line that git runs.
    package let command: String

    /// - Parameter program: The name or path of todosync, quoted for a shell.
    package init(program: String) {
        command =
            program.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
            + Self.arguments + Self.fallback
    }

    /// Returns whether a command line belongs to todosync's driver, regardless of the program's path.
    package static func isOwn(_ command: String) -> Bool {
        command.hasSuffix(arguments)
            || command.contains(arguments + fallbackStart) && command.hasSuffix(fallbackEnd)
    }
}

extension GitProcess {
    /// Returns the values of a key in git's configuration, or only in the repository's own if `isLocal` is
    /// true.
    package func configured(_ key: String, isLocal: Bool) throws(Failure) -> [String] {
        let scope = isLocal ? ["--local"] : []
        let output = try run(["config", "-z"] + scope + ["--get-all", key], accepted: [0, 1]).output
        return output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Sets a key in the repository's own configuration; nil removes it.
    package func configure(_ key: String, as value: String?) throws(Failure) {
        let change = value.map { ["--replace-all", key, $0] } ?? ["--unset-all", key]
        _ = try run(["config", "--local"] + change)
    }

    /// Returns the merge drivers that attributes assign to paths: `unspecified`, `unset`, `set` or a name.
    package func mergeDrivers(of paths: [String]) throws(Failure) -> [String: String] {
        let attributes = try attributes(["merge"], of: paths)
        return Dictionary(attributes.map { ($0.path, $0.value) }) { _, last in last }
    }
}
