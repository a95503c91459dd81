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
    private let isTold: Bool
    private var machines: [ReversalMachine] = []
    private var values = 0

    init(seed: UInt64, isTold: Bool) async throws {
        world = World(seed: seed)
        generator = SplitMix64(seed: seed)
        self.isTold = isTold
        var files: [String: String] = [:]
        for name in ["a", "b", "c"] {
            files["\(name).yaml"] = "id: \(name)\ntext: \(name)\nf: \(name)1\ng: \(name)2\n"
        }
        // The first machine's user has created the todos, which no undo deletes.
        for (number, machine) in try await world.machines(4, files).dropFirst().enumerated() {
            machines.append(ReversalMachine(machine, number))
        }
    }

    mutating func run() async throws {
        for _ in 0..<Int.random(in: 5...30, using: &generator) { try await step() }
    }

    private mutating func step() async throws {
        let number = Int.random(in: 0..<machines.count, using: &generator)
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<5:
            let fields = newValues()
            let ids = ["a", "b", "c"].filter { _ in generator.chance(0.5) }
            tell(number, "set \(ids) \(fields)")
            if !ids.isEmpty {
                try machines[number].run(Dictionary(uniqueKeysWithValues: ids.map { ($0, fields) }))
            }
        case 5..<10:
            var fields = newValues()
            let id = ["a", "b", "c"].randomElement(using: &generator) ?? "a"
            if generator.chance(0.2) { fields[ModelTodo.path] = "\(id)\(newValue()).yaml" }
            tell(number, "edit \(id) \(fields)")
            machines[number].edit(id, fields)
        case 10..<15:
            let verb = Verb.allCases.randomElement(using: &generator) ?? .sync
            let side: Side = generator.chance(0.5) ? .local : .remote
            tell(number, "\(verb) \(side)")
            try await machines[number].exchange(verb, side, remote: remote())
        case 15..<17:
            let newest = machines[number].newest
            tell(number, "undo \(newest.map { machines[number].operations[$0] } as Any)")
            try machines[number].undo(newest, isNamed: false)
        case 17:
            let operations = machines[number].operations
            let index = operations.indices.filter {
                operations[$0].canBeNamed && operations[$0].undoes == nil
            }
            .randomElement(using: &generator)
            guard let index else { return }
            tell(number, "undo by name \(operations[index])")
            try machines[number].undo(index, isNamed: true)
        default:
            tell(number, "redo")
            try machines[number].redo()
        }
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
            // Others may choose the same value.
            fields[name] = .some(choice == 0 ? nil : choice < 3 ? "same" : "v" + newValue())
        }
        return fields
    }

    private func tell(_ number: Int, _ words: String) {
        if isTold { print("machine \(number): \(words)") }
    }

    private func remote() async -> [String: ModelTodo] {
        var todos: [String: ModelTodo] = [:]
        for record in await world.remote.liveRecords() {
            var todo = ModelTodo()
            for (key, value) in record.fields.entries {
                if case .string(let text) = value { todo[key] = text }
            }
            todo["id"] = record.id
            todo[ModelTodo.path] = record.layout?.path
            todos[record.id] = todo
        }
        return todos
    }
}
