// The operation's end, and what one that did not come to it leaves behind.
extension FileWriter {
    /// Looks once more at what was taken away, and removes what nobody has written into.
    ///
    /// What somebody wrote into is returned and kept until ``discard(_:)``; calling this again returns it
    /// again.
    /// - Throws: if a file cannot be looked at; then none is removed.
    public func finish() throws(FileError) -> [Straggler] {
        let isLarge = takenAway.count >= Self.manyFiles
        let found = mapConcurrently(where: isLarge, takenAway) { [fileSystem] taken in
            Result { () throws(FileError) in try fileSystem.lookAt(taken) }
        }
        var stragglers: [(Straggler, TakenAway)] = []
        var done: [TakenAway] = []
        for (taken, found) in zip(takenAway, found) {
            switch try found.get() {
            case .asExpected: done.append(taken)
            case .written(let bytes):
                let name = taken.place.name.description
                stragglers.append((Straggler(path: taken.path, bytes: bytes, name: name), taken))
            case .nothing: break
            }
        }
        _ = mapConcurrently(where: isLarge, done) { [fileSystem] taken in
            try? fileSystem.remove(taken.place.name, in: taken.place.folder)
        }
        takenAway = stragglers.map(\.1)
        tree.closeAll()
        removeEmptiedFolders()
        return stragglers.map(\.0)
    }

    /// Removes a straggler's file, whose bytes are safe elsewhere now.
    public func discard(_ straggler: Straggler) throws(FileError) {
        guard let index = takenAway.firstIndex(where: { $0.place.name.description == straggler.name }) else {
            return
        }
        let place = takenAway.remove(at: index).place
        do throws(FileError) {
            _ = try fileSystem.remove(place.name, in: place.folder)
        } catch {
            throw error.at(TemporaryFiles.folderPath + "/" + place.name.description)
        }
    }

    /// Returns what operations that did not end left behind, in the order of the changes.
    ///
    /// - Parameter folders: folders of users' files in which to look besides `.todosync/tmp`: those that the
    ///   unfinished operations had to do with. Only one on another file system can hold anything.
    public func leftovers(in folders: [String] = []) throws(FileError) -> [Leftover] {
        var leftovers: [Leftover] = []
        for (folder, path) in try leftoverFolders(folders) {
            let isUsers = path != TemporaryFiles.folderPath
            let listing = try fileSystem.listing(of: folder, at: path.isEmpty ? root : path)
            for index in 0..<listing.count {
                let name = listing.name(at: index)
                guard let parsed = name.string.flatMap({ TemporaryName($0, isHidden: isUsers) }),
                    parsed.role != .folder, !takenAway.contains(where: { $0.place.name == name })
                else { continue }
                let filePath = path.isEmpty ? name.description : path + "/" + name.description
                let reading: FileReading
                do throws(FileError) {
                    reading = try fileSystem.readFile(name, in: folder, limit: TodoFile.maximumSize)
                } catch {
                    throw error.at(filePath)
                }
                let bytes: [UInt8]?
                switch reading {
                case .content(let content):
                    bytes = content.bytes.count > TodoFile.maximumSize ? nil : content.bytes
                // A link or a folder of the user's that could not be given back.
                case .notRegular: bytes = nil
                case .missing: continue
                }
                leftovers.append(
                    Leftover(
                        name: filePath, operation: parsed.operation, index: parsed.index, bytes: bytes))
            }
        }
        return leftovers.sorted { ($0.operation, $0.index, $0.name) < ($1.operation, $1.index, $1.name) }
    }

    /// Removes new folders that did not get their places, with all in them: nobody but the operation wrote
    /// there.
    public func removeUnfinishedFolders() throws(FileError) {
        guard let folder = try tree.folder(at: TemporaryFiles.folderPath[...]) else { return }
        let listing = try fileSystem.listing(of: folder, at: TemporaryFiles.folderPath)
        for index in 0..<listing.count {
            let name = listing.name(at: index)
            let parsed = name.string.flatMap { TemporaryName($0, isHidden: false) }
            if parsed?.role == .folder { removeTree(Place(folder: folder, name: name)) }
        }
    }

    /// Removes folders, and those above them, as far as they are empty.
    public func removeEmptyFolders(_ folders: [String]) {
        // One that stays does no harm.
        for folder in folders { try? tree.removeEmptyFolders(from: folder[...]) }
    }

    /// Removes a leftover whose bytes are safe elsewhere or worth nothing; one whose bytes are not known
    /// stays.
    public func discard(_ leftover: Leftover) throws(FileError) {
        guard leftover.bytes != nil else { return }
        let (folderPath, name) = FolderTree.split(leftover.name[...])
        guard let folder = try tree.folder(at: folderPath) else { return }
        do throws(FileError) {
            _ = try fileSystem.remove(name, in: folder)
        } catch {
            throw error.at(leftover.name)
        }
    }

    private func leftoverFolders(_ folders: [String]) throws(FileError) -> [(OpenFile, String)] {
        var result: [(OpenFile, String)] = []
        for path in Set((folders + [TemporaryFiles.folderPath]).map { FolderPath($0[...]) }).map({
            String($0.string)
        }) {
            if let folder = try tree.folder(at: path[...]) { result.append((folder, path)) }
        }
        return result
    }
}

/// What became of a file that was taken away.
private enum FoundTaken: Sendable {
    /// What it is known to have been.
    case asExpected
    /// Somebody wrote these bytes into it.
    case written([UInt8])
    /// Nothing that could be removed: a link or a folder that could not be given back never is.
    case nothing
}

extension FileSystem {
    fileprivate func lookAt(_ taken: TakenAway) throws(FileError) -> FoundTaken {
        let limit = max(TodoFile.maximumSize, taken.safeContents.lazy.map(\.count).max() ?? 0)
        let name = taken.place.name
        let reading: FileReading
        do throws(FileError) {
            // Opened, as a file system of another machine looks for others' writes then.
            if let stamp = taken.stamp, let file = try open(name, in: taken.place.folder, for: .reading),
                try status(of: file).stamp == stamp
            {
                return .asExpected
            }
            reading = try readFile(name, in: taken.place.folder, limit: limit)
        } catch {
            throw error.at(TemporaryFiles.folderPath + "/" + name.description)
        }
        guard case .content(let content) = reading else { return .nothing }
        if taken.safeContents.contains(content.bytes) { return .asExpected }
        return .written(Array(content.bytes.prefix(TodoFile.maximumSize + 1)))
    }
}
