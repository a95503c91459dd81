import Foundation
import TestSupport
import Testing

/// What the commands say of todos that can't be synced for now.
@Suite(.ownThreads) struct WaitingTests {
    private let folder: ThrowAwayFolder

    init() throws { folder = try ThrowAwayFolder() }

    private func run(_ script: String) throws -> String {
        let result = try Program.shell(
            "unset TODOSYNC_SEED\n" + script, in: folder.path,
            environment: TestedEnvironment(home: folder.path))
        return result.output.replacing(folder.path, with: "~")
    }

    /// What takes away the files of two synced todos in the folder `sub`.
    static let replacements = [
        ("mv sub ../moved; ln -s ../moved sub", "its folder sub is a symbolic link"),
        ("mv sub .sub", "its file .sub/a.yaml is hidden, because its name begins with a dot"),
        ("mv sub/a.yaml ../moved; ln -s ../../moved sub/a.yaml", "its file is a symbolic link"),
        ("rm sub/a.yaml; mkfifo sub/a.yaml", "its file is not a regular file"),
        ("rm sub/a.yaml; ln -s nowhere sub/a.yaml", "its file is a symbolic link"),
        ("mkdir sub/.todosync", "its folder sub is another working directory"),
    ]

    private static let setUp = """
        todosync init --quiet --bare store
        todosync clone --quiet store a
        (cd a; todosync add --quiet A --file sub/a.yaml; todosync push --quiet)
        todosync clone --quiet store b

        """

    @Test(arguments: replacements)
    func `a todo whose file became something else waits once it is edited`(
        command: String, reason: String
    ) throws {
        let output = try run(
            Self.setUp + """
                (cd a; todosync set --quiet sub/a.yaml k=1; todosync push --quiet)
                cd b; todosync set --quiet sub/a.yaml l=2
                \(command)
                exec 2>&1
                todosync sync; echo "status $?"
                todosync status | tail -n +3; todosync prompt | cut -d, -f1
                todosync push; echo "status $?"; todosync pull; echo "status $?"
                todosync status --json | grep -A 3 waiting | grep path
                """)
        #expect(
            output == """
                1 held
                held: sub/a.yaml: \(reason)
                status 1

                Held:
                  sub/a.yaml: \(reason)
                1 held
                1 held
                held: sub/a.yaml: \(reason)
                status 1
                1 held
                held: sub/a.yaml: \(reason)
                status 1
                      "path": "sub/a.yaml",

                """, "\(output)")
    }

    @Test(arguments: replacements.filter { !$0.0.contains("rm ") })
    func `a todo whose file became another file stays while neither side has an edit`(
        command: String, _: String
    ) throws {
        let output = try run(
            Self.setUp + """
                cd b; \(command)
                todosync sync; echo "status $?"; todosync status | tail -n +3; todosync prompt | cut -d, -f1
                """)
        #expect(
            output == """
                everything up to date
                status 0

                nothing pending, no conflicts
                synced just now

                """, "\(output)")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can become another user"))
    func `while a remote change waits for a folder that can't be written in, status reports it`() throws {
        let output = try run(
            Self.setUp + """
                (cd a; todosync set --quiet sub/a.yaml k=1; todosync push --quiet)
                cd b; chmod 555 sub; chown -R 65534 ..
                user() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
                user todosync sync 2>&1; echo "status $?"
                user todosync status | tail -n +3; user todosync prompt | cut -d, -f1
                chmod 755 sub; user todosync status | tail -n +3
                user todosync sync --quiet; user todosync status | tail -n +3
                """)
        #expect(
            output == """
                1 held
                held: sub/a.yaml: can't write to the folder sub: permission denied
                error: 1 todo could not be read or written
                hint: nothing is lost; check the permissions and try again
                status 74

                Held:
                  sub/a.yaml: can't write to the folder sub: permission denied
                1 held

                Held:
                  sub/a.yaml: the remote's change has not been applied yet

                nothing pending, no conflicts

                """, "\(output)")
    }

    @Test func `status --verbose names the files with several names`() throws {
        let output = try run(
            """
            todosync init --quiet .
            todosync add --quiet Milk
            ln milk.yaml milk.txt
            todosync status --verbose | tail -n 3
            """)
        #expect(
            output == """
                Files with several names (hard links):
                  (a command that changes such a file leaves its other names as they are)
                  milk.yaml

                """)
    }
}
