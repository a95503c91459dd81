import LosslessYAML
import SyncEngine
import TestSupport
import ThreeWayMerge
import TodoModel

/// A history of three machines whose users change todos by commands and with editors, sync, undo and redo.
struct ReversalHistory {
    private static let fields = ["f", "g", "h"]

    private let world: World
    private var generator: SplitMix64
    private let prints: Bool
    private var machines: [ReversalMachine] = []
    private var values = 0
    /// The todos that were created or deleted; only one machine at a time has changes to such a todo.
    private var shared: Set<String> = []

    init(seed: UInt64, prints: Bool) async throws {
        world = World(seed: seed)
        generator = SplitMix64(seed: seed)
        self.prints = prints
        var files: [String: String] = [:]
        for name in ["a", "b", "c"] {
            files["\(name).yaml"] = "id: \(name)\ntext: \(name)\nf: \(name)1\n# c0\ng: \(name)2\ntags: [x]\n"
        }
        // The first machine creates the todos and then takes no part, so no undo deletes them.
        for (number, machine) in try await world.machines(4, files).dropFirst().enumerated() {
            machines.append(ReversalMachine(machine, number))
        }
    }

    /// How often each kind of event happened.
    var events: [ReversalEvent: Int] {
        machines.reduce(into: [:]) { events, machine in events.merge(machine.events, uniquingKeysWith: +) }
    }

    mutating func run() async throws {
        for _ in 0..<Int.random(in: 5...30, using: &generator) { try await step() }
    }

    private mutating func step() async throws {
        let number = Int.random(in: 0..<machines.count, using: &generator)
        if let id = machines[number].conflicts.sorted().first, generator.chance(0.3) {
            let side: Side = generator.chance(0.5) ? .local : .remote
            trace(number, "resolve \(id) \(side)")
            machines[number].note(.resolve)
            return try machines[number].resolve(id, side)
        }
        switch Int.random(in: 0..<26, using: &generator) {
        case 0..<5: try await command(number)
        case 5..<11: try await edit(number)
        case 11..<18:
            let verb = Verb.allCases.randomElement(using: &generator) ?? .sync
            let hasMarkers = generator.chance(0.5) || !machines[number].conflicts.isEmpty
            let side: Side? = hasMarkers ? nil : generator.chance(0.5) ? .local : .remote
            trace(number, "\(verb) \(side.map { "\($0)" } ?? "with markers")")
            machines[number].note(verb == .push ? .push : verb == .pull ? .pull : .sync)
            try await machines[number].exchange(verb, side, remote: remote())
        case 18..<21:
            let newest = machines[number].newest
            guard try await canUndo(newest, on: number) else { return }
            trace(number, "undo \(newest.map { machines[number].operations[$0] } as Any)")
            machines[number].note(.undo)
            let open = machines[number].conflicts
            try machines[number].undo(newest, isNamed: false)
            if machines[number].conflicts == open || generator.chance(0.5) { return }
            trace(number, "redo")
            machines[number].note(.redo)
            try machines[number].redo()
        case 21:
            let operations = machines[number].operations
            let index = operations.indices.filter {
                operations[$0].canBeNamed && operations[$0].undoes == nil
            }
            .randomElement(using: &generator)
            guard let index, try await canUndo(index, on: number) else { return }
            trace(number, "undo by name \(operations[index])")
            machines[number].note(.undoByName)
            try machines[number].undo(index, isNamed: true)
        case 22..<24:
            guard try await canUndo(machines[number].newestUndo, on: number) else { return }
            trace(number, "redo")
            machines[number].note(.redo)
            try machines[number].redo()
        default: try await clash(number)
        }
    }

    /// Lets two users change the same field, so that one of them gets a conflict.
    private mutating func clash(_ number: Int) async throws {
        let other = (number + 1) % machines.count
        let ids = try await changeable(on: number).filter { !shared.contains($0) }
        let both = try await changeable(on: other).filter { ids.contains($0) }
        guard let id = both.randomElement(using: &generator), machines[other].conflicts.isEmpty else {
            return
        }
        let (localValue, remoteValue) = (newValue(), newValue())
        trace(number, "clash about \(id) with machine \(other)")
        machines[number].edit(id, ["g": "v" + localValue])
        try machines[other].run([id], ["g": "v" + remoteValue])
        try await machines[other].exchange(.sync, .local, remote: remote())
        try await machines[number].exchange(.pull, nil, remote: remote())
    }

