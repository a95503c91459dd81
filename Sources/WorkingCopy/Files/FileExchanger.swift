/// A user's file that was moved away, kept until the operation's end.
struct TakenAway {
    let location: FileLocation
    /// The file's former path.
    let path: String
    /// The contents that needn't be kept, because they have been saved.
    ///
    /// Any other content is a user's edit.
    let safeContents: [[UInt8]]
    /// The file's stamp from the time when it had one of these contents; nil if a later write might not
    /// change it.
    var stamp: FileStamp?
}

/// The reason why a file wasn't as expected.
struct Mismatch: Error {
    let outcome: FileChangeOutcome
}

/// Exchanges users' files with staged ones, or moves them away, without ever losing an edit.
///
/// After each step, every content is either in the user's folder or in a file that ``takenAway`` lists.
final class FileExchanger {
    private let fileSystem: any FileSystem
    private let temporaryFiles: TemporaryFiles
    var takenAway: [TakenAway] = []
    /// Files that were moved away and stay until the next operation checks them again.
    private(set) var kept: [TakenAway] = []
    /// A time just before the last changes became visible.
    var time: FileTime?

    init(_ temporaryFiles: TemporaryFiles, _ fileSystem: any FileSystem) {
        self.temporaryFiles = temporaryFiles
        self.fileSystem = fileSystem
    }

    /// Compares the file that was last moved away with the expected content, and records the stamp that
    /// reveals later writes to it.
    private func compareTaken(_ location: FileLocation, _ expected: [UInt8]) throws(FileError) -> Mismatch? {
        switch try fileSystem.compare(location, expected: expected) {
        case .failure(let mismatch): return mismatch
        case .success(let status):
            takenAway[takenAway.count - 1].stamp = status.stamp(reliableAt: time)
            return nil
        }
    }

    /// Replaces a file with a staged one if it has the expected content.
    func replace(_ location: FileLocation, _ path: String, _ step: Batch.Step) throws(FileError)
        -> FileChangeOutcome
    {
        guard let expected = step.expected else { return .occupied }
        guard let replacement = beginReplacing(location, path, step) else {
            // The new content couldn't be staged, and the step's outcome has the reason.
            if step.newContent != nil { return step.outcome ?? .changedMeanwhile(nil) }
            switch try fileSystem.compare(location, expected: expected) {
            case .success: return .done
            case .failure(let mismatch): return mismatch.outcome
            }
        }
        return try endReplacing(
            fileSystem.apply(replacement, reliableAt: time), replacement, at: takenAway.count - 1, step)
    }

    /// Records that a file is about to be exchanged with a staged one; nil if nothing was staged.
    func beginReplacing(_ location: FileLocation, _ path: String, _ step: Batch.Step) -> Replacement? {
        guard let staged = step.staged, let expected = step.expected, let content = step.newContent else {
            return nil
        }
        // List the path before it can contain the user's file, because the call's result can be wrong.
        takenAway.append(TakenAway(location: staged, path: path, safeContents: [expected, content]))
        step.staged = nil
        return Replacement(
            path: path, location: location, staged: staged, expected: expected, content: content)
    }

    /// Records the outcome of an exchange.
    ///
    /// - Parameter index: The file's index in `takenAway`.
    func endReplacing(
        _ end: Replacement.End, _ replacement: Replacement, at index: Int, _ step: Batch.Step
    ) throws(FileError) -> FileChangeOutcome {
        switch end {
        case .done(let taken, let newStatus):
            takenAway[index].stamp = taken
            step.newStatus = newStatus
            return .done
        case .undone(let outcome): return outcome
        case .unsupported: return try replaceWithoutExchange(replacement, step)
        }
    }

    /// Moves the old file away and then the new one into place.
    ///
    /// For a moment, the file doesn't exist, but no save can be overwritten.
    private func replaceWithoutExchange(
        _ replacement: Replacement, _ step: Batch.Step
    ) throws(FileError) -> FileChangeOutcome {
        let (location, path, staged) = (replacement.location, replacement.path, replacement.staged)
        let folder = FolderTree.parent(of: path[...])
        let old = try temporaryFiles.location(
            for: location.folder, at: folder, index: step.index, .old, ContentMark(of: replacement.expected))
        if let mismatch = try takeAway(location, path, replacement.expected, to: old) {
            return mismatch.outcome
        }
        do throws(FileError) {
            switch try fileSystem.moveWithoutReplacing(staged, to: location) {
            case .done: return .done
            case .occupied: return try fileSystem.current(location)
            case .missing, .unsupported, .otherFileSystem: break
            }
        } catch {
            _ = try? fileSystem.moveWithoutReplacing(old, to: location)
            throw error
        }
        _ = try fileSystem.moveWithoutReplacing(old, to: location)
        return .occupied
    }

