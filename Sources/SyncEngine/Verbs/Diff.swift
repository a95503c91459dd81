internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

extension Workspace {
    /// Returns the changes since the base versions as unified diffs, in the order of the paths.
    ///
    /// Changes of held todos that need no decision on this branch are included only if the todos are named.
    package func diff(_ names: [String]) throws -> [UInt8] {
        var snapshot = try Snapshot(of: self)
        surroundings.warnOfLoss(of: snapshot.configuration, snapshot.tracked)
        let selected = try names.isEmpty ? nil : names.map { try Selection(snapshot).comparable($0) }
        let ids = selected?.compactMap { if case .todo(let id) = $0 { id } else { nil } }
        let newPaths = selected?.compactMap { if case .new(let file) = $0 { file.path } else { nil } }
        let isLeftOut = { [snapshot] (id: TodoID) in
            let condition = snapshot.condition(of: id)
            return (!condition.isHeld || condition.isHeldElsewhere) && ids?.contains(id) != true
        }
        snapshot.standings = snapshot.standings.filter { isLeftOut($0.key) }
        var differences: [Difference] = []
        for operation in snapshot.pendingOperations()
        where ids?.contains(operation.id) ?? true {
            differences.append(Difference(operation))
        }
        for file in snapshot.folder.newTodos where newPaths?.contains(file.path) ?? true {
            differences.append(Difference(path: file.path, newPath: file.path, new: file.bytes))
        }
        for file in snapshot.folder.conflicted.values where ids?.contains(file.id) ?? true {
            let recorded = snapshot.tracked.todos[file.id]
            let base = recorded?.base?.todo
            let basePath = recorded?.isRenamed(file.path) == true ? base?.path : nil
            differences.append(
                Difference(
                    path: file.path, oldPath: base.map { _ in basePath ?? file.path }, old: base?.bytes ?? [],
                    newPath: file.path, new: file.bytes))
        }
        // Without a header, the next file's names would look like part of a rename that has no diff.
        let hasHeaders = differences.contains(where: \.isRename)
        return differences.sorted(byBytesOf: \.path).flatMap { $0.unifiedDiff(hasHeader: hasHeaders) }
    }
}

extension Selection {
    /// Returns the todo or new file that a name refers to, if it can be compared.
    fileprivate func comparable(_ name: String) throws -> Selection.Named {
        let named = try named(name)
        switch named {
        case .todo(let id):
            if let file = snapshot.folder.invalidFile(of: id) { throw EngineError.invalid(file) }
        case .new: break
        case .invalid(let file): throw EngineError.invalid(file)
        case .duplicate(let file): throw EngineError.isDuplicate(file)
        }
        return named
    }
}

/// The old and the new version of a changed file.
private struct Difference {
    var path: String
    /// The old path; nil if there was no file.
    var oldPath: String?
    var old: [UInt8] = []
    /// The new path; nil if there is no longer a file.
    var newPath: String?
    var new: [UInt8] = []

    var isRename: Bool {
        guard let oldPath, let newPath else { return false }
        return !oldPath.isSameBytes(as: newPath)
    }

    /// Returns a unified diff with file names in git's format; a missing file is `/dev/null`.
    ///
    /// - Parameter hasHeader: Whether to begin with git's own header.
    func unifiedDiff(hasHeader: Bool) -> [UInt8] {
        let body = ThreeWayMerge.unifiedDiff(
            from: old, to: new, fromName: oldPath.map { "a/" + $0 } ?? "/dev/null",
            toName: newPath.map { "b/" + $0 } ?? "/dev/null")
        guard hasHeader, isRename || !body.isEmpty else { return body }
        var header = "diff --git a/\(oldPath ?? path) b/\(newPath ?? path)\n"
        if oldPath == nil { header += "new file mode 100644\n" }
        if newPath == nil { header += "deleted file mode 100644\n" }
        if isRename { header += "rename from \(oldPath ?? path)\nrename to \(newPath ?? path)\n" }
        return Array(header.utf8) + body
    }
}

extension Difference {
    init(_ operation: PendingOperation) {
        let base = operation.base?.todo
        self.init(
            path: operation.path, oldPath: base.map { _ in operation.previousPath ?? operation.path },
            old: base?.bytes ?? [], newPath: operation.local?.path, new: operation.local?.bytes ?? [])
    }
}
