import Foundation
import TestSupport
import Testing

/// Several processes that use one store.
@Suite(.ownThreads) struct TwoProcessesTests {
    @Test func `two working directories push to one store at the same time, and nothing is lost`() throws {
        let folder = try ThrowAwayFolder()
        let environment = TestedEnvironment(home: folder.path)
        // Without a seed, so that the two processes don't create the same identifiers.
        let result = try Program.shell(
            """
            set -e
            unset TODOSYNC_SEED
            todosync init --quiet --bare store
            for name in one two; do
                todosync clone --quiet store $name
                for number in $(seq 60); do echo "text: $name $number" > $name/$name-$number.yaml; done
            done
            (cd one && todosync push --quiet) & first=$!
            (cd two && todosync push --quiet) & second=$!
            wait $first
            wait $second
            (cd one && todosync sync --quiet)
            (cd two && todosync sync --quiet)
            diff -r --exclude=.todosync one two && ls one | wc -l
            """, in: folder.path, environment: environment)
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.hasSuffix("120\n"), "\(result.output)")
    }
}

/// Several processes in one working directory.
@Suite(.ownThreads) struct OneAtATimeTests {
    private let folder: ThrowAwayFolder
    private var work: String { folder.path + "/" + "work" }

    init() throws {
        folder = try ThrowAwayFolder()
        _ = try shell(
            """
            set -e
            todosync init --quiet --bare store
            todosync clone --quiet store work
            for number in $(seq 40); do echo "text: todo $number" > work/$number.yaml; done
            """)
    }

    @Test(arguments: [
        ["todosync push", "todosync push"], ["todosync set 1.yaml notes=x", "todosync sync"],
        ["todosync sync", "todosync rm 2.yaml", "todosync set 3.yaml notes=x", "todosync push"],
    ])
    func `commands that are started at once wait for each other`(_ commands: [String]) throws {
        let starts = commands.map { "(cd work; \($0) > /dev/null) & all=\"$all $!\"\n" }.joined()
        let result = try shell(
            "\(starts)for one in $all; do wait $one || echo failed; done\n"
                + "cd work; todosync sync --quiet; todosync fsck; todosync status")
        #expect(!result.output.contains("failed"), "\(result.output)")
        #expect(result.status == 0, "\(result.output)")
        let clone = try shell("todosync clone --quiet store other; diff -r --exclude=.todosync work other")
        #expect(clone.status == 0, "\(clone.output)")
        let notes = commands.count { $0.contains("notes=x") }
        #expect(try shell("grep -l 'notes: x' other/*.yaml | wc -l").output == "\(notes)\n")
        let isGone = try shell("ls other/2.yaml").status != 0
        #expect(isGone == commands.contains { $0.contains("rm") })
    }

    @Test(arguments: [["sync"], ["set", "1.yaml", "notes=x"], ["rm", "1.yaml"], ["resolve"], ["undo"]])
    func `who waited for long enough reports it, and has done nothing`(_ command: [String]) throws {
        let lock = open(work + "/.todosync/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
        defer { close(lock) }
        let before = try shell("cat work/*.yaml work/.todosync/journal").output
        let result = try Program.todosync(command + ["--lock-timeout", "0"], in: work)
        #expect(result.status == 75 && result.output == "")
        #expect(
            result.errors == """
                error: another todosync is running here
                hint: try again when it has finished, or wait longer with --lock-timeout SECONDS

                """)
        #expect(try shell("cat work/*.yaml work/.todosync/journal").output == before)
    }

    @Test func `who only looks waits for nobody`() throws {
        let lock = open(work + "/.todosync/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
        defer { close(lock) }
        for command in [["status"], ["list"], ["log"], ["diff"], ["sync", "--dry-run"]] {
            #expect(try Program.todosync(command, in: work).status == 0, "\(command)")
        }
    }

    @Test func `a command that is killed leaves no lock`() throws {
        // A server that never answers.
        let server = try LoopbackServer { connection in while connection.read() != nil {} }
        let result = try shell(
            """
            cd work
            echo 'remote: http://127.0.0.1:\(server.port)/tables/todoitem' > .todosync/config.yaml
            todosync trust --quiet http://127.0.0.1:\(server.port)
            todosync sync > /dev/null 2>&1 &
            holder=$!
            tries=0
            while todosync set 1.yaml notes=$tries --lock-timeout 0 > /dev/null 2>&1; do
                tries=$((tries + 1)); [ $tries -lt 500 ] || exit 9
            done
            todosync set 1.yaml notes=x --lock-timeout 0; echo $?
            kill -9 $holder; wait $holder
            todosync set 1.yaml notes=x --lock-timeout 0; echo $?
            grep -c 'notes: "*x' 1.yaml
            """)
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.contains("75\n"), "\(result.output)")
        #expect(result.output.hasSuffix("0\n1\n"), "\(result.output)")
    }

    private func shell(_ command: String) throws -> Program.Result {
        try Program.shell(
            "unset TODOSYNC_SEED\n" + command, in: folder.path,
            environment: TestedEnvironment(home: folder.path))
    }
}