    /// Moves a file away if it has the expected content; otherwise puts it back.
    ///
    /// - Returns: Nil if the file was moved away.
    func takeAway(_ location: FileLocation, _ path: String, _ expected: [UInt8], to old: FileLocation)
        throws(FileError)
        -> Mismatch?
    {
        // List the path first, so that the file is found again whatever happens.
        takenAway.append(TakenAway(location: old, path: path, safeContents: [expected]))
        switch try fileSystem.rename(
            location.name, in: location.folder, to: old.name, in: old.folder, .replacing)
        {
        case .done: break
        case .missing: return Mismatch(outcome: .changedMeanwhile(nil))
        case .occupied, .unsupported: return Mismatch(outcome: .occupied)
        case .otherFileSystem: throw .betweenFileSystems
        }
        do throws(FileError) {
            guard let mismatch = try compareTaken(old, expected) else { return nil }
            if try fileSystem.moveWithoutReplacing(old, to: location) == .done { return mismatch }
            return Mismatch(outcome: try fileSystem.current(location))
        } catch {
            _ = try? fileSystem.moveWithoutReplacing(old, to: location)
            throw error
        }
    }

    // MARK: The end of an operation

    /// Checks the moved-away files once more, and removes those that nobody has written to.
    ///
    /// Files with later writes are returned, and kept until ``discard(_:)``. Another call returns the same
    /// files.
    ///
    /// - Parameter keeps: Whether the other files stay in `.todosync/tmp` for the next operation to check
    ///   again, because an editor might still have one open.
    /// - Throws: An error if a file can't be checked. In that case, no file is removed.
    func finish(keeping keeps: Bool = false) throws(FileError) -> [LateWrite] {
        let isLarge = takenAway.count >= FileWriter.manyFiles
        let found = mapConcurrently(where: isLarge, takenAway) { [fileSystem] taken in
            Result { () throws(FileError) in try fileSystem.lookAt(taken) }
        }
        var lateWrites: [(LateWrite, TakenAway)] = []
        var done: [TakenAway] = []
        for (taken, found) in zip(takenAway, found) {
            switch try found.get() {
            case .replaced: if keeps { kept.append(taken) } else { done.append(taken) }
            case .unused: done.append(taken)
            case .written(let bytes):
                let name = taken.location.name.description
                lateWrites.append(
                    (
                        LateWrite(
                            path: taken.path, bytes: bytes, replaced: taken.safeContents.first, name: name),
                        taken
                    ))
            case .nothing: break
            }
        }
        remove(done)
        takenAway = lateWrites.map(\.1)
        return lateWrites.map(\.0)
    }

    /// Removes the kept files that the next operation wouldn't check, and the oldest of the other kept files
    /// if their total size exceeds a limit in bytes.
    func removeKept(beyond limit: Int = keptBytes) {
        var room = limit
        var stays: [Bool] = kept.reversed().map { taken in
            guard taken.canStay else { return false }
            room -= taken.safeContents.first?.count ?? 0
            return room >= 0
        }
        stays.reverse()
        remove(zip(kept, stays).filter { !$1 }.map(\.0))
        kept = zip(kept, stays).filter(\.1).map(\.0)
    }

    /// The maximum total size, in bytes, of the replaced files to keep for the next operation.
    static let keptBytes = 64 << 20

    private func remove(_ files: [TakenAway]) {
        _ = mapConcurrently(where: files.count >= FileWriter.manyFiles, files) { [fileSystem] taken in
            try? fileSystem.remove(taken.location.name, in: taken.location.folder)
        }
    }

    /// Removes a late write's file, once its bytes have been saved.
    func discard(_ lateWrite: LateWrite) throws(FileError) {
        guard let index = takenAway.firstIndex(where: { $0.location.name.description == lateWrite.name })
        else {
            return
        }
        let location = takenAway.remove(at: index).location
        do throws(FileError) {
            _ = try fileSystem.remove(location.name, in: location.folder)
        } catch {
            throw error.at(TemporaryFiles.folderPath + "/" + location.name.description)
        }
    }
}

/// The state of a file that had been moved away.
private enum FoundTaken: Sendable {
    /// The file has the content that it had in the user's folder.
    case replaced
    /// The file has the content that was meant to replace it.
    case unused
    /// Somebody wrote these bytes to the file.
    case written([UInt8])
    /// There is nothing to remove. A link or folder that couldn't be put back is never removed.
    case nothing
}

extension TakenAway {
    /// Whether the next operation would check the file, and its name identifies the content that it replaced.
    fileprivate var canStay: Bool {
        !location.name.isHidden
            && location.name.string.flatMap { TemporaryName($0, isHidden: false) }?.mark != nil
    }
}

