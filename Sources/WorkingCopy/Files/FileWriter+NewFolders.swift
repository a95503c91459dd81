import Platform

/// A folder that is filled where nobody sees it, and then gets its place with all that is in it.
struct NewFolder: Sendable {
    /// Where it is until then.
    var place: Place
    /// Its path to be.
    let path: Substring
    /// The files that come into it, by the paths below it of the folders they are in.
    var files: [(folder: Substring, files: [File])] = []

    struct File: Sendable {
        /// Of the step whose file it is.
        let step: Int
        let name: FileName
        let bytes: [UInt8]
    }
}

// New files in folders that are not there yet: one call gives names to all of them.
extension FileWriter {
    /// Writes what comes into new folders into such folders, and announces the changes; whatever can't be
    /// written so is left to be written as any other file.
    ///
    /// As nobody sees them, many are written while the changes are being announced.
    func fill(
        _ folders: [NewFolder], of batch: inout Batch, areSynchronized: Bool,
        announcing announce: () throws -> Void
    ) throws {
        let fill = { @Sendable [fileSystem, isGivenUp = batch.isGivenUp] in
            mapConcurrently(folders) {
                $0.fill(isSynchronized: areSynchronized, fileSystem, unless: isGivenUp)
            }
        }
        let announcement: Result<Void, any Error>
        var contents: [[FileStamp?]?] = []
        if batch.isLarge, !folders.isEmpty {
            (announcement, contents) = concurrently({ Result(catching: announce) }, fill)
        } else {
            announcement = Result(catching: announce)
            if case .success = announcement { contents = fill() }
        }
        if case .failure(let error) = announcement {
            for folder in folders { removeTree(folder.place) }
            discardStaged(&batch)
            throw error
        }
        for (folder, stamps) in zip(folders, contents) {
            guard let stamps else {
                removeTree(folder.place)
                for file in folder.files.lazy.flatMap(\.files) {
                    batch.steps[file.step].isInNewFolder = false
                }
                continue
            }
            for (file, stamp) in zip(folder.files.lazy.flatMap(\.files), stamps) {
                batch.steps[file.step].stagedStamp = stamp
            }
            batch.newFolders.append(folder)
        }
    }

    /// Makes the folders, still empty, in which new files can get their names all at once.
    func makeNewFolders(for batch: Batch) -> [NewFolder] {
        newFolders(for: batch).filter { folder in
            guard (try? fileSystem.makeFolder(folder.place.name, in: folder.place.folder)) == true else {
                return false
            }
            for file in folder.files.lazy.flatMap(\.files) { batch.steps[file.step].isInNewFolder = true }
            return true
        }
    }

    private func newFolders(for batch: Batch) -> [NewFolder] {
        var folders: [NewFolder] = []
        /// For each folder that steps are about, where it is in `folders`, and where in that one; nil for one
        /// that is there.
        var known: [FolderPath: (Int, Int)?] = [:]
        var numbers: [FolderPath: Int] = [:]
        for index in batch.steps.indices where batch.isOpen(index) {
            guard case .create(_, let bytes, nil) = batch.steps[index].change else { continue }
            let path = FolderPath(batch.steps[index].path.folder)
            if known[path] == nil {
                known[path] = .some(nil)
                if let (place, top) = placeForNewFolder(at: path.string, index: batch.steps[index].index) {
                    let number = numbers[FolderPath(top)] ?? folders.count
                    if number == folders.count { folders.append(NewFolder(place: place, path: top)) }
                    numbers[FolderPath(top)] = number
                    known[path] = (number, folders[number].files.count)
                    folders[number].files.append((path.string.behind(top), []))
                }
            }
            guard case .some((let number, let place)?) = known[path] else { continue }
            let file = NewFolder.File(step: index, name: batch.steps[index].path.name, bytes: bytes)
            folders[number].files[place].files.append(file)
        }
        return folders
    }

    /// Returns the path of the uppermost folder that is missing for a folder to be there, and where it can be
    /// filled; nil if there is none.
    private func placeForNewFolder(at path: Substring, index: Int) -> (Place, Substring)? {
        guard !path.isEmpty, let (nearest, nearestPath) = try? tree.nearestFolder(to: path),
            nearestPath.utf8.count < path.utf8.count,
            (try? temporaryFiles.givesSame(as: nearest, at: nearestPath)) == true
        else { return nil }
        let start = path.utf8.index(
            path.startIndex, offsetBy: nearestPath.isEmpty ? 0 : nearestPath.utf8.count + 1)
        let top = path[..<(path[start...].utf8.firstIndex(of: slash) ?? path.endIndex)]
        guard
            let place = try? temporaryFiles.place(
                for: nearest, at: nearestPath, index: index, .folder, ContentMark(ofPath: top)),
            // In a folder of the user's, it would be seen.
            !place.name.isHidden
        else { return nil }
        return (place, top)
    }

