internal import LosslessYAML
package import TodoModel
internal import WorkingCopy

/// The names that people use for the todos of a report: handles and texts.
///
/// They are found on demand, because a report can be about more todos than are printed.
package struct TodoNames: Sendable {
    private let handles: Handles
    private let snapshot: Snapshot?
    /// The last texts of todos that are gone.
    private let former: [TodoID: [UInt8]]
    /// The new files, by their paths.
    private var new: [ByteKey: LocalTodo] = [:]
    private var texts: [TodoID: String] = [:]

    /// - Parameter former: The last texts of todos that are gone.
    init(_ snapshot: Snapshot, former: [TodoID: [UInt8]] = [:]) {
        handles = Handles(snapshot)
        (self.snapshot, self.former) = (snapshot, former)
        for file in snapshot.folder.newTodos { new[ByteKey(file.path)] = file }
    }

    /// Reads the names of the todos of a working directory.
    package init(of workspace: Workspace) throws { self.init(try Snapshot(of: workspace)) }

    /// Creates the names of todos with these texts.
    package init(_ texts: [TodoID: String] = [:]) {
        handles = Handles(Array(texts.keys))
        (snapshot, former) = (nil, [:])
        self.texts = texts
    }

    /// Returns a todo's handle; nil for a file that has no id yet.
    package func handle(of id: TodoID?) -> String? { id.map(handles.handle) }

    /// Returns the current or last value of a todo's field `text`; nil if it isn't known.
    package func text(of id: TodoID?, at path: String) -> String? {
        guard let id else { return new[ByteKey(path)]?.text }
        if let text = texts[id] { return text }
        return snapshot.flatMap { Self.newestText(of: id, in: $0) } ?? former[id].flatMap(Self.text)
    }
}

/// A todo as it is named in messages.
package struct NamedTodo: Sendable, Hashable {
    package var id: TodoID?
    package var path: String
    /// Nil if the file has no id yet.
    package var handle: String?
    /// The value of the field `text`; nil if the file isn't a valid todo.
    package var text: String?

    package init(id: TodoID?, path: String, handle: String?, text: String?) {
        self.id = id
        self.path = path
        self.handle = handle
        self.text = text
    }

    init(id: TodoID?, path: String, _ names: TodoNames) {
        self.init(id: id, path: path, handle: names.handle(of: id), text: names.text(of: id, at: path))
    }
}

extension TodoNames {
    /// Returns a todo's text, from its file or else the newest version that is recorded; the local side's if
    /// the todo is in conflict.
    ///
    /// A file that is held on another branch than the newest version's doesn't count.
    static func newestBytes(of id: TodoID, in snapshot: Snapshot) -> [UInt8]? {
        if !snapshot.condition(of: id).isHeldElsewhere, let bytes = snapshot.folder.todos.bytes(of: id) {
            return bytes
        }
        if let todo = snapshot.folder.conflicted[id]?.shownTodo { return todo.bytes }
        let recorded = snapshot.tracked.todos[id]
        return recorded?.conflict?.local ?? recorded?.held?.todo?.bytes ?? recorded?.base?.todo?.bytes
    }

    /// Returns the field `text` of the text that ``newestBytes(of:in:)`` returns; nil if that text is missing
    /// or isn't valid.
    private static func newestText(of id: TodoID, in snapshot: Snapshot) -> String? {
        // The field of a file that was read is known, and parsing takes most of the time.
        if !snapshot.condition(of: id).isHeldElsewhere, let file = snapshot.folder.todos.loaded[id] {
            return file.text
        }
        return newestBytes(of: id, in: snapshot).flatMap(text)
    }

    /// Returns a todo's field `text`; nil if the todo isn't valid.
    static func text(_ bytes: [UInt8]) -> String? { (try? Todo(parsing: bytes))?.text }
}
