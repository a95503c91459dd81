/// Returns the working directory that a folder belongs to.
///
/// Nil if it belongs to none, or to a git repository that the working directory ignores.
package func enclosingWorkspace(of folder: String, _ surroundings: Surroundings) throws -> Workspace? {
    do {
        return try Workspace.open(from: folder, surroundings)
    } catch EngineError.noWorkingDirectory, EngineError.inNestedRepository {
        return nil
    }
}
