internal import SyncEngine
internal import ThreeWayMerge
internal import TodoModel
internal import Values
internal import WorkingCopy

extension OperationKind {
    /// What happened to the todo, in the words of a human-readable report.
    var word: String {
        switch self {
        case .insert: "new"
        case .update: "changed"
        case .delete: "deleted"
        }
    }

    var paint: Style.Paint {
        switch self {
        case .insert: .added
        case .update: .changed
        case .delete: .removed
        }
    }
}

extension ConflictedTodo {
    /// The changes of both sides, in a few words.
    var explanation: String {
        let names = fields.isEmpty ? "it" : enumeration(fields.map(visible))
        if let obstacle { return "local and remote differ in \(names); \(visible(obstacle))" }
        return switch kind {
        case .editEdit where hasOlderValues:
            "local has older values of \(names), which git might have brought back"
        case .editEdit: "both sides changed \(names)"
        case .editDelete: "local changed \(names), remote deleted the todo"
        case .deleteEdit: "local deleted the todo, remote changed \(names)"
        case .insertInsert: "both sides have it, with different \(names)"
        case .git where isFileGone: "it had conflict markers"
        case .git:
            deletionInMarkers
                ?? "\(labels?.words ?? "its markers") have different \(fields.isEmpty ? "text" : names)"
        }
    }

    /// The side that deleted the todo according to the markers; nil if neither did.
    private var deletionInMarkers: String? {
        guard let labels, let deletingSide else { return nil }
        let (local, remote) = labels.sides
        return deletingSide == .local
            ? "\(local) deleted the todo, \(remote) changed it"
            : "\(local) changed the todo, \(remote) deleted it"
    }
}

extension ConflictKind {
    /// What both sides did to the todo.
    var words: String {
        switch self {
        case .editEdit: "both sides changed it"
        case .editDelete: "local changed it, remote deleted it"
        case .deleteEdit: "local deleted it, remote changed it"
        case .insertInsert: "both sides created it"
        case .git: "conflict markers in the file"
        }
    }
}

extension ConflictedTodo {
    /// A phrase about the remote's later change; empty if there isn't one.
    var laterChange: String { hasMovedOn ? Self.movedOn : "" }

    static let movedOn = "; the remote has changed it again since"

    /// A phrase about a file that is gone, can't be seen or has no markers left; otherwise empty.
    var stateOfFile: String {
        if isFileGone { return "; its file is gone" }
        if isFileUnseen { return "; its file can't be seen" }
        return hasMarkers || obstacle != nil ? "" : "; its markers are gone"
    }
}

extension SideLabels {
    /// The sides as `--use` names them, each with the label of its marker.
    var sides: (local: String, remote: String) {
        func side(_ name: String, _ label: String) -> String {
            // Labels of todosync's own markers begin with the name.
            if label.isEmpty || label == name { return name }
            return label.hasPrefix(name + " (") ? visible(label) : "\(name) (\(visible(label)))"
        }
        return (side("local", local), side("remote", remote))
    }

    var words: String { "\(sides.local) and \(sides.remote)" }
}

extension InvalidFile {
    func line(_ style: Style) -> String { todosync.line(path, problem, style) }
}

/// Returns a file's problem in a form that an editor can jump to: `milk.yaml:3:1: did not find expected key`.
func line(_ path: String, _ problem: TodoProblem, _ style: Style) -> String {
    "\(style.path(path)):\(problem.line):\(problem.column): \(visible(problem.message))"
}

/// The safe next steps that messages suggest.
enum Advice {
    static let withoutHTTP = "use a released todosync, or run \"swift build\" in its repository"
    static let resolveUnseen =
        "make sure that it is not ignored, hidden, behind a link or unreadable, then run \"todosync resolve\""

    /// Returns how to resolve a conflict, or several if no todo is named.
    static func resolve(_ todo: String?) -> String {
        "run \"\(command("-i", todo))\" to choose, or edit the \(todo == nil ? "files" : "file") and run "
            + "\"todosync resolve\""
    }

    /// Returns how to resolve a conflict that only the markers in the file show.
    static func resolveMarkers(_ todo: String?, isUnmerged: Bool = false) -> String {
        "run \"\(command("-i", todo))\" to choose, or remove the markers"
            + (isUnmerged ? "; then \"git add\" the \(todo == nil ? "files" : "file")" : "")
    }

