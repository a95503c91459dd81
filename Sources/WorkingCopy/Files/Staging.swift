/// Writes the new content of files to temporary files, before it is moved into place.
struct Staging {
    let fileSystem: any FileSystem
    let tree: FolderTree
    let temporaryFiles: TemporaryFiles
    let isDurable: Bool

    /// Stages the content of new files before the changes are announced.
    ///
    /// So if an announced change has no staged file, it was applied, and the file at its path is an edit of
    /// the new content rather than an older file.
    func prepare(
        _ batch: inout Batch, _ folders: [NewFolder], areSynchronized: Bool
    ) throws(FileError) {
        stageOneByOne(batch, areSynchronized: areSynchronized, where: \.isCreation)
        let areNamed = areSynchronized || !batch.steps.contains { $0.staged != nil }
        if !isDurable || folders.isEmpty && areNamed { return }
        do throws(FileError) {
            for folder in temporaryFiles.folders { try fileSystem.synchronize(folder, .file) }
        } catch {
            for folder in folders { fileSystem.removeTree(folder.location) }
            discard(&batch)
            throw error.at(TemporaryFiles.folderPath)
        }
    }

    func stage(_ batch: inout Batch, areSynchronized: Bool) {
        stageReplacements(batch, areSynchronized: areSynchronized)
        stageOneByOne(batch, areSynchronized: areSynchronized) { _ in true }
        if areSynchronized { batch.isSynchronized = true }
    }

    private func stageOneByOne(
        _ batch: Batch, areSynchronized: Bool, where isWanted: (Batch.Step) -> Bool
    ) {
        for index in batch.steps.indices
        where batch.isOpen(index) && batch.steps[index].staged == nil && !batch.steps[index].isInNewFolder
            && isWanted(batch.steps[index])
        {
            if batch.isGivenUp() { return }
            do throws(FileError) {
                if let outcome = try stage(batch.steps[index], isSynchronized: areSynchronized) {
                    batch.close(index, with: outcome)
                }
            } catch {
                batch.close(index, with: .failed(error.inChanging(batch.steps[index].path.string)))
            }
        }
    }

    /// Writes a change's new content to a temporary file, unless the existing file isn't as expected.
    private func stage(_ step: Batch.Step, isSynchronized: Bool) throws(FileError) -> FileChangeOutcome? {
        var model: OpenedFile?
        if let expected = step.expected {
            guard let folder = try tree.folder(at: step.path.folder) else { return .changedMeanwhile(nil) }
            switch try fileSystem.check(FileLocation(folder: folder, name: step.path.name), expected) {
            case .failure(let mismatch): return mismatch.outcome
            case .success(let opened): model = opened
            }
        }
        guard let content = step.newContent else { return nil }
        try stage(content, for: step, model: model, isSynchronized: isSynchronized)
        return nil
    }

    /// Writes content to a temporary file.
    ///
    /// - Parameter model: The file to copy the attributes from; nil for a new file.
    func stage(
        _ content: [UInt8], for step: Batch.Step, model: OpenedFile?, isSynchronized: Bool
    ) throws(FileError) {
        let (folder, path) = try tree.nearestFolder(to: (step.target ?? step.path).folder)
        let location = try temporaryFiles.location(
            for: folder, at: path, index: step.index, step.isCreation ? .made : .new,
            step.expected.map(ContentMark.init(of:)) ?? ContentMark(ofPath: step.path.string))
        let file = try fileSystem.createTemporary(
            location, isPrivate: model != nil || step.permissions != nil)
        step.staged = location
        try fileSystem.write(content, to: file)
        if let model {
            try fileSystem.setAttributes(of: file, as: model)
        } else {
            try setGroup(of: file, as: folder, at: path)
            if let permissions = step.permissions { try fileSystem.setPermissions(permissions, of: file) }
        }
        step.stagedStamp = try? fileSystem.status(of: file).stamp
        if isSynchronized { try fileSystem.synchronize(file, .file) }
    }

    /// Gives a new file the group that it would have had if it had been created in its folder.
    private func setGroup(of file: OpenFile, as folder: OpenFile, at path: Substring) throws(FileError) {
        if try temporaryFiles.givesSame(as: folder, at: path) { return }
        let (folder, status) = (try fileSystem.status(of: folder), try fileSystem.status(of: file))
        guard folder.givesItsGroup, folder.group != status.group else { return }
        // Only a member of the group can do this. Ignore a failure: the content matters more.
        try? fileSystem.setOwner(user: status.user, group: folder.group, of: file)
    }

    // MARK: Files to replace

