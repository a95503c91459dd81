import Foundation
import TestSupport
import Testing

/// `merge.handler`: which handlers may run, what they get, and the effects of their answers.
@Suite(.ownThreads) struct MergeHandlerTests {
    let folder: ThrowAwayFolder
    var phone: String { folder.path + "/phone" }
    private var laptop: String { folder.path + "/laptop" }

    /// Two working directories of one store; `hello.yaml` is in both, and both have changed its text.
    init() throws {
        folder = try ThrowAwayFolder(device: "pc")
        try run(["init", "--bare", "store"], in: folder.path)
        try run(["clone", "store", "phone"], in: folder.path)
        try folder.write("id: hello\ntext: Hello world 3\ndue: 2026-12-01\n", to: "phone/hello.yaml")
        try run(["push"], in: phone)
        try run(["clone", "store", "laptop"], in: folder.path)
        try run(["set", "hello.yaml", "text=Hello world 23", "due=2026-12-05"], in: laptop)
        try run(["push"], in: laptop)
        try run(["set", "hello.yaml", "text=Hello world 13", "priority=high"], in: phone)
    }

    @discardableResult
    func run(_ arguments: [String], in folder: String, status: Int32 = 0) throws -> Program.Result {
        // Without the seed, because identical commands would create the same identifiers.
        let result = try Program.todosync(
            arguments, in: folder, environment: ["TODOSYNC_SEED": "", "HOME": self.folder.path])
        try #require(result.status == status, "\(arguments): \(result.output)\(result.errors)")
        return result
    }

    /// Sets a handler in the phone's configuration.
    func configure(_ command: String, isApproved: Bool = true) throws {
        let path = "phone/.todosync/config.yaml"
        let rest = try folder.read(path).split(separator: "\n").filter { !$0.hasPrefix("merge.handler") }
        let lines = command.split(separator: "\n", omittingEmptySubsequences: false)
        let value =
            lines.count > 1
            ? "|-" + lines.map { "\n  " + $0 }.joined() : "'\(command.replacing("'", with: "''"))'"
        try folder.write(
            rest.map { $0 + "\n" }.joined() + "merge.handler: \(value)\n", to: path)
        if isApproved { try run(["trust", "--handler"], in: phone) }
    }

    private static let conflicted = "id: hello\n<<<<<<< local (pc)\ntext: Hello world 13\n=======\n"

    private func expectMarkers(_ warning: String, _ result: Program.Result) throws {
        #expect(try folder.read("phone/hello.yaml").contains(Self.conflicted))
        let line = "warning: hello.yaml: merge.handler \(warning); the conflict is left to you\n"
        #expect(result.errors.hasPrefix(line), "\(result.errors)")
        #expect(result.errors.contains("\nconflict: hello.yaml: both sides changed text\n"))
    }

    // MARK: Input

