internal import LosslessYAML
package import TodoModel

/// A file that a command listed as a copy of a todo's file.
package struct ListedCopy: Sendable, Hashable {
    package var id: TodoID
    package var path: String

    package init(id: TodoID, path: String) {
        self.id = id
        self.path = path
    }
}

/// The file `.todosync/copies`: the copies that the last command listed, if a person could have chosen their
/// names. Each copy is a line with the todo's id, a tab and the path.
extension WorkingDirectory {
    private static let copiesName = "copies"
    /// The maximum size in bytes of the file, larger than it ever gets.
    private static let maximumCopiesSize = 1 << 24

    package func listedCopies() throws -> Set<ListedCopy> {
        let bytes = try StateFolder(root: root, fileSystem: fileSystem)
            .read(Self.copiesName, limit: Self.maximumCopiesSize)
        let lines = String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n")
        return Set(
            lines.compactMap { line in
                let parts = line.split(separator: "\t", maxSplits: 1)
                guard parts.count == 2, let id = TodoID(String(parts[0])) else { return nil }
                return ListedCopy(id: id, path: String(parts[1]))
            })
    }

    /// Replaces the listed copies.
    ///
    /// If two commands do this at once, one list can be lost, and the next command writes it again.
    package func list(_ copies: Set<ListedCopy>) throws {
        guard try listedCopies() != copies else { return }
        let folder = try StateFolder(root: root, fileSystem: fileSystem)
        if copies.isEmpty {
            _ = try fileSystem.remove(FileName(Self.copiesName), in: folder.folder)
        } else {
            let lines = copies.sorted(byBytesOf: \.path).map { "\($0.id)\t\($0.path)\n" }
            try folder.replaceWhole(Self.copiesName, with: Array(lines.joined().utf8))
        }
    }
}
