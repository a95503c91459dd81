internal import LosslessYAML
internal import TodoModel
package import WorkingCopy

/// A remembered resolution with the path of its todo.
package struct ListedResolution: Sendable, Hashable {
    package var path: String
    package var resolution: RememberedResolution
}

extension Workspace {
    /// Returns the remembered resolutions of some todos, or all of them, sorted by path.
    package func resolutions(of names: [String]) throws -> [ListedResolution] {
        let resolutions = try readResolutions()
        let snapshot = try Snapshot(of: self)
        let ids = try Selection(snapshot).ids(names, remembered: resolutions, self)
        let all = resolutions.all.filter { ids?.contains($0.id) ?? true }
        let path = paths(of: all, snapshot)
        return all.map { ListedResolution(path: path($0.id), resolution: $0) }.sorted(byBytesOf: \.path)
    }

    /// Forgets the resolutions of some todos, or all of them; returns how many there were.
    package func forgetResolutions(of names: [String]) throws -> Int {
        try LockedWorkspace.perform(self) { locked in
            locked.memory.take(try readResolutions())
            let ids = try Selection(locked.snapshot).ids(names, remembered: locked.memory.resolutions, self)
            let count = locked.memory.forget { ids?.contains($0.id) ?? true }
            try locked.memory.write(by: locked.transaction)
            return count
        }
    }

    /// Returns the resolutions for a command that is only about them; throws an error if they can't be read.
    private func readResolutions() throws -> Resolutions { try directory.resolutions() ?? remembered() }

    /// Returns a function that gives the path of a todo for the user, even for deleted todos.
    private func paths(of resolutions: [RememberedResolution], _ snapshot: Snapshot) -> (TodoID) -> String {
        let isGone = resolutions.contains { snapshot.folder.path(of: $0.id) == nil }
        let paths = isGone ? (try? history())?.paths ?? [] : []
        return { id in
            snapshot.folder.path(of: id) ?? paths.last { $0.id == id }?.path ?? id.string
        }
    }
}

extension Selection {
    /// Returns the ids of the named todos, including those that only have resolutions left; nil for all
    /// todos.
    fileprivate func ids(
        _ names: [String], remembered: Resolutions, _ workspace: Workspace
    ) throws -> Set<TodoID>? {
        guard !names.isEmpty else { return nil }
        let rememberedIDs = Set(remembered.all.map(\.id))
        let history = try workspace.history()
        return try Set(
            names.map { name in
                if let id = TodoID(name), rememberedIDs.contains(id) { return id }
                return try self.remembered(name, history)
            })
    }
}
