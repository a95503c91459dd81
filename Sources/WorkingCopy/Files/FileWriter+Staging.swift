// New content of files that are replaced where they are, which is written beside them first.
extension FileWriter {
    /// Writes it to temporary files, in two threads if there are many.
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

    /// Returns what is to be replaced by a step; nil if its folder is not there.
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

/// How writing a temporary file ended.
private struct Staging: Sendable {
    /// Whether there is a file.
    var isMade = false
    /// Its stamp.
    var result: Result<FileStamp?, Failure> = .success(nil)

    enum Failure: Error {
        /// It can't be used, as the file to be replaced is another one.
        case mismatch(Mismatch)
        case error(FileError)
    }
}

extension FileSystem {
    /// Writes a temporary file with the attributes of the one that it is to replace, unless it is plain
    /// already that it can't.
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

    /// Opens a file if it can be what is expected by its size; its content is compared when the change is
    /// carried out.
    func check(_ place: Place, _ expected: [UInt8]) throws(FileError) -> Result<OpenedFile, Mismatch> {
        switch try openFile(place.name, in: place.folder) {
        case .missing: return .failure(Mismatch(outcome: .changedMeanwhile(nil)))
        case .notRegular: return .failure(Mismatch(outcome: .occupied))
        case .regular(let opened):
            if opened.status.stamp.size == expected.count { return .success(opened) }
            return try compare(place, expected: expected).map { _ in opened }
        }
    }

    /// Gives a file the owner, the extended attributes and the permissions of another one, as far as this
    /// user may, and so that nobody may do more with it than with the other one.
    ///
    /// Until then, only the file's owner may do anything with it.
    func setAttributes(of file: OpenFile, as model: OpenedFile) throws(FileError) {
        var status = try status(of: file)
        let (user, group) = (model.status.user, model.status.group)
        if user != status.user || group != status.group {
            // Only the administrator may give files away, and others let only their own groups have them; the
            // content matters more.
            if (try? setOwner(user: user, group: group, of: file)) == nil {
                try? setOwner(user: status.user, group: group, of: file)
            }
            status = try self.status(of: file)
        }
        var permissions = try copyAttributes(
            of: model.file, to: file, permissions: model.status.permissions,
            hasSameGroup: group == status.group)
        // A program that runs as its owner must not run as another one.
        if user != status.user { permissions &= ~0o4000 }
        if permissions != status.permissions { try setPermissions(permissions, of: file) }
    }
}
