/// A file that was taken away and is kept until the operation's end.
struct TakenAway {
    let place: Place
    /// Where it was.
    let path: String
    /// The contents that are safe elsewhere; any other is somebody's edit.
    let safeContents: [[UInt8]]
    /// The file's stamp when it had one of these contents, if any later write would change it; else nil.
    var stamp: FileStamp?
}

/// Why a file was not what it was taken for.
struct Mismatch: Error {
    let outcome: FileChangeOutcome
}

// The careful steps of which the changes are made. Each leaves every content either in the user's folder or
// in a file that `takenAway` lists.
extension FileWriter {
    /// Compares what was taken away last with what is expected, and remembers by what a later write into it
    /// is known.
    private func compareTaken(_ place: Place, _ expected: [UInt8]) throws(FileError) -> Mismatch? {
        switch try fileSystem.compare(place, expected: expected) {
        case .failure(let mismatch): return mismatch
        case .success(let status):
            takenAway[takenAway.count - 1].stamp = status.stamp(settledAt: time)
            return nil
        }
    }

    /// Puts a staged file in the place of what is there, if that is what is expected.
    func replace(_ place: Place, _ path: String, _ step: Batch.Step) throws(FileError)
        -> FileChangeOutcome
    {
        guard let expected = step.expected else { return .occupied }
        guard let replacement = beginReplacing(place, path, step) else {
            // Its new text could not be staged, which says why.
            if step.newContent != nil { return step.outcome ?? .changedMeanwhile(nil) }
            switch try fileSystem.compare(place, expected: expected) {
            case .success: return .done
            case .failure(let mismatch): return mismatch.outcome
            }
        }
        return try endReplacing(
            fileSystem.carryOut(replacement, settledAt: time), replacement, at: takenAway.count - 1, step)
    }

    /// Takes note of a file that is about to change places with what was staged; nil if nothing was.
    func beginReplacing(_ place: Place, _ path: String, _ step: Batch.Step) -> Replacement? {
        guard let staged = step.staged, let expected = step.expected, let content = step.newContent else {
            return nil
        }
        // Listed before it can hold anything of value, and whatever the call says: it may lie.
        takenAway.append(TakenAway(place: staged, path: path, safeContents: [expected, content]))
        step.staged = nil
        return Replacement(path: path, place: place, staged: staged, expected: expected, content: content)
    }

    /// Takes note of how it ended.
    ///
    /// - Parameter index: where it is listed in `takenAway`.
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

    /// Takes the old file away and puts the new one there: a moment without the file, but none in which a
    /// save could be overwritten.
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

    /// Takes a file away if it is what is expected; else it is put back.
    ///
    /// - Returns: nil if it was taken away.
    func takeAway(_ place: Place, _ path: String, _ expected: [UInt8], to old: Place) throws(FileError)
        -> Mismatch?
    {
        // From here on it is found again whatever happens.
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

/// A file that is to change places with a staged one.
struct Replacement: Sendable {
    let path: String
    let place: Place
    let staged: Place
    /// What is there, as far as is known.
    let expected: [UInt8]
    /// What was staged.
    let content: [UInt8]

    enum End: Sendable {
        /// With the stamp of what came out, if any later write would change it, and the new file's status.
        case done(taken: FileStamp?, placed: FileStatus?)
        case undone(FileChangeOutcome)
        /// The file system can't do this, and nothing was done.
        case unsupported
    }
}

// What needs nothing but the file system, so that it can be done to two files at a time.
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

    /// The content that is in a place now, as an outcome.
    func current(_ place: Place) throws(FileError) -> FileChangeOutcome {
        switch try readFile(place.name, in: place.folder, limit: TodoFile.maximumSize) {
        case .missing: .changedMeanwhile(nil)
        case .notRegular: .occupied
        case .content(let content): .changedMeanwhile(content.bytes)
        }
    }

    /// Exchanges a file with a staged one, and back if it is not what is expected.
    ///
    /// The staged place must be listed in ``FileWriter/takenAway``, as it will hold the user's file.
    /// - Parameter time: when the first exchange was yet to come: what was last written a tick before gets
    ///   another stamp by any later write.
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

    /// Gives back a file that was exchanged out.
    ///
    /// If somebody saves in the very moment, that newer content is what comes out, and is given back in turn;
    /// the older stays in the staged place, where ``FileWriter/finish()`` finds it.
    private func exchangeBack(_ staged: Place, _ place: Place, newContent: [UInt8]) {
        // Somebody may save again and again in the same moment.
        let maximumExchanges = 8
        var given: UInt64?
        for _ in 0..<maximumExchanges {
            let giving = try? status(of: staged.name, in: staged.folder)?.stamp.inode
            switch try? exchange(staged, place) {
            case .done: break
            case .missing:
                // Somebody removed the new file: the old one is what there should be.
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

    /// Gives a file of ours a user's path if nothing has it, also where the file system has no call for that.
    ///
    /// - Parameter place: where nobody else saves to: between linking and removing, a save would be removed.
    func moveWithoutReplacing(_ place: Place, to new: Place) throws(FileError) -> RenameOutcome {
        let outcome = try rename(place.name, in: place.folder, to: new.name, in: new.folder, .keeping)
        if outcome != .unsupported { return outcome }
        switch try link(place.name, in: place.folder, to: new.name, in: new.folder) {
        case .done:
            _ = try remove(place.name, in: place.folder)
            return .done
        case .unsupported:
            // Neither call is there: what is left is to look before.
            if try status(of: new.name, in: new.folder) != nil { return .occupied }
            return try rename(place.name, in: place.folder, to: new.name, in: new.folder, .replacing)
        case let outcome:
            return outcome
        }
    }
}

extension FileStatus {
    /// Returns the stamp, if any write later than a time would change it.
    func stamp(settledAt time: FileTime?) -> FileStamp? {
        time.flatMap { stamp.isWritten(before: $0) ? stamp : nil }
    }
}
