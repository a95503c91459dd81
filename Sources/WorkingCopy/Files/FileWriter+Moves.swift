import Platform

extension FileWriter {
    /// Moves files in an order that frees each new path before it is used.
    ///
    /// To break a cycle, it moves one file to a temporary path.
    func applyMoves(_ batch: Batch) {
        let moves = batch.steps.indices.filter { batch.isOpen($0) && batch.steps[$0].target != nil }
        var sources: [[UInt8]: Int] = [:]
        for index in moves { sources[Array(batch.steps[index].path.string.utf8)] = index }
        for index in moves where batch.isOpen(index) {
            var chain = [index]
            var isInChain: Set<Int> = [index]
            while let last = chain.last {
                if let obstacle = batch.obstacle(to: last, sources) {
                    if isInChain.insert(obstacle).inserted {
                        chain.append(obstacle)
                    } else {
                        lift(obstacle, of: batch)
                    }
                } else {
                    apply(last, of: batch)
                    chain.removeLast()
                    isInChain.remove(last)
                }
            }
        }
    }

    /// Moves a file to a temporary path, where it waits until its new path is free.
    private func lift(_ index: Int, of batch: Batch) {
        let step = batch.steps[index]
        do throws(FileError) {
            guard let expected = step.expected, let folder = try tree.folder(at: step.path.folder) else {
                batch.close(index, with: .changedMeanwhile(nil))
                return
            }
            let old = try temporaryFiles.location(
                for: folder, at: step.path.folder, index: step.index, .old, ContentMark(of: expected))
            let location = FileLocation(folder: folder, name: step.path.name)
            if let mismatch = try exchanger.takeAway(location, step.path.string, expected, to: old) {
                batch.close(index, with: mismatch.outcome)
            } else {
                batch.steps[index].lifted = old
            }
        } catch {
            batch.close(index, with: .failed(error.inChanging(step.path.string)))
        }
    }

    func move(_ step: Batch.Step) throws(FileError) -> FileChangeOutcome {
        guard let target = step.target else { return .occupied }
        // The new folder might have been created for nothing, and the old folder might have lost its last
        // file.
        emptiedFolders.insert(FolderPath(target.folder))
        emptiedFolders.insert(FolderPath(step.path.folder))
        if let lifted = step.lifted { return try setDown(lifted, step, target) }
        guard let oldFolder = try tree.folder(at: step.path.folder) else { return .changedMeanwhile(nil) }
        guard let newFolder = try tree.folder(at: target.folder, making: true) else { return .occupied }
        let old = FileLocation(folder: oldFolder, name: step.path.name)
        let new = FileLocation(folder: newFolder, name: target.name)
        switch try fileSystem.rename(old.name, in: old.folder, to: new.name, in: new.folder, .keeping) {
        case .done: break
        case .missing: return .changedMeanwhile(nil)
        case .occupied: return .occupied
        case .otherFileSystem, .unsupported: return try moveByCopy(old, new, step)
        }
        let outcome: FileChangeOutcome
        do throws(FileError) {
            outcome = try exchanger.replace(new, target.string, step)
        } catch {
            _ = try? fileSystem.moveWithoutReplacing(new, to: old)
            throw error
        }
        if outcome != .done { _ = try? fileSystem.moveWithoutReplacing(new, to: old) }
        return outcome
    }

    /// Moves a waiting file to its new path, or back to its old path.
    private func setDown(
        _ lifted: FileLocation, _ step: Batch.Step, _ target: TodoPath
    ) throws(FileError) -> FileChangeOutcome {
        do throws(FileError) {
            if let newFolder = try tree.folder(at: target.folder, making: true) {
                let new = FileLocation(folder: newFolder, name: target.name)
                var outcome = try fileSystem.moveWithoutReplacing(step.staged ?? lifted, to: new)
                if outcome == .otherFileSystem {
                    let staged = try stageCopy(of: lifted, for: step)
                    outcome = try fileSystem.moveWithoutReplacing(staged, to: new)
                }
                if outcome == .otherFileSystem { throw FileError.betweenFileSystems }
                if outcome == .done {
                    step.staged = nil
                    return .done
                }
            }
        } catch {
            guard putBack(lifted, step) else { return .withoutPath }
            throw error
        }
        return putBack(lifted, step) ? .occupied : .withoutPath
    }

    private func putBack(_ lifted: FileLocation, _ step: Batch.Step) -> Bool {
        guard let folder = try? tree.folder(at: step.path.folder, making: true) else { return false }
        let location = FileLocation(folder: folder, name: step.path.name)
        return (try? fileSystem.moveWithoutReplacing(lifted, to: location)) == .done
    }

    /// Creates the file at its new path and then removes the old one, for files that can't be renamed safely.
    private func moveByCopy(_ old: FileLocation, _ new: FileLocation, _ step: Batch.Step) throws(FileError)
        -> FileChangeOutcome
    {
        guard let target = step.target, let expected = step.expected else { return .occupied }
        let staged: FileLocation
        if let isStaged = step.staged {
            staged = isStaged
        } else {
            staged = try stageCopy(of: old, for: step)
        }
        switch try fileSystem.moveWithoutReplacing(staged, to: new) {
        case .done: break
        case .otherFileSystem: throw .betweenFileSystems
        case .missing, .occupied, .unsupported: return .occupied
        }
        step.staged = nil
        let away = try temporaryFiles.location(
            for: old.folder, at: step.path.folder, index: step.index, .old, ContentMark(of: expected))
        let mismatch: Mismatch?
        do throws(FileError) {
            mismatch = try exchanger.takeAway(old, step.path.string, expected, to: away)
        } catch {
            _ = try? exchanger.takeAway(new, target.string, step.newContent ?? expected, to: staged)
            throw error
        }
        guard let mismatch else { return .done }
        _ = try exchanger.takeAway(new, target.string, step.newContent ?? expected, to: staged)
        return mismatch.outcome
    }

    private func stageCopy(of location: FileLocation, for step: Batch.Step) throws(FileError) -> FileLocation
    {
        guard let expected = step.expected else { throw FileError(.create, "", code: EINVAL) }
        guard case .regular(let model) = try fileSystem.openFile(location.name, in: location.folder) else {
            throw FileError(.open, step.path.string, code: ENOENT)
        }
        try staging.stage(expected, for: step, model: model, isSynchronized: isDurable)
        guard let staged = step.staged else { throw FileError(.create, "", code: EINVAL) }
        return staged
    }
}

extension Batch {
    /// Returns the open move whose file is at another move's new path; nil if it was already moved to a
    /// temporary path.
    fileprivate func obstacle(to index: Int, _ sources: [[UInt8]: Int]) -> Int? {
        guard let target = steps[index].target, let other = sources[Array(target.string.utf8)] else {
            return nil
        }
        return other != index && isOpen(other) && steps[other].lifted == nil ? other : nil
    }
}
