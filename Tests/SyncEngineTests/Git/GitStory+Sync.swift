import LosslessYAML
import SyncEngine
import TestSupport
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// The state of the remote and a machine before a command, for comparison with the state after it.
struct StoryMoment {
    var remote: [String: StoryFields]
    var files: [String: (path: String, text: String)]
    var words: Set<String>
}

extension GitStory {
    // MARK: Commands

    /// Returns the live todos on the remote.
    func remote() async -> [String: StoryFields] {
        var todos: [String: StoryFields] = [:]
        for record in await world.remote.liveRecords() {
            var fields: StoryFields = [:]
            for name in StoryMachine.fields {
                if case .string(let value)? = record.fields[name] { fields[name] = value }
            }
            todos[record.id] = fields
        }
        return todos
    }

    /// Returns the words that exist outside of git's objects.
    private func words(_ remote: [String: StoryFields]) -> Set<String> {
        var words = Set(remote.values.flatMap(\.values))
        for machine in machines {
            for file in machine.files.values { words.formUnion(StoryModel.words(in: file.text)) }
            for name in ["journal"] {
                if let text = machine.folder.read(machine.prefix + ".todosync/" + name) {
                    words.formUnion(StoryModel.words(in: text))
                }
            }
        }
        return words
    }

    func moment(_ machine: StoryMachine) async -> StoryMoment {
        let remote = await remote()
        return StoryMoment(remote: remote, files: machine.files, words: words(remote))
    }

    @discardableResult
    mutating func sync(_ machine: StoryMachine, _ verb: Verb = .sync) async throws -> SyncReport {
        var options = SyncOptions()
        options.policy = .markers
        return try await exchange(machine, verb, options)
    }

    /// Runs a push, pull or sync, and checks what it did.
    mutating func exchange(_ machine: StoryMachine, _ verb: Verb, _ options: SyncOptions) async throws
        -> SyncReport
    {
        let before = await moment(machine)
        // A stashed delete can delete the todo again when the stash is popped.
        if try !machine.hasGit || machine.lines("stash", "list").isEmpty {
            model.noteFiles(before.files.keys, at: machine.name)
        }
        // A dry run asks git as much as the command.
        let isCompared = seed.isMultiple(of: 4)
        let report =
            try await isCompared
            ? machine.workspace.run(verb, options) : machine.workspace.perform(verb, options)
        record("\(machine.name): todosync \(verb)\(options.forwards ? " --forward" : ""): \(report.words)")
        if let stop = report.stop { throw StoryFailure("the command stopped: \(stop)") }
        events.note([.sync: .sync, .pull: .pull, .push: .push][verb])
        note(report)
        let status = try machine.workspace.status()
        events.note(.behind, status.held.behind.count)
        events.note(.absent, status.held.absent.count)
        try await check(machine, before, report, status, verb, options)
        machine.taken = [:]
        if verb != .push { machine.newest = await remote() }
        if !options.forwards { countQuestions(machine, report) }
        for pushed in report.pushed { if let id = pushed.id { machine.unsent[id.string] = nil } }
        if isPlain || random.chance(0.8) { try await resolve(machine, report) }
        return report
    }

    private mutating func note(_ report: SyncReport) {
        events.note(.held, report.held.ofGit.count)
        events.note(.conflict, report.conflicts.count)
        events.note(.duringGit, report.gitProgress == nil ? 0 : 1)
        events.note(.pushedEdit, report.pushed.count { $0.operation == .update })
        events.note(.pushedDelete, report.pushed.count { $0.operation == .delete })
        events.note(.withheld, report.withheld == nil ? 0 : 1)
    }

    // MARK: Checks

    private mutating func check(
        _ machine: StoryMachine, _ before: StoryMoment, _ report: SyncReport, _ status: StatusReport,
        _ verb: Verb, _ options: SyncOptions
    ) async throws {
        let after = await moment(machine)
        try checkRemote(machine, before, after)
        // Without `--forward`, a command leaves files alone that git changed.
        let left = (status.held.behind + status.held.absent + report.held.ofGit).compactMap(\.id)
        if !options.forwards {
            for id in left where before.files[id.string]?.text != after.files[id.string]?.text {
                throw StoryFailure("\(machine.name): the file of \(id) was touched")
            }
        }
        let lost = before.words.subtracting(after.words)
        if !lost.isEmpty {
            let objects = try machines.map { try $0.objects() }.joined()
            let gone = lost.subtracting(StoryModel.words(in: objects))
            if !gone.isEmpty { throw StoryFailure("\(machine.name): lost \(gone.sorted())") }
        }
        guard verb == .sync, report.gitProgress == nil else { return }
        try checkSent(machine, after, report, status)
    }

