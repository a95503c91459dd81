internal import LosslessYAML

// The operation's end, and what one that did not come to it leaves behind.
extension FileWriter {
    /// Looks once more at what was taken away, and removes what nobody has written into.
    ///
    /// What somebody wrote into is returned and kept until ``discard(_:)``; calling this again returns it
    /// again.
    /// - Parameter keeps: whether files that nobody has written into stay in `.todosync/tmp`, so that the
    ///   next operation can look at them once more: an editor may still have one open.
    /// - Throws: if a file cannot be looked at; then none is removed.
    package func finish(keeping keeps: Bool = false) throws(FileError) -> [Straggler] {
        let isLarge = takenAway.count >= Self.manyFiles
        let found = mapConcurrently(where: isLarge, takenAway) { [fileSystem] taken in
            Result { () throws(FileError) in try fileSystem.lookAt(taken) }
        }
        var stragglers: [(Straggler, TakenAway)] = []
        var done: [TakenAway] = []
        for (taken, found) in zip(takenAway, found) {
            switch try found.get() {
            case .replaced: if keeps { kept.append(taken) } else { done.append(taken) }
            case .unused: done.append(taken)
            case .written(let bytes):
                let name = taken.place.name.description
                stragglers.append(
                    (
                        Straggler(
                            path: taken.path, bytes: bytes, replaced: taken.safeContents.first, name: name),
                        taken
                    ))
            case .nothing: break
            }
        }
        remove(done)
        takenAway = stragglers.map(\.1)
        tree.closeAll()
        removeEmptiedFolders()
        return stragglers.map(\.0)
    }

