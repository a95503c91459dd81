/// A file that is about to be exchanged with a staged one.
struct Replacement: Sendable {
    let path: String
    let place: Place
    let staged: Place
    /// The content that the file should have.
    let expected: [UInt8]
    /// The new content, which the staged file has.
    let content: [UInt8]

    enum End: Sendable {
        /// The exchange succeeded. The values are the old file's stamp, if any later write would change it,
        /// and the new file's status.
        case done(taken: FileStamp?, placed: FileStatus?)
        case undone(FileChangeOutcome)
        /// The file system doesn't support an exchange, and nothing was changed.
        case unsupported
    }
}

// These functions need only the file system, so two threads can run them at once.
extension FileSystem {
    func compare(_ place: Place, expected: [UInt8]) throws(FileError) -> Result<FileStatus, Mismatch> {
        switch try readFile(
            place.name, in: place.folder, limit: max(TodoFile.maximumSize, expected.count))
        {
        case .missing: .failure(Mismatch(outcome: .changedMeanwhile(nil)))
        case .notRegular: .failure(Mismatch(outcome: .occupied))
        case .content(let content):
            content.bytes == expected
                ? .success(content.status)
                : .failure(
                    Mismatch(
                        outcome: .changedMeanwhile(Array(content.bytes.prefix(TodoFile.maximumSize + 1)))))
        }
    }

    /// Returns the current content of a file as an outcome.
    func current(_ place: Place) throws(FileError) -> FileChangeOutcome {
        switch try readFile(place.name, in: place.folder, limit: TodoFile.maximumSize) {
        case .missing: .changedMeanwhile(nil)
        case .notRegular: .occupied
        case .content(let content): .changedMeanwhile(content.bytes)
        }
    }

    /// Exchanges a file with a staged one, and exchanges them back if the file didn't have the expected
    /// content.
    ///
    /// The staged path must be in ``FileExchanger/takenAway``, because it is going to contain the user's
    /// file.
    ///
    /// - Parameter time: A time before the first exchange. If a file was last written a tick earlier, any
    ///   later write changes its stamp.
    func apply(_ replacement: Replacement, settledAt time: FileTime?) throws(FileError) -> Replacement.End {
        let (place, staged) = (replacement.place, replacement.staged)
        switch try exchange(staged, place) {
        case .done: break
        case .missing: return .undone(.changedMeanwhile(nil))
        case .unsupported: return .unsupported
        case .occupied: return .undone(.occupied)
        case .otherFileSystem: throw .betweenFileSystems
        }
        do throws(FileError) {
            switch try compare(staged, expected: replacement.expected) {
            case .success(let status):
                return .done(
                    taken: status.stamp(settledAt: time),
                    placed: try? self.status(of: place.name, in: place.folder))
            case .failure(let mismatch):
                exchangeBack(staged, place, newContent: replacement.content)
                return .undone((try? current(place)) ?? mismatch.outcome)
            }
        } catch {
            exchangeBack(staged, place, newContent: replacement.content)
            throw error
        }
    }

    private func exchange(_ place: Place, _ other: Place) throws(FileError) -> RenameOutcome {
        try rename(place.name, in: place.folder, to: other.name, in: other.folder, .exchanging)
    }

    /// Puts an exchanged file back.
    ///
    /// If somebody saves the file at that moment, the exchange returns the newer content, which is then put
    /// back in turn. The older content stays at the staged path, where ``FileExchanger/finish(keeping:)``
    /// finds it.
    private func exchangeBack(_ staged: Place, _ place: Place, newContent: [UInt8]) {
        // Give up if somebody saves again and again.
        let maximumExchanges = 8
        var given: UInt64?
        for _ in 0..<maximumExchanges {
            let giving = try? status(of: staged.name, in: staged.folder)?.stamp.inode
            switch try? exchange(staged, place) {
            case .done: break
            case .missing:
                // Somebody removed the new file, so put the old one back.
                _ = try? moveWithoutReplacing(staged, to: place)
                return
            default: return
            }
            let came = try? readFile(staged.name, in: staged.folder, limit: TodoFile.maximumSize)
            guard case .content(let content) = came else { return }
            let isWhatWasThere =
                given.map { $0 == content.status.stamp.inode } ?? (content.bytes == newContent)
            if isWhatWasThere { return }
            given = giving
        }
    }

    /// Moves one of todosync's files to a free path in a user's folder, even if the file system has no call
    /// for that.
    ///
    /// - Parameter place: A path that nobody else saves to. A save between linking and removing would be
    ///   lost.
    func moveWithoutReplacing(_ place: Place, to new: Place) throws(FileError) -> RenameOutcome {
        let outcome = try rename(place.name, in: place.folder, to: new.name, in: new.folder, .keeping)
        if outcome != .unsupported { return outcome }
        switch try link(place.name, in: place.folder, to: new.name, in: new.folder) {
        case .done:
            _ = try remove(place.name, in: place.folder)
            return .done
        case .unsupported:
            // The file system supports neither call, so check for a file and then rename.
            if try status(of: new.name, in: new.folder) != nil { return .occupied }
            return try rename(place.name, in: place.folder, to: new.name, in: new.folder, .replacing)
        case let outcome:
            return outcome
        }
    }
}

extension FileStatus {
    /// Returns the stamp if any write after a time would change it; otherwise nil.
    func stamp(settledAt time: FileTime?) -> FileStamp? {
        time.flatMap { stamp.isWritten(before: $0) ? stamp : nil }
    }
}