    private mutating func checkRemote(
        _ machine: StoryMachine, _ before: StoryMoment, _ after: StoryMoment
    ) throws {
        let committed =
            machine.hasGit ? try machine.committedTexts().mapValues(StoryMachine.fields(in:)) : [:]
        let excused = try cleanedTodos(machine, before)
        for (todo, old) in before.remote {
            guard let new = after.remote[todo] else {
                if model.mayDelete(todo, by: machine.name, isInHead: committed[todo] != nil) { continue }
                guard excused.contains(todo) else {
                    throw StoryFailure("\(machine.name) deleted \(todo), which nobody deleted")
                }
                events.note(.cleanedTodo)
                continue
            }
            for field in StoryMachine.fields where old[field] != new[field] {
                switch model.judge(todo, field, from: old[field], to: new[field]) {
                case .fine: break
                case .replacedByGit: events.note(.replacedByGit)
                case .wrong(let words): throw StoryFailure("\(machine.name): \(words)")
                }
            }
        }
    }

    /// Returns the todos that `git clean` removed; empty if the guard withholds their deletes.
    ///
    /// The guard withholds deletes of several todos if these are all that git doesn't track.
    private func cleanedTodos(_ machine: StoryMachine, _ before: StoryMoment) throws -> Set<String> {
        guard !machine.cleaned.isEmpty else { return [] }
        let cleaned = machine.cleaned.intersection(before.remote.keys)
        let index = Set(try machine.lines("ls-files", "-c"))
        let isTrackedGone = index.contains { $0.hasSuffix(".yaml") && !machine.folder.exists($0) }
        let isUntrackedLeft = before.files.contains { !index.contains($1.path) && before.remote[$0] != nil }
        if cleaned.count <= 1 || isTrackedGone || isUntrackedLeft { return cleaned }
        // A todo that was renamed since the commits that have it can be absent instead of deleted.
        let unknown = try cleaned.filter { todo in
            let paths = ["\(todo).yaml", "\(todo)-m.yaml"].map { machine.prefix + $0 }
            return try !machine.isInHistory(paths[0], paths[1])
        }
        return unknown.count <= 1 ? cleaned : []
    }

    /// Checks that what somebody wrote into files is on the remote, or waits for the user.
    private mutating func checkSent(
        _ machine: StoryMachine, _ after: StoryMoment, _ report: SyncReport, _ status: StatusReport
    ) throws {
        defer { machine.unsent = [:] }
        var waiting = Set(report.conflicts.map(\.id.string) + report.held.compactMap(\.id?.string))
        waiting.formUnion(status.held.behind.compactMap(\.id?.string))
        waiting.formUnion(report.duplicates.map(\.id.string))
        if report.withheld != nil || report.withheldEdits != nil || !report.invalid.isEmpty { return }
        for (todo, fields) in machine.unsent where !waiting.contains(todo) {
            for (field, value) in fields where after.remote[todo]?[field] != value {
                throw StoryFailure(
                    "\(machine.name): \(todo)'s \(field) \(value) wasn't sent, and nobody asked")
            }
        }
    }

    // MARK: Conflicts

    /// Counts the syncs with a question, and the conflicts in which one side's value supersedes the other's.
    private mutating func countQuestions(_ machine: StoryMachine, _ report: SyncReport) {
        events.syncs += 1
        if !report.held.ofGit.isEmpty || !report.conflicts.isEmpty { events.askedSyncs += 1 }
        for conflict in report.conflicts {
            guard let text = machine.files[conflict.id.string]?.text else { continue }
            let isReal = conflict.fields.contains { field in
                let values = text.split(separator: "\n").filter { $0.hasPrefix(field + ": ") }
                    .map { String($0.dropFirst(field.count + 2)) }
                guard values.count == 2 else { return true }
                return !model.supersedes(conflict.id.string, field, values[0], values[1])
                    && !model.supersedes(conflict.id.string, field, values[1], values[0])
            }
            if !isReal { events.note(.falseConflict) }
        }
    }

