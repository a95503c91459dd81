/// Creates files directly in a working directory that the running command made itself.
///
/// In an existing working directory, a new file is written to `.todosync/tmp` and then moved into place, so
/// that nobody sees a half-written file. That takes twice as long, and nobody uses a folder that is still
/// being created.
///
/// A crash can leave half-written files. Before the first file is created, the changes are announced, and a
/// marker in `.todosync/tmp` shows that files are created this way. So the next command can distinguish a
/// half-written file from an edit; see ``UnplacedPaths/isRootNew``.
final class NewRoot {
    private let fileSystem: any FileSystem
    private let tree: FolderTree
    private let temporaryFiles: TemporaryFiles
    private let isDurable: Bool
    private var marker: Place?

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
        let place = try temporaryFiles.place(
            for: tree.root, at: "", index: index, .root, ContentMark(ofPath: ""))
        // A temporary path in the user's folder would be visible.
        guard !place.name.isHidden else { throw .betweenFileSystems }
        _ = try fileSystem.createTemporary(place, isPrivate: true)
        if isDurable { try fileSystem.synchronize(place.folder, .file) }
        marker = place
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