    /// Lets a user change todos with a command.
    private mutating func command(_ number: Int) async throws {
        let ids = try await changeable(on: number)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0:
            trace(number, "add")
            shared.insert(try machines[number].add("n" + newValue()))
            machines[number].note(.add)
        case 1:
            let removed = try await removable(ids.filter { _ in generator.chance(0.5) }, on: number)
            if removed.isEmpty { return }
            trace(number, "remove \(removed)")
            try machines[number].remove(removed)
            machines[number].note(.remove)
        case 2..<5:
            guard let id = ids.randomElement(using: &generator) else { return }
            var tags = machines[number].tags(of: id)
            let tag = newTag()
            if tags.contains(tag) { tags.removeAll { $0 == tag } } else { tags.append(tag) }
            trace(number, "set \(id) tags \(tags)")
            try machines[number].run([id], [:], tags: tags)
            machines[number].note(.setTags)
        default:
            let (fields, some) = (newValues(), ids.filter { _ in generator.chance(0.5) })
            if some.isEmpty { return }
            trace(number, "set \(some) \(fields)")
            try machines[number].run(some, fields)
            machines[number].note(.set)
        }
    }

    /// Lets a user change a file with an editor or a shell.
    private mutating func edit(_ number: Int) async throws {
        guard let id = try await changeable(on: number, orNew: true).randomElement(using: &generator) else {
            return
        }
        var fields: [String: String?] = [:]
        var event = ReversalEvent.edit
        switch Int.random(in: 0..<20, using: &generator) {
        case 0:
            let id = "n" + newValue()
            trace(number, "create \(id)")
            machines[number].create(id)
            shared.insert(id)
            machines[number].note(.create)
            return
        case 1..<3:
            guard try await !removable([id], on: number).isEmpty else { return }
            trace(number, "remove \(id) in a shell")
            machines[number].removeByShell(id)
            machines[number].note(.removeByShell)
            return
        case 3..<7:
            let tag = newTag()
            fields["tags/" + tag] = .some(machines[number].tags(of: id).contains(tag) ? nil : "tag")
            event = .editTags
        case 7..<10:
            fields["#c" + newValue()] = "comment"
            event = .addComment
        case 10..<13:
            let comments = machines[number].todos[id]?.values.keys.filter { $0.hasPrefix("#") } ?? []
            guard let comment = comments.sorted().randomElement(using: &generator) else { return }
            fields[comment] = .some(nil)
            event = .removeComment
        case 13..<15:
            fields = newValues()
            fields[ModelTodo.path] = "\(id)\(newValue()).yaml"
            event = .rename
        default: fields = newValues()
        }
        trace(number, "edit \(id) \(fields)")
        machines[number].edit(id, fields)
        machines[number].note(event)
    }

    // MARK: Deletes

    /// Returns the todos that a user can change without a conflict between a delete and an edit.
    private func changeable(on number: Int, orNew: Bool = false) async throws -> [String] {
        let machine = machines[number]
        let ids = machine.todos.keys.filter { orNew || machine.logged.contains($0) }.filter {
            !machine.conflicts.contains($0)
        }
        .sorted()
        if shared.isDisjoint(with: ids) { return ids }
        let busy = try others(than: number)
        let remote = await remote()
        return ids.filter { !shared.contains($0) || !busy.contains($0) && machine.hasNewest($0, remote) }
    }

    /// Returns a user's todos that nobody else has changed, so that they can be deleted.
    private mutating func removable(_ ids: [String], on number: Int) async throws -> [String] {
        let busy = try others(than: number)
        let remote = await remote()
        let found = ids.filter { !busy.contains($0) && machines[number].hasNewest($0, remote) }
        shared.formUnion(found)
        return found
    }

    /// Returns whether an undo of an operation can't cause a conflict between a delete and an edit.
    private func canUndo(_ index: Int?, on number: Int) async throws -> Bool {
        guard let index else { return true }
        let ids = machines[number].operations[index].changes.keys
        if shared.isDisjoint(with: ids) { return true }
        let busy = try others(than: number)
        let remote = await remote()
        return ids.allSatisfy {
            !shared.contains($0) || !busy.contains($0) && machines[number].hasNewest($0, remote)
        }
    }

    /// Returns the todos with pending changes on other machines.
    private func others(than number: Int) throws -> Set<String> {
        var ids: Set<String> = []
        for machine in machines where machine.number != number {
            ids.formUnion(try machine.machine.status.pending.compactMap { $0.id?.string })
        }
        return ids
    }

    // MARK: Values

    private mutating func newTag() -> String {
        generator.chance(0.3) ? "t" + newValue() : ["x", "y", "z"].randomElement(using: &generator) ?? "x"
    }

    private mutating func newValue() -> String {
        values += 1
        return String(values)
    }

    /// Returns new values of one or two fields; nil removes a field.
    private mutating func newValues() -> [String: String?] {
        var fields: [String: String?] = [:]
        for _ in 0..<(generator.chance(0.3) ? 2 : 1) {
            let name = Self.fields.randomElement(using: &generator) ?? "f"
            let choice = Int.random(in: 0..<10, using: &generator)
            // Other users can choose the same value.
            fields[name] = .some(choice == 0 ? nil : choice < 3 ? "same" : "v" + newValue())
        }
        return fields
    }

    private func trace(_ number: Int, _ words: String) {
        if prints { print("machine \(number): \(words)") }
    }

    private func remote() async -> [String: ModelTodo] {
        var todos: [String: ModelTodo] = [:]
        for record in await world.remote.liveRecords() {
            todos[record.id] = ModelTodo(path: record.layout?.path, record.layout?.yaml ?? "")
        }
        return todos
    }
}
