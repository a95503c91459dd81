import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import TodoModel
import WorkingCopy

/// A working directory in a repository, and one of the same remote without a repository.
struct GitFolders {
    let world = World()
    let ann: StoryMachine
    let bob: StoryMachine

    /// - Parameters:
    ///   - todos: The todos that are synced, with a value for each field.
    ///   - isCommitted: Whether they are also committed.
    init(_ todos: [String] = ["t1", "t2"], isCommitted: Bool = true) async throws {
        let clock = StoryClock()
        ann = try StoryMachine("ann", world, prefix: "", .everyWay, clock: clock)
        bob = try StoryMachine("bob", world, prefix: "", .withoutGit, clock: clock)
        for machine in [ann, bob] { try machine.setUp() }
        try ann.git("init", "-q", "-b", "main")
        try ann.folder.write("one\n", to: "code.txt")
        try ann.git("add", "code.txt")
        try ann.git("commit", "-q", "-m", "code")
        for todo in todos { try ann.write(todo, ["text": "a", "owner": "a", "place": "a"]) }
        if isCommitted {
            try ann.git("add", "-A")
            try ann.git("commit", "-q", "-m", "todos")
        }
        _ = try await ann.workspace.sync(SyncOptions())
        _ = try await bob.workspace.sync(SyncOptions())
    }

    /// Edits a field on a machine, and syncs.
    func edit(_ machine: StoryMachine, _ todo: String, _ field: String, _ value: String) async throws {
        var fields = machine.fields[todo] ?? [:]
        fields[field] = value
        try machine.write(todo, fields)
        _ = try await machine.workspace.sync(SyncOptions())
    }

    /// Returns the value of a field on the remote; nil if the todo was deleted.
    func remote(_ todo: String, _ field: String) async -> String? {
        let record = await world.remote.liveRecords().first { $0.id == todo }
        if case .string(let value)? = record?.fields[field] { return value }
        return nil
    }
}

extension StoryMachine {
    func write(_ todo: String, _ fields: StoryFields) throws {
        try folder.write(Self.text(todo, fields), to: prefix + todo + ".yaml")
    }
}

extension HeldReason {
    fileprivate var isUnanswered: Bool { if case .gitFailed = self { true } else { false } }
}

extension SyncOptions {
    static var forwarding: SyncOptions {
        var options = SyncOptions()
        options.forwards = true
        return options
    }
}

/// Todos whose files git changed, removed or brought back.
@Suite(.ownThreads) struct GitFolderTests {
    @Test(arguments: ["there", "absent", "moved", "put back"])
    func `todos that no commit has are held if several are gone, wherever the others are`(
        _ others: String
    ) async throws {
        let folders = try await GitFolders(["t1", "t2"])
        let ann = folders.ann
        for todo in ["t3", "t4"] { try ann.write(todo, ["text": "a", "owner": "a", "place": "a"]) }
        if ["moved", "put back"].contains(others) { _ = try ann.workspace.move("t2", to: "moved.yaml") }
        _ = try await ann.workspace.sync(SyncOptions())
        if others == "absent" { try ann.git("checkout", "-q", "HEAD~1") }
        if others == "put back" {
            try ann.git("clean", "-q", "-fd", "t3.yaml", "t4.yaml")
            try ann.git("stash", "push", "-q", "-u")
        } else {
            try ann.git("clean", "-q", "-fd")
        }
        var report = try await ann.workspace.sync(SyncOptions())
        // On a busy machine, git can take longer than a command waits for it.
        for _ in 0..<10 where report.held.contains(where: \.reason.isUnanswered) {
            report = try await ann.workspace.sync(SyncOptions())
        }
        #expect(report.pushed == [])
        #expect(Set(report.held.compactMap(\.id?.string)).isSuperset(of: ["t3", "t4"]))
        #expect(await folders.remote("t3", "text") == "a")
    }

    @Test func `a version that a stash restores is held, and isn't sent over a newer one`() async throws {
        let folders = try await GitFolders(isCommitted: false)
        let (ann, bob) = (folders.ann, folders.bob)
        try ann.git("stash", "push", "-q", "-u")
        try await folders.edit(bob, "t1", "text", "b")
        #expect(try await ann.workspace.sync(SyncOptions()).held.map(\.path) == ["t1.yaml", "t2.yaml"])
        #expect(try ann.git("stash", "pop", "-q").status == 0)
        let report = try await ann.workspace.sync(SyncOptions())
        #expect(report.held.map(\.path) == ["t1.yaml"])
        #expect(report.pushed.isEmpty)
        #expect(await folders.remote("t1", "text") == "b")
    }

    @Test(arguments: [true, false]) func `forwarding restores what git removed`(hasNews: Bool) async throws {
        let folders = try await GitFolders(isCommitted: false)
        let (ann, bob) = (folders.ann, folders.bob)
        try ann.git("stash", "push", "-q", "-u")
        if hasNews { try await folders.edit(bob, "t1", "text", "b") }
        let report = try await ann.workspace.sync(.forwarding)
        #expect(report.pushed.isEmpty)
        #expect(report.pulledLines == ["insert t1.yaml", "insert t2.yaml"])
        #expect(ann.fields["t1"]?["text"] == (hasNews ? "b" : "a"))
        #expect(await folders.remote("t2", "text") == "a")
        #expect(try ann.workspace.status().isClean)
    }

