import Foundation
import TestSupport
import Testing

/// What the program reports if a system call fails: what, where, why, and what to do next.
@Suite(.ownThreads) struct FaultTests {
    private let folder: ThrowAwayFolder

    /// Defines `fault CALLS ERROR PATH COMMAND…`, which makes calls for a path fail, and `user COMMAND…`,
    /// which runs without privileges.
    private static let definitions = """
        unset TODOSYNC_SEED
        fault() {
            calls=$1 error=$2 path=$3; shift 3
            strace -f --quiet=all -o /dev/null ${path:+-P "$path"} -e trace="$calls" \\
                -e inject="$calls:error=$error" "$@"
        }
        user() {
            if [ "$(id -u)" = 0 ]; then
                chown -R 65534 ..
                setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
            else
                "$@"
            fi
        }

        """

    /// Creates a working directory `b` with changes to pull into its root and into `sub`, and changes to
    /// push.
    private static let setUp = """
        todosync init --quiet --bare store
        todosync clone --quiet store a
        (cd a; mkdir sub; todosync add --quiet Milk; todosync add --quiet Deep --file sub/deep.yaml
        todosync add --quiet Bread; todosync push --quiet)
        todosync clone --quiet store b
        (cd a; todosync set --quiet milk.yaml k=2; todosync set --quiet sub/deep.yaml k=2; todosync push --quiet)
        cd b
        todosync set --quiet bread.yaml k=1

        """

    init() throws { folder = try ThrowAwayFolder() }

    private func run(_ script: String, after setUp: String = setUp) throws -> Program.Result {
        let result = try Program.shell(
            Self.definitions + setUp + script, in: folder.path,
            environment: TestedEnvironment(home: folder.path))
        return Program.Result(
            status: result.status, output: result.output.replacing(folder.path, with: "~"), errors: "")
    }

    // MARK: Files that can't be written

