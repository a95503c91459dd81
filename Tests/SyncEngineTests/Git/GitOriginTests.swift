import Foundation
import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import TodoModel
import WorkingCopy

/// Records about todos stay in force if git can't answer.
@Suite(.ownThreads) struct GitOriginTests {
    /// Returns folders where git has checked out the commit before the newest versions: t1 is behind, and t3
    /// is absent, and both are recorded as such.
    private func folders() async throws -> GitFolders {
        let folders = try await GitFolders()
        let ann = folders.ann
        try ann.write("t1", ["text": "b", "owner": "a", "place": "a"])
        try ann.write("t3", ["text": "a", "owner": "a", "place": "a"])
        try ann.git("add", "-A")
        try ann.git("commit", "-q", "-m", "newest")
        _ = try await ann.workspace.sync(SyncOptions())
        try ann.git("checkout", "-q", "HEAD~1")
        _ = try await ann.workspace.sync(SyncOptions())
        #expect(try ann.workspace.status().held.behind.map(\.path) == ["t1.yaml"])
        #expect(try ann.workspace.status().held.absent.map(\.path) == ["t3.yaml"])
        return folders
    }

    private func workspaceWithoutGit(_ folders: GitFolders, path: String = "/nowhere") -> Workspace {
        var surroundings = folders.world.surroundings()
        surroundings.environment = ["PATH": path, "HOME": folders.ann.folder.path]
        return Workspace(directory: folders.ann.workspace.directory, surroundings: surroundings)
    }

    @Test func `what is behind and absent is not sent if git cannot be asked`() async throws {
        let folders = try await folders()
        let workspace = workspaceWithoutGit(folders)
        _ = try workspace.change(["t2"], set: [("owner", .string("b"))], unset: [])
        let report = try await workspace.sync(SyncOptions())
        #expect(report.pushed.map(\.path) == ["t2.yaml"])
        #expect(try workspace.status().held.behind.map(\.path) == ["t1.yaml"])
        #expect(try workspace.status().held.absent.map(\.path) == ["t3.yaml"])
        #expect(await folders.remote("t1", "text") == "b")
        #expect(await folders.remote("t3", "text") == "a")
    }

    @Test func `a text that was here before is held if git cannot be asked`() async throws {
        let folders = try await GitFolders()
        try await folders.edit(folders.ann, "t1", "text", "b")
        try folders.ann.git("checkout", "-q", ".")
        let report = try await workspaceWithoutGit(folders).sync(SyncOptions())
        #expect(report.held.map(\.path) == ["t1.yaml"])
        #expect(await folders.remote("t1", "text") == "b")
    }

    @Test func `a todo whose file is gone is not deleted if git fails`() async throws {
        let folders = try await GitFolders()
        try folders.ann.folder.remove("t1.yaml")
        let programs = try TemporaryFolder()
        try programs.write("#!/bin/sh\nexit 1\n", to: "git")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: programs.path(of: "git"))
        let report = try await workspaceWithoutGit(folders, path: programs.path).sync(SyncOptions())
        #expect(report.held.map(\.reason) == [.gitFailed])
        #expect(report.needsUser)
        #expect(await folders.remote("t1", "text") == "a")
        #expect(try await folders.ann.workspace.sync(SyncOptions()).pushedLines == ["delete t1.yaml"])
    }

    @Test func `a delete by a commit stays pending after a command`() async throws {
        let folders = try await GitFolders()
        let ann = folders.ann
        try ann.git("rm", "-q", "t1.yaml")
        try ann.git("commit", "-q", "-m", "a removal")
        for owner in ["b", "c"] {
            _ = try ann.workspace.change(["t2"], set: [("owner", .string(owner))], unset: [])
            #expect(try ann.workspace.status().pending.map(\.path) == ["t1.yaml", "t2.yaml"])
        }
        // A revert brings the file back.
        try ann.git("stash", "push", "-q")
        try ann.git("revert", "--no-edit", "HEAD")
        #expect(try ann.workspace.status().isClean)
        _ = try ann.workspace.change(["t2"], set: [("owner", .string("d"))], unset: [])
        try ann.git("checkout", "-q", "HEAD~1")
        #expect(try ann.workspace.status().held.absent.map(\.path) == ["t1.yaml"])
    }

    @Test(arguments: ["no repository", ".jj"])
    func `what is behind and absent is held without a repository`(_ change: String) async throws {
        let folders = try await folders()
        let ann = folders.ann
        if change == ".jj" {
            try ann.folder.makeFolder(".jj")
        } else {
            try FileManager.default.moveItem(
                atPath: ann.folder.path(of: ".git"), toPath: ann.folder.path(of: "gone"))
        }
        let report = try await ann.workspace.sync(SyncOptions())
        #expect(report.pushed == [])
        #expect(report.held.map(\.path) == ["t1.yaml", "t3.yaml"])
        // The user's edit is an edit of the version that git checked out.
        try ann.write("t1", ["text": "a", "owner": "c", "place": "a"])
        _ = try await ann.workspace.sync(SyncOptions())
        #expect(await folders.remote("t1", "text") == "b")
        #expect(await folders.remote("t1", "owner") == "c")
        var options = SyncOptions()
        options.todos = ["t3"]
        #expect(try await ann.workspace.push(options).pushedLines == ["delete t3.yaml"])
        #expect(try ann.workspace.status().isClean)
    }
}