    /// Gives new folders their places.
    ///
    /// Where somebody has made one meanwhile, each file gets its own place.
    func carryOutNewFolders(_ batch: inout Batch) {
        guard !batch.newFolders.isEmpty else { return }
        for folder in batch.newFolders {
            if (try? giveItsPlace(folder)) == .done {
                for file in folder.files.lazy.flatMap(\.files) { batch.close(file.step, with: .done) }
            } else {
                let rest = setApart(folder)
                carryOutOneByOne(rest, of: batch)
                removeTree(rest.place)
            }
        }
        batch.newFolders = []
        // Some were not there when they were looked for.
        tree.closeAll()
    }

    private func giveItsPlace(_ folder: NewFolder) throws(FileError) -> RenameOutcome {
        let (parentPath, name) = FolderTree.split(folder.path)
        guard let parent = try tree.folder(at: parentPath) else { return .missing }
        return try fileSystem.rename(
            folder.place.name, in: folder.place.folder, to: name, in: parent, .keeping)
    }

    /// Gives a new folder another name: from then on a file that is not in it was put into its place.
    private func setApart(_ folder: NewFolder) -> NewFolder {
        guard let place = temporaryFiles.placeOfRest(of: folder.place),
            (try? fileSystem.rename(
                folder.place.name, in: folder.place.folder, to: place.name, in: place.folder, .replacing))
                == .done
        else { return folder }
        var rest = folder
        rest.place = place
        return rest
    }

    private func carryOutOneByOne(_ folder: NewFolder, of batch: Batch) {
        do throws(FileError) {
            guard let root = try fileSystem.openFolder(folder.place.name, in: folder.place.folder) else {
                throw FileError(.open, folder.place.name.description, code: ENOENT)
            }
            let tree = FolderTree(root: root, fileSystem: fileSystem)
            for (path, files) in folder.files {
                guard let staged = try tree.folder(at: path) else {
                    throw FileError(.open, String(path), code: ENOENT)
                }
                for file in files {
                    batch.steps[file.step].staged = Place(folder: staged, name: file.name)
                    batch.steps[file.step].isInNewFolder = false
                    carryOut(file.step, of: batch)
                }
            }
        } catch {
            for file in folder.files.lazy.flatMap(\.files) where batch.isOpen(file.step) {
                batch.close(file.step, with: .failed(error.at(batch.steps[file.step].path.string)))
            }
        }
    }

    /// Removes a folder of ours with all that is in it.
    func removeTree(_ place: Place) {
        guard let folder = try? fileSystem.openFolder(place.name, in: place.folder) else { return }
        if let listing = try? fileSystem.list(folder) {
            for index in 0..<listing.count {
                let inner = Place(folder: folder, name: listing.name(at: index))
                if (try? fileSystem.remove(inner.name, in: inner.folder)) == nil { removeTree(inner) }
            }
        }
        // What cannot be removed is a leftover, which the next operation removes.
        _ = try? fileSystem.removeFolder(place.name, in: place.folder)
    }
}

extension NewFolder {
    /// Makes the folder's files; returns their stamps, or nil if that can't be done.
    fileprivate func fill(
        isSynchronized: Bool, _ fileSystem: any FileSystem, unless isGivenUp: () -> Bool
    ) -> [FileStamp?]? {
        var stamps: [FileStamp?] = []
        do throws(FileError) {
            guard let root = try fileSystem.openFolder(place.name, in: place.folder) else { return nil }
            let tree = FolderTree(root: root, fileSystem: fileSystem)
            for (path, files) in files {
                guard let folder = try tree.folder(at: path, making: true) else { return nil }
                for file in files {
                    guard !isGivenUp(), let open = try fileSystem.open(file.name, in: folder, for: .creating)
                    else {
                        return nil
                    }
                    try fileSystem.write(file.bytes, to: open)
                    stamps.append(try? fileSystem.status(of: open).stamp)
                    if isSynchronized { try fileSystem.synchronize(open, .file) }
                }
            }
        } catch {
            return nil
        }
        return stamps
    }
}

extension Substring {
    /// What is behind a folder's path that the path begins with, without the slash between them.
    fileprivate func behind(_ folder: Substring) -> Substring {
        folder.endIndex == endIndex ? "" : self[utf8.index(after: folder.endIndex)...]
    }
}
