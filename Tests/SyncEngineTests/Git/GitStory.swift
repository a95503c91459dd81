import LosslessYAML
import SyncEngine
import TestSupport
import TodoModel

/// A history of three people who share a remote, each in their own way (``StoryMachine/Habit``), and of a
/// colleague who has the repository but not todosync.
///
/// After every command, a check makes sure that no value replaced one that it doesn't supersede
/// (``StoryModel``), that git changed nothing for others, and that nothing is lost.
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
    let kind: Kind
    private(set) var steps: [String] = []
    let prints: Bool

    private let clock = StoryClock()

    enum Kind {
        /// One uses git in every way, one often doesn't have it, and one uses git first.
        case everyWay
        /// All use git first.
        case plain
        /// All use git first, and each edits only a field of their own, so no question is justified.
        case ownFields
    }

    var isPlain: Bool { kind != .everyWay }

    /// - Parameters:
    ///   - kind: By default, one history in four is plain.
    ///   - prints: Whether each step is printed.
    init(seed: UInt64, _ kind: Kind? = nil, prints: Bool = false) throws {
        self.seed = seed
        self.kind = kind ?? (seed % 4 == 3 ? .plain : .everyWay)
        self.prints = prints
        random = SplitMix64(seed: seed &* 0x2545_F491_4F6C_DD1D &+ 7)
        world = World(seed: seed)
        let prefix = random.chance(0.25) ? "todos/" : ""
        let habits: [StoryMachine.Habit] =
            self.kind == .everyWay
            ? [.everyWay, random.chance(0.4) ? .everyWay : .withoutGit, .gitFirst]
            : [.gitFirst, .gitFirst, .gitFirst]
        machines = try zip(["ann", "bob", "dan"], habits).map { [clock, world] name, habit in
            try StoryMachine(
                name, world, prefix: habit == .withoutGit ? "" : prefix, habit, clock: clock)
        }
        colleague = try StoryMachine("cat", world, prefix: prefix, .gitFirst, clock: clock)
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
            events.histories = 1
        } catch let failure as StoryFailure {
            throw StoryFailure(
                failure.description + "\nsteps:\n" + steps.joined(separator: "\n") + "\n" + state)
        } catch {
            throw StoryFailure("\(error)\nsteps:\n" + steps.joined(separator: "\n") + "\n" + state)
        }
    }

    mutating func record(_ line: String) {
        steps.append("  " + line)
        if prints { print("  " + line) }
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
        for number in 1...(kind == .ownFields ? 2 : Int.random(in: 2...4, using: &random)) {
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
        for machine in machines.dropFirst() {
            if machine.hasGit { try clone(to: machine) }
            try machine.setUp()
            try await sync(machine)
        }
    }

    private func clone(to machine: StoryMachine) throws {
        try machine.git("init", "-q", "-b", StoryMachine.main)
        try machine.git("remote", "add", "origin", hub.path + "/hub.git")
        try machine.git("fetch", "-q")
        try machine.git("checkout", "-q", "-f", StoryMachine.main)
    }

    // MARK: Steps

    private mutating func step() async throws {
        let number = Int.random(in: 0..<10, using: &random)
        let machine = machines[isPlain ? number % 3 : number < 6 ? 0 : number < 8 ? 1 : 2]
        if machine.habit == .gitFirst { return try await stepWithGitFirst(machine) }
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

    /// Lets a user edit, commit, share commits and then sync, without leaving the home branch.
    private mutating func stepWithGitFirst(_ machine: StoryMachine) async throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1: try edit(machine)
        case 2 where kind != .ownFields: try colleagueActs()
        case 3: try await sync(machine)
        default:
            try edit(machine)
            // Some sync first, because git pulls only if the files have no changes.
            if kind != .ownFields, random.chance(0.2) { try await sync(machine) }
            try commit(machine)
            try share(machine)
            if random.chance(0.8) { try await sync(machine) }
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
            record("\(machine.name): rm \(file.path)")
            events.note(.delete)
            try machine.folder.remove(file.path)
            model.delete(todo, at: machine.name)
            machine.unsent[todo] = nil
        default:
            let todo = "t\(Int.random(in: 5...99, using: &random))"
            if machine.files[todo] == nil {
                record("\(machine.name): creates \(todo)")
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
            model.write(todo, field, word, over: [])
        }
        try? machine.folder.write(StoryMachine.text(todo, fields), to: machine.prefix + todo + ".yaml")
    }

    func randomTodoValue(_ machine: StoryMachine, _ random: inout SplitMix64) -> String? {
        machine.fields.keys.sorted().randomElement(using: &random)
    }

    mutating func randomTodo(_ machine: StoryMachine) -> String? { randomTodoValue(machine, &random) }

    mutating func edit(_ machine: StoryMachine) throws {
        guard let todo = randomTodo(machine), let file = machine.files[todo] else { return }
        let owned = machines.firstIndex { $0 === machine }.map { StoryMachine.fields[$0] }
        let anyField = StoryMachine.fields.randomElement(using: &random)
        guard let field = kind == .ownFields ? owned : anyField,
            let old = StoryMachine.fields(in: file.text)[field]
        else { return }
        let word = model.newWord()
        record("\(machine.name): \(file.path) \(field): \(old) -> \(word)")
        events.note(.edit)
        try machine.folder.write(
            file.text.replacing("\(field): \(old)\n", with: "\(field): \(word)\n"), to: file.path)
        model.write(todo, field, word, over: [old], taken: machine.taken[todo]?[field])
        machine.unsent[todo, default: [:]][field] = word
    }

    /// Has an editor change a file back to a committed text.
    private mutating func toggle(_ machine: StoryMachine) throws {
        guard machine.hasGit, let todo = randomTodo(machine), let file = machine.files[todo] else { return }
        let commit = random.chance(0.7) ? "HEAD" : "HEAD~1"
        guard let text = try machine.committedTexts(commit)[todo], text != file.text else { return }
        record("\(machine.name): \(file.path) back to the text of \(commit)")
        events.note(.toggle)
        let before = machine.fields
        try machine.folder.write(text, to: file.path)
        note(before, at: machine)
        machine.unsent[todo] = nil
    }

    /// Notes what somebody did to files on purpose.
    mutating func note(_ before: [String: StoryFields], at machine: StoryMachine) {
        let after = machine.fields
        for (todo, fields) in after {
            for (field, value) in fields where before[todo]?[field] != value {
                let old = [before[todo]?[field]].compactMap(\.self)
                model.write(todo, field, value, over: old, taken: machine.taken[todo]?[field])
            }
        }
        for todo in before.keys where after[todo] == nil { model.delete(todo, at: machine.name) }
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
            record("cat: removes \(file.path), commits and pushes")
        } else {
            try edit(colleague)
        }
        note(before, at: colleague)
        try colleague.git("commit", "-q", "-a", "-m", "cat's")
        let result = try colleague.git("push", "-q", "origin", "HEAD:main")
        record("cat: pushes: \(result.status)")
    }
}
