import Foundation
import TestSupport
import Testing

/// Todos in a folder that several users of a machine share; the files belong to another user.
@Suite(
    .ownThreads,
    .enabled(
        if: geteuid() == 0 && TemporaryFolder.hasAttributes
            && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv"),
        "only the administrator may run programs as two users, and files need access control lists"))
struct SharedFolderTests {
    private static let list = TemporaryFolder.accessList(named: 6)

    /// - Parameter groups: The other user's groups.
    private func run(_ command: String, groups: String, in folder: TemporaryFolder) throws -> Program.Result {
        let user = "setpriv --reuid 4243 --regid 4243 --groups \(groups)"
        return try Program.shell(
            "cd shared && umask 002 && exec \(user) sh -c \"\(command)\"", in: folder.path,
            environment: TestedEnvironment(home: folder.path + "/home"))
    }

    private func sharedFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.makeFolder("home")
        let result = try Program.shell(
            """
            set -e
            umask 002
            todosync init --bare store
            todosync clone store shared
            printf 'text: a\\n' > shared/a.yaml
            todosync -C shared push
            todosync clone store other
            todosync -C other set a.yaml due=2026-12-01
            todosync -C other push
            chmod -R a+rwX .
            chown -R 4242:4244 shared
            """, in: folder.path, environment: TestedEnvironment(home: folder.path + "/home"))
        try #require(result.status == 0, "\(result.output)")
        #expect(folder.setAttribute("user.test", [1], of: "shared/a.yaml"))
        #expect(folder.setAttribute(TemporaryFolder.accessListAttribute, Self.list, of: "shared/a.yaml"))
        return folder
    }

    @Test(arguments: [
        "todosync done a.yaml", "todosync set a.yaml priority=high", "todosync pull", "todosync sync",
        "todosync done a.yaml && todosync undo", "todosync set a.yaml due=2026-12-24; todosync pull",
        "todosync set a.yaml due=2026-12-24; todosync pull; todosync resolve --use remote",
    ])
    func `a file that another user of the group replaces keeps group, list and attributes`(command: String)
        throws
    {
        let folder = try sharedFolder()
        let before = try FileManager.default.attributesOfItem(atPath: folder.path(of: "shared/a.yaml"))
        let result = try run(command, groups: "4244", in: folder)
        #expect(result.status == 0 || command.contains("pull"), "\(result.output)")
        let after = try FileManager.default.attributesOfItem(atPath: folder.path(of: "shared/a.yaml"))
        #expect(before[.systemFileNumber] as? Int != after[.systemFileNumber] as? Int, "\(result.output)")
        #expect(after[.ownerAccountID] as? Int == 4243)
        #expect(after[.groupOwnerAccountID] as? Int == 4244)
        #expect(folder.attribute("user.test", of: "shared/a.yaml") == [1])
        #expect(folder.attribute(TemporaryFolder.accessListAttribute, of: "shared/a.yaml") == Self.list)
        #expect(try folder.permissions(of: "shared/a.yaml") == 0o664)
    }

    @Test func `a user who is not of the group gives their own no more than all others had`() throws {
        let folder = try sharedFolder()
        let result = try run("todosync done a.yaml", groups: "4245", in: folder)
        #expect(result.status == 0, "\(result.output)")
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(of: "shared/a.yaml"))
        #expect(attributes[.groupOwnerAccountID] as? Int == 4243)
        #expect(
            folder.attribute(TemporaryFolder.accessListAttribute, of: "shared/a.yaml")
                == TemporaryFolder.accessList(named: 6, group: 4, others: 4))
    }
}
