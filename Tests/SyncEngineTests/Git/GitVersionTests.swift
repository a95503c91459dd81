import Foundation
import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// Which texts and paths of git's are older than the newest version, and what becomes of edits of them.
@Suite(.ownThreads) struct GitVersionTests {
    private static let tagged =
        "id: t3\ntext: x\nowner: o\ntags: [a, b]\nparts:\n  one: 1\n  two: 2\nsize: 5\n"

    // MARK: Conflicts of what may be git's

    @Test(arguments: [
        ("tags: [a, b]", "tags: [a]", "tags"), ("  two: 2\n", "", "parts"), ("size: 5", "size: 3", "size"),
        ("tags: [a, b]\n", "", "tags"),
    ])
    func `a value that git may have brought back is a conflict, whatever its kind`(
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

    // MARK: What commands wrote

    @Test func `what a command wrote on another branch is sent when git brings it back`() async throws {
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
        _ = try await ann.workspace.sync(SyncOptions())
        #expect(await folders.remote("t1", "text") == "mine")
        #expect(await folders.remote("t1", "owner") == "bob")
        // Once it was sent, it is a version like any other.
        try ann.git("checkout", "-q", "-f", "main")
        try await folders.edit(ann, "t1", "text", "newest")
        try ann.git("commit", "-q", "-a", "-m", "newest")
        try ann.git("checkout", "-q", "side")
        #expect(try await ann.workspace.sync(SyncOptions()).pushed == [])
        #expect(await folders.remote("t1", "text") == "newest")
    }

    @Test func `a linked worktree of a commit that was never synced changes nothing`() async throws {
        let folders = try await GitFolders()
        let ann = folders.ann
        for text in ["b", "c"] {
            try ann.write("t1", ["text": text, "owner": "a", "place": "a"])
            try ann.git("commit", "-q", "-a", "-m", text)
        }
        _ = try await ann.workspace.sync(SyncOptions())
        try ann.git("worktree", "add", "-q", "wt", "HEAD~1")
        let worktree = try Workspace.create(
            at: ann.folder.path(of: "wt"), takingOver: ann.workspace, ann.workspace.surroundings)
        #expect(try await worktree.sync(SyncOptions()).pushed == [])
        #expect(try worktree.status().behind.map(\.path) == ["t1.yaml"])
        #expect(await folders.remote("t1", "text") == "c")
    }
}
