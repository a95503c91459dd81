internal import LosslessYAML

// The end of an operation, and the cleanup after interrupted operations.
extension FileWriter {
    /// Checks the files that were moved away once more, and removes those that nobody has written to.
    ///
    /// Files with later writes are returned, and kept until ``discard(_:)``. Another call returns the same
    /// files.
    ///
    /// - Parameter keeps: whether the other files stay in `.todosync/tmp` for the next operation to check
    ///   again, because an editor might still have one open.
    /// - Throws: an error if a file can't be checked. In that case, no file is removed.
    package func finish(keeping keeps: Bool = false) throws(FileError) -> [LateWrite] {
        let isLarge = takenAway.count >= Self.manyFiles
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
                let name = taken.place.name.description
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
        tree.closeAll()
        removeEmptiedFolders()
        return lateWrites.map(\.0)
    }

    /// Removes the kept files that the next operation wouldn't check, and the oldest of the other kept files
    /// if their total size exceeds a number of bytes.
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

    /// The maximum total size, in bytes, of the replaced files to keep for the next operation.
    package static let keptBytes = 64 << 20

    private func remove(_ files: [TakenAway]) {
        _ = mapConcurrently(where: files.count >= Self.manyFiles, files) { [fileSystem] taken in
            try? fileSystem.remove(taken.place.name, in: taken.place.folder)
        }
    }

    /// Removes a late write's file, once its bytes are saved elsewhere.
    package func discard(_ lateWrite: LateWrite) throws(FileError) {
        guard let index = takenAway.firstIndex(where: { $0.place.name.description == lateWrite.name }) else {
            return
        }
        let place = takenAway.remove(at: index).place
        do throws(FileError) {
            _ = try fileSystem.remove(place.name, in: place.folder)
        } catch {
            throw error.at(TemporaryFiles.folderPath + "/" + place.name.description)
        }
    }

    /// Returns the files that earlier operations kept, or that interrupted operations staged or moved away,
    /// in the order of the changes.
    ///
    /// - Parameter folders: users' folders to check besides `.todosync/tmp`: the folders that the unfinished
    ///   operations changed. Only folders on a different file system can contain leftovers.
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

    /// Removes new files and folders that weren't moved into place.
    ///
    /// Nobody else has written to them.
    ///
    /// - Parameter folders: see ``leftovers(in:)``.
    package func removeUnplaced(in folders: [String] = []) throws(FileError) {
        for (place, name) in try unplaced(in: folders) {
            switch name.role {
            case .folder, .rest: removeTree(place)
            // The next operation finds any file again that can't be removed now.
            case .made, .new, .old: _ = try? fileSystem.remove(place.name, in: place.folder)
            }
        }
    }

    /// Returns the final paths of new files and folders that weren't moved into place.
    ///
    /// - Parameter folders: see ``leftovers(in:)``.
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

    /// Collects the paths of a folder's files and subfolders.
    ///
    /// - Parameter path: the folder's path relative to the searched folder.
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

    /// Removes empty folders, and their parent folders if they become empty.
    package func removeEmptyFolders(_ folders: [String]) {
        // A folder that stays is harmless.
        for folder in folders { try? tree.removeEmptyFolders(from: folder[...]) }
    }

    /// Removes leftovers whose bytes are saved elsewhere or have no value.
    ///
    /// Leftovers with unknown contents stay.
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

/// The final paths of an interrupted command's new files and folders that weren't moved into place.
package struct UnplacedPaths: Sendable {
    fileprivate var marks: Set<ContentMark> = []
    /// The files still waiting in each folder, as paths below it, by the mark of the folder's path.
    fileprivate var rests: [ContentMark: Set<ByteKey>] = [:]

    /// Returns whether a file, or a folder above it, wasn't moved into place.
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
        !place.name.isHidden
            && place.name.string.flatMap { TemporaryName($0, isHidden: false) }?.mark != nil
    }
}

extension FileSystem {
    /// Reads a file that an operation left behind; nil if it no longer exists.
    ///
    /// - Parameter path: the folder's path.
    fileprivate func leftover(
        _ name: FileName, _ parsed: TemporaryName, in folder: OpenFile, at path: String
    ) throws(FileError) -> Leftover? {
        let filePath = path.isEmpty ? name.description : path + "/" + name.description
        let reading: ReadResult
        do throws(FileError) {
            reading = try readFile(name, in: folder, limit: TodoFile.maximumSize)
        } catch  where error.isNotPermitted {
            // The file belongs to a different user, who can check it.
            return nil
        } catch {
            throw error.at(filePath)
        }
        let bytes: [UInt8]?
        switch reading {
        case .content(let content):
            bytes = content.bytes.count > TodoFile.maximumSize ? nil : content.bytes
        // This is a user's link or folder that couldn't be put back.
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
            // Opening the file makes a network file system check for writes from other machines.
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
