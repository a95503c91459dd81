import Foundation
import LosslessYAML
import SyncEngine
import TestSupport
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// A story of people with git, as a script with a step per line.
///
/// `ann` has a repository around her todos `t0` to `t3`, with the commits *one* and *two*; `bob` has only
/// todosync. *Two* has what bob did: `priority: high` in `t1`.
///
/// | step | does |
/// | --- | --- |
/// | `git …` | runs git in ann's folder |
/// | `carol git …`, `carol sync` | the same in carol's clone, created when it is first needed |
/// | `sync`, `pull`, `bob sync`, `newest` | syncs; `newest` brings back all newest versions |
/// | `edit t2 place p1` | sets a field in ann's file with an editor; `bob edit …` also syncs |
/// | `new n`, `bob new n` | creates a todo |
/// | `write n.yaml TEXT` | writes a file, with `;` for line breaks |
/// | `note t2 words`, `bob note …` | adds a comment |
/// | `rm t3`, `move t2 new.yaml` | as a person does it |
/// | `use local` | `todosync resolve --use local` |
/// | `? …` | expects something, see ``expect(_:)`` |
final class GitScript {
    private let world = World()
    private let clock = StoryClock()
    private let ann: StoryMachine
    private let bob: StoryMachine
    private var carol: StoryMachine?
    private var report: SyncReport?
    private(set) var log: [String] = []

    init() async throws {
        ann = try StoryMachine("ann", world, prefix: "", .everyWay, clock: clock)
        bob = try StoryMachine("bob", world, prefix: "", .withoutGit, clock: clock)
        for machine in [ann, bob] { try machine.setUp() }
        try ann.git("init", "-q", "-b", "main")
        for number in 0...3 { try write(ann, "t\(number)", Self.text("t\(number)")) }
        _ = try await ann.workspace.run(.sync, SyncOptions())
        try ann.git("add", "-A")
        try ann.git("commit", "-q", "-m", "one")
        _ = try await bob.workspace.run(.sync, SyncOptions())
        try await run("bob edit t1 priority high\nsync\ngit add -A\ngit commit -q -m two")
    }

    static func text(_ id: String) -> String { "id: \(id)\ntext: todo \(id)\nplace: here\nwho: me\n" }

