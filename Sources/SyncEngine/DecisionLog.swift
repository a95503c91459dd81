internal import Git
internal import Logging
internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

// The lines about decisions, for the logger in ``Surroundings``. Nothing here is computed without one.

extension Surroundings {
    /// Whether decisions are logged.
    var logsDecisions: Bool { logger.map { $0.logLevel <= .info } ?? false }
}

extension Snapshot {
    /// Logs the state of each todo that isn't unchanged, with the rule that gave it, in the paths' order.
    ///
    /// - Parameter former: The lines that were logged before, which aren't repeated.
    /// - Returns: All lines.
    @discardableResult
    func logStates(to logger: Logger?, besides former: Set<String> = []) -> Set<String> {
        guard let logger, logger.logLevel <= .info else { return former }
        var lines = conditions().map { id, condition in
            (path: folder.lastPath(of: id, tracked), line: line(about: id, condition))
        }
        lines += folder.newTodos.map { ($0.path, "pending \($0.path) (insert): the file has no id yet") }
        lines += folder.duplicates.map { file in
            let git = file.comesFromGit ? ", and git has it here" : ""
            return (file.path, "duplicate \(file.path): \(file.keptBy) has the same id\(git)")
        }
        if !gitRules.isEmpty, let head, let last = tracked.head {
            let (now, then) = (words(head.branch, head.commit), words(last.branch, last.commit))
            lines.append(("", "git: HEAD is \(now); at the last push, pull or sync, it was \(then)"))
        }
        let sorted = lines.sorted(byBytesOf: \.path).map(\.line)
        for line in sorted where !former.contains(line) { logger.info("\(line)") }
        return Set(sorted)
    }

    private func words(_ branch: String?, _ commit: String?) -> String {
        "\(branch ?? "detached") at \(commit.map { String($0.prefix(10)) } ?? "no commit")"
    }

    private func line(about id: TodoID, _ condition: TodoCondition) -> String {
        let path = folder.lastPath(of: id, tracked)
        switch condition {
        case .held(let file, let isElsewhere):
            let problem = file.problem.map { " (\($0))" } ?? ""
            let branch = isElsewhere ? "; on this branch, nothing needs to be decided" : ""
            return "held \(path) (\(file.reason.rawValue)): \(words(gitRules[id]))\(problem)\(branch)"
        case .pending(let operation):
            return "pending \(path) (\(operation.kind.rawValue)): \(words(operation))"
        case .conflicted(let conflict, let file):
            let kind = conflict?.kind.rawValue ?? "only markers"
            let hasMarkers = if case .invalid = file { true } else { false }
            let cause = conflict?.obstacle ?? (hasMarkers ? "the file has or had markers" : "without markers")
            return "conflict \(path) (\(kind)): \(cause)"
        case .invalid:
            let problem = folder.invalidFile(of: id)?.problem
            return
                "invalid \(path): \(problem.map { "\($0.line):\($0.column): \($0.message)" } ?? "can't be read")"
        case .notKept: return "not kept \(path): it was purged here"
        case .unseen(let hasOnlyCopies):
            return "unseen \(path): \(hasOnlyCopies ? "only copies of its file are left" : Self.unseen)"
        case .unchanged, .absent: return "unchanged \(path)"
        }
    }

    private func words(_ operation: PendingOperation) -> String {
        let fields = operation.fields + (operation.previousPath == nil ? [] : ["path"])
        let parts = fields.isEmpty ? "comments or layout" : fields.joined(separator: ", ")
        let difference =
            switch operation.kind {
            case .insert: "the remote doesn't have it"
            case .update: "it differs from \((operation.base?.version).words) in \(parts)"
            case .delete: "its file is gone"
            }
        let isByCommand = operation.isByCommand(self)
        let cause = isByCommand ? "a todosync command made the change" : gitRules[operation.id].map(words)
        let wait =
            operation.canBeSent
            ? "" : "; it waits for an answer of the remote, or for the remote's newer version"
        return difference + (cause.map { "; \($0)" } ?? "") + wait
    }

    private func words(_ rule: GitRule?) -> String {
        rule?.words(head: head?.commit) ?? "an earlier command recorded it"
    }

    /// Logs the decisions about the edits that an interrupted command had announced.
    func logRecovery(_ records: [JournalRecord], to logger: Logger?) {
        for record in records {
            switch record {
            case .finished(let id):
                logger?.info("recover \(folder.lastPath(of: id, tracked)): its edit was applied")
            case .abandoned(let id):
                logger?.info("recover \(folder.lastPath(of: id, tracked)): its edit was not applied")
            default: break
            }
        }
    }

    /// Logs an edit that applied a remote change, and the rule that merged each field.
    ///
    /// The snapshot is the one that the edit was planned from.
    func log(_ edit: PlannedEdit, to logger: Logger?) {
        guard let logger, let effect = edit.effect, let remote = edit.remote else { return }
        let version = remote.version.words
        switch effect {
        case .confirmed: logger.info("keep \(edit.path): \(version) needs no change to the file")
        case .pulled: logger.info("pull \(edit.path): only the remote changed it, to \(version)")
        case .merged: logger.info("merge \(edit.path): both sides changed it, the remote to \(version)")
        case .conflict:
            var kind = ""
            if case .opens(let conflict) = edit.conflict { kind = " (\(conflict.kind.rawValue))" }
            logger.info("conflict \(edit.path)\(kind): both sides changed it, the remote to \(version)")
        }
        for decision in decisions(about: edit) {
            let chooser = edit.choices.last { $0.fields.contains(decision.field) }?.chooser
            let choice = decision.hasConflict ? chooser.map { "; \($0.rawValue) chose" } ?? "" : ""
            logger.info("merge \(edit.path) \(decision.field): \(decision.rule.words)\(choice)")
        }
    }

    /// Returns the merge's decisions about a todo's fields; none if only one side has a text.
    private func decisions(about edit: PlannedEdit) -> [FieldDecision] {
        let base = basis(of: edit.id) ?? tracked.todos[edit.id]?.base?.todo?.bytes
        let texts = [edit.before?.bytes, edit.remote?.todo?.bytes].map {
            $0.flatMap { try? Document(parsing: $0) }
        }
        guard let local = texts[0], let remote = texts[1], edit.after != nil else { return [] }
        return merge(
            base: base.flatMap { try? Document(parsing: $0) }, local: local, remote: remote,
            rules: FieldRules(for: edit.id, in: self)
        ).decisions.filter { $0.field != FieldName.id }
    }
}

extension [HeldTodo] {
    /// Logs why todos are held; the states of the todos name git's reasons, and guards log theirs.
    func log(to logger: Logger?) {
        guard let logger else { return }
        for todo in self where !todo.reason.isOfGit && !todo.reason.isOfGuard {
            logger.info("held \(todo.path) (\(todo.reason.rawValue)): \(todo.message)")
        }
    }
}

extension Version? {
    /// The version as a phrase.
    var words: String { map { "version \($0.string)" } ?? "no version" }
}

extension PushAnswer {
    /// The answer as a phrase.
    var words: String {
        switch self {
        case .accepted(let version): "accepted as version \(version.string)"
        case .movedOn(let record): "the remote has \((record?.version).words)"
        case .refused(let status, let message): "refused with status \(status): \(message ?? "no message")"
        case .notAllowed(let problem): "not allowed: \(problem)"
        case .unknown(let message): "the response was lost: \(message)"
        }
    }
}

extension WithheldChanges {
    /// The guard's decision as a clause.
    var words: String { "\(count) \(side.rawValue) \(change.rawValue)s of \(of) todos are withheld" }
}
