/// What can happen in a history of undos and redos; each kind must happen often enough.
enum ReversalEvent: CaseIterable, Sendable {
    // What the users do.
    case set, setTags, add, remove
    case edit, editTags, addComment, removeComment, rename, create, removeByShell
    case push, pull, sync, resolve, undo, undoByName, redo
    // What undos and redos do to a todo.
    case changeBack, tagBack, commentBack, removal, restoration, reopening, answer, refusal
    // The result of a pull or a push.
    case conflict
}
