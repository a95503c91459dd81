import LosslessYAML
import SyncEngine
import TestSupport
import TodoModel

/// A history of two machines that share a remote, one or both with a git repository around their todos, and
/// of a colleague who has the repository but not todosync.
///
/// After every command, a check makes sure that git changed nothing for others, and that nothing is lost.
struct GitStory {
    let seed: UInt64
    let world: World
    var random: SplitMix64
    var model = StoryModel()
    var events = StoryEvents()
    let machines: [StoryMachine]
    /// The repository that the others push to and pull from.
    let hub: TemporaryFolder
    let colleague: StoryMachine
    /// Whether people only commit and pull, on their home branch.
    let isPlain: Bool
    private(set) var told: [String] = []
    let isTold: Bool

    private let clock = StoryClock()

    /// - Parameter isTold: Whether each step is printed.
    init(seed: UInt64, isTold: Bool = false) throws {
        self.seed = seed
        self.isTold = isTold
        random = SplitMix64(seed: seed &* 0x2545_F491_4F6C_DD1D &+ 7)
        world = World(seed: seed)
        isPlain = seed % 4 == 3
        let prefix = random.chance(0.25) ? "todos/" : ""
        let isShared = random.chance(0.6)
        let areBoth = isPlain ? true : isShared
        machines = [
            try StoryMachine("ann", world, prefix: prefix, hasGit: true, clock: clock),
            try StoryMachine("bob", world, prefix: areBoth ? prefix : "", hasGit: areBoth, clock: clock),
        ]
        colleague = try StoryMachine("cat", world, prefix: prefix, hasGit: true, clock: clock)
        hub = try TemporaryFolder()
    }

    /// Runs random steps, brings all machines to the newest state, and checks the result.
    ///
    /// - Throws: ``StoryFailure``.
    mutating func run() async throws {
        do {
            try await begin()
            let count = Int.random(in: 12...20, using: &random)
            for _ in 0..<count { try await step() }
            try await end()
            if isPlain { events.plainHistories = 1 }
        } catch let failure as StoryFailure {
            throw StoryFailure(
                failure.description + "\nsteps:\n" + told.joined(separator: "\n") + "\n" + state)
        } catch {
            throw StoryFailure("\(error)\nsteps:\n" + told.joined(separator: "\n") + "\n" + state)
        }
    }

    mutating func tell(_ line: String) {
        told.append("  " + line)
        if isTold { print("  " + line) }
    }

    private var state: String {
        machines.map { machine in
            let files = machine.files.sorted { $0.key < $1.key }.map { id, file in
                "    \(file.path): \(StoryMachine.fields(in: file.text))"
            }
            return "  \(machine.name):\n" + files.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    // MARK: The beginning

    private mutating func begin() async throws {
        let first = machines[0]
        try first.git("init", "-q", "-b", StoryMachine.main)
        try first.setUp()
        try first.folder.write("one\n", to: "code.txt")
        try first.git("add", "code.txt")
        try first.git("commit", "-q", "-m", "code")
        try first.git("branch", "empty")
        for number in 1...Int.random(in: 2...4, using: &random) {
            create("t\(number)", at: first)
            guard random.chance(0.8) || isPlain else { continue }
            try first.git("add", "-A")
            try first.git("commit", "-q", "-m", "todo \(number)")
            if random.chance(0.4) {
                try edit(first)
                try first.git("commit", "-q", "-a", "-m", "edit")
            }
            if random.chance(0.4) { try first.git("branch", "early\(number)") }
        }
        _ = try ChildProcess.run(["git", "clone", "-q", "--bare", first.folder.path, hub.path + "/hub.git"])
        try first.git("remote", "add", "origin", hub.path + "/hub.git")
        try first.git("fetch", "-q")
        try first.git("branch", "-q", "-u", "origin/main")
        try await sync(first)
        try clone(to: colleague)
        if machines[1].hasGit { try clone(to: machines[1]) }
        try machines[1].setUp()
        try await sync(machines[1])
    }

    private func clone(to machine: StoryMachine) throws {
        try machine.git("init", "-q", "-b", StoryMachine.main)
        try machine.git("remote", "add", "origin", hub.path + "/hub.git")
        try machine.git("fetch", "-q")
        try machine.git("checkout", "-q", "-f", StoryMachine.main)
    }

    // MARK: Steps

    private mutating func step() async throws {
        let machine = machines[random.chance(0.7) ? 0 : 1]
        if isPlain { return try await plainStep(machine) }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<22: try person(machine)
        case 22..<60 where machine.hasGit: try await useGit(machine)
        case 22..<40: try person(machine)
        case 60..<68 where machine.hasGit: try await excursion(machine)
        case 68..<78: try await command(machine)
        case 78..<82: try colleagueActs()
        default: try await sync(machine)
        }
    }

    /// Lets a user edit, commit and share commits without leaving the home branch.
    private mutating func plainStep(_ machine: StoryMachine) async throws {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3: try edit(machine)
        case 3: try commit(machine)
        case 4: try colleagueActs()
        case 5: try await sync(machine)
        default:
            // Git pulls only if the files have no changes.
            try await sync(machine)
            try commit(machine)
            try share(machine)
            try await sync(machine)
        }
    }

