import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// A machine, and a model of what its user did there.
struct ReversalMachine {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    let machine: Machine
    let number: Int
    var todos: [String: ModelTodo]
    /// The remote's todos at the last exchange.
    var bases: [String: ModelTodo]
    /// The changes by an editor that no push has sent.
    var edits: [String: ModelChange] = [:]
    var operations: [ModelOperation] = []
    /// The todos that are in the log.
    private(set) var logged: Set<String>
    /// The todos in conflict.
    private(set) var conflicts: Set<String> = []
    /// The comments that others removed but a merge kept beside a conflicting value, by todo.
    private var keptComments: [String: Set<String>] = [:]
    private(set) var events: [ReversalEvent: Int] = [:]

    init(_ machine: Machine, _ number: Int) {
        (self.machine, self.number) = (machine, number)
        todos = Self.read(machine)
        bases = todos
        logged = Set(todos.keys)
    }

    static func read(_ machine: Machine) -> [String: ModelTodo] {
        let todos = machine.files.map { ModelTodo(path: $0, $1) }
        return Dictionary(uniqueKeysWithValues: todos.map { ($0["id"] ?? "", $0) })
    }

    /// Returns whether the machine has all changes that others sent to a todo.
    func hasNewest(_ id: String, _ remote: [String: ModelTodo]) -> Bool { bases[id] == remote[id] }

    /// Returns a todo's tags in order.
    func tags(of id: String) -> [String] {
        texts[id]?.split(separator: "\n").lazy.compactMap { ModelTodo.tags(in: String($0)) }.first ?? []
    }

    mutating func note(_ event: ReversalEvent) { events[event, default: 0] += 1 }

    /// The texts of the todos' files.
    private var texts: [String: String] {
        todos.compactMapValues { $0[ModelTodo.path].flatMap { machine[$0] } }
    }

    var newestOperation: String {
        get throws { try machine.workspace.log(nil).first?.operation ?? "" }
    }

    // MARK: Changes

    /// Makes the same changes to todos with a command.
    mutating func run(_ ids: [String], _ fields: [String: String?], tags: [String]? = nil) throws {
        let before = todos
        var values: [(String, Value)] = fields.compactMap { name, value in value.map { (name, .string($0)) } }
        if let tags { values.append(("tags", .list(tags.map(Value.string)))) }
        _ = try machine.workspace.change(
            ids.sorted().compactMap { todos[$0]?[ModelTodo.path] }, set: values.sorted { $0.0 < $1.0 },
            unset: fields.filter { $0.value == nil }.map(\.key).sorted())
        todos = Self.read(machine)
        var made: [String: ModelChange] = [:]
        for (id, old) in before {
            guard let new = todos[id], new != old else { continue }
            made[id] = ModelChange(fields: Self.difference(old, new))
        }
        if !made.isEmpty { operations.append(ModelOperation(name: try newestOperation, changes: made)) }
    }

    /// Adds a todo with a command; returns its id.
    mutating func add(_ text: String) throws -> String {
        let path = try machine.workspace.add(
            NewTodo(text: text, fields: ["tags": .list([.string("x")])], path: nil))
        todos = Self.read(machine)
        let id = todos.first { $0.value[ModelTodo.path] == path }?.key ?? ""
        logged.insert(id)
        let change = ModelChange(whole: .created(machine[path] ?? ""))
        operations.append(ModelOperation(name: try newestOperation, changes: [id: change]))
        return id
    }

    /// Creates a todo's file with an editor.
    mutating func create(_ id: String) {
        machine[id + ".yaml"] = "id: \(id)\ntext: \(id)\ntags: [x]\n"
        todos = Self.read(machine)
    }

    /// Removes todos with a command.
    mutating func remove(_ ids: [String]) throws {
        var changes: [String: ModelChange] = [:]
        let texts = self.texts
        for id in ids {
            if let todo = todos[id] { changes[id] = ModelChange(whole: .removed(todo, texts[id])) }
        }
        _ = try machine.workspace.remove(ids.sorted().compactMap { todos[$0]?[ModelTodo.path] })
        todos = Self.read(machine)
        operations.append(ModelOperation(name: try newestOperation, changes: changes))
    }

    /// Removes a todo's file in a shell.
    mutating func removeByShell(_ id: String) {
        guard var todo = todos[id], let path = todo[ModelTodo.path] else { return }
        machine[path] = nil
        todos = Self.read(machine)
        guard logged.contains(id) else { return }
        // An undo of the delete also undoes the editor's earlier changes.
        for (name, field) in edits[id]?.fields ?? [:] where todo[name] == field.after {
            todo[name] = field.before
        }
        edits[id] = ModelChange(whole: .removed(todo, nil))
    }

