/// A file that was moved away and is kept until the operation's end.
struct TakenAway {
    let place: Place
    /// The file's former path.
    let path: String
    /// The contents that are safe elsewhere; any other content is a user's edit.
    let safeContents: [[UInt8]]
    /// The file's stamp when it had one of these contents, if any later write would change it; otherwise nil.
    var stamp: FileStamp?
}

/// The reason why a file wasn't as expected.
struct Mismatch: Error {
    let outcome: FileChangeOutcome
}

// The careful steps that changes consist of. Each leaves every content either in the user's folder or in a
// file that `takenAway` lists.
extension FileWriter {
    /// Compares the file that was moved away last with the expected content, and records the stamp that shows
    /// later writes to it.
    private func compareTaken(_ place: Place, _ expected: [UInt8]) throws(FileError) -> Mismatch? {
        switch try fileSystem.compare(place, expected: expected) {
        case .failure(let mismatch): return mismatch
        case .success(let status):
            takenAway[takenAway.count - 1].stamp = status.stamp(settledAt: time)
            return nil
        }
    }

    /// Replaces a file with a staged one, if it has the expected content.
    func replace(_ place: Place, _ path: String, _ step: Batch.Step) throws(FileError)
        -> FileChangeOutcome
    {
        guard let expected = step.expected else { return .occupied }
        guard let replacement = beginReplacing(place, path, step) else {
            // Its new text couldn't be staged; that outcome gives the reason.
            if step.newContent != nil { return step.outcome ?? .changedMeanwhile(nil) }
            switch try fileSystem.compare(place, expected: expected) {
            case .success: return .done
            case .failure(let mismatch): return mismatch.outcome
            }
        }
        return try endReplacing(
            fileSystem.carryOut(replacement, settledAt: time), replacement, at: takenAway.count - 1, step)
    }

    /// Records that a file is about to be exchanged with a staged one; nil if nothing was staged.
    func beginReplacing(_ place: Place, _ path: String, _ step: Batch.Step) -> Replacement? {
        guard let staged = step.staged, let expected = step.expected, let content = step.newContent else {
            return nil
        }
        // It is listed before it can contain anything of value, and regardless of the call's result, which
        // can be wrong.
        takenAway.append(TakenAway(place: staged, path: path, safeContents: [expected, content]))
        step.staged = nil
        return Replacement(path: path, place: place, staged: staged, expected: expected, content: content)
    }

    /// Records how an exchange ended.
    ///
    /// - Parameter index: the index in `takenAway`.
    func endReplacing(
        _ end: Replacement.End, _ replacement: Replacement, at index: Int, _ step: Batch.Step
    ) throws(FileError) -> FileChangeOutcome {
        switch end {
        case .done(let taken, let placed):
            takenAway[index].stamp = taken
            step.placed = placed
            return .done
        case .undone(let outcome): return outcome
        case .unsupported: return try replaceWithoutExchange(replacement, step)
        }
    }

    /// Moves the old file away and the new one into place: for a moment there is no file, but no save can be
    /// overwritten.
    private func replaceWithoutExchange(
        _ replacement: Replacement, _ step: Batch.Step
    ) throws(FileError) -> FileChangeOutcome {
        let (place, path, staged) = (replacement.place, replacement.path, replacement.staged)
        let folder = FolderTree.parent(of: path[...])
        let old = try temporaryFiles.place(
            for: place.folder, at: folder, index: step.index, .old, ContentMark(of: replacement.expected))
        if let mismatch = try takeAway(place, path, replacement.expected, to: old) { return mismatch.outcome }
        do throws(FileError) {
            switch try fileSystem.moveWithoutReplacing(staged, to: place) {
            case .done: return .done
            case .occupied: return try fileSystem.current(place)
            case .missing, .unsupported, .otherFileSystem: break
            }
        } catch {
            _ = try? fileSystem.moveWithoutReplacing(old, to: place)
            throw error
        }
        _ = try fileSystem.moveWithoutReplacing(old, to: place)
        return .occupied
    }

