extension WorkingDirectory {
    private static let toldName = "told"
    /// More bytes than are ever recorded.
    private static let maximumToldSize = 1 << 16

    /// Whether a line is recorded in `.todosync/told`.
    package func wasTold(_ line: String) throws -> Bool { try toldLines().contains(line[...]) }

    /// Records in `.todosync/told` what needn't be reported or checked again.
    ///
    /// Two simultaneous commands can lose a line of one of them, which is then reported once more.
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
