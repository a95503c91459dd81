/// Returns the working directory that contains a folder.
///
/// Nil if there isn't one, or if the folder is in a git repository that the working directory ignores.
package func enclosingWorkspace(of folder: String, _ surroundings: Surroundings) throws -> Workspace? {
    do {
        return try Workspace.open(from: folder, surroundings)
    } catch EngineError.noWorkingDirectory, EngineError.inNestedRepository {
        return nil
    }
}
