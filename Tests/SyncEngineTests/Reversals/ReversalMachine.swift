import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// A machine, and what its user remembers of what they did there.
struct ReversalMachine {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    let machine: Machine
    let number: Int
    var todos: [String: ModelTodo]
    /// What the remote had at the last exchange.
    var bases: [String: ModelTodo]
    /// What an editor changed and no push has sent.
    var edits: [String: ModelChange] = [:]
    var operations: [ModelOperation] = []

    init(_ machine: Machine, _ number: Int) {
        (self.machine, self.number) = (machine, number)
        todos = Self.read(machine)
        bases = todos
    }

    static func read(_ machine: Machine) -> [String: ModelTodo] {
        var todos: [String: ModelTodo] = [:]
        for (path, content) in machine.files {
            var todo = ModelTodo(values: [ModelTodo.path: path])
            for line in content.split(separator: "\n") {
                let parts = line.split(separator: ": ", maxSplits: 1)
                todo[String(parts[0])] = String(parts[1])
            }
            todos[todo["id"] ?? path] = todo
        }
        return todos
    }

    var newestOperation: String {
        get throws { try machine.workspace.log(nil).first?.operation ?? "" }
    }

    // MARK: Changes

    mutating func run(_ changes: [String: [String: String?]]) throws {
        let before = todos
        // All todos of a command are changed alike.
        let fields = changes.values.first ?? [:]
        let paths = changes.keys.sorted().compactMap { todos[$0]?[ModelTodo.path] }
        _ = try machine.workspace.change(
            paths,
            set: fields.compactMap { name, value in value.map { (name, .string($0)) } }.sorted {
                $0.0 < $1.0
            },
            unset: fields.filter { $0.value == nil }.map(\.key).sorted())
        todos = Self.read(machine)
        var made: [String: ModelChange] = [:]
        for (id, old) in before {
            guard let new = todos[id], new != old else { continue }
            made[id] = ModelChange(fields: Self.difference(old, new))
        }
        if !made.isEmpty { operations.append(ModelOperation(name: try newestOperation, changes: made)) }
    }

    mutating func edit(_ id: String, _ changes: [String: String?]) {
        guard let old = todos[id], let path = old[ModelTodo.path], let content = machine[path] else { return }
        var lines = content.split(separator: "\n").map(String.init)
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) where name != ModelTodo.path {
            let line = value.map { "\(name): \($0)" }
            if let index = lines.firstIndex(where: { $0.hasPrefix("\(name): ") }) {
                if let line { lines[index] = line } else { lines.remove(at: index) }
            } else if let line {
                lines.append(line)
            }
        }
        machine[path] = nil
        machine[(changes[ModelTodo.path] ?? nil) ?? path] = lines.map { $0 + "\n" }.joined()
        todos = Self.read(machine)
        for (name, field) in Self.difference(old, todos[id] ?? old) {
            // What a command changed since is no editor's.
            let first = edits[id]?.fields[name].flatMap { $0.after == field.before ? $0 : nil }
            edits[id, default: ModelChange()].fields[name] = ModelChange.Field(
                before: first.map(\.before) ?? field.before, after: field.after)
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

    mutating func exchange(_ verb: Verb, _ side: Side, remote: [String: ModelTodo]) async throws {
        let pending = Set(try machine.status.pending.compactMap { $0.id?.string })
        let (before, log) = (todos, try newestOperation)
        try await machine.run(verb, .use(side))
        todos = Self.read(machine)
        let status = try machine.status
        guard status.conflicts.isEmpty, verb == .pull || status.pending.isEmpty else {
            throw Failure(description: "machine \(number): \(verb) left \(status)")
        }
        for (id, theirs) in remote where verb != .push || pending.contains(id) {
            guard let base = bases[id], let old = before[id], let new = todos[id] else { continue }
            for index in operations.indices where operations[index].changes[id]?.isPending == true {
                operations[index].changes[id]?.meet(remote: (base, theirs), file: (old, new))
            }
            edits[id]?.meet(remote: (base, theirs), file: (old, new))
            bases[id] = theirs
        }
        if verb != .pull {
            for id in pending { bases[id] = todos[id] }
            try noteSent(after: log)
        }
    }

    private mutating func noteSent(after log: String) throws {
        for index in operations.indices {
            for id in operations[index].changes.keys { operations[index].changes[id]?.isPending = false }
        }
        var sent: [String: ModelChange] = [:]
        let newest = try machine.workspace.log(nil).first
        let name = newest?.operation ?? ""
        let ids = name == log ? [] : newest?.todos.filter { $0.state == .pushed }.map(\.id.string) ?? []
        for (id, var change) in edits where ids.contains(id) {
            edits[id] = nil
            change.isPending = false
            change.fields = change.fields.filter { name, field in
                field.before != field.after && todos[id]?[name] == field.after
            }
            if !change.fields.isEmpty { sent[id] = change }
        }
        if !sent.isEmpty {
            operations.append(ModelOperation(name: name, changes: sent, canBeNamed: false))
        }
    }

    // MARK: Undo and redo

    /// The newest operation of the user that was not undone for all todos.
    var newest: Int? {
        operations.indices.last { index in
            let operation = operations[index]
            return operation.undoes == nil && !Set(operation.changes.keys).isSubset(of: operation.undone)
        }
    }

    mutating func undo(_ index: Int?, isNamed: Bool) throws {
        let report = try machine.workspace.undo(isNamed ? index.map { operations[$0].name } : nil)
        try check(report, index, "undo", isUndo: true)
    }

    mutating func redo() throws {
        let undo = operations.lastIndex { operation in
            operation.isUndo && !Set(operation.changes.keys).isSubset(of: operation.undone)
        }
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
        guard let undo else { return try check(report, nil, "redo", isUndo: false) }
        try check(report, undo, "redo", isUndo: false)
    }

    private mutating func check(_ report: UndoReport, _ index: Int?, _ verb: String, isUndo: Bool) throws {
        let before = todos
        todos = Self.read(machine)
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
        let isAgain = Set(operations[index].changes.keys).isSubset(of: operations[index].undone)
        for (id, change) in operations[index].changes
        where isAgain || !operations[index].undone.contains(id) {
            guard let current = before[id] else { continue }
            guard let result = change.undone(in: current) else { continue }
            expected[id] = result
            operations[index].undone.insert(id)
            if result != current {
                made[id] = ModelChange(fields: Self.difference(current, result))
            }
        }
        guard expected == todos else {
            let wrong = expected.filter { todos[$0.key] != $0.value }.map {
                "\($0.key) is \(todos[$0.key]?.values ?? [:]) and not \($0.value.values), "
                    + "was \(before[$0.key]?.values ?? [:])"
            }
            throw fail("\(wrong); \(operations[index])")
        }
        if !isUndo, let target = operations[index].undoes {
            operations[target].undone.subtract(made.keys)
        }
        guard !made.isEmpty else { return }
        operations.append(
            ModelOperation(name: try newestOperation, changes: made, undoes: index, isUndo: isUndo))
    }
}
