extension WorkingDirectory {
    private static let reportedName = "told"
    /// The maximum size in bytes of the file `told`, which the file never reaches.
    private static let maximumReportedSize = 1 << 16

    /// Returns whether `.todosync/told` has a line.
    package func wasTold(_ line: String) throws -> Bool { try toldLines().contains(line[...]) }

    /// Adds a line to `.todosync/told`, so the line isn't reported or checked again.
    ///
    /// If two commands do this at once, one line can be lost and is then reported again.
    package func noteTold(_ line: String) throws {
        let lines = try toldLines()
        guard !lines.contains(line[...]) else { return }
        let text = (lines + [line[...]]).map { $0 + "\n" }.joined()
        try StateFolder(root: root, fileSystem: fileSystem)
            .replaceWhole(Self.reportedName, with: Array(text.utf8))
    }

    private func toldLines() throws -> [Substring] {
        let bytes = try StateFolder(root: root, fileSystem: fileSystem)
            .read(Self.reportedName, limit: Self.maximumReportedSize)
        return String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n")
    }
}