    @Test func `what the remote brings is not reported as held where git has it in the file`() async throws {
        let folders = try await GitFolders()
        let (ann, bob) = (folders.ann, folders.bob)
        let text = ann.files["t1"]?.text ?? ""
        try await folders.edit(ann, "t1", "text", "b")
        _ = try await bob.workspace.sync(SyncOptions())
        try ann.git("checkout", "-q", ".")
        try bob.folder.write(text, to: "t1.yaml")
        _ = try await bob.workspace.sync(SyncOptions())
        let report = try await ann.workspace.sync(SyncOptions())
        #expect(report.held == [])
        #expect(!report.needsUser)
        #expect(try ann.workspace.status().isClean)
    }

    @Test func `an edit of a version that a stash restores is merged with the newest`() async throws {
        let folders = try await GitFolders(isCommitted: false)
        let (ann, bob) = (folders.ann, folders.bob)
        try ann.write("t1", ["text": "a", "owner": "edited", "place": "a"])
        try ann.git("stash", "push", "-q", "-u")
        try await folders.edit(bob, "t1", "text", "b")
        _ = try await ann.workspace.sync(SyncOptions())
        #expect(try ann.git("stash", "pop", "-q").status == 0)
        _ = try await ann.workspace.sync(SyncOptions())
        #expect(ann.fields["t1"] == ["text": "b", "owner": "edited", "place": "a"])
        #expect(await folders.remote("t1", "owner") == "edited")
    }

    @Test func `a commit's edit of an older version asks about its older values`() async throws {
        let folders = try await GitFolders()
        let ann = folders.ann
        try await folders.edit(ann, "t1", "text", "b")
        try ann.git("checkout", "-q", ".")
        try ann.write("t1", ["text": "a", "owner": "committed", "place": "a"])
        try ann.git("commit", "-q", "-a", "-m", "an edit")
        let report = try await ann.workspace.sync(SyncOptions())
        #expect(await folders.remote("t1", "text") == "b")
        #expect(report.conflicts.map(\.fields) == [["text"]])
    }

    @Test func `a commit that moved an older version makes none of its values an edit`() async throws {
        let folders = try await GitFolders()
        let ann = folders.ann
        try await folders.edit(ann, "t1", "place", "b")
        try ann.git("reset", "-q", "--hard")
        try ann.git("mv", "t1.yaml", "t1-m.yaml")
        let moved = ann.prefix + "t1-m.yaml"
        try ann.folder.write(
            StoryMachine.text("t1", ["text": "a", "owner": "committed", "place": "a"]), to: moved)
        try ann.git("commit", "-q", "-a", "-m", "a move and an edit")
        // The file differs from the commit, too, and nothing was synced in between.
        try ann.folder.write(
            StoryMachine.text("t1", ["text": "edited", "owner": "committed", "place": "a"]), to: moved)
        let report = try await ann.workspace.sync(SyncOptions())
        #expect(await folders.remote("t1", "place") == "b")
        #expect(report.conflicts.map(\.fields) == [["place"]])
    }

    @Test func `a pull that reads only what it changes makes git's text nobody's edit`() async throws {
        let folders = try await GitFolders()
        for owner in ["b", "c"] {
            try folders.ann.write("t1", ["text": "a", "owner": owner, "place": "a"])
            try folders.ann.git("commit", "-q", "-a", "-m", owner)
        }
        _ = try await folders.ann.workspace.sync(SyncOptions())
        // This text was never synced.
        try folders.ann.git("checkout", "-q", "HEAD~1")
        _ = try await folders.ann.workspace.pull(SyncOptions(countsPending: false))
        let report = try await folders.ann.workspace.sync(SyncOptions())
        #expect(report.pushed == [])
        #expect(await folders.remote("t1", "owner") == "c")
    }

    @Test func `what a command wrote is not older before it was sent`() async throws {
        let folders = try await GitFolders()
        _ = try folders.ann.workspace.change(["t1"], set: [("owner", .string("b"))], unset: [])
        try folders.ann.git("commit", "-q", "-a", "-m", "owner")
        try folders.ann.write("t1", ["text": "a", "owner": "b", "place": "b"])
        try folders.ann.git("commit", "-q", "-a", "-m", "place")
        let report = try await folders.ann.workspace.sync(SyncOptions())
        #expect(report.pushed.count == 1)
        #expect(await folders.remote("t1", "owner") == "b")
        #expect(await folders.remote("t1", "place") == "b")
        // A commit that sets the file back is the user's.
        try folders.ann.git("checkout", "-q", "HEAD~1", "--", "t1.yaml")
        try folders.ann.git("commit", "-q", "-m", "back")
        _ = try await folders.ann.workspace.sync(SyncOptions())
        #expect(await folders.remote("t1", "place") == "a")
    }

    @Test(arguments: ["HEAD", "the index"])
    func `a committed or staged text is older once an edit of it was sent`(_ source: String) async throws {
        let folders = try await GitFolders()
        try folders.ann.write("t1", ["text": "a", "owner": "b", "place": "a"])
        try folders.ann.git("add", "t1.yaml")
        if source == "HEAD" { try folders.ann.git("commit", "-q", "-m", "never synced") }
        if source == "the index" { _ = try await folders.ann.workspace.sync(SyncOptions()) }
        try folders.ann.write("t1", ["text": "a", "owner": "c", "place": "a"])
        _ = try await folders.ann.workspace.sync(SyncOptions())
        try folders.ann.git("checkout", "-q", ".")
        #expect(folders.ann.fields["t1"]?["owner"] == "b")
        let report = try await folders.ann.workspace.sync(SyncOptions())
        #expect(report.held.map(\.path) == ["t1.yaml"])
        #expect(await folders.remote("t1", "owner") == "c")
    }
}
