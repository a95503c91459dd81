internal import LosslessYAML
import Platform
internal import TodoModel

extension Cache {
    /// Reads the cache from the folder `.todosync`; nil if it is missing, invalid or doesn't match the
    /// journal.
    static func read(
        in folder: OpenFile, root: String, journal: OpenFile, checksAll: Bool, _ fileSystem: any FileSystem
    ) -> Cache? {
        guard let status = try? fileSystem.status(of: journal),
            let file = try? fileSystem.open(fileName, in: folder, for: .reading),
            let content = try? CacheContent.read(file, journalSize: status.stamp.size, fileSystem)
        else { return nil }
        let covered = content.journalBeginning
        guard status.stamp.inode == content.journalInode, status.stamp.size >= covered.length,
            let tail = try? tail(of: journal, length: covered.length, fileSystem),
            Checksum.of(tail) == content.tailChecksum,
            !checksAll || (try? JournalBeginning(of: journal, length: covered.length, fileSystem)) == covered
        else { return nil }
        return Cache(content, journal: journal, root: root, isSaved: true, fileSystem: fileSystem)
    }

    /// Creates an in-memory cache of a state, which can be in the middle of an operation, and finds the files
    /// that equal their base versions; nil if that isn't possible.
    ///
    /// - Parameter unchanged: The files that are already known to equal their base versions.
    static func unsaved(
        _ state: State, _ file: @escaping @Sendable (TodoID) -> StampedFile?, _ unchanged: UnchangedFiles,
        root: String, _ fileSystem: any FileSystem
    ) -> (cache: Cache, unchanged: UnchangedFiles)? {
        guard let journal = state.journal, !state.hasUnfinished, state.todos.cache?.isWrong != true,
            let status = try? fileSystem.status(of: journal)
        else { return nil }
        let text = CacheText(state, file, unchanged, journal: status.stamp, state.checked, tail: nil)
        guard let content = CacheContent(FileContents(text.bytes)) else { return nil }
        let cache = Cache(
            content, journal: journal, root: root, isSaved: false, fileSystem: fileSystem)
        return (cache, UnchangedFiles(cache, text.unchanged))
    }

    /// Returns the last bytes of the part of the journal with a given length.
    private static func tail(
        of journal: OpenFile, length: Int, _ fileSystem: any FileSystem
    ) throws(FileError) -> [UInt8] {
        let count = min(length, tailSize)
        return try fileSystem.read(journal, from: length - count, atMost: count)
    }

    /// Writes the cache of a state if that saves the next command more time than it costs.
    ///
    /// The caller holds the lock on the working directory. The cache isn't synchronized to disk: if a
    /// crash leaves it half-written, its checksum doesn't match.
    static func save(
        _ state: State, _ file: @escaping @Sendable (TodoID) -> StampedFile?, in folder: OpenFile,
        _ fileSystem: any FileSystem
    ) throws(FileError) {
        if state.todos.cache?.isWrong == true {
            _ = try fileSystem.remove(fileName, in: folder)
            return
        }
        // The cache can't store deletes that still count toward a guard.
        guard state.deletes.isEmpty else { return }
        guard let journal = state.journal, state.isWorthCaching(file) else { return }
        let status = try fileSystem.status(of: journal)
        // There is no need to check that the journal reached the disk: if it didn't, its checksum won't match
        // the cache's.
        let beginning = state.checked
        let tail = try tail(of: journal, length: beginning.length, fileSystem)
        let text = CacheText(state, file, UnchangedFiles(), journal: status.stamp, beginning, tail: tail)
        let temporary = FileName(fileName.description + ".new")
        do throws(FileError) {
            _ = try fileSystem.remove(temporary, in: folder)
            guard let new = try fileSystem.open(temporary, in: folder, for: .creating) else { return }
            try fileSystem.write(text.bytes, to: new)
            _ = try fileSystem.rename(temporary, in: folder, to: fileName, in: folder, .replacing)
        } catch {
            _ = try? fileSystem.remove(temporary, in: folder)
            throw error.at(path)
        }
    }
}

extension TodoState {
    /// Returns whether a file equals the base version at its recorded path, and nothing else is recorded
    /// about the todo.
    ///
    /// The cache then stores the file's stamp.
    func isBase(_ file: StampedFile) -> Bool {
        guard held == nil, conflict == nil, sent == nil, origin == nil, !isPathLocalOnly,
            textLocations.base != nil,
            let localPath,
            case .todo(let base)? = base
        else { return false }
        let isAtHome = base.path.map { $0.isSameBytes(as: localPath) } ?? true
        // Ids that differ only in case can't coexist, so a file whose id has capital letters is read each
        // time.
        return isAtHome && file.id.isFolded && file.bytes == base.bytes
            && file.path.isSameBytes(as: localPath)
    }
}

extension State {
    /// Returns whether writing a cache costs less time than it saves the next command.
    fileprivate func isWorthCaching(_ file: (TodoID) -> StampedFile?) -> Bool {
        // An interrupted command's files have to be read anyway when it is recovered.
        if openOperation != nil || hasUnfinished { return false }
        guard let cache = todos.cache, cache.isSaved else { return true }
        let count = cache.entries.count
        let isLong = journalLength - cache.journalBeginning.length > 32 << 10 + count
        return isLong || stampedCount(file) * 256 > count
    }

    /// Returns the number of loaded todos that have only a base version, and a file that equals it and can't
    /// change unnoticed.
    private func stampedCount(_ file: (TodoID) -> StampedFile?) -> Int {
        todos.loaded.count { id, todo in
            file(id).map { $0.stamp != .unreliable && todo.isBase($0) } ?? false
        }
    }
}
