import Platform

/// A folder that is filled in `.todosync/tmp` and then moved into place with all its contents.
struct NewFolder: Sendable {
    /// The temporary path.
    var location: FileLocation
    /// The folder's final path.
    let path: Substring
    /// The files in the folder, grouped by the paths of their subfolders.
    var files: [(folder: Substring, files: [File])] = []

    struct File: Sendable {
        /// The index of the step that the file belongs to.
        let step: Int
        let name: FileName
        let bytes: [UInt8]
    }
}

/// Creates files in folders that don't exist yet: one rename moves all files of a folder into place.
struct NewFolders {
    let fileSystem: any FileSystem
    let tree: FolderTree
    let temporaryFiles: TemporaryFiles

    /// Writes files to new folders, and announces the changes.
    ///
    /// Files that can't be written this way are written later, like any other files.
    ///
    /// Nobody sees the new folders yet, so a large batch is written while the changes are announced.
    func fill(
        _ folders: [NewFolder], of batch: inout Batch, areSynchronized: Bool,
        announcing announce: () throws -> Void
    ) throws {
        let isLarge = batch.isLarge
        let fill = { @Sendable [fileSystem, isGivenUp = batch.isGivenUp] in
            mapConcurrently(folders, atLeast: isLarge ? 2 : .max) {
                $0.fill(isSynchronized: areSynchronized, fileSystem, unless: isGivenUp)
            }
        }
        let announcement: Result<Void, any Error>
        var contents: [[FileStamp?]?] = []
        if isLarge, !folders.isEmpty {
            (announcement, contents) = concurrently({ Result(catching: announce) }, fill)
        } else {
            announcement = Result(catching: announce)
            if case .success = announcement { contents = fill() }
        }
        if case .failure(let error) = announcement {
            for folder in folders { fileSystem.removeTree(folder.location) }
            throw error
        }
        for (folder, stamps) in zip(folders, contents) {
            guard let stamps else {
                fileSystem.removeTree(folder.location)
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

    /// Creates the empty folders for new files that can get their final paths at once.
    func make(for batch: Batch) -> [NewFolder] {
        planned(for: batch).filter { folder in
            guard (try? fileSystem.makeFolder(folder.location.name, in: folder.location.folder)) == true
            else {
                return false
            }
            for file in folder.files.lazy.flatMap(\.files) { batch.steps[file.step].isInNewFolder = true }
            return true
        }
    }

    private func planned(for batch: Batch) -> [NewFolder] {
        var folders: [NewFolder] = []
        /// The index in `folders` of each step's topmost new folder, and the index of the subfolder in it;
        /// nil if the step's folder exists.
        var visited: [FolderPath: (Int, Int)?] = [:]
        var numbers: [FolderPath: Int] = [:]
        for index in batch.steps.indices where batch.isOpen(index) {
            guard case .create(_, let bytes, nil) = batch.steps[index].change else { continue }
            let path = FolderPath(batch.steps[index].path.folder)
            if visited[path] == nil {
                visited[path] = .some(nil)
                if let (location, top) = locationForNewFolder(
                    at: path.string, index: batch.steps[index].index)
                {
                    let number = numbers[FolderPath(top)] ?? folders.count
                    if number == folders.count { folders.append(NewFolder(location: location, path: top)) }
                    numbers[FolderPath(top)] = number
                    visited[path] = (number, folders[number].files.count)
                    folders[number].files.append((path.string.behind(top), []))
                }
            }
            guard case .some((let number, let location)?) = visited[path] else { continue }
            let file = NewFolder.File(step: index, name: batch.steps[index].path.name, bytes: bytes)
            folders[number].files[location].files.append(file)
        }
        return folders
    }

    /// Returns the path of the topmost missing folder above a path, and the temporary path to fill it at; nil
    /// if no folder is missing.
    private func locationForNewFolder(at path: Substring, index: Int) -> (FileLocation, Substring)? {
        guard !path.isEmpty, let (nearest, nearestPath) = try? tree.nearestFolder(to: path),
            nearestPath.utf8.count < path.utf8.count,
            (try? temporaryFiles.givesSame(as: nearest, at: nearestPath)) == true
        else { return nil }
        let start = path.utf8.index(
            path.startIndex, offsetBy: nearestPath.isEmpty ? 0 : nearestPath.utf8.count + 1)
        let top = path[..<(path[start...].utf8.firstIndex(of: slash) ?? path.endIndex)]
        guard
            let location = try? temporaryFiles.location(
                for: nearest, at: nearestPath, index: index, .folder, ContentMark(ofPath: top)),
            // A temporary path in the user's folder would be visible.
            !location.name.isHidden
        else { return nil }
        return (location, top)
    }

    /// Moves new folders into place.
    ///
    /// If somebody created such a folder in the meantime, its files are moved into place one by one.
    ///
    /// - Parameter applyStep: Moves the staged file of a step into place.
    func apply(_ batch: inout Batch, _ applyStep: (Int, Batch) -> Void) {
        guard !batch.newFolders.isEmpty else { return }
        for folder in batch.newFolders {
            if (try? moveToPath(folder)) == .done {
                for file in folder.files.lazy.flatMap(\.files) { batch.close(file.step, with: .done) }
            } else {
                let rest = setApart(folder)
                applyOneByOne(rest, of: batch, applyStep)
                fileSystem.removeTree(rest.location)
            }
        }
        batch.newFolders = []
        // Folders that were missing before might exist now, so forget the lookups.
        tree.closeAll()
    }

    private func moveToPath(_ folder: NewFolder) throws(FileError) -> RenameOutcome {
        let (parentPath, name) = FolderTree.split(folder.path)
        guard let parent = try tree.folder(at: parentPath) else { return .missing }
        return try fileSystem.rename(
            folder.location.name, in: folder.location.folder, to: name, in: parent, .keeping)
    }

    /// Renames a new folder's temporary path.
    ///
    /// From then on, any file that is missing from the folder has been moved into place.
    private func setApart(_ folder: NewFolder) -> NewFolder {
        guard let location = temporaryFiles.locationOfRest(of: folder.location),
            (try? fileSystem.rename(
                folder.location.name, in: folder.location.folder, to: location.name, in: location.folder,
                .replacing))
                == .done
        else { return folder }
        var rest = folder
        rest.location = location
        return rest
    }

    private func applyOneByOne(
        _ folder: NewFolder, of batch: Batch, _ applyStep: (Int, Batch) -> Void
    ) {
        do throws(FileError) {
            guard let root = try fileSystem.openFolder(folder.location.name, in: folder.location.folder)
            else {
                throw FileError(.open, folder.location.name.description, code: ENOENT)
            }
            let tree = FolderTree(root: root, fileSystem: fileSystem)
            for (path, files) in folder.files {
                guard let staged = try tree.folder(at: path) else {
                    throw FileError(.open, String(path), code: ENOENT)
                }
                for file in files {
                    batch.steps[file.step].staged = FileLocation(folder: staged, name: file.name)
                    batch.steps[file.step].isInNewFolder = false
                    applyStep(file.step, batch)
                }
            }
        } catch {
            for file in folder.files.lazy.flatMap(\.files) where batch.isOpen(file.step) {
                batch.close(file.step, with: .failed(error.at(batch.steps[file.step].path.string)))
            }
        }
    }
}

extension NewFolder.File {
    /// Writes the new file's content, and returns its stamp.
    func write(to file: OpenFile, _ fileSystem: any FileSystem) throws(FileError) -> FileStamp? {
        try fileSystem.write(bytes, to: file)
        return try? fileSystem.status(of: file).stamp
    }
}

extension NewFolder {
    /// Creates the folder's files and returns their stamps; nil if that isn't possible.
    fileprivate func fill(
        isSynchronized: Bool, _ fileSystem: any FileSystem, unless isGivenUp: () -> Bool
    ) -> [FileStamp?]? {
        var stamps: [FileStamp?] = []
        do throws(FileError) {
            guard let root = try fileSystem.openFolder(location.name, in: location.folder) else { return nil }
            let tree = FolderTree(root: root, fileSystem: fileSystem)
            for (path, files) in files {
                guard let folder = try tree.folder(at: path, making: true) else { return nil }
                for file in files {
                    guard !isGivenUp(), let open = try fileSystem.open(file.name, in: folder, for: .creating)
                    else {
                        return nil
                    }
                    stamps.append(try file.write(to: open, fileSystem))
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
    /// Returns the part of the path below a folder.
    fileprivate func behind(_ folder: Substring) -> Substring {
        folder.endIndex == endIndex ? "" : self[utf8.index(after: folder.endIndex)...]
    }
}

/// Creates files directly in a working directory that the running command made itself.
///
/// In an existing working directory, a new file is written to `.todosync/tmp` and then moved into place, so
/// that nobody sees a half-written file. That takes twice as long, and nobody uses a folder that is still
/// being created.
///
/// A crash can leave half-written files. Before the first file is created, the changes are announced, and a
/// marker in `.todosync/tmp` shows that files are created this way. So the next command can distinguish a
/// half-written file from an edit; see ``UnmovedPaths/isRootNew``.
final class NewRoot {
    private let fileSystem: any FileSystem
    private let tree: FolderTree
    private let temporaryFiles: TemporaryFiles
    private let isDurable: Bool
    private var marker: FileLocation?

    init(_ tree: FolderTree, _ temporaryFiles: TemporaryFiles, isDurable: Bool, _ fileSystem: any FileSystem)
    {
        self.tree = tree
        self.temporaryFiles = temporaryFiles
        self.isDurable = isDurable
        self.fileSystem = fileSystem
    }

    fileprivate enum Creation: Sendable {
        case done(FileStamp?)
        /// The file wasn't created, or it was incomplete and was removed.
        case failed
    }

    /// Chooses the files that ``create(_:in:)`` will create, and writes the marker.
    ///
    /// If a batch does more than creating files, or the marker can't be written, no files are chosen.
    func choose(in batch: Batch) -> [NewFolder.File] {
        guard batch.steps.allSatisfy(\.isCreation) else { return [] }
        let files = batch.steps.indices.compactMap { index -> NewFolder.File? in
            let step = batch.steps[index]
            guard batch.isOpen(index), step.path.folder.isEmpty, step.permissions == nil,
                let bytes = step.newContent
            else { return nil }
            return NewFolder.File(step: index, name: step.path.name, bytes: bytes)
        }
        guard let first = files.first, (try? mark(batch.steps[first.step].index)) != nil else { return [] }
        for file in files { batch.steps[file.step].isInNewFolder = true }
        return files
    }

    private func mark(_ index: Int) throws(FileError) {
        guard marker == nil else { return }
        let location = try temporaryFiles.location(
            for: tree.root, at: "", index: index, .root, ContentMark(ofPath: ""))
        // A temporary path in the user's folder would be visible.
        guard !location.name.isHidden else { throw .betweenFileSystems }
        _ = try fileSystem.createTemporary(location, isPrivate: true)
        if isDurable { try fileSystem.synchronize(location.folder, .file) }
        marker = location
    }

    /// Creates files, on two threads if there are many.
    ///
    /// The changes must have been announced. A file that can't be created is retried like any other file, and
    /// the retry reports the reason. If the command is asked to end, the other changes are cancelled.
    func create(_ files: [NewFolder.File], in batch: inout Batch) {
        let creations = mapConcurrently(where: batch.isLarge, files) {
            [fileSystem, root = tree.root, isGivenUp = batch.isGivenUp] file in
            isGivenUp() ? .failed : file.create(in: root, fileSystem)
        }
        var hasCreated = false
        for (file, creation) in zip(files, creations) {
            guard case .done(let stamp) = creation else {
                batch.steps[file.step].isInNewFolder = false
                continue
            }
            hasCreated = true
            batch.steps[file.step].stagedStamp = stamp
            batch.close(file.step, with: .done)
        }
        guard hasCreated else { return }
        if batch.isGivenUp() {
            for index in batch.steps.indices where batch.isOpen(index) {
                batch.close(index, with: .cancelled)
            }
        }
        // A batch that has begun can no longer be cancelled as a whole.
        batch.isGivenUp = { false }
    }

    /// Removes the marker, once the end of the operation is recorded.
    func finish() {
        // The next operation removes a marker that can't be removed now.
        if let marker { _ = try? fileSystem.remove(marker.name, in: marker.folder) }
        marker = nil
    }
}

extension NewFolder.File {
    fileprivate func create(in folder: OpenFile, _ fileSystem: any FileSystem) -> NewRoot.Creation {
        guard let open = try? fileSystem.open(name, in: folder, for: .creating) else { return .failed }
        do {
            return .done(try write(to: open, fileSystem))
        } catch {
            // The next command removes a file that can't be removed now.
            _ = try? fileSystem.remove(name, in: folder)
            return .failed
        }
    }
}