    private mutating func resolve(_ machine: StoryMachine, _ report: SyncReport) async throws {
        guard !report.conflicts.isEmpty else { return }
        let side: Side = random.chance(0.5) ? .local : .remote
        try takeAll(machine, side)
        events.note(.resolve)
        for conflict in report.conflicts { machine.unsent[conflict.id.string] = nil }
        for conflict in report.conflicts where machine.files[conflict.id.string] == nil {
            model.delete(conflict.id.string, at: machine.name)
        }
    }

    /// Takes one side of all conflicts, or the file if git or a person removed the markers.
    private mutating func takeAll(_ machine: StoryMachine, _ side: Side) throws {
        let shown = machine.shown()
        let report = try machine.workspace.resolve([], .use(side))
        for todo in report.resolved {
            machine.unsent[todo.name] = nil
            note(choiceOf: todo.name, from: shown, at: machine)
        }
        record("\(machine.name): todosync resolve --use \(side): \(report.resolved.count)")
        for todo in report.unresolved {
            let left = try machine.workspace.resolve([todo.name], .file).unresolved
            record("\(machine.name): todosync resolve \(todo.path): \(left.map(\.reason))")
            // Resolving a todo by name counts as writing its file's values.
            if left.isEmpty { note(choiceOf: todo.name, from: shown, at: machine) }
        }
    }

    /// Notes that a user chose a todo's values, and has seen others.
    private mutating func note(
        choiceOf todo: String, from shown: [String: [String: Set<String>]], at machine: StoryMachine
    ) {
        guard let fields = machine.fields[todo] else { return model.delete(todo, at: machine.name) }
        for (field, value) in fields { model.write(todo, field, value, over: shown[todo]?[field] ?? []) }
    }

    /// Runs a command that writes files, or a push or a pull.
    mutating func command(_ machine: StoryMachine) async throws {
        let before = machine.fields
        let shown = machine.shown()
        let words: String
        // The command can also bring the file forward, which isn't the user's change.
        var isPartial = false
        do {
            switch Int.random(in: 0..<11, using: &random) {
            case 0..<4:
                guard let todo = randomTodo(machine) else { return }
                let field = StoryMachine.fields.randomElement(using: &random) ?? "text"
                let word = model.newWord()
                words = "set \(todo) \(field)=\(word)"
                _ = try machine.workspace.change([todo], set: [(field, .string(word))], unset: [])
                model.write(todo, field, word, over: shown[todo]?[field] ?? [])
                isPartial = true
                events.note(.set)
            case 4:
                guard machine.files.count > 1, let todo = randomTodo(machine) else { return }
                words = "rm \(todo)"
                _ = try machine.workspace.remove([todo])
                events.note(.remove)
            case 5:
                words = "undo"
                for todo in try machine.workspace.undo(nil).undone {
                    note(choiceOf: todo.name, from: shown, at: machine)
                }
                events.note(.undo)
            case 6:
                let log = try machine.workspace.log(nil)
                guard let entry = log.randomElement(using: &random),
                    let todo = entry.todos.randomElement(using: &random)
                else { return }
                words = "restore \(todo.id) --to \(entry.operation)"
                _ = try machine.workspace.restore(todo.id.string, to: entry.operation)
                // The restore brings back the whole todo, so all of its values count as written.
                note(choiceOf: todo.id.string, from: shown, at: machine)
                events.note(.restoreTodo)
            case 7:
                guard let todo = randomTodo(machine) else { return }
                words = "discard \(todo)"
                _ = try machine.workspace.discard([todo])
                machine.unsent[todo] = nil
                events.note(.discard)
            case 8:
                guard let todo = randomTodo(machine), let file = machine.files[todo] else { return }
                let target = file.path.contains("-m") ? "\(todo).yaml" : "\(todo)-m.yaml"
                words = "mv \(todo) \(target)"
                _ = try machine.workspace.move(todo, to: target)
                isPartial = true
                events.note(.moveTodo)
            default:
                try await sync(machine, random.chance(0.5) ? .push : .pull)
                return
            }
        } catch let error as EngineError {
            record("\(machine.name): a command is refused: \(error)")
            return
        }
        record("\(machine.name): todosync \(words)")
        try noteDeletesInCommits(machine)
        let after = machine.fields
        if !isPartial { note(before, at: machine) }
        for (todo, fields) in machine.unsent {
            machine.unsent[todo] = fields.filter { after[todo]?[$0.key] == $0.value }
        }
    }

