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
            for: folder, at: step.path.folder, index: step.index, .new, replacing: expected)
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
            let model: FileStatus
            switch try check(replacement.place, replacement.expected) {
            case .success(let status): model = status
            case .failure(let mismatch):
                staging.result = .failure(.mismatch(mismatch))
                return staging
            }
            let file = try createTemporary(replacement.staged)
            staging.isMade = true
            try write(replacement.content, to: file)
            try setAttributes(of: file, model: model, permissions: nil)
            staging.result = .success(try? status(of: file).stamp)
            if isSynchronized { try synchronize(file, .file) }
        } catch {
            staging.result = .failure(.error(error))
        }
        return staging
    }

    /// Returns a file's status if it can be what is expected by its size; its content is compared when the
    /// change is carried out.
    func check(_ place: Place, _ expected: [UInt8]) throws(FileError) -> Result<FileStatus, Mismatch> {
        guard let status = try status(of: place.name, in: place.folder) else {
            return .failure(Mismatch(outcome: .changedMeanwhile(nil)))
        }
        if status.kind == .file, status.stamp.size == expected.count { return .success(status) }
        return try compare(place, expected: expected)
    }

    /// - Parameter model: whose permissions and owner the file gets.
    func setAttributes(
        of file: OpenFile, model: FileStatus?, permissions: UInt16?
    ) throws(FileError) {
        guard let wanted = model?.permissions ?? permissions else { return }
        let status = try status(of: file)
        if let model, model.user != status.user || model.group != status.group {
            // Only the administrator may give files away; to others the content matters more.
            try? setOwner(user: model.user, group: model.group, of: file)
        }
        if wanted != status.permissions || model?.user != status.user {
            try setPermissions(wanted, of: file)
        }
    }
}