    mutating func edit(_ id: String, _ changes: [String: String?]) {
        guard let old = todos[id], let path = old[ModelTodo.path], let content = machine[path] else { return }
        var lines = content.split(separator: "\n").map(String.init)
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) where name != ModelTodo.path {
            Self.change(&lines, name, value)
        }
        machine[path] = nil
        machine[(changes[ModelTodo.path] ?? nil) ?? path] = lines.map { $0 + "\n" }.joined()
        todos = Self.read(machine)
        guard logged.contains(id) else { return }
        for (name, field) in Self.difference(old, todos[id] ?? old) {
            // A command's later change doesn't belong to the editor's edit.
            let first = edits[id]?.fields[name].flatMap { $0.after == field.before ? $0 : nil }
            edits[id, default: ModelChange()].fields[name] = ModelChange.Field(
                before: first.map(\.before) ?? field.before, after: field.after)
        }
    }

    private static func change(_ lines: inout [String], _ name: String, _ value: String?) {
        if name.hasPrefix("#") {
            // A comment's number decides its line.
            let position = 1 + (Int(name.dropFirst(2)) ?? 0) % lines.count
            if value == nil { lines.removeAll { $0 == name } } else { lines.insert(name, at: position) }
        } else if name.hasPrefix("tags/") {
            let index = lines.firstIndex { ModelTodo.tags(in: $0) != nil }
            guard let index, var tags = ModelTodo.tags(in: lines[index]) else { return }
            let tag = String(name.dropFirst(5))
            tags.removeAll { $0 == tag }
            if value != nil { tags.append(tag) }
            lines[index] = "tags: [\(tags.joined(separator: ", "))]"
        } else {
            let line = value.map { "\(name): \($0)" }
            if let index = lines.firstIndex(where: { $0.hasPrefix("\(name): ") }) {
                if let line { lines[index] = line } else { lines.remove(at: index) }
            } else if let line {
                lines.append(line)
            }
        }
    }

    static func difference(_ old: ModelTodo, _ new: ModelTodo) -> [String: ModelChange.Field] {
        var fields: [String: ModelChange.Field] = [:]
        for name in Set(old.values.keys).union(new.values.keys) where old[name] != new[name] {
            fields[name] = ModelChange.Field(before: old[name], after: new[name])
        }
        return fields
    }

    // MARK: Exchanges

    /// - Parameter side: The side to take in conflicts; nil for markers.
    mutating func exchange(_ verb: Verb, _ side: Side?, remote: [String: ModelTodo]) async throws {
        let pending = Set(try machine.status.pending.compactMap { $0.id?.string })
        let (before, log, open) = (todos, try newestOperation, conflicts)
        try await machine.run(verb, side.map(ConflictPolicy.use) ?? .markers)
        todos = Self.read(machine)
        let status = try machine.status
        try readConflicts()
        let left = Set(status.pending.compactMap { $0.id?.string }).subtracting(conflicts)
        guard side == nil || conflicts.isEmpty, verb == .pull || left.isEmpty else {
            throw Failure(description: "machine \(number): \(verb) left \(status)")
        }
        for id in conflicts.subtracting(open) {
            note(.conflict)
            blur(id) { $0.isPending }
            edits[id]?.isOpaque = true
            bases[id] = remote[id]
        }
        for (id, remoteValue) in remote
        where (verb != .push || pending.contains(id)) && !conflicts.contains(id) {
            guard let base = bases[id], let old = before[id], let new = todos[id] else { continue }
            for index in operations.indices where operations[index].changes[id]?.isPending == true {
                operations[index].changes[id]?.meet(remote: (base, remoteValue), file: (old, new))
            }
            edits[id]?.meet(remote: (base, remoteValue), file: (old, new))
            if base != remoteValue { blur(id, where: \.isAnswer) }
            let removed = base.values.keys.filter {
                $0.hasPrefix("#") && remoteValue[$0] == nil && new[$0] != nil
            }
            keptComments[id, default: []].formUnion(removed)
            bases[id] = remoteValue
        }
        if verb != .push {
            for id in Set(remote.keys).union(bases.keys).subtracting(conflicts) where !pending.contains(id) {
                bases[id] = remote[id]
                if remote[id] != nil { logged.insert(id) }
            }
        }
        if verb != .pull {
            for id in pending.subtracting(conflicts) {
                bases[id] = todos[id]
                // The conflict can't be reopened.
                blur(id, where: \.isAnswer)
            }
            logged.formUnion(pending)
            try noteSent(after: log)
        }
    }

    private mutating func readConflicts() throws {
        conflicts = Set(try machine.status.conflicts.map(\.id.string))
    }

    /// Marks changes to a todo as ones whose undo the model doesn't predict.
    private mutating func blur(_ id: String, where isMeant: (ModelChange) -> Bool) {
        for index in operations.indices where operations[index].changes[id].map(isMeant) == true {
            operations[index].changes[id]?.isOpaque = true
        }
    }

    /// Resolves a conflict by taking a side.
    mutating func resolve(_ id: String, _ side: Side) throws {
        guard let conflicted = todos[id] else { return }
        let report = try machine.resolve(id, by: .use(side))
        todos = Self.read(machine)
        try readConflicts()
        guard report.resolved.count == 1, let answer = todos[id], !conflicts.contains(id) else {
            throw Failure(description: "machine \(number): resolve \(id): \(report)")
        }
        // The user's choice replaces earlier edits.
        edits[id] = nil
        let change = ModelChange(
            whole: .resolved(conflicted: conflicted, answer: answer, text: texts[id] ?? ""))
        operations.append(ModelOperation(name: try newestOperation, changes: [id: change]))
    }

    private mutating func noteSent(after log: String) throws {
        var sent: [String: ModelChange] = [:]
        let newest = try machine.workspace.log(nil).first
        let name = newest?.operation ?? ""
        let ids = name == log ? [] : newest?.todos.filter { $0.state == .pushed }.map(\.id.string) ?? []
        for index in operations.indices {
            for id in ids { operations[index].changes[id]?.isPending = false }
        }
        for (id, var change) in edits where ids.contains(id) {
            edits[id] = nil
            change.isPending = false
            // A command's delete isn't an editor's change, and neither are the edits before it.
            if todos[id] == nil, change.whole == nil { continue }
            change.fields = change.fields.filter { name, field in
                field.before != field.after && todos[id]?[name] == field.after
            }
            if change.whole != nil || !change.fields.isEmpty { sent[id] = change }
        }
        if !sent.isEmpty {
            operations.append(ModelOperation(name: name, changes: sent, canBeNamed: false))
        }
    }

    // MARK: Undo and redo

    /// The user's newest operation that isn't undone for all todos, if possible one that still has an effect.
    var newest: Int? {
        let all = operations.indices.filter { index in
            let operation = operations[index]
            return operation.undoes == nil && !Set(operation.changes.keys).isSubset(of: operation.undone)
        }
        return all.last(where: hasEffect) ?? all.last
    }

    /// Returns whether an undo of an operation would change a file or refuse to.
    private func hasEffect(_ index: Int) -> Bool {
        operations[index].changes.contains { id, change in
            if operations[index].undone.contains(id) { return false }
            if change.isOpaque || conflicts.contains(id) { return true }
            guard case .becomes(let result) = change.undone(from: todos[id], texts[id]) else { return true }
            return result != todos[id]
        }
    }

    mutating func undo(_ index: Int?, isNamed: Bool) throws {
        let texts = self.texts
        let report = try machine.workspace.undo(isNamed ? index.map { operations[$0].name } : nil)
        var index = index
        // The model doesn't predict whether a change that met a conflict still has an effect.
        if let newest = index, !isNamed, operations[newest].changes.values.contains(where: \.isOpaque) {
            let older = operations[...newest].lastIndex { operation in
                operation.undoes == nil && operation.name == report.operation?.operation
            }
            index = older ?? newest
        }
        try check(report, index, "undo", isUndo: true, texts)
    }

    /// The newest undo that is still in force.
    var newestUndo: Int? {
        operations.lastIndex { operation in
            operation.isUndo && !Set(operation.changes.keys).isSubset(of: operation.undone)
        }
    }

    mutating func redo() throws {
        let (undo, texts) = (newestUndo, self.texts)
        let newer = undo.flatMap { undo in
            operations.indices.last { $0 > undo && operations[$0].undoes == nil }
        }
        let report = try machine.workspace.redo()
        if let newer {
            guard report.newer?.operation == operations[newer].name, report.undone == [] else {
                throw Failure(
                    description: "machine \(number): redo isn't hidden by \(operations[newer]): \(report)")
            }
            return
        }
        guard let undo else { return try check(report, nil, "redo", isUndo: false, texts) }
        try check(report, undo, "redo", isUndo: false, texts)
    }

    private mutating func check(
        _ report: UndoReport, _ index: Int?, _ verb: String, isUndo: Bool, _ texts: [String: String]
    ) throws {
        let (before, wasOpen) = (todos, conflicts)
        todos = Self.read(machine)
        try readConflicts()
        let fail = { [number] (words: String) in
            Failure(description: "machine \(number): \(verb): \(words); \(report)")
        }
        guard let index else {
            guard report.operation == nil, before == todos else { throw fail("there was nothing to do") }
            return
        }
        var root = index
        while !isUndo, let target = operations[root].undoes { root = target }
        guard report.operation?.operation == operations[root].name else {
            throw fail("expected \(operations[root])")
        }
        var expected = before
        var made: [String: ModelChange] = [:]
        let undone = operations[index].undone
        let isAgain = Set(operations[index].changes.keys).isSubset(of: operations[index].undone)
        for (id, change) in operations[index].changes
        where isAgain || !operations[index].undone.contains(id) {
            if change.isOpaque {
                adopt(id, report, index, &expected, &made)
                continue
            }
            let isRefused = wasOpen.contains(id) && !change.isReopening
            guard !isRefused, case .becomes(let result) = change.undone(from: before[id], texts[id]) else {
                note(.refusal)
                continue
            }
            expected[id] = result
            operations[index].undone.insert(id)
            switch (before[id], result) {
            case (let old?, let new?):
                made[id] = reversed(change, old, new)
            case (let old?, nil):
                made[id] = ModelChange(whole: .removed(old, texts[id]))
                note(.removal)
            case (nil, _?):
                made[id] = ModelChange(whole: .created(self.texts[id] ?? ""))
                note(.restoration)
                // The file exists again before the delete was sent.
                if edits[id]?.whole != nil { edits[id] = nil }
            case (nil, nil): continue
            }
        }
        guard withoutKeptComments(expected) == withoutKeptComments(todos) else {
            let wrong = Set(expected.keys).union(todos.keys).filter { todos[$0] != expected[$0] }.map {
                "\($0) is \(todos[$0]?.values ?? [:]) and not \(expected[$0]?.values ?? [:]), "
                    + "was \(before[$0]?.values ?? [:])"
            }
            throw fail("\(wrong); \(operations[index])")
        }
        // An undo that changes nothing leaves the operation to be undone.
        if report.undone.isEmpty { operations[index].undone = undone }
        if !isUndo, let target = operations[index].undoes {
            operations[target].undone.subtract(operations[index].undone)
        }
        guard !made.isEmpty else { return }
        operations.append(
            ModelOperation(name: try newestOperation, changes: made, undoes: index, isUndo: isUndo))
    }

    /// Returns the change that an undo made to a todo that exists before and afterward.
    private mutating func reversed(_ change: ModelChange, _ old: ModelTodo, _ new: ModelTodo) -> ModelChange?
    {
        switch change.whole {
        case .resolved(let conflicted, let answer, _)?:
            note(.reopening)
            return ModelChange(whole: .reopened(conflicted: conflicted, answer: answer))
        case .reopened(let conflicted, let answer)?:
            note(.answer)
            return ModelChange(
                whole: .resolved(conflicted: conflicted, answer: answer, text: texts[old["id"] ?? ""] ?? ""))
        default: break
        }
        let fields = Self.difference(old, new)
        if fields.isEmpty { return nil }
        note(.changeBack)
        if fields.keys.contains(where: { $0.hasPrefix("tags/") }) { note(.tagBack) }
        if fields.keys.contains(where: { $0.hasPrefix("#") }) { note(.commentBack) }
        return ModelChange(fields: fields)
    }

    /// Returns todos without the kept comments, which an undo of the value can remove or leave.
    private func withoutKeptComments(_ todos: [String: ModelTodo]) -> [String: ModelTodo] {
        var todos = todos
        for (id, comments) in keptComments {
            for comment in comments { todos[id]?[comment] = nil }
        }
        return todos
    }

    /// Takes over the actual state of a todo whose change met a conflict.
    private mutating func adopt(
        _ id: String, _ report: UndoReport, _ index: Int, _ expected: inout [String: ModelTodo],
        _ made: inout [String: ModelChange]
    ) {
        if report.refused.contains(where: { $0.name == id }) { return }
        operations[index].undone.insert(id)
        let old = expected[id]
        expected[id] = todos[id]
        guard report.undone.contains(where: { $0.name == id }) else { return }
        var change = ModelChange()
        change.isOpaque = true
        if let old, let new = todos[id] { change.fields = Self.difference(old, new) }
        made[id] = change
    }
}

extension ModelChange {
    fileprivate var isAnswer: Bool { if case .resolved? = whole { true } else { false } }
    fileprivate var isReopening: Bool { if case .reopened? = whole { true } else { false } }
}