    /// Removes files that ``finish(keeping:)`` kept: those where the next operation does not look, and the
    /// oldest of the others as far as all of them take more than a number of bytes.
    package func removeKept(beyond limit: Int = keptBytes) {
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

    /// How many bytes of replaced files are kept for the next operation.
    package static let keptBytes = 64 << 20

    private func remove(_ files: [TakenAway]) {
        _ = mapConcurrently(where: files.count >= Self.manyFiles, files) { [fileSystem] taken in
            try? fileSystem.remove(taken.place.name, in: taken.place.folder)
        }
    }

    /// Removes a straggler's file, whose bytes are safe elsewhere now.
    package func discard(_ straggler: Straggler) throws(FileError) {
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

    /// Returns what other operations left behind, in the order of the changes: what they kept, and what those
    /// that did not end staged and took away.
    ///
    /// - Parameter folders: folders of users' files in which to look besides `.todosync/tmp`: those that the
    ///   unfinished operations had to do with. Only one on another file system can hold anything.
    package func leftovers(in folders: [String] = []) throws(FileError) -> [Leftover] {
        let own = Set((takenAway + kept).map(\.place.name.description))
        var leftovers: [Leftover] = []
        for (folder, path) in try leftoverFolders(folders) {
            let isUsers = path != TemporaryFiles.folderPath
            let listing = try fileSystem.listing(of: folder, at: path.isEmpty ? root : path)
            let names = (0..<listing.count).compactMap { index -> (FileName, TemporaryName)? in
                let name = listing.name(at: index)
                guard let parsed = name.string.flatMap({ TemporaryName($0, isHidden: isUsers) }),
                    !parsed.role.isOurs, !own.contains(name.description)
                else { return nil }
                return (name, parsed)
            }
            let isLarge = names.count >= Self.manyFiles
            let found = mapConcurrently(where: isLarge, names) { [fileSystem] name, parsed in
                Result { () throws(FileError) in
                    try fileSystem.leftover(name, parsed, in: folder, at: path)
                }
            }
            for result in found { if let leftover = try result.get() { leftovers.append(leftover) } }
        }
        return leftovers.sorted { ($0.operation, $0.index, $0.name) < ($1.operation, $1.index, $1.name) }
    }

    /// Removes new files and folders that did not get their places: nobody but the operation wrote there.
    ///
    /// - Parameter folders: as in ``leftovers(in:)``.
    package func removeUnplaced(in folders: [String] = []) throws(FileError) {
        for (place, name) in try unplaced(in: folders) {
            switch name.role {
            case .folder, .rest: removeTree(place)
            // What can't be removed is looked at again by the next operation.
            case .made, .new, .old: _ = try? fileSystem.remove(place.name, in: place.folder)
            }
        }
    }

    /// Returns the paths that new files and folders did not get.
    ///
    /// - Parameter folders: as in ``leftovers(in:)``.
    func unplacedPaths(in folders: [String]) throws(FileError) -> UnplacedPaths {
        var paths = UnplacedPaths()
        for (place, name) in try unplaced(in: folders) {
            guard let mark = name.mark else { continue }
            if name.role == .rest {
                try insertFiles(of: place, at: "", into: &paths.rests[mark, default: []])
            } else {
                paths.marks.insert(mark)
            }
        }
        return paths
    }

    /// - Parameter path: the folder's, below the one that is looked through.
    private func insertFiles(
        of place: Place, at path: String, into paths: inout Set<ByteKey>
    ) throws(FileError) {
        guard let folder = try? fileSystem.openFolder(place.name, in: place.folder) else { return }
        let listing = try fileSystem.list(folder)
        for index in 0..<listing.count {
            let name = listing.name(at: index)
            let inner = path.isEmpty ? name.description : path + "/" + name.description
            paths.insert(ByteKey(inner))
            try insertFiles(of: Place(folder: folder, name: name), at: inner, into: &paths)
        }
    }

    private func unplaced(in folders: [String]) throws(FileError) -> [(Place, TemporaryName)] {
        var found: [(Place, TemporaryName)] = []
        for (folder, path) in try leftoverFolders(folders) {
            let isUsers = path != TemporaryFiles.folderPath
            let listing = try fileSystem.listing(of: folder, at: path.isEmpty ? root : path)
            for index in 0..<listing.count {
                let name = listing.name(at: index)
                guard let parsed = name.string.flatMap({ TemporaryName($0, isHidden: isUsers) }),
                    parsed.role.isOurs, !isUsers || parsed.role == .made && parsed.mark != nil
                else { continue }
                found.append((Place(folder: folder, name: name), parsed))
            }
        }
        return found
    }

    /// Removes folders, and those above them, as far as they are empty.
    package func removeEmptyFolders(_ folders: [String]) {
        // One that stays does no harm.
        for folder in folders { try? tree.removeEmptyFolders(from: folder[...]) }
    }

    /// Removes leftovers whose bytes are safe elsewhere or worth nothing; those whose bytes are not known
    /// stay.
    package func discard(_ leftovers: [Leftover]) throws(FileError) {
        for leftover in leftovers where leftover.bytes != nil {
            let (folderPath, name) = FolderTree.split(leftover.name[...])
            guard let folder = try tree.folder(at: folderPath) else { continue }
            do throws(FileError) {
                _ = try fileSystem.remove(name, in: folder)
            } catch {
                throw error.at(leftover.name)
            }
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

/// The paths that new files and folders of an interrupted command did not get.
package struct UnplacedPaths: Sendable {
    fileprivate var marks: Set<ContentMark> = []
    /// By the mark of a folder's path, the paths below it of the files that are still to come there.
    fileprivate var rests: [ContentMark: Set<ByteKey>] = [:]

    /// Whether a file, or a folder above it, did not get its path.
    package func contains(_ path: String) -> Bool {
        if marks.contains(ContentMark(ofPath: path[...])) { return true }
        var folder = path[...]
        while let end = folder.lastIndex(of: "/") {
            folder = path[..<end]
            let mark = ContentMark(ofPath: folder)
            if marks.contains(mark) { return true }
            if rests[mark]?.contains(ByteKey(String(path[end...].dropFirst()))) == true { return true }
        }
        return false
    }
}

/// What became of a file that was taken away.
private enum FoundTaken: Sendable {
    /// What it held in the user's folder.
    case replaced
    /// What was to take its place.
    case unused
    /// Somebody wrote these bytes into it.
    case written([UInt8])
    /// Nothing that could be removed: a link or a folder that could not be given back never is.
    case nothing
}

extension TakenAway {
    /// Whether it is where the next operation looks, and its name tells what it held.
    fileprivate var canStay: Bool {
        !place.name.isHidden
            && place.name.string.flatMap { TemporaryName($0, isHidden: false) }?.mark != nil
    }
}

extension FileSystem {
    /// Reads what an operation left behind; nil if it is not there any more.
    ///
    /// - Parameter path: the folder's.
    fileprivate func leftover(
        _ name: FileName, _ parsed: TemporaryName, in folder: OpenFile, at path: String
    ) throws(FileError) -> Leftover? {
        let filePath = path.isEmpty ? name.description : path + "/" + name.description
        let reading: ReadResult
        do throws(FileError) {
            reading = try readFile(name, in: folder, limit: TodoFile.maximumSize)
        } catch  where error.isNotPermitted {
            // Somebody else's, who can look at it.
            return nil
        } catch {
            throw error.at(filePath)
        }
        let bytes: [UInt8]?
        switch reading {
        case .content(let content):
            bytes = content.bytes.count > TodoFile.maximumSize ? nil : content.bytes
        // A link or a folder of the user's that could not be given back.
        case .notRegular: bytes = nil
        case .missing: return nil
        }
        return Leftover(
            name: filePath, operation: parsed.operation, index: parsed.index, mark: parsed.mark, bytes: bytes)
    }

    fileprivate func lookAt(_ taken: TakenAway) throws(FileError) -> FoundTaken {
        let limit = max(TodoFile.maximumSize, taken.safeContents.lazy.map(\.count).max() ?? 0)
        let name = taken.place.name
        let reading: ReadResult
        do throws(FileError) {
            // Opened, as a file system of another machine looks for others' writes then.
            if let stamp = taken.stamp, let file = try open(name, in: taken.place.folder, for: .reading),
                try status(of: file).stamp == stamp
            {
                return .replaced
            }
            reading = try readFile(name, in: taken.place.folder, limit: limit)
        } catch {
            throw error.at(TemporaryFiles.folderPath + "/" + name.description)
        }
        guard case .content(let content) = reading else { return .nothing }
        if content.bytes == taken.safeContents.first { return .replaced }
        if taken.safeContents.contains(content.bytes) { return .unused }
        return .written(Array(content.bytes.prefix(TodoFile.maximumSize + 1)))
    }
}