    /// Runs the steps; an expectation that doesn't hold is a ``StoryFailure``.
    func run(_ script: String) async throws {
        for line in script.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) })
        where !line.isEmpty {
            log.append(line)
            do { try await step(line) } catch let failure as StoryFailure { throw failure } catch {
                throw StoryFailure("\(line): \(error)")
            }
        }
    }

    private func step(_ line: String) async throws {
        var words = line.split(separator: " ").map(String.init)
        if words[0] == "?" { return try await expect(Array(words.dropFirst())) }
        var machine = ann
        if words[0] == "bob" { machine = bob } else if words[0] == "carol" { machine = try newCarol() }
        if machine !== ann { words.removeFirst() }
        let arguments = Array(words.dropFirst())
        switch words[0] {
        case "git":
            let (status, output) = try machine.git(arguments)
            log.append("  \(status) \(output)")
        case "sync", "newest": try await sync(machine, forwards: words[0] == "newest")
        case "pull":
            let report = try await machine.workspace.run(.pull, SyncOptions())
            self.report = report
            log.append("  " + summary(report))
        case "edit":
            try edit(machine, arguments[0], arguments[1], arguments[2])
            if machine === bob { try await sync(bob) }
        case "note":
            let file = try file(machine, arguments[0])
            try machine.folder.write(
                file.text + "# " + arguments.dropFirst().joined(separator: " ") + "\n", to: file.path)
            if machine === bob { try await sync(bob) }
        case "new":
            try write(machine, arguments[0], Self.text(arguments[0]))
            if machine === bob { try await sync(bob) }
        case "write":
            let text = arguments.dropFirst().joined(separator: " ").replacing(";", with: "\n")
            try machine.folder.write(text + "\n", to: arguments[0])
        case "rm": try machine.folder.remove(file(machine, arguments[0]).path)
        case "move":
            try FileManager.default.moveItem(
                atPath: machine.folder.path(of: file(machine, arguments[0]).path),
                toPath: machine.folder.path(of: arguments[1]))
        case "use": _ = try machine.workspace.resolve([], .use(arguments[0] == "local" ? .local : .remote))
        default: throw StoryFailure("unknown step: \(line)")
        }
    }

    private func sync(_ machine: StoryMachine, forwards: Bool = false) async throws {
        var options = SyncOptions()
        options.forwards = forwards
        let report = try await machine.workspace.run(.sync, options)
        if machine !== bob { self.report = report }
        log.append("  " + summary(report))
        if let stop = report.stop { throw stop }
        let isQuiet = report.pushed.isEmpty && report.pulled.isEmpty && report.merged.isEmpty
        if isQuiet, !report.needsUser, try !machine.workspace.status().pending.isEmpty {
            throw StoryFailure("everything is up to date, but something is pending")
        }
    }

    private func summary(_ report: SyncReport) -> String {
        "pushed \(report.pushed.map(\.words)), pulled \(report.pulled.map(\.path)), "
            + "merged \(report.merged.map(\.path)), "
            + "conflicts \(report.conflicts.map { "\($0.path) \($0.fields)" }), "
            + "held \(report.held.map { "\($0.path) \($0.reason)" })"
    }

    private func newCarol() throws -> StoryMachine {
        if let carol { return carol }
        let carol = try StoryMachine("carol", world, prefix: "", .everyWay, clock: clock)
        _ = try ChildProcess.run([
            "git", "clone", "-q", "--bare", ann.folder.path, carol.folder.path + "/hub",
        ])
        let hub = carol.folder.path + "/hub"
        for machine in [ann, carol] {
            if machine === carol { try machine.git("init", "-q", "-b", "main") }
            try machine.git("remote", "add", "origin", hub)
            try machine.git("fetch", "-q")
            if machine === carol { try machine.git("checkout", "-q", "-f", "main") }
            try machine.git("branch", "-q", "-u", "origin/main")
            try machine.git("config", "pull.rebase", "false")
        }
        try carol.folder.write("hub\n", to: ".git/info/exclude")
        try carol.setUp()
        self.carol = carol
        return carol
    }

    private func file(_ machine: StoryMachine, _ todo: String) throws -> (path: String, text: String) {
        guard let file = machine.files[todo] else { throw StoryFailure("\(todo) has no file") }
        return file
    }

    private func write(_ machine: StoryMachine, _ todo: String, _ text: String) throws {
        try machine.folder.write(text, to: todo + ".yaml")
    }

    private func edit(_ machine: StoryMachine, _ todo: String, _ field: String, _ value: String) throws {
        let file = try file(machine, todo)
        var lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if let index = lines.firstIndex(where: { $0.hasPrefix(field + ": ") }) {
            lines[index] = "\(field): \(value)"
        } else {
            lines.insert("\(field): \(value)", at: lines.endIndex - 1)
        }
        try machine.folder.write(lines.joined(separator: "\n"), to: file.path)
    }

    // MARK: Expectations

    /// Checks an expectation.
    ///
    /// - `t2 place p1`: the remote has this value; `t2 place p1|p2` one of them;
    /// - `t3 gone`, `n there`: the todo is deleted, or exists, on the remote;
    /// - `t2 says words`: the remote's text has these words;
    /// - `asked`, `quiet`: the last sync has a conflict or a held todo, or neither;
    /// - `conflict`, `held`, `held t2`: the last sync has one;
    /// - `file t2 place p1`: ann's file has this value.
    private func expect(_ words: [String]) async throws {
        let record = await world.remote.liveRecords().first { $0.id == words[0] }
        let holds: Bool
        switch (words[0], words.count) {
        case ("asked", _): holds = isAsked
        case ("quiet", _): holds = !isAsked
        case ("conflict", _): holds = !conflicts.isEmpty
        case ("held", 1): holds = !held.isEmpty
        case ("held", _): holds = held.contains { $0.id?.string == words[1] }
        case ("file", _): holds = try StoryMachine.value(words[2], in: file(ann, words[1]).text) == words[3]
        case (_, 2) where words[1] == "gone": holds = record == nil
        case (_, 2) where words[1] == "there": holds = record != nil
        case (_, _) where words[1] == "says":
            let text = record?.layout?.yaml ?? ""
            holds = text.contains(words.dropFirst(2).joined(separator: " "))
        default:
            let values = words[2].split(separator: "|").map(String.init)
            holds =
                switch record?.fields[words[1]] {
                case .string(let value)?: values.contains(value)
                case .bool(let value)?: values.contains("\(value)")
                default: values.contains("none") && record != nil
                }
        }
        if !holds { throw StoryFailure("expected: " + words.joined(separator: " ")) }
    }

    private var conflicts: [ConflictedTodo] { report?.conflicts ?? [] }
    private var held: [HeldTodo] { report?.held ?? [] }
    private var isAsked: Bool { !conflicts.isEmpty || !held.isEmpty }

    /// The remote's live todos, by id.
    func remote() async -> [String: Mapping] {
        Dictionary(await world.remote.liveRecords().map { ($0.id, $0.fields) }) { first, _ in first }
    }

    /// Returns the path and text of a todo on the remote.
    func layout(of todo: String) async -> Layout? {
        await world.remote.liveRecords().first { $0.id == todo }?.layout
    }

    /// Returns whether the last sync named a todo as in conflict, held or otherwise waiting.
    func names(_ todo: String) -> Bool {
        conflicts.contains { $0.id.string == todo } || held.contains { $0.id?.string == todo }
            || report?.held.waiting.contains { $0.id?.string == todo } == true
            || report?.duplicates.contains { $0.id.string == todo } == true || report?.withheld != nil
    }
}

extension StoryMachine {
    static func value(_ field: String, in text: String) -> String? {
        text.split(separator: "\n").first { $0.hasPrefix(field + ": ") }.map {
            String($0.dropFirst(field.count + 2))
        }
    }
}