extension FileSystem {
    fileprivate func lookAt(_ taken: TakenAway) throws(FileError) -> FoundTaken {
        let limit = max(TodoFile.maximumSize, taken.safeContents.lazy.map(\.count).max() ?? 0)
        let name = taken.location.name
        let reading: ReadResult
        do throws(FileError) {
            // Opening the file makes a network file system check for writes from other machines.
            if let stamp = taken.stamp, let file = try open(name, in: taken.location.folder, for: .reading),
                try status(of: file).stamp == stamp
            {
                return .replaced
            }
            reading = try readFile(name, in: taken.location.folder, limit: limit)
        } catch {
            throw error.at(TemporaryFiles.folderPath + "/" + name.description)
        }
        guard case .content(let content) = reading else { return .nothing }
        if content.bytes == taken.safeContents.first { return .replaced }
        if taken.safeContents.contains(content.bytes) { return .unused }
        return .written(Array(content.bytes.prefix(TodoFile.maximumSize + 1)))
    }
}

/// A file that is about to be exchanged with a staged one.
struct Replacement: Sendable {
    let path: String
    let location: FileLocation
    let staged: FileLocation
    /// The content that the file should have.
    let expected: [UInt8]
    /// The new content, which the staged file has.
    let content: [UInt8]

    enum End: Sendable {
        /// The exchange succeeded. The values are the old file's stamp, if any later write would change it,
        /// and the new file's status.
        case done(taken: FileStamp?, newStatus: FileStatus?)
        case undone(FileChangeOutcome)
        /// The file system doesn't support an exchange, and nothing was changed.
        case unsupported
    }
}

// These functions need only the file system, so two threads can run them at once.
extension FileSystem {
    func compare(_ location: FileLocation, expected: [UInt8]) throws(FileError) -> Result<
        FileStatus, Mismatch
    > {
        switch try readFile(
            location.name, in: location.folder, limit: max(TodoFile.maximumSize, expected.count))
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
    func current(_ location: FileLocation) throws(FileError) -> FileChangeOutcome {
        switch try readFile(location.name, in: location.folder, limit: TodoFile.maximumSize) {
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
    func apply(_ replacement: Replacement, reliableAt time: FileTime?) throws(FileError) -> Replacement.End {
        let (location, staged) = (replacement.location, replacement.staged)
        switch try exchange(staged, location) {
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
                    taken: status.stamp(reliableAt: time),
                    newStatus: try? self.status(of: location.name, in: location.folder))
            case .failure(let mismatch):
                exchangeBack(staged, location, newContent: replacement.content)
                return .undone((try? current(location)) ?? mismatch.outcome)
            }
        } catch {
            exchangeBack(staged, location, newContent: replacement.content)
            throw error
        }
    }

    private func exchange(_ location: FileLocation, _ other: FileLocation) throws(FileError) -> RenameOutcome
    {
        try rename(location.name, in: location.folder, to: other.name, in: other.folder, .exchanging)
    }

    /// Puts an exchanged file back.
    ///
    /// If somebody saves the file at that moment, the exchange returns the newer content, which is then put
    /// back in turn. The older content stays at the staged path, where ``FileExchanger/finish(keeping:)``
    /// finds it.
    private func exchangeBack(_ staged: FileLocation, _ location: FileLocation, newContent: [UInt8]) {
        // Give up if somebody saves again and again.
        let maximumExchanges = 8
        var given: UInt64?
        for _ in 0..<maximumExchanges {
            let giving = try? status(of: staged.name, in: staged.folder)?.stamp.inode
            switch try? exchange(staged, location) {
            case .done: break
            case .missing:
                // Somebody removed the new file, so put the old one back.
                _ = try? moveWithoutReplacing(staged, to: location)
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
    /// - Parameter location: A path that nobody else saves to. A save between linking and removing would be
    ///   lost.
    func moveWithoutReplacing(_ location: FileLocation, to new: FileLocation) throws(FileError)
        -> RenameOutcome
    {
        let outcome = try rename(location.name, in: location.folder, to: new.name, in: new.folder, .keeping)
        if outcome != .unsupported { return outcome }
        switch try link(location.name, in: location.folder, to: new.name, in: new.folder) {
        case .done:
            _ = try remove(location.name, in: location.folder)
            return .done
        case .unsupported:
            // The file system supports neither call, so check for a file and then rename.
            if try status(of: new.name, in: new.folder) != nil { return .occupied }
            return try rename(location.name, in: location.folder, to: new.name, in: new.folder, .replacing)
        case let outcome:
            return outcome
        }
    }
}

extension FileStatus {
    /// Returns the stamp if any write after a time would change it; otherwise nil.
    func stamp(reliableAt time: FileTime?) -> FileStamp? {
        time.flatMap { stamp.isWritten(before: $0) ? stamp : nil }
    }
}
