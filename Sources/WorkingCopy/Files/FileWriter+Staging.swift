// Writes the new content of files that are replaced in place to temporary files first.
extension FileWriter {
    /// Writes new content to temporary files, in two threads if there are many.
    func stageReplacements(_ batch: Batch, areSynchronized: Bool) {
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
                    ? Staging() : fileSystem.stage($0.replacement, isSynchronized: areSynchronized)
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

    /// Returns the replacement for a step; nil if the file's folder doesn't exist.
    private func replacement(_ step: Batch.Step) throws(FileError) -> Replacement? {
        guard let expected = step.expected, let content = step.newContent,
            let folder = try tree.folder(at: step.path.folder)
        else { return nil }
        let staged = try temporaryFiles.place(
            for: folder, at: step.path.folder, index: step.index, .new, ContentMark(of: expected))
        return Replacement(
            path: step.path.string, place: Place(folder: folder, name: step.path.name), staged: staged,
            expected: expected, content: content)
    }
}

/// The result of writing a temporary file.
private struct Staging: Sendable {
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
    /// Writes a temporary file with the attributes of the file that it replaces, unless that file already
    /// isn't as expected.
    fileprivate func stage(_ replacement: Replacement, isSynchronized: Bool) -> Staging {
        var staging = Staging()
        do throws(FileError) {
            let model: OpenedFile
            switch try check(replacement.place, replacement.expected) {
            case .success(let opened): model = opened
            case .failure(let mismatch):
                staging.result = .failure(.mismatch(mismatch))
                return staging
            }
            let file = try createTemporary(replacement.staged, isPrivate: true)
            staging.isMade = true
            try write(replacement.content, to: file)
            try setAttributes(of: file, as: model)
            staging.result = .success(try? status(of: file).stamp)
            if isSynchronized { try synchronize(file, .file) }
        } catch {
            staging.result = .failure(.error(error))
        }
        return staging
    }

    /// Opens a file if its size matches the expected content.
    ///
    /// The content itself is compared when the change is applied.
    func check(_ place: Place, _ expected: [UInt8]) throws(FileError) -> Result<OpenedFile, Mismatch> {
        switch try openFile(place.name, in: place.folder) {
        case .missing: return .failure(Mismatch(outcome: .changedMeanwhile(nil)))
        case .notRegular: return .failure(Mismatch(outcome: .occupied))
        case .regular(let opened):
            if opened.status.stamp.size == expected.count { return .success(opened) }
            return try compare(place, expected: expected).map { _ in opened }
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
