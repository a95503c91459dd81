import Foundation
import TestSupport
import Testing

/// Commands that root runs in another user's working directory.
@Suite(
    .ownThreads,
    .enabled(
        if: geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv"),
        "only root may run programs as two users"))
struct AdministratorTests {
    private let folder: ThrowAwayFolder

    /// Creates a working directory `b` of another user, with changes to pull into old and new folders.
    private static let setUp = """
        unset TODOSYNC_SEED
        owner() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
        todosync init --quiet --bare store
        todosync clone --quiet store a
        (cd a; todosync add --quiet Milk; todosync add --quiet Bread --file old/bread.yaml; todosync push --quiet)
        todosync clone --quiet store b
        (cd a; todosync set --quiet milk.yaml k=2; todosync add --quiet Deep --file new/deeper/deep.yaml
        todosync add --quiet Rye --file old/rye.yaml; todosync push --quiet)
        chown -R 65534:65533 b; chmod 777 .; chmod -R a+rwX store
        cd b

        """

    init() throws { folder = try ThrowAwayFolder() }

    private func run(_ script: String) throws -> Program.Result {
        let result = try Program.shell(
            Self.setUp + script, in: folder.path, environment: TestedEnvironment(home: folder.path + "/home"))
        return Program.Result(
            status: result.status, output: result.output.replacing(folder.path, with: "~"), errors: "")
    }

    @Test(arguments: ["", "rm -rf .todosync/tmp .todosync/cache .todosync/lock;"])
    func `what root creates belongs to the owner of the folder, who can go on`(before: String) throws {
        let result = try run(
            """
            \(before) mkdir -p "$HOME"; git init --quiet; git config --global safe.directory '*'
            todosync sync --quiet
            todosync add --quiet Cake --file another/cake.yaml; todosync add --quiet "Apple pie"
            todosync set --quiet milk.yaml k=3; todosync done --quiet old/bread.yaml
            todosync mv --quiet old/rye.yaml third/rye.yaml
            todosync set --quiet milk.yaml k=4; todosync undo --quiet; todosync rm --quiet third/rye.yaml
            todosync push --quiet; todosync gc --quiet
            todosync git-setup --yes --quiet; ls .gitattributes
            find . -path ./.git -prune -o \\( ! -user 65534 -o ! -group 65533 \\) -print
            echo "the owner:"
            owner todosync add --quiet Tea && owner todosync set --quiet milk.yaml k=5
            owner todosync list --all
            """)
        #expect(!result.output.contains("error"), "\(result.output)")
        #expect(result.output.hasPrefix(".gitattributes\nthe owner:\n"), "\(result.output)")
        #expect(result.status == 0)
    }

    @Test func `a command that root's files lock out names the folder and its owner`() throws {
        let result = try run(
            """
            chown 0:0 .todosync/tmp
            owner todosync add Cake; echo "status $?"
            owner todosync set milk.yaml k=3; echo "status $?"
            owner todosync rm milk.yaml; echo "status $?"
            chown 65534 .todosync/tmp; chown 0:0 .todosync; chmod 755 .todosync; rm .todosync/lock
            owner todosync set milk.yaml k=3; echo "status $?"
            touch .todosync/lock
            owner todosync set milk.yaml k=3; echo "status $?"
            """)
        let folder = "the folder ~/b/.todosync/tmp belongs to root"
        #expect(
            result.output == """
                error: can't create cake.yaml: permission denied (\(folder))
                hint: check the permissions and try again
                status 73
                error: can't write to the folder .todosync/tmp: permission denied (\(folder))
                hint: check the permissions and try again
                status 74
                error: can't write to the folder .todosync/tmp: permission denied (\(folder))
                hint: check the permissions and try again
                status 74
                error: can't create .todosync/lock: permission denied (the folder ~/b/.todosync belongs to root)
                hint: check the permissions and try again
                status 73
                error: can't open .todosync/lock: permission denied (~/b/.todosync/lock belongs to root)
                hint: check the permissions and try again
                status 74

                """, "\(result.output)")
    }
}