    @Test func `it gets the conflict as JSON, in the working directory's folder`() throws {
        try configure("cat > ../seen; pwd > ../place; echo '{\"take\": \"remote\"}'")
        try FileManager.default.createDirectory(
            atPath: phone + "/sub", withIntermediateDirectories: true)
        let result = try run(["sync", "--json"], in: phone + "/sub")
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(
            (report["handled"] as? [NSDictionary]) == [
                ["id": "hello", "path": "hello.yaml", "handle": "he", "fields": ["text"]]
            ])
        #expect(try folder.read("place") == phone + "\n")
        let seen = try #require(
            try JSONSerialization.jsonObject(with: Data(folder.read("seen").utf8)) as? [String: Any])
        #expect(
            Set(seen.keys) == [
                "version", "id", "path", "kind", "fields", "attempt", "base", "local", "remote",
            ])
        #expect(seen["version"] as? Int == 1)
        #expect(seen["kind"] as? String == "edit/edit")
        #expect(seen["fields"] as? [String] == ["text"])
        let local = try #require(seen["local"] as? [String: Any])
        #expect(
            local["text"] as? String
                == "id: hello\ntext: Hello world 13\ndue: 2026-12-01\npriority: high\n")
        #expect(
            local["fields"] as? [String: String] == [
                "text": "Hello world 13", "due": "2026-12-01", "priority": "high",
            ])
        #expect(local["version"] is NSNull)
        #expect(local["device"] as? String == "pc")
        let remote = try #require(seen["remote"] as? [String: Any])
        #expect((remote["fields"] as? [String: String])?["text"] == "Hello world 23")
        #expect(remote["version"] is String)
        #expect((seen["base"] as? [String: Any])?["version"] is String)
    }

    @Test func `a side that deleted the todo is null`() throws {
        try FileManager.default.removeItem(atPath: phone + "/hello.yaml")
        try configure("cat > ../seen; echo '{\"take\": \"local\"}'")
        try run(["sync"], in: phone)
        #expect(try folder.read("seen").contains("\"local\":null"))
        #expect(try run(["sync"], in: laptop).output.contains("1 pulled"))
        #expect(!FileManager.default.fileExists(atPath: laptop + "/hello.yaml"))
    }

    @Test func `the handler on its page works as it stands`() throws {
        let page = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../../Sources/todosync/todosync.docc/Handlers.md"),
            encoding: .utf8)
        let script = try #require(page.firstMatch(of: /```python\n((?s).*?)```/)?.output.1)
        try folder.write(String(script), to: "resolve-todo")
        try #require(chmod(folder.path + "/resolve-todo", 0o755) == 0)
        try configure("~/resolve-todo")
        try run(["set", "hello.yaml", "text=Hello whole world"], in: phone)
        #expect(try run(["sync"], in: phone).errors == "")
        #expect(try folder.read("phone/hello.yaml").contains("text: Hello whole world\n"))
    }

    // MARK: Its answers

    @Test(arguments: [
        (#"{"take": "local"}"#, "Hello world 13", "the local value"),
        (#"{"take": "remote"}"#, "Hello world 23", "the remote value"),
        (#"{"take": "base"}"#, "Hello world 3", "the base value"),
        (#"{"fields": {"text": {"value": "Hello world 36"}}}"#, "Hello world 36", "another value"),
        (#"{"fields": {"text": {"take": "remote"}}}"#, "Hello world 23", "the remote value"),
    ])
    func `its answer is sent`(_ answer: String, _ text: String, _ choice: String) throws {
        try configure("cat >/dev/null; echo '\(answer)'")
        #expect(try run(["push"], in: phone).errors == "")
        try run(["sync"], in: laptop)
        for machine in ["phone", "laptop"] {
            #expect(
                try folder.read("\(machine)/hello.yaml")
                    == "id: hello\ntext: \(text)\ndue: 2026-12-05\npriority: high\n")
        }
        #expect(try run(["status", "--json"], in: phone).output.contains("\"clean\": true"))
        let explained = try run(["explain", "hello.yaml"], in: phone).output
        #expect(explained.contains("no rule can choose; merge.handler chose \(choice)\n"), "\(explained)")
        let json = try run(["explain", "--json", "hello.yaml"], in: phone).output
        #expect(json.contains("\"chosenBy\": \"merge.handler\""), "\(json)")
    }

    @Test(arguments: [#"{"leave": true}"#, #"{"fields": {}}"#])
    func `what it leaves gets markers, without a warning`(_ answer: String) throws {
        try configure("echo '\(answer)'")
        let result = try run(["sync"], in: phone, status: 1)
        #expect(try folder.read("phone/hello.yaml").contains(Self.conflicted))
        #expect(!result.errors.contains("warning"))
    }

    /// Returns the processes of a group that are still running; in a container, ended ones can stay zombies.
    private func living(inGroup group: Int32) -> [String] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.filter { process in
            guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                // The name in parentheses, the state, the parent, and the group.
                let words = status.split(separator: ")").last?.split(separator: " "), words.count > 2
            else { return false }
            return words[2] == "\(group)" && words[0] != "Z"
        }
    }

    private static let noAnswer =
        #"answered with something other than an object with "take", "fields" or "leave""#

    @Test(arguments: [
        ("exit 3", "exited with status 3"), ("kill -9 $$", "was killed by a signal"),
        ("./nowhere 2>/dev/null", "can't be run (exit status 127) and is not tried again"),
        ("true", "gave no answer"), ("exec <&-; exit 1", "exited with status 1"),
        ("echo '{\"take\": \"local\"}'; exit 1", "exited with status 1"),
        ("head -c 1000000 /dev/zero", "gave an answer that is not JSON"),
        ("head -c 3000000 /dev/urandom", "gave an answer of more than 1 MiB"),
        ("yes", "gave an answer of more than 1 MiB"), ("cat /dev/zero", "gave an answer of more than 1 MiB"),
        ("echo hello", "gave an answer that is not JSON"), ("echo '[]'", noAnswer), ("echo '{}'", noAnswer),
        ("cat", noAnswer), (#"echo '{"take": "local", "leave": true}'"#, noAnswer),
        (#"echo '{"leave": false}'"#, noAnswer),
        (#"echo '{"take": "mine"}'"#, "took a side that is not local, remote or base"),
        (
            #"echo '{"fields": {"text": "hi"}}'"#,
            #"answered text with something other than an object with "take" or "value""#
        ),
        (
            #"echo '{"fields": {"due": {"take": "local"}}}'"#,
            "gave an answer for the field due, which is not in conflict"
        ),
        (#"echo '{"fields": {"text": {"value": 7}}}'"#, "gave an answer that is not a valid todo"),
    ])
    func `a handler that fails leaves the conflict, and a line reports why`(
        _ command: String, _ reason: String
    ) throws {
        try configure(command)
        let result = try run(["sync"], in: phone, status: 1)
        #expect(try folder.read("phone/hello.yaml").contains(Self.conflicted))
        let warning = try #require(result.errors.split(separator: "\n").first)
        #expect(warning.hasPrefix("warning: hello.yaml: merge.handler \(reason)"), "\(warning)")
        #expect(warning.hasSuffix("; the conflict is left to you"))
        #expect(result.errors.contains("\nconflict: hello.yaml: both sides changed text\n"))
        #expect(result.errors.utf8.count < 1000)
    }

    /// Scripts that fail as real ones do, and what the report says about each.
    private static let failures = [
        ("sleep 60", "push", "did not respond within 10 seconds and is not run again"),
        ("kill -SEGV $$", "pull", "exited with status 139"),
        ("echo 'resolved 1 conflict!'", "sync", "gave an answer that is not JSON"),
        ("head -c 1000000 /dev/zero | tr '\\0' x", "push", "gave an answer that is not JSON"),
        ("head -c 1048577 /dev/zero | tr '\\0' ' '", "sync", "gave an answer of more than 1 MiB"),
    ]

    private func configure(script: String) throws {
        try folder.write("#!/bin/sh\n\(script)\n", to: "resolve-todo")
        try #require(chmod(folder.path + "/resolve-todo", 0o755) == 0)
        try configure("../resolve-todo")
    }

    @Test(arguments: failures)
    func `with --json, the conflict reports why the handler failed`(
        _ script: String, _ verb: String, _ reason: String
    ) throws {
        try configure(script: script)
        let result = try run([verb, "--json"], in: phone, status: 1)
        #expect(result.errors == "")
        #expect(result.output.utf8.count < 2000)
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        let conflict = try #require((report["conflicts"] as? [[String: Any]])?.first)
        #expect((conflict["handler"] as? String)?.hasPrefix(reason) == true, "\(conflict)")
        #expect(try folder.read("phone/hello.yaml").contains(Self.conflicted))
        // The reason belongs to that run, not to the conflict.
        let status = try run(["status", "--json"], in: phone).output
        #expect(status.contains("edit/edit") && !status.contains("\"handler\""))
    }

    @Test(arguments: failures)
    func `with --quiet, too, a line reports why the handler failed`(
        _ script: String, _ verb: String, _ reason: String
    ) throws {
        try configure(script: script)
        let result = try run([verb, "--quiet"], in: phone, status: 1)
        #expect(result.output == "")
        #expect(result.errors.contains("warning: hello.yaml: merge.handler \(reason)"), "\(result.errors)")
        #expect(result.errors.contains("; the conflict is left to you\nconflict: hello.yaml: "))
        #expect(try folder.read("phone/hello.yaml").contains(Self.conflicted))
    }

    @Test func `with --json, each conflict reports why the handler was not run`() throws {
        try folder.write("id: other\ntext: A\n", to: "laptop/other.yaml")
        try run(["push"], in: laptop)
        try folder.write("id: other\ntext: B\n", to: "phone/other.yaml")
        try configure("exit 0", isApproved: false)
        let result = try run(["sync", "--json"], in: phone, status: 1)
        let reason = "is not approved on this machine and was not run"
        #expect(result.output.components(separatedBy: "\"handler\": \"\(reason)\"").count == 3)
    }

    @Test func `a handler that hangs is stopped with what it started, and asked no more`() throws {
        try folder.write("id: other\ntext: A\n", to: "laptop/other.yaml")
        try run(["push"], in: laptop)
        try folder.write("id: other\ntext: B\n", to: "phone/other.yaml")
        try configure("echo $$ >> ../started; sleep 60 & wait")
        let start = Date()
        let result = try run(["sync"], in: phone, status: 1)
        #expect(Date().timeIntervalSince(start) < 30)
        try expectMarkers("did not respond within 10 seconds and is not run again", result)
        #expect(try folder.read("phone/other.yaml").contains("<<<<<<< local"))
        let started = try folder.read("started").split(separator: "\n")
        #expect(started.count == 1)
        let group = try #require(Int32(started[0]))
        #expect(living(inGroup: group) == [])
    }

    @Test func `a policy that is named comes first`() throws {
        try configure("touch ../ran; echo '{\"take\": \"remote\"}'")
        try run(["sync", "--on-conflict", "local"], in: phone)
        #expect(try folder.read("phone/hello.yaml").contains("text: Hello world 13\n"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/ran"))
    }

    @Test func `Ctrl-C stops it with what it started, and the next command asks again`() throws {
        // The handler's parent process is the command that runs it.
        try configure("echo $$ > ../started; kill -INT $PPID; sleep 60 & wait")
        let stopped = try run(["sync"], in: phone, status: 130)
        #expect(stopped.errors.contains("interrupted: "))
        let group = try #require(
            Int32(folder.read("started").trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(living(inGroup: group) == [])
        #expect(try folder.read("phone/hello.yaml").contains("text: Hello world 13\n"))
        try configure("echo '{\"take\": \"local\"}'")
        try run(["sync"], in: phone)
    }

    @Test func `an answer to what has changed since is asked for again`() throws {
        let script = """
            #!/bin/sh
            test -e ../laptop/stop && { echo '{"take": "local"}'; exit; }
            touch ../laptop/stop
            cd ../laptop && todosync set --quiet hello.yaml notes=third text='Hello world 33' && \
                todosync push --quiet >/dev/null
            echo '{"take": "local"}'
            """
        try folder.write(script, to: "handler.sh")
        try configure("sh ../handler.sh")
        let result = try run(["sync"], in: phone)
        #expect(result.errors == "")
        try run(["sync"], in: laptop)
        for machine in ["phone", "laptop"] {
            let text = try folder.read("\(machine)/hello.yaml")
            #expect(text.contains("text: Hello world 13\n"))
            #expect(text.contains("notes: third\n"))
        }
    }
}
