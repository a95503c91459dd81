internal import SyncEngine
internal import TodoModel

extension Session {
    /// Prints which todos a command changed: as JSON if that is wanted.
    func report(_ changed: [EditedTodo], _ json: JSONOption) throws {
        if json.isWanted { try show(json: todosync.json(changed.map(ChangeJSON.init))) }
    }
}
