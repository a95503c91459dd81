import Foundation
import SyncEngine
import Synchronization
import TestSupport
import Testing

/// Ctrl-C, SIGTERM and SIGHUP: what was done is reported, and nothing is left half-done.
@Suite(.ownThreads) struct InterruptionTests {
    private let folder: ThrowAwayFolder
    private var work: String { folder.path + "/work" }

    /// The number of todos that takes a command long enough to be interrupted.
    private static let many = TestedBinary.isNamed ? 8000 : 2000
    private static let endings: [(signal: Int32, name: String)] = [
        (SIGHUP, "HUP"), (SIGINT, "INT"), (SIGTERM, "TERM"),
    ]

    init() throws {
        folder = try ThrowAwayFolder()
        try shell("todosync init --quiet --bare store; todosync clone --quiet store work")
    }

    // MARK: In the middle of files

    @Test(arguments: endings, ["pull", "sync"])
    func `a pull ends after the files under way, and the next command does the rest`(
        _ ending: (signal: Int32, name: String), _ command: String
    ) throws {
        try write(Self.many, to: "todos")
        try shell("todosync clone --quiet store there; mv todos/* there; cd there; todosync push --quiet")
        let pull = try start(command)
        try wait(for: pull) { try !names().isEmpty }
        pull.signal(ending.signal)
        #expect(end(pull) == 128 + ending.signal)
        let count = try todos().count
        #expect(count > 0 && count < Self.many)
        #expect(try folder.read("output").hasSuffix("\n\(count.grouped) pulled\n"))
        #expect(try folder.read("errors").hasPrefix("interrupted: "))
        #expect(try folder.read("errors").hasSuffix("run the same command again for the rest\n"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: work + "/.todosync/tmp") == [])
        let next = try Program.todosync("sync", "--json", in: work)
        #expect(next.status == 0 && next.errors == "", "\(next.errors)")
        #expect(try todos() == (1...Self.many).map { "id: t\($0)\ntext: todo \($0)\n" }.sorted())
        #expect(try shell("cd work; todosync fsck").status == 0)
    }

