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
    /// Returns a file's status if it can be what is expected by its size; its content is compared when the
    /// change is carried out.
    func check(_ path: TodoPath, _ expected: [UInt8]) throws(FileError) -> Result<FileStatus, Mismatch> {
        guard let folder = try tree.folder(at: path.folder),
            let status = try fileSystem.status(of: path.name, in: folder)
        else { return .failure(Mismatch(outcome: .changedMeanwhile(nil))) }
        if status.kind == .file, status.stamp.size == expected.count { return .success(status) }
        return try compare(Place(folder: folder, name: path.name), expected: expected)
    }

    /// Compares what was taken away last with what is expected, and remembers by what a later write into it
    /// is known.
    private func compareTaken(_ place: Place, _ expected: [UInt8]) throws(FileError) -> Mismatch? {
        switch try compare(place, expected: expected) {
        case .failure(let mismatch): return mismatch
        case .success(let status):
            if let time, status.stamp.isWritten(before: time) {
                takenAway[takenAway.count - 1].stamp = status.stamp
            }
            return nil
        }
    }

    func compare(_ place: Place, expected: [UInt8]) throws(FileError) -> Result<FileStatus, Mismatch> {
        switch try fileSystem.readFile(
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

    /// Puts a staged file in the place of what is there, if that is what is expected.
    func replace(_ place: Place, _ path: String, _ step: inout Batch.Step) throws(FileError)
        -> FileChangeOutcome
    {
        guard let expected = step.expected else { return .occupied }
        guard let staged = step.staged, let content = step.newContent else {
            return outcome(of: try compare(place, expected: expected))
        }
        // Listed before it can hold anything of value, and whatever the call says: it may lie.
        takenAway.append(TakenAway(place: staged, path: path, safeContents: [expected, content]))
        step.staged = nil
        switch try exchange(staged, place) {
        case .done: break
        case .missing: return .changedMeanwhile(nil)
        case .unsupported: return try replaceWithoutExchange(place, path, step, staged: staged)
        case .occupied, .otherFileSystem: return .occupied
        }
        do throws(FileError) {
            guard let mismatch = try compareTaken(staged, expected) else { return .done }
            exchangeBack(staged, place, newContent: content)
            return (try? current(place)) ?? mismatch.outcome
        } catch {
            exchangeBack(staged, place, newContent: content)
            throw error
        }
    }

    private func outcome(of comparison: Result<FileStatus, Mismatch>) -> FileChangeOutcome {
        switch comparison {
        case .success: .done
        case .failure(let mismatch): mismatch.outcome
        }
    }

    private func exchange(_ place: Place, _ other: Place) throws(FileError) -> RenameOutcome {
        try fileSystem.rename(place.name, in: place.folder, to: other.name, in: other.folder, .exchanging)
    }

    /// Gives back a file that was exchanged out.
    ///
    /// If somebody saves in the very moment, that newer content is what comes out, and is given back in turn;
    /// the older stays in the staged place, where ``finish()`` finds it.
    private func exchangeBack(_ staged: Place, _ place: Place, newContent: [UInt8]) {
        var given: UInt64?
        for _ in 0..<FileWriter.maximumExchanges {
            let giving = try? fileSystem.status(of: staged.name, in: staged.folder)?.stamp.inode
            switch try? exchange(staged, place) {
            case .done: break
            case .missing:
                // Somebody removed the new file: the old one is what there should be.
                _ = try? moveWithoutReplacing(staged, to: place)
                return
            default: return
            }
            let came = try? fileSystem.readFile(staged.name, in: staged.folder, limit: TodoFile.maximumSize)
            guard case .content(let content) = came else { return }
            let isWhatWasThere =
                given.map { $0 == content.status.stamp.inode } ?? (content.bytes == newContent)
            if isWhatWasThere { return }
            given = giving
        }
    }

    /// The content that is in a place now, as an outcome.
    func current(_ place: Place) throws(FileError) -> FileChangeOutcome {
        switch try fileSystem.readFile(place.name, in: place.folder, limit: TodoFile.maximumSize) {
        case .missing: .changedMeanwhile(nil)
        case .notRegular: .occupied
        case .content(let content): .changedMeanwhile(content.bytes)
        }
    }

    /// Takes the old file away and puts the new one there: a moment without the file, but none in which a
    /// save could be overwritten.
    private func replaceWithoutExchange(
        _ place: Place, _ path: String, _ step: Batch.Step, staged: Place
    ) throws(FileError) -> FileChangeOutcome {
        guard let expected = step.expected else { return .done }
        let folder = FolderTree.split(path[...]).parent
        let old = try temporaryFiles.place(for: place.folder, at: folder, index: step.index, .old)
        if let mismatch = try takeAway(place, path, expected, to: old) { return mismatch.outcome }
        do throws(FileError) {
            switch try moveWithoutReplacing(staged, to: place) {
            case .done: return .done
            case .occupied: return try current(place)
            case .missing, .unsupported, .otherFileSystem: break
            }
        } catch {
            _ = try? moveWithoutReplacing(old, to: place)
            throw error
        }
        _ = try moveWithoutReplacing(old, to: place)
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
        case .occupied, .unsupported, .otherFileSystem: return Mismatch(outcome: .occupied)
        }
        do throws(FileError) {
            guard let mismatch = try compareTaken(old, expected) else { return nil }
            if try moveWithoutReplacing(old, to: place) == .done { return mismatch }
            return Mismatch(outcome: try current(place))
        } catch {
            _ = try? moveWithoutReplacing(old, to: place)
            throw error
        }
    }

    /// Gives a file of ours a user's path if nothing has it, also where the file system has no call for that.
    ///
    /// - Parameter place: where nobody else saves to: between linking and removing, a save would be removed.
    func moveWithoutReplacing(_ place: Place, to new: Place) throws(FileError) -> RenameOutcome {
        let outcome = try fileSystem.rename(
            place.name, in: place.folder, to: new.name, in: new.folder, .keeping)
        if outcome != .unsupported { return outcome }
        switch try fileSystem.link(place.name, in: place.folder, to: new.name, in: new.folder) {
        case .done:
            _ = try fileSystem.remove(place.name, in: place.folder)
            return .done
        case .unsupported:
            // Neither call is there: what is left is to look before.
            if try fileSystem.status(of: new.name, in: new.folder) != nil { return .occupied }
            return try fileSystem.rename(
                place.name, in: place.folder, to: new.name, in: new.folder, .replacing)
        case let outcome:
            return outcome
        }
    }

    /// How often a file is given back to one who saves again and again in the same moment.
    private static let maximumExchanges = 8
}
