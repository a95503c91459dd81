import Foundation
import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// Which of git's texts and paths are older than the newest version, and what happens to edits of them.
@Suite(.ownThreads) struct GitVersionTests {
    private static let tagged =
        "id: t3\ntext: x\nowner: o\ntags: [a, b]\nparts:\n  one: 1\n  two: 2\nsize: 5\n"

    // MARK: Conflicts over values that might be git's

    @Test(arguments: [
        ("tags: [a, b]", "tags: [a]", "tags"), ("  two: 2\n", "", "parts"), ("size: 5", "size: 3", "size"),
        ("tags: [a, b]\n", "", "tags"),
    ])
    func `a value that git may have restored is a conflict, whatever its kind`(
        _ old: String, _ new: String, _ field: String
    ) async throws {
        let folders = try await GitFolders()
        let ann = folders.ann
        let configuration = try #require(ann.folder.read(".todosync/config.yaml"))
        try ann.folder.write(
            configuration + "merge:\n  fields: {size: max}\n", to: ".todosync/config.yaml")
        try ann.folder.write(Self.tagged, to: "t3.yaml")
        _ = try await ann.workspace.sync(SyncOptions())
        try ann.git("add", "-A")
        try ann.git("commit", "-q", "-m", "t3")
        let newest = Self.tagged.replacing(old, with: new)
        try ann.folder.write(newest, to: "t3.yaml")
        _ = try await ann.workspace.sync(SyncOptions())
        try ann.git("checkout", "-q", ".")
        try ann.folder.write(Self.tagged.replacing("owner: o", with: "owner: mine"), to: "t3.yaml")
        let report = try await ann.workspace.sync(SyncOptions())
        #expect(report.conflicts.map(\.fields) == [[field]])
        #expect(report.pushed == [])
        _ = try ann.workspace.resolve([], .use(.remote))
        #expect(ann.folder.read("t3.yaml") == newest.replacing("owner: o", with: "owner: mine"))
    }

    // MARK: Texts that commands wrote

    @Test func `what a command wrote on another branch and never sent is named when git restores it`()
        async throws
    {
        let folders = try await GitFolders()
        let ann = folders.ann
        try ann.git("branch", "side")
        try ann.folder.write("two\n", to: "code.txt")
        try ann.git("commit", "-q", "-a", "-m", "code")
        _ = try await ann.workspace.sync(SyncOptions())
        try ann.git("checkout", "-q", "side")
        _ = try ann.workspace.change(["t1"], set: [("text", .string("mine"))], unset: [])
        try ann.git("commit", "-q", "-a", "-m", "mine")
        try ann.git("checkout", "-q", "main")
        _ = try await ann.workspace.sync(SyncOptions())
        try await folders.edit(folders.bob, "t1", "owner", "bob")
        _ = try await ann.workspace.sync(SyncOptions())
        try ann.git("commit", "-q", "-a", "-m", "bob")
        try ann.git("checkout", "-q", "side")
        #expect(try await ann.workspace.sync(SyncOptions()).held.map(\.reason) == [.notSentYet])
        var options = SyncOptions()
        options.todos = ["t1"]
        _ = try await ann.workspace.push(options)
        #expect(await folders.remote("t1", "text") == "mine")
    }

    // MARK: Paths

    @Test func `a path that git rolled back is not sent, and is brought forward`() async throws {
        let folders = try await GitFolders()
        let ann = folders.ann
        try ann.git("mv", "t1.yaml", "new.yaml")
        _ = try await ann.workspace.sync(SyncOptions())
        try ann.git("commit", "-q", "-m", "moved")
        try ann.git("checkout", "-q", "HEAD~1")
        #expect(try await ann.workspace.sync(SyncOptions()).pushed == [])
        #expect(try ann.workspace.status().held.behind.map(\.path) == ["t1.yaml"])
        #expect(try ann.git("checkout", "-q", "main").status == 0)
        #expect(try ann.workspace.status().isClean)
        try ann.git("reset", "-q", "--hard", "HEAD~1")
        let report = try await ann.workspace.sync(SyncOptions())
        #expect(report.pushed == [])
        #expect(report.held.map(\.path) == ["t1.yaml"])
        _ = try await ann.workspace.sync(.forwarding)
        #expect(ann.files["t1"]?.path == "new.yaml")
        #expect(try ann.workspace.status().isClean)
    }