    // MARK: What people do to files

    /// Has somebody edit, create or delete a file.
    mutating func person(_ machine: StoryMachine) throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<7: try edit(machine)
        case 7..<9: try toggle(machine)
        case 9..<11:
            guard machine.files.count > 1, let todo = randomTodo(machine), let file = machine.files[todo]
            else {
                return
            }
            tell("\(machine.name): rm \(file.path)")
            events.note(.delete)
            try machine.folder.remove(file.path)
            model.delete(todo, at: machine.name)
            machine.unsent[todo] = nil
        default:
            let todo = "t\(Int.random(in: 5...99, using: &random))"
            if machine.files[todo] == nil {
                tell("\(machine.name): creates \(todo)")
                events.note(.create)
                create(todo, at: machine)
            }
        }
    }

    private mutating func create(_ todo: String, at machine: StoryMachine) {
        var fields: StoryFields = [:]
        for field in StoryMachine.fields {
            let word = model.newWord()
            fields[field] = word
            model.write(todo, field, word, at: machine.name)
        }
        try? machine.folder.write(StoryMachine.text(todo, fields), to: machine.prefix + todo + ".yaml")
    }

    func randomTodoValue(_ machine: StoryMachine, _ random: inout SplitMix64) -> String? {
        machine.fields.keys.sorted().randomElement(using: &random)
    }

    mutating func randomTodo(_ machine: StoryMachine) -> String? { randomTodoValue(machine, &random) }

    mutating func edit(_ machine: StoryMachine) throws {
        guard let todo = randomTodo(machine), let file = machine.files[todo] else { return }
        let field = StoryMachine.fields.randomElement(using: &random) ?? "text"
        guard let old = StoryMachine.fields(in: file.text)[field] else { return }
        let word = model.newWord()
        tell("\(machine.name): \(file.path) \(field): \(old) -> \(word)")
        events.note(.edit)
        try machine.folder.write(
            file.text.replacing("\(field): \(old)\n", with: "\(field): \(word)\n"), to: file.path)
        model.write(todo, field, word, at: machine.name)
        machine.unsent[todo, default: [:]][field] = word
    }

    /// Has an editor change a file back to a committed text.
    private mutating func toggle(_ machine: StoryMachine) throws {
        guard machine.hasGit, let todo = randomTodo(machine), let file = machine.files[todo] else { return }
        let commit = random.chance(0.7) ? "HEAD" : "HEAD~1"
        guard let text = try machine.committedTexts(commit)[todo], text != file.text else { return }
        tell("\(machine.name): \(file.path) back to the text of \(commit)")
        events.note(.toggle)
        let before = machine.fields
        try machine.folder.write(text, to: file.path)
        model.note(before, machine.fields, at: machine.name)
        machine.unsent[todo] = nil
    }

    /// Has somebody commit in a clone without todosync, and push.
    mutating func colleagueActs() throws {
        try colleague.git("fetch", "-q")
        try colleague.git("reset", "-q", "--hard", "origin/main")
        guard let todo = randomTodo(colleague), let file = colleague.files[todo] else { return }
        events.note(.colleague)
        let before = colleague.fields
        if !isPlain, colleague.files.count > 1, random.chance(0.12) {
            try colleague.git("rm", "-q", file.path)
            model.deleteInCommit(todo)
            tell("cat: removes \(file.path), commits and pushes")
        } else {
            try edit(colleague)
        }
        model.note(before, colleague.fields, at: colleague.name)
        try colleague.git("commit", "-q", "-a", "-m", "cat's")
        let result = try colleague.git("push", "-q", "origin", "HEAD:main")
        tell("cat: pushes: \(result.status)")
    }
}