    /// Writes new content to temporary files, on two threads if there are many.
    private func stageReplacements(_ batch: Batch, areSynchronized: Bool) {
        let isLarge = batch.isLarge
        for portion in batch.portions(where: \.replacesContent) {
            var replacements: [(step: Int, replacement: Replacement)] = []
            for index in portion {
                do throws(FileError) {
                    if let replacement = try replacement(batch.steps[index]) {
                        replacements.append((index, replacement))
                    } else {
                        batch.close(index, with: .changedMeanwhile(nil))
                    }
                } catch {
                    batch.close(index, with: .failed(error.inChanging(batch.steps[index].path.string)))
                }
            }
            let stagings = mapConcurrently(where: isLarge, replacements) {
                [fileSystem, isGivenUp = batch.isGivenUp] in
                isGivenUp()
                    ? StagedContent() : fileSystem.stage($0.replacement, isSynchronized: areSynchronized)
            }
            for ((index, replacement), staging) in zip(replacements, stagings) {
                if staging.isMade { batch.steps[index].staged = replacement.staged }
                switch staging.result {
                case .success(let stamp): batch.steps[index].stagedStamp = stamp
                case .failure(.mismatch(let mismatch)): batch.close(index, with: mismatch.outcome)
                case .failure(.error(let error)):
                    batch.close(index, with: .failed(error.inChanging(replacement.path)))
                }
            }
        }
    }

    /// Returns the replacement for a step; nil if the step replaces nothing, or if the file's folder doesn't
    /// exist.
    private func replacement(_ step: Batch.Step) throws(FileError) -> Replacement? {
        guard let expected = step.expected, let content = step.newContent,
            let folder = try tree.folder(at: step.path.folder)
        else { return nil }
        let staged = try temporaryFiles.location(
            for: folder, at: step.path.folder, index: step.index, .new, ContentMark(of: expected))
        return Replacement(
            path: step.path.string, location: FileLocation(folder: folder, name: step.path.name),
            staged: staged,
            expected: expected, content: content)
    }

    // MARK: The end of staging

    func synchronize(_ batch: inout Batch) throws(FileError) {
        if batch.isSynchronized { return }
        if batch.newFolders.isEmpty, !batch.steps.contains(where: { $0.staged != nil }) { return }
        do throws(FileError) {
            for folder in temporaryFiles.folders { try fileSystem.synchronize(folder, .fileSystem) }
        } catch {
            discard(&batch)
            throw error.at(TemporaryFiles.folderPath)
        }
    }

    func discard(_ batch: inout Batch) {
        for folder in batch.newFolders { fileSystem.removeTree(folder.location) }
        batch.newFolders = []
        for index in batch.steps.indices {
            guard let staged = batch.steps[index].staged else { continue }
            // The next operation removes any file that can't be removed now.
            _ = try? fileSystem.remove(staged.name, in: staged.folder)
            batch.steps[index].staged = nil
        }
    }
}

/// The result of writing a temporary file.
private struct StagedContent: Sendable {
    /// Whether the temporary file was created.
    var isMade = false
    /// The file's stamp, or the failure.
    var result: Result<FileStamp?, Failure> = .success(nil)

    enum Failure: Error {
        /// The staged file can't be used, because the file to replace isn't as expected.
        case mismatch(Mismatch)
        case error(FileError)
    }
}

extension FileSystem {
    /// Writes a temporary file with the attributes of the file that it replaces, unless that file isn't
    /// as expected.
    fileprivate func stage(_ replacement: Replacement, isSynchronized: Bool) -> StagedContent {
        var staged = StagedContent()
        do throws(FileError) {
            let model: OpenedFile
            switch try check(replacement.location, replacement.expected) {
            case .success(let opened): model = opened
            case .failure(let mismatch):
                staged.result = .failure(.mismatch(mismatch))
                return staged
            }
            let file = try createTemporary(replacement.staged, isPrivate: true)
            staged.isMade = true
            try write(replacement.content, to: file)
            try setAttributes(of: file, as: model)
            staged.result = .success(try? status(of: file).stamp)
            if isSynchronized { try synchronize(file, .file) }
        } catch {
            staged.result = .failure(.error(error))
        }
        return staged
    }

    /// Opens a file if its size matches the expected content.
    ///
    /// The content itself is compared when the change is applied.
    func check(_ location: FileLocation, _ expected: [UInt8]) throws(FileError) -> Result<
        OpenedFile, Mismatch
    > {
        switch try openFile(location.name, in: location.folder) {
        case .missing: return .failure(Mismatch(outcome: .changedMeanwhile(nil)))
        case .notRegular: return .failure(Mismatch(outcome: .occupied))
        case .regular(let opened):
            if opened.status.stamp.size == expected.count { return .success(opened) }
            return try compare(location, expected: expected).map { _ in opened }
        }
    }

    /// Copies the owner, the extended attributes and the permissions of another file, as far as the user is
    /// allowed to, and never gives anybody more access than the other file does.
    ///
    /// Until this returns, only the owner can access the file.
    func setAttributes(of file: OpenFile, as model: OpenedFile) throws(FileError) {
        var status = try status(of: file)
        let (user, group) = (model.status.user, model.status.group)
        if user != status.user || group != status.group {
            // Only root can give files away, and users can only give them to their own groups. Ignore a
            // failure: the content matters more.
            if (try? setOwner(user: user, group: group, of: file)) == nil {
                try? setOwner(user: status.user, group: group, of: file)
            }
            status = try self.status(of: file)
        }
        var permissions = try copyAttributes(
            of: model.file, to: file, permissions: model.status.permissions,
            hasSameGroup: group == status.group)
        // A set-user-ID program mustn't run with another user's rights.
        if user != status.user { permissions &= ~0o4000 }
        if permissions != status.permissions { try setPermissions(permissions, of: file) }
    }
}