    @Test(arguments: endings)
    func `a push ends after the todos under way, and the next one sends the rest`(
        _ ending: (signal: Int32, name: String)
    ) throws {
        try write(Self.many, to: "work")
        let push = try start("push", "--json")
        try wait(for: push) { try folder.read("work/.todosync/journal").contains("\"accepted\"") }
        push.signal(ending.signal)
        #expect(end(push) == 128 + ending.signal)
        #expect(try folder.read("errors").contains(#""code":"interrupted""#))
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(folder.read("output").utf8)) as? [String: Any])
        let pushed = (report["pushed"] as? [Any])?.count ?? 0
        #expect(pushed > 0 && pushed < Self.many)
        #expect(report["pending"] as? Int == Self.many - pushed)
        let next = try Program.todosync("push", in: work)
        #expect(next.status == 0 && next.errors == "", "\(next.errors)")
        #expect(next.output.hasSuffix("\((Self.many - pushed).grouped) pushed\n"))
        let clone = try Program.todosync("clone", "store", "there", in: folder.path)
        #expect(clone.output == "cloned \(Self.many.grouped) todos into there\n")
    }

    @Test(.enabled(if: Strace.canDelay, Strace.whyNot))
    func `of many todos to remove, those left are reported`()
        throws
    {
        try write(20, to: "work")
        try shell("cd work; todosync push --quiet")
        for name in ["output", "errors"] { try folder.write("", to: name) }
        let script = """
            strace -f --quiet=all -o /dev/null -e trace=renameat2 -e inject=renameat2:delay_enter=200000 \
                sh -c 'echo $$ > ../process; exec todosync rm *.yaml' 2> ../errors
            """
        let removal = try ChildProcess(
            ["sh", "-c", script], in: work, environment: TestedEnvironment(home: folder.path).variables)
        try wait(for: removal) { try names().count < 20 }
        let process = try #require(
            pid_t(try folder.read("process").trimmingCharacters(in: .whitespacesAndNewlines)))
        kill(process, SIGINT)
        #expect(end(removal) == 130)
        let left = try todos().count
        #expect(left > 0)
        #expect(
            try folder.read("errors")
                == "interrupted: \(20 - left) of 20 todos removed, in the order given; the others remain\n"
        )
        #expect(try shell("cd work; todosync undo --quiet").status == 0)
        #expect(try todos().count == 20)
    }

    // MARK: Waiting

    @Test(arguments: endings)
    func `a wait for the lock ends at once`(_ ending: (signal: Int32, name: String)) throws {
        let descriptor = open(work + "/.todosync/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
        defer { close(descriptor) }
        let command = try start("add", "Wait", "--lock-timeout", "3600")
        usleep(500_000)
        command.signal(ending.signal)
        #expect(end(command) == 128 + ending.signal)
        #expect(try ["", "interrupted: nothing was changed\n"].contains(folder.read("errors")))
        #expect(try todos() == [])
    }

    @Test(arguments: endings)
    func `a server that does not answer is waited for no longer`(_ ending: (signal: Int32, name: String))
        throws
    {
        let server = try SilentServer()
        try folder.write("id: a\ntext: A\n", to: "work/a.yaml")
        try setRemote(to: server)
        for arguments in [["pull"], ["push", "--json"], ["sync", "--dry-run"]] {
            let command = try start(arguments)
            server.waitForRequest()
            command.signal(ending.signal)
            #expect(end(command) == 128 + ending.signal)
            let isJSON = arguments.contains("--json")
            let words = "interrupted: nothing was pushed or pulled; run the same command again for the rest"
            let json =
                #"{"error":{"code":"interrupted","status":\#(128 + ending.signal),"message":"\#(words)"}}"#
            #expect(try folder.read("errors") == (isJSON ? json : words) + "\n")
            #expect(try folder.read("output").contains("\"pending\": 1") == isJSON)
        }
        let clone = try start("clone", server.url, "../other")
        server.waitForRequest()
        clone.signal(ending.signal)
        #expect(end(clone) == 128 + ending.signal)
    }

    @Test func `a store that another process keeps locked is waited for no longer`() throws {
        try folder.write("id: a\ntext: A\n", to: "work/a.yaml")
        try shell("cd work; todosync push --quiet; echo 'notes: b' >> a.yaml")
        let script = """
            import sqlite3, sys, time
            database = sqlite3.connect(sys.argv[1])
            database.execute("BEGIN IMMEDIATE")
            print("locked", flush=True)
            time.sleep(3600)
            """
        let locker = try ChildProcess(
            ["python3", "-c", script, folder.path + "/store/todosync-store.sqlite"],
            output: .file(folder.path + "/locked"))
        defer { locker.signal(SIGKILL) }
        while (try? folder.read("locked")) != "locked\n" { usleep(10_000) }
        let command = try start("push", "--json")
        usleep(700_000)
        command.signal(SIGINT)
        #expect(end(command) == 130)
        #expect(try !folder.read("errors").contains("in the middle"))
        locker.signal(SIGKILL)
        locker.wait()
        #expect(try Program.todosync("push", in: work).output.hasSuffix("1 pushed\n"))
    }

    @Test func `a credential helper that gives no answer is ended`() throws {
        let server = try SilentServer()
        try setRemote(to: server)
        try FileManager.default.createDirectory(
            atPath: folder.path + "/.config/todosync", withIntermediateDirectories: true)
        try folder.write(
            "helper echo $$ > \(folder.path)/helper; exec sleep 3600 #\n", to: ".config/todosync/credentials")
        chmod(folder.path + "/.config/todosync/credentials", 0o600)
        let command = try start("pull")
        var helper: pid_t?
        while helper == nil {
            usleep(10_000)
            helper = (try? folder.read("helper")).flatMap { pid_t($0.trimmingCharacters(in: .newlines)) }
        }
        command.signal(SIGTERM)
        #expect(end(command) == 143)
        #expect(try folder.read("errors").hasPrefix("interrupted: "))
        #expect(kill(try #require(helper), 0) != 0)
    }

    // MARK: Signals that count, and those that don't

    @Test func `the second signal ends a command wherever it is, and time does`() throws {
        try write(2000, to: "work")
        let closed = Pipe()
        for isTwice in [true, false] {
            let ended = try endedOperations()
            // The command waits until its output is read.
            let command = try start(["push", "--json", "--allow-edits", "2000"], output: closed)
            try wait(for: command) { try endedOperations() > ended }
            usleep(200_000)
            command.signal(SIGINT)
            // A different signal, because the same one counts only after a delay.
            if isTwice { command.signal(SIGTERM) }
            // If the time limit ends the command, its status is that of the first signal.
            #expect(end(command) == (isTwice ? 143 : 130))
            #expect(try folder.read("errors").hasPrefix("interrupted: nothing is lost; the next ") != isTwice)
            try shell("cd work; for name in *.yaml; do echo 'notes: more' >> $name; done")
        }
    }

    @Test(arguments: [(SIGHUP, "HUP"), (SIGINT, "INT")])
    func `a signal that is to be ignored, as with nohup, is`(_ signal: Int32, _ name: String) throws {
        let server = try SilentServer()
        try setRemote(to: server)
        let command = try ChildProcess(
            ["sh", "-c", "trap '' \(name); exec \"$0\" pull", TestedBinary.path], in: work,
            environment: TestedEnvironment(home: folder.path).variables)
        server.waitForRequest()
        command.signal(signal)
        usleep(500_000)
        #expect(command.isRunning)
        command.signal(SIGTERM)
        #expect(end(command) == 143)
    }

    @Test(arguments: endings)
    func `a command that only reads ends at once`(_ ending: (signal: Int32, name: String)) throws {
        try write(2000, to: "work")
        let closed = Pipe()
        let command = try start(["list", "--json"], output: closed)
        usleep(500_000)
        command.signal(ending.signal)
        #expect(end(command) == 128 + ending.signal)
        #expect(try folder.read("errors") == "")
    }

    // MARK: Helpers

    private func write(_ count: Int, to name: String) throws {
        let path = folder.path + "/" + name
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for number in 1...count {
            try folder.write("id: t\(number)\ntext: todo \(number)\n", to: "\(name)/\(number).yaml")
        }
    }

    /// Returns the texts of the todos in the folder, sorted.
    private func todos() throws -> [String] { try names().map { try folder.read("work/" + $0) }.sorted() }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: work).filter { $0.hasSuffix(".yaml") }
    }

    /// Returns the number of operations whose end is in the journal.
    private func endedOperations() throws -> Int {
        try folder.read("work/.todosync/journal").split(separator: "\n")
            .count { $0.contains("\"record\":\"end\"") }
    }

    /// Waits until a condition holds, or a command has ended.
    private func wait(for command: ChildProcess, until isSo: () throws -> Bool) throws {
        while try command.isRunning && !isSo() { usleep(1_000) }
    }

    private func start(_ arguments: String...) throws -> ChildProcess { try start(arguments) }

    /// Starts a command that writes to the files `output` and `errors`; `output` can be a pipe that nobody
    /// reads.
    private func start(_ arguments: [String], output: Pipe? = nil) throws -> ChildProcess {
        for name in ["output", "errors"] { try folder.write("", to: name) }
        return try ChildProcess(
            [TestedBinary.path] + arguments, in: work,
            environment: TestedEnvironment(home: folder.path).variables.merging(["TODOSYNC_SEED": ""]) { $1 },
            output: output.map { .descriptor($0.fileHandleForWriting.fileDescriptor) }
                ?? .file(folder.path + "/output"),
            errors: .file(folder.path + "/errors"))
    }

    /// Returns a command's exit status; nil if it doesn't end in time.
    private func end(_ command: ChildProcess) -> Int32? {
        let deadline = Date(timeIntervalSinceNow: 10)
        while command.isRunning {
            guard Date() < deadline else {
                command.signal(SIGKILL)
                return nil
            }
            usleep(10_000)
        }
        return command.wait()
    }

    /// Trusts a server, and makes it the remote of the working directory.
    private func setRemote(to server: SilentServer) throws {
        try "remote: \(server.url)\n".write(
            toFile: work + "/.todosync/config.yaml", atomically: true, encoding: .utf8)
        #expect(try shell("todosync trust \(server.url)").status == 0)
    }

    @discardableResult
    private func shell(_ command: String) throws -> Program.Result {
        try Program.shell(
            "unset TODOSYNC_SEED\n" + command, in: folder.path,
            environment: TestedEnvironment(home: folder.path))
    }
}

/// A server that accepts requests and never answers.
private final class SilentServer: Sendable {
    private let server: LoopbackServer
    private let requests: DispatchSemaphore

    init() throws {
        let requests = DispatchSemaphore(value: 0)
        self.requests = requests
        server = try LoopbackServer { connection in
            guard connection.readHead() != nil else { return }
            requests.signal()
            while connection.read() != nil {}
        }
    }

    var url: String { "http://127.0.0.1:\(server.port)/tables/todoitem" }

    func waitForRequest() { _ = requests.wait(timeout: .now() + 20) }
}
