extension WorkingDirectory {
    private static let toldName = "told"
    /// More than all that is ever noted.
    private static let maximumToldSize = 1 << 16

    /// Whether a line was noted in `.todosync/told`.
    package func wasTold(_ line: String) throws -> Bool { try toldLines().contains(line[...]) }

    /// Notes in `.todosync/told` what need not be told or looked at again.
    ///
    /// Two commands at once may lose a line of one of them, which is then told once more.
    package func noteTold(_ line: String) throws {
        let lines = try toldLines()
        guard !lines.contains(line[...]) else { return }
        let text = (lines + [line[...]]).map { $0 + "\n" }.joined()
        try StateFolder(root: root, fileSystem: fileSystem)
            .replaceWhole(Self.toldName, with: Array(text.utf8))
    }

    private func toldLines() throws -> [Substring] {
        let bytes = try StateFolder(root: root, fileSystem: fileSystem)
            .read(Self.toldName, limit: Self.maximumToldSize)
        return String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n")
    }
}