    /// Moves a file away if it has the expected content; otherwise it is put back.
    ///
    /// - Returns: nil if it was moved away.
    func takeAway(_ place: Place, _ path: String, _ expected: [UInt8], to old: Place) throws(FileError)
        -> Mismatch?
    {
        // From here on, the file is found again whatever happens.
        takenAway.append(TakenAway(place: old, path: path, safeContents: [expected]))
        switch try fileSystem.rename(place.name, in: place.folder, to: old.name, in: old.folder, .replacing) {
        case .done: break
        case .missing: return Mismatch(outcome: .changedMeanwhile(nil))
        case .occupied, .unsupported: return Mismatch(outcome: .occupied)
        case .otherFileSystem: throw .betweenFileSystems
        }
        do throws(FileError) {
            guard let mismatch = try compareTaken(old, expected) else { return nil }
            if try fileSystem.moveWithoutReplacing(old, to: place) == .done { return mismatch }
            return Mismatch(outcome: try fileSystem.current(place))
        } catch {
            _ = try? fileSystem.moveWithoutReplacing(old, to: place)
            throw error
        }
    }
}

/// A file that is exchanged with a staged one.
struct Replacement: Sendable {
    let path: String
    let place: Place
    let staged: Place
    /// The expected content.
    let expected: [UInt8]
    /// The staged content.
    let content: [UInt8]

    enum End: Sendable {
        /// The exchange succeeded, with the stamp of the old file, if any later write would change it, and
        /// the new file's status.
        case done(taken: FileStamp?, placed: FileStatus?)
        case undone(FileChangeOutcome)
        /// The file system doesn't support it, and nothing was done.
        case unsupported
    }
}

// These need only the file system, so they can run for two files at a time.
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

    /// Returns the current content at a path as an outcome.
    func current(_ place: Place) throws(FileError) -> FileChangeOutcome {
        switch try readFile(place.name, in: place.folder, limit: TodoFile.maximumSize) {
        case .missing: .changedMeanwhile(nil)
        case .notRegular: .occupied
        case .content(let content): .changedMeanwhile(content.bytes)
        }
    }

    /// Exchanges a file with a staged one, and exchanges it back if it wasn't as expected.
    ///
    /// The staged path must be listed in ``FileWriter/takenAway``, because it will contain the user's file.
    ///
    /// - Parameter time: a time before the first exchange; any later write gives another stamp to a file that
    ///   was last written a tick before it.
    func carryOut(_ replacement: Replacement, settledAt time: FileTime?) throws(FileError) -> Replacement.End
    {
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

    /// Puts back a file that was exchanged.
    ///
    /// If somebody saves at that very moment, the newer content comes out and is put back in turn; the older
    /// one stays at the staged path, where ``FileWriter/finish()`` finds it.
    private func exchangeBack(_ staged: Place, _ place: Place, newContent: [UInt8]) {
        // Somebody may save again and again at that moment.
        let maximumExchanges = 8
        var given: UInt64?
        for _ in 0..<maximumExchanges {
            let giving = try? status(of: staged.name, in: staged.folder)?.stamp.inode
            switch try? exchange(staged, place) {
            case .done: break
            case .missing:
                // Somebody removed the new file, so the old one belongs there.
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

    /// Moves one of our files to a user's path if that is free, even if the file system has no call for it.
    ///
    /// - Parameter place: a path that nobody else saves to: a save between linking and removing would be
    ///   removed.
    func moveWithoutReplacing(_ place: Place, to new: Place) throws(FileError) -> RenameOutcome {
        let outcome = try rename(place.name, in: place.folder, to: new.name, in: new.folder, .keeping)
        if outcome != .unsupported { return outcome }
        switch try link(place.name, in: place.folder, to: new.name, in: new.folder) {
        case .done:
            _ = try remove(place.name, in: place.folder)
            return .done
        case .unsupported:
            // Neither call is supported, so all that remains is to check first.
            if try status(of: new.name, in: new.folder) != nil { return .occupied }
            return try rename(place.name, in: place.folder, to: new.name, in: new.folder, .replacing)
        case let outcome:
            return outcome
        }
    }
}

extension FileStatus {
    /// Returns the stamp if any write after a time would change it.
    func stamp(settledAt time: FileTime?) -> FileStamp? {
        time.flatMap { stamp.isWritten(before: $0) ? stamp : nil }
    }
}