    @Test func `an older version is held where a person has moved it`() async throws {
        let folders = try await GitFolders()
        let ann = folders.ann
        try await folders.edit(ann, "t1", "text", "b")
        try ann.git("checkout", "-q", ".")
        try FileManager.default.moveItem(
            atPath: ann.folder.path(of: "t1.yaml"), toPath: ann.folder.path(of: "moved.yaml"))
        let report = try await ann.workspace.sync(SyncOptions())
        #expect(report.held.map(\.path) == ["moved.yaml"])
        #expect(await folders.remote("t1", "text") == "b")
    }

    // MARK: Remembered texts

    @Test func `a text with other line endings is recognized after gc`() async throws {
        let folders = try await GitFolders()
        let ann = folders.ann
        try ann.git("config", "core.autocrlf", "true")
        for text in ["v1", "v2"] {
            try ann.folder.write("id: t3\r\ntext: \(text)\r\n", to: "t3.yaml")
            _ = try await ann.workspace.sync(SyncOptions())
            try ann.git("add", "-A")
            try ann.git("commit", "-q", "-m", text)
        }
        _ = try await ann.workspace.sync(SyncOptions())
        _ = try ann.workspace.compact(keeping: 0)
        try ann.git("reset", "-q", "--hard", "HEAD~1")
        #expect(try await ann.workspace.sync(SyncOptions()).held.map(\.path) == ["t3.yaml"])
        #expect(await folders.remote("t3", "text") == "v2")
    }

    @Test func `what git did is no damage, and a repair keeps the base versions`() async throws {
        let folders = try await GitFolders()
        let ann = folders.ann
        try await folders.edit(ann, "t1", "text", "b")
        try ann.git("stash", "push", "-q", "-u")
        #expect(try await ann.workspace.sync(SyncOptions()).held.map(\.path) == ["t1.yaml"])
        try ann.git("rm", "-q", "--cached", "t2.yaml")
        #expect(try ann.workspace.check(repairs: true).isHealthy)
        try ann.git("checkout", "-q", "-f", "HEAD~1")
        _ = try await ann.workspace.sync(SyncOptions())
        #expect(try ann.workspace.status().held.absent.map(\.path) == ["t1.yaml"])
        #expect(try ann.workspace.check(repairs: true).isHealthy)
        #expect(try ann.workspace.show("t1", .base).fields["text"] == .string("b"))
    }

    @Test func `resolve takes no staged text for an answer that nobody gave`() async throws {
        let folders = try await GitFolders()
        let ann = folders.ann
        try ann.write("t1", ["text": "staged", "owner": "a", "place": "a"])
        try ann.git("add", "t1.yaml")
        try ann.write("t1", ["text": "mine", "owner": "a", "place": "a"])
        try await folders.edit(folders.bob, "t1", "text", "bob")
        #expect(try await ann.workspace.sync(SyncOptions()).conflicts.count == 1)
        try ann.git("checkout", "-q", ".")
        #expect(try ann.workspace.resolve([], .file).unresolved.map(\.path) == ["t1.yaml"])
        #expect(try ann.workspace.resolve(["t1"], .file).resolved.map(\.path) == ["t1.yaml"])
    }

    // MARK: Older texts that were never in the folder

    /// Commits several texts of a todo, and syncs only the last one.
    private func commit(_ texts: [String], _ folders: GitFolders) async throws {
        let ann = folders.ann
        for (index, text) in texts.enumerated() {
            try ann.write("t1", ["text": text, "owner": "a", "place": "a"])
            try ann.folder.write("\(index) more\n", to: "code.txt")
            try ann.git("commit", "-q", "-a", "-m", "\(index)")
        }
        _ = try await ann.workspace.sync(SyncOptions())
    }

    @Test(arguments: [["b", "c", "d", "e"], ["b", "c", "d", "b"]])
    func `commits before the home branch's newest one have older texts`(_ texts: [String]) async throws {
        let folders = try await GitFolders()
        let ann = folders.ann
        try await commit(texts, folders)
        for commit in ["main~3", "main~2", "main~1"] {
            #expect(try ann.git("checkout", "-q", commit).status == 0)
            #expect(try await ann.workspace.sync(SyncOptions()).pushed == [])
            #expect(try ann.workspace.status().conflicts == [])
        }
        try ann.git("checkout", "-q", "main")
        #expect(try ann.workspace.status().isClean)
    }

    @Test func `a todo that a later commit of the home branch restored is absent`() async throws {
        let folders = try await GitFolders()
        let ann = folders.ann
        try ann.git("rm", "-q", "--cached", "t1.yaml")
        try ann.git("commit", "-q", "-m", "without t1")
        try ann.git("add", "t1.yaml")
        try ann.git("commit", "-q", "-m", "with t1")
        _ = try await ann.workspace.sync(SyncOptions())
        for commit in ["main~2", "main~1"] {
            try ann.git("checkout", "-q", commit)
            #expect(try await ann.workspace.sync(SyncOptions()).pushed == [])
        }
        #expect(try ann.workspace.status().held.absent.map(\.path) == ["t1.yaml"])
    }