    /// Notes the deletes in commits that a command made pending, because resetting the commit doesn't undo
    /// them.
    private mutating func noteDeletesInCommits(_ machine: StoryMachine) throws {
        guard machine.hasGit, !model.committedDeletes.isEmpty else { return }
        let committed = try machine.committedTexts()
        for todo in try machine.workspace.status().pending where todo.operation == .delete {
            guard let id = todo.id?.string, committed[id] == nil, model.committedDeletes.contains(id) else {
                continue
            }
            model.delete(id, at: machine.name)
        }
    }

    // MARK: The end

    /// Brings all machines to the newest state, and checks that they agree.
    mutating func end() async throws {
        record("the end")
        for machine in machines where machine.hasGit { try goHome(machine) }
        for machine in machines { try await discardWithheld(machine) }
        var options = SyncOptions(allowedDeletes: 1000)
        options.allowedEdits = 1000
        options.forwards = true
        for round in 0..<8 {
            var isQuiet = true
            for machine in machines {
                try tidyUp(machine)
                let report = try await exchange(machine, .sync, options)
                if round == 0 { events.note(.forwarded, report.pulled.count + report.merged.count) }
                if !(report.pushed.isEmpty && report.pulled.isEmpty && report.merged.isEmpty)
                    || report.needsUser
                {
                    isQuiet = false
                }
            }
            if isQuiet { return try await checkAgreement() }
        }
        throw StoryFailure("the machines don't come to rest")
    }

    private mutating func discardWithheld(_ machine: StoryMachine) async throws {
        try tidyUp(machine)
        let report = try await exchange(machine, .sync, SyncOptions())
        guard report.withheld?.side == .local else { return }
        let status = try machine.workspace.status()
        let inConflict = Set(status.conflicts.map(\.id))
        let deletes = status.pending.filter { todo in
            todo.operation == .delete && todo.id.map { !inConflict.contains($0) } ?? false
        }
        record("\(machine.name): discards \(deletes.map(\.path))")
        _ = try machine.workspace.discard(deletes.compactMap(\.id?.string))
    }

    /// Removes files that git left with conflict markers, and todos' duplicate files.
    private mutating func tidyUp(_ machine: StoryMachine) throws {
        let status = try machine.workspace.status()
        if !status.conflicts.isEmpty { try takeAll(machine, .remote) }
        for path in status.invalid.map(\.path) + status.duplicates.map(\.path) {
            record("\(machine.name): tidies up \(path)")
            let file = machine.prefix + path
            if let text = machine.folder.read(file), let id = StoryMachine.id(in: text) {
                model.delete(id, at: machine.name)
                // The duplicate can be the edited file.
                machine.unsent[id] = nil
            }
            try machine.folder.remove(file)
        }
    }

    private func checkAgreement() async throws {
        let remote = await remote()
        for machine in machines {
            let status = try machine.workspace.status()
            guard status.isClean, status.held.behind.isEmpty, status.held.absent.isEmpty else {
                throw StoryFailure(
                    "\(machine.name) isn't clean: pending \(status.pendingLines), held \(status.held.ofGit.count), "
                        + "behind \(status.held.behind.count), absent \(status.held.absent.count)")
            }
            guard machine.fields == remote else {
                throw StoryFailure("\(machine.name) doesn't have the newest state: \(remote)")
            }
        }
    }
}

extension SyncReport {
    fileprivate var words: String {
        var words: [String] = []
        words += pushed.map { "pushed \($0.operation?.rawValue ?? "") \($0.path)" }
        words += pulled.map { "pulled \($0.operation?.rawValue ?? "") \($0.path)" }
        words += merged.map { "merged \($0.path)" }
        words += conflicts.map { "conflict \($0.path) \($0.kind) \($0.fields)" }
        words += held.map { "held \($0.path) (\($0.reason))" }
        words += invalid.map { "invalid \($0.path)" } + duplicates.map { "duplicate \($0.path)" }
        words += held.withheld.map { "withheld \($0.count) \($0.change)s of \($0.side)" }
        if let gitProgress { words.append("during git's \(gitProgress.operation)") }
        return words.isEmpty ? "nothing" : words.joined(separator: ", ")
    }
}
