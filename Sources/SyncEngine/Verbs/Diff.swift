internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

extension Workspace {
    /// Returns what changed since the base versions, as unified diffs in the order of the paths.
    public func diff(_ names: [String]) throws -> [UInt8] {
        let view = try View(self)
        surroundings.tellLoss(of: view.configuration, view.state)
        let selected = try names.isEmpty ? nil : names.map { try view.selection.named($0) }
        let ids = selected?.compactMap { if case .todo(let id) = $0 { id } else { nil } }
        let newPaths = selected?.compactMap { if case .new(let file) = $0 { file.path } else { nil } }
        var differences: [(path: String, bytes: [UInt8])] = []
        for operation in view.inventory.pendingOperations(view.state)
        where ids?.contains(operation.id) ?? true {
            differences.append((operation.path, operation.unifiedDiff))
        }
        for file in view.inventory.newTodos where newPaths?.contains(file.path) ?? true {
            differences.append((file.path, unifiedDiff(nil, nil, file.path, file.bytes)))
        }
        for file in view.inventory.conflicted.values where ids?.contains(file.id) ?? true {
            let base = view.state.todos[file.id]?.base?.todo
            let path = base?.path ?? file.path
            differences.append(
                (file.path, unifiedDiff(base.map { _ in path }, base?.bytes, file.path, file.bytes)))
        }
        return differences.sorted { $0.path < $1.path }.flatMap(\.bytes)
    }
}

extension PendingOperation {
    fileprivate var unifiedDiff: [UInt8] {
        let base = base?.todo
        let oldPath = base.map { $0.path ?? path }
        return SyncEngine.unifiedDiff(oldPath, base?.bytes, local?.path, local?.bytes)
    }
}

/// Returns a unified diff with names as git gives them; a side that is absent is `/dev/null`.
private func unifiedDiff(_ oldPath: String?, _ old: [UInt8]?, _ newPath: String?, _ new: [UInt8]?) -> [UInt8]
{
    let body = ThreeWayMerge.unifiedDiff(
        from: old ?? [], to: new ?? [], fromName: oldPath.map { "a/" + $0 } ?? "/dev/null",
        toName: newPath.map { "b/" + $0 } ?? "/dev/null")
    if let oldPath, let newPath, !oldPath.isSameBytes(as: newPath) {
        let header = "diff --git a/\(oldPath) b/\(newPath)\nrename from \(oldPath)\nrename to \(newPath)\n"
        return Array(header.utf8) + body
    }
    return body
}
