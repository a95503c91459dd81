package import Git
internal import LosslessYAML
internal import WorkingCopy

/// How git's attributes and configuration merge a working directory's todos.
package struct MergeDriverUse {
    package let repository: Repository
    /// Runs git in the repository.
    package let git: GitProcess
    /// The patterns of files that can be todos; empty for all files.
    package let include: [String]
    private let workspace: Workspace

    /// Finds the repository of a working directory; nil if there isn't one.
    package init?(_ workspace: Workspace) throws {
        guard let repository = workspace.repository else { return nil }
        self.repository = repository
        self.workspace = workspace
        include = try workspace.configuration().include
        git = GitProcess(
            repository, environment: workspace.surroundings.environment,
            logger: workspace.surroundings.logger)
    }

    /// Returns whether attributes name todosync's merge driver, but neither this clone's nor the user's
    /// configuration has it, so that git merges line by line; false if git fails.
    package func lacksDriver() -> Bool {
        let examples = include.isEmpty ? ["todo.yaml", "todo.yml"] : []
        guard let drivers = try? git.mergeDrivers(of: examples + todoPaths()),
            drivers.values.contains(MergeDriver.name)
        else { return false }
        return (try? git.configured(MergeDriver.commandKey, isLocal: false).isEmpty) ?? false
    }

    /// Returns the todos whose attributes set no merge driver, or one other than todosync's.
    package func exceptions() throws -> [(path: String, driver: String)] {
        try git.mergeDrivers(of: todoPaths()).filter { $0.value != MergeDriver.name }
            .map { (path: $0.key, driver: $0.value) }.sorted(byBytesOf: \.path)
    }

    private func todoPaths() throws -> [String] {
        let snapshot = try Snapshot(of: workspace)
        return snapshot.tracked.todos.all.values.compactMap(\.localPath)
            + snapshot.folder.newTodos.map(\.path)
    }
}
