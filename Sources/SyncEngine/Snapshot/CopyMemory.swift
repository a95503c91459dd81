internal import Synchronization
internal import TodoModel
internal import WorkingCopy

/// Remembers copies with names that people, and not only tools, give to files.
///
/// While the todo's file exists, the name alone makes such a file a copy. Once the todo's file is gone, the
/// name doesn't distinguish a copy from the renamed file. A file that already existed beside the todo's file
/// isn't that file under a new name. The same applies to any file if todosync itself removed the todo's file.
final class CopyMemory: Sendable {
    private let directory: WorkingDirectory
    /// The earlier texts and paths of all todos; nil until needed, because the whole log has to be read.
    private let past = Mutex<[TodoID: PastTexts]?>(nil)

    init(directory: WorkingDirectory) { self.directory = directory }

    /// Returns whether a file was listed as a copy before; true if that can't be determined.
    func hasListed(_ path: String, of id: TodoID) -> Bool {
        (try? directory.listedCopies())?.contains(ListedCopy(id: id, path: path)) ?? true
    }

    /// Returns the paths that a todo has had, as far as the log shows.
    func paths(of id: TodoID) -> [String] {
        past.withLock { past in
            let texts = past ?? (try? directory.pastTexts(of: nil)) ?? [:]
            past = texts
            return (texts[id]?.paths ?? []).sorted()
        }
    }

    /// Remembers the copies of a folder.
    ///
    /// Ignores errors, because the folder might be read-only.
    func remember(_ copies: [CopiedFile]) {
        let uncertain = copies.filter { !CopyName.isCertain($0.path) }
        try? directory.list(Set(uncertain.map { ListedCopy(id: $0.id, path: $0.path) }))
    }
}