    /// Returns how to delete a conflicted todo whose file is gone, or restore it.
    static func resolveGone(_ todo: String?) -> String {
        "run \"\(command("", todo ?? "TODO"))\" to delete the todo, or \"\(command("--abort", todo))\" to restore it"
    }

    /// Returns a todo's path for a command; nil if there are several todos.
    static func name(of paths: [String], _ style: Style) -> String? {
        paths.count == 1 ? shellQuoted(style.typedPath(paths[0])) : nil
    }

    /// Returns the command that resolves a todo, or all of them.
    private static func command(_ option: String, _ todo: String?) -> String {
        ["todosync resolve", option, todo ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }

    static let undoAnother =
        "run \"todosync undo OPERATION\" to undo a different one, or \"todosync log\" to list them"

    static let newestIsShown =
        "git changed or removed this file; this is the newest version, which \"todosync discard\" brings back"
    static let manyDiffer =
        "these files were not changed; use --on-conflict remote or local to take one side, or "
        + "--on-conflict markers to write both into each file"
    static let withheld = "first find out why they are gone; to allow them, add --allow-deletes COUNT"
    static let withheldEdits =
        "run \"todosync diff\" to see the changes; to allow them, add --allow-edits COUNT"

    /// Returns what to do if the configuration that named a remote with this URL is lost.
    static func lostConfiguration(_ url: String) -> String {
        "run \"todosync remote set-url origin \(shellQuoted(visible(url)))\" to write it again; "
            + "restore other settings by hand before the next push"
    }

    /// Returns what to do about open conflicts; names the todo if there is only one.
    static func about(_ conflicts: [ConflictedTodo], _ style: Style) -> String {
        let todo = name(of: conflicts.map(\.path), style)
        if !conflicts.isEmpty, conflicts.allSatisfy({ $0.kind == .git && !$0.isFileGone }) {
            return resolveMarkers(
                todo, isUnmerged: conflicts.contains { $0.labels?.isUnmergedInGit == true })
        }
        if conflicts.allSatisfy({ $0.obstacle != nil && !$0.isFileGone }) {
            return "shorten one side and sync again, or run \"\(command("--use local", todo ?? "TODO"))\" or "
                + "\"--use remote\" to take a whole side"
        }
        if conflicts.contains(where: { !$0.remembered.isEmpty }) {
            return
                "run \"\(command("-i", todo))\" to choose, or \"\(command("--again", todo))\" for what you "
                + "resolved before"
        }
        if conflicts.contains(where: { $0.hasMarkers || $0.isExpected }) { return resolve(todo) }
        if conflicts.allSatisfy(\.isFileUnseen) { return resolveUnseen }
        if conflicts.contains(where: \.isRolledBack) {
            return "git removed the markers; run \"\(command("", todo ?? "TODO"))\" to accept the file, or "
                + "\"\(command("--abort", todo))\" and sync again"
        }
        if conflicts.allSatisfy(\.isFileGone) { return resolveGone(todo) }
        return "run \"todosync resolve\" to accept the \(todo == nil ? "files" : "file")"
    }
}

extension WithheldChanges {
    /// The withheld changes and the side that made them.
    var words: String {
        let share = "\(count.grouped) of \(counted(of, "todo"))"
        let text =
            switch (side, change) {
            case (.local, .delete): "\(share) are missing here; their deletes were not pushed"
            case (.local, _): "\(share) were changed here; their edits were not pushed"
            case (.remote, _): "the remote deleted \(share); they were kept here"
            }
        return text + (cause.map { " (\($0.words))" } ?? "")
    }

    /// What to do about the withheld changes.
    var advice: String { change == .delete ? Advice.withheld : Advice.withheldEdits }
}

extension WithheldChanges.Cause {
    var words: String {
        switch self {
        case .formatter: "only comments or layout changed, as by a formatter or a change of line endings"
        case .git: "git has checked out a different commit"
        }
    }
}

extension IgnoredFile.Reason {
    /// Why todosync ignores a file, in a few words.
    var words: String {
        switch self {
        case .hidden: "hidden"
        case .symbolicLink: "a symbolic link"
        case .nestedWorkingDirectory: "another working directory"
        case .nestedRepository: "another git repository"
        case .ignored(let pattern, let file, _): "ignored by \(pattern) in \(file)"
        case .notIncluded: "not included by .todosync/config.yaml"
        case .unreadable(let error): error.limit == nil ? error.reason : error.description
        case .notRegular: "not a regular file"
        case .unsuitable(let problem): problem.description
        case .noTodo: "not a todo"
        }
    }
}
