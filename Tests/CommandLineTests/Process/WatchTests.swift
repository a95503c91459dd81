import Foundation
import Synchronization
import TestSupport
import Testing

/// `todosync watch`, with real servers and other programs that change files.
@Suite(.ownThreads, .timeLimit(.minutes(40))) struct WatchTests {
    private let folder: ThrowAwayFolder

    init() throws { folder = try ThrowAwayFolder() }

    /// A watch that runs in a folder.
    private final class Watch {
        private let command: ChildProcess
        private let folder: ThrowAwayFolder
        private let name: String

        init(_ name: String, in folder: ThrowAwayFolder, _ arguments: [String] = []) throws {
            (self.name, self.folder) = (name, folder)
            for kind in ["output", "errors"] { try folder.write("", to: "\(name).\(kind)") }
            command = try ChildProcess(
                [TestedBinary.path, "watch"] + arguments, in: folder.path + "/" + name,
                environment: TestedEnvironment(home: folder.path).variables
                    .merging(["TODOSYNC_SEED": ""]) { $1 },
                output: .file("\(folder.path)/\(name).output"), errors: .file("\(folder.path)/\(name).errors")
            )
        }

        deinit { if command.isRunning { command.signal(SIGKILL) } }

        var output: String { get throws { try folder.read(name + ".output") } }
        var errors: String { get throws { try folder.read(name + ".errors") } }

        /// Returns the exit status once the watch has ended, after a signal if one is given.
        func end(_ signal: Int32? = nil) -> Int32? {
            if let signal { command.signal(signal) }
            let deadline = Date(timeIntervalSinceNow: 60)
            while command.isRunning, Date() < deadline { usleep(10_000) }
            return command.isRunning ? nil : command.wait()
        }
    }

    @discardableResult
    private func shell(_ command: String) throws -> Program.Result {
        try Program.shell(
            "unset TODOSYNC_SEED; set -e; " + command, in: folder.path,
            environment: TestedEnvironment(home: folder.path))
    }

    /// Waits until a condition holds.
    private func wait(_ what: String, until isSo: () throws -> Bool) throws {
        let deadline = Date(timeIntervalSinceNow: 120)
        while try !isSo() {
            guard Date() < deadline else {
                Issue.record("never: \(what)")
                return
            }
            usleep(5_000)
        }
    }

    private func has(_ path: String, _ text: String) -> Bool {
        (try? folder.read(path))?.contains(text) ?? false
    }

    @Test func `changes travel between folders, through a server and through its store`() async throws {
        try await withServer(keys: false) { server in
            let url = server.url + "/tables/todoitem"
            try shell("todosync clone -q \(url) a; todosync clone -q \(server.folder)/store b")
            let (a, b) = (try Watch("a", in: folder), try Watch("b", in: folder))
            try folder.write("id: milk\ntext: Buy milk\n", to: "a/milk.yaml")
            try wait("pull of a new todo") { has("b/milk.yaml", "milk") }
            try shell("mkdir -p b/new/folder")
            try folder.write("id: tea\ntext: Buy tea\n", to: "b/new/folder/tea.yaml")
            try wait("pull from the store") { has("a/new/folder/tea.yaml", "tea") }
            try shell("cd b; todosync set -q milk.yaml due=2026-12-01")
            try wait("pull of an edit by a command") { has("a/milk.yaml", "due: 2026-12-01") }
            try shell("rm a/milk.yaml")
            try wait("pull of a delete") {
                !FileManager.default.fileExists(atPath: folder.path + "/b/milk.yaml")
            }
            try wait("the last line") { try b.output.contains("pulled  deleted") }
            #expect(a.end(SIGINT) == 130)
            #expect(b.end(SIGTERM) == 0)
            #expect(
                try a.output == """
                    pushed  new  mi  Buy milk  milk.yaml
                    pulled  new  te  Buy tea  new/folder/tea.yaml
                    pulled  changed  mi  Buy milk  milk.yaml  due
                    pushed  deleted  mi  Buy milk  milk.yaml

                    """)
            #expect(try a.errors == "watching \(folder.path)/a; press Ctrl-C to end\n")
            #expect(try b.errors == "watching \(folder.path)/b; press Ctrl-C to end\n")
        }
    }

    @Test func `a conflict is reported once, and the other todos go on`() throws {
        try shell(
            """
            todosync init -q --bare store; todosync clone -q store a; todosync clone -q store b
            printf 'id: milk\\ntext: Buy milk\\n' > a/milk.yaml; (cd a; todosync sync -q); (cd b; todosync sync -q)
            echo 'due: 2026-12-01' >> a/milk.yaml; (cd a; todosync sync -q); echo 'due: 2026-12-02' >> b/milk.yaml
            """)
        let b = try Watch("b", in: folder)
        try wait("a conflict") { has("b/milk.yaml", "<<<<<<<") }
        for name in ["one", "two"] {
            try folder.write("id: \(name)\ntext: \(name)\n", to: "b/\(name).yaml")
            try wait("a push") { try b.output.contains("  \(name).yaml\n") }
        }
        try shell("cd b; todosync resolve -q --use local")
        try wait("the push of the resolved todo") { try b.output.contains("  milk.yaml\n") }
        #expect(b.end(SIGINT) == 130)
        let lines = try b.errors.split(separator: "\n").dropFirst()
        #expect(lines.count == 2, "\(lines)")
        #expect(lines.first == "conflict: milk.yaml: both sides changed due")
    }

    @Test func `withheld deletes are reported once, and never sent`() throws {
        try shell(
            """
            todosync init -q --bare store; todosync clone -q store a
            for n in $(seq 40); do printf "id: t$n\\ntext: t$n\\n" > a/t$n.yaml; done; (cd a; todosync sync -q)
            """)
        let a = try Watch("a", in: folder)
        try folder.write("id: first\ntext: first\n", to: "a/first.yaml")
        try wait("the start") { try a.output.contains("first.yaml") }
        // The deletes take longer than a sync.
        try shell("for file in a/t*.yaml; do rm $file; sleep 0.02; done")
        try wait("a warning") { try a.errors.contains("held: ") }
        try folder.write("id: new\ntext: new\n", to: "a/new.yaml")
        try wait("a push") { try a.output.contains("  new.yaml\n") }
        #expect(a.end(SIGINT) == 130)
        #expect(try a.errors.components(separatedBy: "held: ").count == 2)
        #expect(try !a.output.contains("deleted"))
        #expect(try shell("todosync clone store b").output == "cloned 42 todos into b\n")
    }

    @Test func `a lost server is reported once, and used again when it is back`() throws {
        try shell("todosync init -q --bare store")
        let server = try ServedStore(Line())
        try server.start(in: folder.path)
        try shell("todosync clone -q \(server.url) a; todosync clone -q store b")
        let a = try Watch("a", in: folder)
        try folder.write("id: one\ntext: one\n", to: "a/one.yaml")
        try wait("a push") { try a.output.contains("one.yaml") }
        server.end()
        try folder.write("id: two\ntext: two\n", to: "a/two.yaml")
        try wait("a note") { try a.errors.contains("\nwaiting: ") }
        try shell("cd b; todosync sync -q; todosync add -q three; todosync sync -q")
        try server.start(in: folder.path)
        try wait("the push and the pull") {
            try a.output.contains("  two.yaml\n") && a.output.contains("  three.yaml\n")
        }
        #expect(a.end(SIGINT) == 130)
        let lines = try a.errors.split(separator: "\n").dropFirst()
        #expect(lines.first?.hasSuffix("; todosync will try again") == true, "\(lines)")
        #expect(lines.dropFirst() == ["connected again"])
    }

    /// How a server answers a wait for news at once.
    enum EarlyAnswer: String, CaseIterable {
        case noNews, newsOfNothing, newsOfNothingAtAnotherCursor, anotherCursor, nonsense
    }

    @Test(arguments: EarlyAnswer.allCases)
    func `a server that answers at once is asked less and less often, and nothing is recorded`(
        _ answer: EarlyAnswer
    ) throws {
        let count = Mutex(0)
        let server = try LoopbackServer { connection in
            while let head = connection.readHead() {
                let isWait = head.contains("/changes")
                let number = count.withLock { count in
                    count += isWait ? 1 : 0
                    return count
                }
                let hasNews = isWait && [.newsOfNothing, .newsOfNothingAtAnotherCursor].contains(answer)
                let isOther = [.newsOfNothingAtAnotherCursor, .anotherCursor].contains(answer)
                let link = hasNews ? "@odata.nextLink" : "@odata.deltaLink"
                let cursor = isOther ? "\(number)" : "end"
                let body =
                    isWait && answer == .nonsense
                    ? "no" : #"{"@todosync.identity":"t","value":[],"\#(link)":"/?$deltatoken=\#(cursor)"}"#
                let head =
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)"
                guard connection.write(Array("\(head)\r\n\r\n\(body)".utf8)) else { return }
            }
        }
        let origin = "http://127.0.0.1:\(server.port)"
        try shell("todosync trust -q \(origin); todosync clone -q \(origin)/tables/todoitem a")
        let journal = try folder.read("a/.todosync/journal")
        let a = try Watch("a", in: folder)
        try wait("the first wait") { count.withLock(\.self) > 0 }
        sleep(4)
        // The delays are at least 0.5, 1 and 2 seconds, from the second or third answer on.
        #expect(count.withLock(\.self) <= 5)
        #expect(a.end(SIGINT) == 130)
        #expect(try folder.read("a/.todosync/journal") == journal)
    }

    @Test func `a pause that the server asks for is kept, and counts as an hour at most`() throws {
        let count = Mutex(0)
        let server = try LoopbackServer { connection in
            while let head = connection.readHead() {
                let isRefused = head.contains("/changes") || count.withLock { $0 > 0 }
                if isRefused { count.withLock { $0 += 1 } }
                let body = #"{"@todosync.identity":"t","value":[],"@odata.deltaLink":"/?$deltatoken=end"}"#
                let head =
                    isRefused
                    ? "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 999999999\r\nContent-Length: 0\r\n\r\n"
                    : "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                guard connection.write(Array(head.utf8)) else { return }
            }
        }
        let origin = "http://127.0.0.1:\(server.port)"
        try shell("todosync trust -q \(origin); todosync clone -q \(origin)/tables/todoitem a")
        let a = try Watch("a", in: folder)
        try wait("the first wait") { count.withLock(\.self) > 0 }
        // A change here is not delayed by the pause of the wait for news, but by that of the sync.
        try folder.write("id: one\ntext: one\n", to: "a/one.yaml")
        try wait("a note") { try a.errors.contains("\nwaiting: ") }
        let requests = count.withLock(\.self)
        sleep(3)
        #expect(count.withLock(\.self) == requests)
        #expect(a.end(SIGINT) == 130)
        #expect(try a.errors.contains("a pause of more than an hour, which counts as an hour"))
    }

    @Test func `a revoked key ends it`() async throws {
        try await withServer { server in
            let url = server.url + "/tables/todoitem"
            try shell(
                "echo \(server.key) | todosync remote login -q \(server.url); todosync clone -q \(url) a")
            let a = try Watch("a", in: folder)
            try folder.write("id: one\ntext: one\n", to: "a/one.yaml")
            try wait("a push") { try a.output.contains("one.yaml") }
            try shell("todosync serve key revoke app --store \(server.folder)/store")
            try folder.write("id: two\ntext: two\n", to: "a/two.yaml")
            #expect(a.end() == 77)
            #expect(try a.errors.contains("\nerror: "))
        }
    }

    @Test func `during a git operation it waits, and goes on afterward`() throws {
        try shell(
            """
            todosync init -q --bare store; todosync clone -q store a; cd a; git init -q
            git config user.name Ann; git config user.email ann@example.org
            printf 'id: one\\ntext: one\\n' > one.yaml; echo base > file; todosync sync -q
            git add one.yaml file; git commit -qm base; git branch other
            echo here > file; git commit -qam here; git switch -q other; echo there > file; git commit -qam there
            git switch -q -
            """)
        let a = try Watch("a", in: folder)
        try wait("the start") { try !a.errors.isEmpty }
        _ = try shell("cd a; git merge -q other || true")
        try folder.write("id: two\ntext: two\n", to: "a/two.yaml")
        try wait("a note") { try a.errors.contains("held: ") }
        #expect(try !a.output.contains("two.yaml"))
        try shell("cd a; git merge --abort")
        try wait("the push") { try a.output.contains("  two.yaml\n") }
        #expect(a.end(SIGINT) == 130)
        #expect(try a.errors.components(separatedBy: "held: ").count == 2)
    }

    @Test func `with --json, each sync with changes is a line`() throws {
        try shell("todosync init -q --bare store; todosync clone -q store a")
        let a = try Watch("a", in: folder, ["--json"])
        for name in ["one", "two"] {
            try folder.write("id: \(name)\ntext: \(name)\n", to: "a/\(name).yaml")
            try wait("a push") { try a.output.contains("\(name).yaml") }
        }
        #expect(a.end(SIGTERM) == 0)
        let lines = try a.output.split(separator: "\n")
        #expect(lines.count == 2)
        for line in lines {
            let report = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect((report?["pushed"] as? [Any])?.count == 1)
        }
        #expect(try a.errors == "")
    }

    @Test func `at a terminal, nothing is drawn between two syncs`() throws {
        try shell(
            """
            todosync init -q --bare store; todosync clone -q store a; cd a
            printf 'id: milk\\ntext: Buy milk\\n' > milk.yaml; todosync sync -q
            """)
        let terminal = try TerminalSession(
            ["watch"], in: folder.path + "/a", environment: ["TERM": "xterm", "TODOSYNC_SEED": ""])
        try terminal.expect("press Ctrl-C")
        // The progress line appears only after half a second.
        usleep(800_000)
        try folder.write("not a todo\n", to: "a/file.txt")
        usleep(1_500_000)
        terminal.signal(SIGINT)
        #expect(try terminal.end() == 130)
        // A slow sync may draw the line.
        #expect(terminal.transcript.components(separatedBy: "\u{1B}[K").count < 6, "\(terminal.transcript)")
    }

    @Test func `without a remote, it ends with an error`() throws {
        try shell("todosync init -q a")
        let result = try Program.todosync("watch", in: folder.path + "/a")
        #expect(result.status == 78)
        #expect(result.errors.contains("error: "))
    }
}