    @Test(arguments: ["pull", "sync"])
    func `a folder that can't be written in is reported, and the next run applies what waited`(
        _ command: String
    ) throws {
        let result = try run(
            """
            chmod a-w . sub
            user todosync \(command) --json > ../report
            echo "status $?"
            chmod u+w . sub
            user todosync \(command)
            """)
        #expect(
            result.output.hasPrefix(
                """
                {"error":{"code":"cannotReadOrWrite","status":74,"message":"2 todos could not be read or written",\
                "hint":"nothing is lost; check the permissions and try again"}}
                status 74

                """), "\(result.output)")
        #expect(result.output.hasSuffix("2 pulled, 1 pending\n") || result.output.hasSuffix("2 pulled\n"))
        let report = try folder.read("report")
        #expect(report.contains("\"reason\": \"can't write to the folder sub: permission denied\""))
    }

    @Test func `a todo that can't be added is reported by its path`() throws {
        let result = try run("chmod a-w .; user todosync add Cake")
        #expect(
            result.output == """
                error: can't create cake.yaml: permission denied
                hint: check the permissions and try again

                """)
        #expect(result.status == 73)
    }

    // MARK: Calls that fail

    struct Fault: Sendable, CustomTestStringConvertible {
        var calls: String
        var error = "EIO"
        var path: String
        var command: String
        var status: Int32 = 74
        var message: String
        var testDescription: String { "\(command), \(calls) of \(path): \(error)" }
    }

    static let faults = [
        Fault(
            calls: "lstat,newfstatat", path: "$PWD/.todosync", command: "todosync status",
            message: "can't read the attributes of ~/b/.todosync: input/output error"),
        Fault(
            calls: "lstat,newfstatat", error: "EACCES", path: "$PWD/.todosync", command: "todosync list",
            message: "can't read the attributes of ~/b/.todosync: permission denied"),
        Fault(
            calls: "getcwd", path: "''", command: "todosync list",
            message: "the current folder can't be found: input/output error"),
        Fault(
            calls: "pread64", path: "$PWD/.todosync/config.yaml", command: "todosync status",
            message: "can't read .todosync/config.yaml: input/output error"),
        Fault(
            calls: "getdents64", path: "$PWD", command: "todosync status",
            message: "can't list the folder ~/b: input/output error"),
        Fault(
            calls: "fsync", path: "$PWD/c/.todosync", command: "todosync init --force c",
            message: "can't write ~/b/c/.todosync/.gitignore to disk: input/output error"),
        Fault(
            calls: "getdents64", path: "$PWD/.todosync/tmp", command: "todosync set milk.yaml k=1",
            message: "can't list the folder .todosync/tmp: input/output error"),
        Fault(
            calls: "pread64", path: "$PWD/.todosync/journal.length", command: "todosync fsck --repair",
            message: "can't read .todosync/journal.length: input/output error"),
        Fault(
            calls: "pread64", path: "$PWD/bread.yaml", command: "todosync push",
            message: "can't read bread.yaml: input/output error"),
        Fault(
            calls: "pread64", error: "EIO:when=2+", path: "../store/todosync-store.sqlite",
            command: "todosync push",
            message: "the remote can't be read or written: ~/store: disk I/O error"),
        Fault(
            calls: "pread64", error: "EIO:when=2+", path: "../store/todosync-store.sqlite",
            command: "todosync fsck --store ../store", message: "~/store: disk I/O error"),
        Fault(
            calls: "renameat,renameat2", path: "milk.yaml", command: "todosync pull --quiet",
            message: "1 todo could not be read or written"),
    ]

    @Test(.enabled(if: Strace.isUsable, Strace.whyNot), arguments: faults)
    func `a call that fails is reported with its file and what to do next`(_ fault: Fault) throws {
        let result = try run("fault \(fault.calls) \(fault.error) \(fault.path) \(fault.command)")
        let remedy =
            fault.error.hasPrefix("EIO") ? "check the disk" : "check the permissions"
        let lines = result.output.split(separator: "\n")
        #expect(lines.dropLast().last == "error: \(fault.message)", "\(result.output)")
        #expect(lines.last?.hasPrefix("hint: ") == true && lines.last?.contains(remedy) == true)
        #expect(result.status == fault.status)
    }

    @Test(.enabled(if: Strace.isUsable, Strace.whyNot))
    func `an undo that can't write a file reports it, and goes on when it can`() throws {
        let result = try run(
            """
            todosync set --quiet milk.yaml k=2
            fault renameat,renameat2 EIO milk.yaml todosync undo
            echo "status $?"
            fault openat,newfstatat EIO milk.yaml todosync undo
            echo "status $?"
            todosync undo
            """)
        #expect(
            result.output.contains(
                """
                not undone: milk.yaml: can't rename milk.yaml: input/output error
                hint: run "todosync undo OPERATION" to undo a different one, or "todosync log" to list them
                error: 1 todo could not be read or written
                hint: nothing is lost; check the disk and the folder, and try again
                status 74
                not undone: milk.yaml: can't open milk.yaml: input/output error
                hint: run "todosync undo OPERATION" to undo a different one, or "todosync log" to list them
                error: 1 todo could not be read or written
                hint: nothing is lost; check the disk and the folder, and try again
                status 74
                changed
                """), "\(result.output)")
        #expect(
            result.output.contains(/status 74\nchanged  \S+  Milk  milk\.yaml  k\n/), "\(result.output)")
    }

    /// A rename between folders can fail even in one file system: subvolumes, quotas, encryption.
    @Test(.enabled(if: Strace.isUsable, Strace.whyNot), arguments: ["1", "2", "1+"])
    func `files that can't be renamed between folders keep their names`(_ which: String) throws {
        let result = try run(
            """
            (cd ../a; todosync set --quiet bread.yaml k=2; todosync add --quiet New
            mkdir far; mv sub/deep.yaml far; todosync push --quiet)
            fault renameat2 EXDEV:when=\(which) '' todosync sync
            ls -A | grep todosync; ls *.yaml */*.yaml; todosync fsck
            grep -c '<<<<<<<' bread.yaml
            """)
        #expect(
            result.output.hasSuffix(
                """

                .todosync
                bread.yaml
                far/deep.yaml
                milk.yaml
                new.yaml
                all is well
                1

                """), "\(result.output)")
    }

    @Test(.enabled(if: Strace.isUsable, Strace.whyNot))
    func `a command runs also where the runtime can't find its words`() throws {
        let result = try run("fault open,openat EACCES /proc/self/maps todosync status --quiet --json")
        #expect(result.output.contains("{\n  \"clean\": false"), "\(result.output)")
        #expect(result.status == 0)
    }

    @Test(.enabled(if: canMount, "mounting a folder is not allowed"))
    func `a command runs also where the system shows no processes`() throws {
        let result = try runMounting(
            """
            mount -t tmpfs none /proc
            todosync init --quiet
            todosync add Milk
            VISUAL='env > variables; :' todosync edit milk.yaml
            todosync list
            grep SWIFT_ROOT variables || true
            """)
        #expect(result.output.hasPrefix("milk.yaml\n"), "\(result.output)")
        #expect(!result.output.contains("SWIFT_ROOT"))
        #expect(result.status == 0)
    }

    @Test(
        .enabled(if: canMount, "mounting a folder is not allowed"),
        arguments: [
            "clone http://127.0.0.1:1/tables/todoitem served", "watch -C todos", "serve --store store",
        ])
    func `a command that needs the system to show its process reports it`(_ command: String) throws {
        let result = try runMounting(
            """
            mount -t tmpfs none /proc
            todosync init --quiet --bare store
            todosync clone --quiet store todos
            todosync \(command)
            """)
        #expect(
            result.output.hasSuffix(
                """
                error: can't find this process in /proc
                hint: run "mount -t proc proc /proc" as root and try again

                """), "\(result.output)")
        #expect(result.status == 74)
    }

    @Test(.enabled(if: Strace.isUsable, Strace.whyNot))
    func `files that can't be closed are no end of a sync over HTTP`() throws {
        _ = try run("todosync init --quiet --bare store", after: "")
        let server = try ServedStore(Line())
        try server.start(in: folder.path)
        defer { server.end() }
        let result = try run(
            """
            todosync clone --quiet \(server.url) served
            cd served
            printf 'id: ca4e\\ntext: Cake\\n' > cake.yaml
            # What loads the program can't go on without.
            count=$(strace -f -e trace=close todosync --version 2>&1 | grep -c 'close(')
            fault close EIO:when=$((count + 1))+ '' todosync sync
            """, after: "")
        #expect(result.output.hasSuffix("pushed  new  ca  Cake  cake.yaml\n1 pushed\n"), "\(result.output)")
        #expect(result.status == 0)
    }

    @Test func `where few files may be open, the user's limit is raised, and the system's is reported`()
        throws
    {
        let result = try run("(ulimit -Sn 20; todosync pull); ulimit -n 20; todosync pull")
        #expect(
            result.output.contains(
                """
                2 pulled
                error: the system lets todosync open 20 files at a time; it needs up to
                """), "\(result.output)")
        #expect(result.output.hasSuffix("\nhint: allow more open files (ulimit -n) and try again\n"))
        #expect(result.status == 74)
    }

    // MARK: Unexpected files

    @Test func `a link instead of the configuration is reported`() throws {
        let result = try run(
            "mv .todosync/config.yaml ../config; ln -s ../../config .todosync/config.yaml; todosync status")
        #expect(
            result.output == """
                error: can't read .todosync/config.yaml: it is not a regular file
                hint: move it away or replace it with what belongs there, and try again

                """)
        #expect(result.status == 74)
    }

    @Test func `a store whose file is no database is damaged, and the way out is reported`() throws {
        for (command, status) in [
            ("fsck --store ../store", 65), ("serve --store ../store", 65), ("clone --force ../store c", 78),
            ("push", 78),
        ] {
            let result = try run(
                "rm ../store/*; echo nonsense > ../store/todosync-store.sqlite; todosync \(command)")
            let message =
                "~/store: the store is damaged (file is not a database)\nhint: restore it from a backup"
            #expect(result.output.contains(message), "\(result.output)")
            #expect(result.status == status, "\(command)")
            try FileManager.default.removeItem(atPath: folder.path)
            try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        }
    }
}