    @Test func `a linked worktree of a commit that was never synced changes nothing`() async throws {
        let folders = try await GitFolders()
        let ann = folders.ann
        try await commit(["b", "c"], folders)
        try ann.git("worktree", "add", "-q", "wt", "HEAD~1")
        let worktree = try Workspace.create(
            at: ann.folder.path(of: "wt"), takingOver: ann.workspace, ann.workspace.surroundings)
        #expect(try await worktree.sync(SyncOptions()).pushed == [])
        #expect(try worktree.status().held.behind.map(\.path) == ["t1.yaml"])
        #expect(await folders.remote("t1", "text") == "c")
        // A later commit in the worktree is an edit.
        try ann.folder.write(
            StoryMachine.text("t2", ["text": "b", "owner": "a", "place": "a"]), to: "wt/t2.yaml")
        try ann.git("-C", "wt", "commit", "-q", "-a", "-m", "t2")
        #expect(try await worktree.sync(SyncOptions()).pushedLines == ["update t2.yaml"])
    }

    // MARK: Resets that leave the files

    /// The command that runs after git put an older version into a file and before a reset moves HEAD.
    enum Before: String, CaseIterable { case nothing, status, pull, sync }

    @Test(arguments: Before.allCases)
    func `an older version that a reset leaves in the file is nobody's edit`(before: Before) async throws {
        let folders = try await GitFolders()
        let ann = folders.ann
        try await folders.edit(ann, "t1", "text", "b")
        try ann.git("commit", "-q", "-a", "-m", "b")
        _ = try await ann.workspace.sync(SyncOptions())
        try await folders.edit(ann, "t1", "text", "c")
        try ann.git("checkout", "-q", ".")
        switch before {
        case .nothing: break
        case .status: #expect(try ann.workspace.status().held.map(\.path) == ["t1.yaml"])
        case .pull: _ = try await ann.workspace.pull(SyncOptions(countsPending: false))
        case .sync: _ = try await ann.workspace.sync(SyncOptions())
        }
        // After this, the file has neither HEAD's text nor the newest one.
        try ann.git("reset", "-q", "--mixed", "HEAD~1")
        #expect(try ann.workspace.status().held.map(\.path) == ["t1.yaml"])
        #expect(try await ann.workspace.sync(SyncOptions()).pushed == [])
        #expect(try await ann.workspace.sync(.forwarding).pushed == [])
        #expect(await folders.remote("t1", "text") == "c")
        #expect(ann.fields["t1"]?["text"] == "c")
        // A later edit is the user's.
        try await folders.edit(ann, "t1", "text", "d")
        #expect(await folders.remote("t1", "text") == "d")
    }

    @Test func `a todo that a reset leaves without its file is not deleted`() async throws {
        let folders = try await GitFolders()
        let ann = folders.ann
        try ann.write("t3", ["text": "a", "owner": "a", "place": "a"])
        try ann.git("add", "-A")
        try ann.git("commit", "-q", "-m", "t3")
        _ = try await ann.workspace.sync(SyncOptions())
        try ann.git("checkout", "-q", "HEAD~1")
        #expect(try ann.workspace.status().held.absent.map(\.path) == ["t3.yaml"])
        try ann.git("reset", "-q", "--mixed", "main~2")
        try ann.git("reset", "-q", "--mixed", "main")
        #expect(try await ann.workspace.sync(SyncOptions()).pushed == [])
        #expect(await folders.remote("t3", "text") == "a")
        // The user's `git rm` deletes the todo.
        try ann.git("checkout", "-q", "-f", "main")
        #expect(try await ann.workspace.sync(SyncOptions()).pushed == [])
        try ann.git("rm", "-q", "t3.yaml")
        #expect(try await ann.workspace.sync(SyncOptions()).pushedLines == ["delete t3.yaml"])
    }

    // MARK: Showing versions

    @Test func `the local version of a todo that is behind is its file`() async throws {
        let folders = try await GitFolders()
        let ann = folders.ann
        try await folders.edit(ann, "t1", "text", "b")
        try ann.git("commit", "-q", "-a", "-m", "b")
        try ann.git("checkout", "-q", "HEAD~1")
        #expect(try ann.workspace.show("t1", .file).fields["text"] == .string("b"))
        #expect(try ann.workspace.show("t1", .local).fields["text"] == .string("a"))
    }
}
