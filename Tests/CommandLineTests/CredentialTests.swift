import Foundation
import Remotes
import TestSupport
import Testing
import TodoModel

@testable import todosync

@Suite(.ownThreads) struct CredentialTests {
    private static let server = "https://example.org:8443/tables/todoitem"
    /// A URL that no server listens on.
    private static let absent = "http://127.0.0.1:1/tables/todoitem"

    /// Returns the surroundings of a process whose home is a folder.
    private func process(_ folder: ThrowAwayFolder, _ environment: [String: String] = [:])
        -> ProcessSurroundings
    {
        let variables = ["HOME": folder.path, "PATH": "/usr/bin:/bin"].merging(environment) { $1 }
        return ProcessSurroundings(
            now: { "" }, milliseconds: { 0 }, randomBytes: { [UInt8](repeating: 0, count: $0) },
            environment: { variables[$0] })
    }

    private func origin(_ url: String = server) throws -> ServerOrigin {
        try #require(ServerOrigin(url: url))
    }

    @Test func `a key that is kept is found for its origin and no other`() throws {
        let folder = try ThrowAwayFolder()
        let keys = Keys(process(folder))
        #expect(try keys.key(for: origin()) == nil)
        #expect(try keys.store("first", for: origin()) == folder.path + "/.config/todosync/credentials")
        _ = try keys.store("other", for: origin("http://127.0.0.1:8080/tables/a"))
        _ = try keys.store("second", for: origin("https://EXAMPLE.org:8443"))
        #expect(try keys.key(for: origin()) == "second")
        #expect(try keys.key(for: origin("http://127.0.0.1:8080")) == "other")
        for url in ["https://example.org/", "http://example.org:8443/", "https://a.example.org:8443/"] {
            #expect(try keys.key(for: origin(url)) == nil)
        }
        try keys.erase(for: origin())
        #expect(try keys.key(for: origin()) == nil)
        #expect(try folder.read(".config/todosync/credentials") == "http://127.0.0.1:8080 other\n")
    }

    @Test(arguments: ["http://h", "nonsense secret", "https://h a secret", "helper"])
    func `a line without a meaning is named by its number, and not shown`(line: String) throws {
        let folder = try ThrowAwayFolder()
        let path = try Keys(process(folder)).store("k", for: origin())
        let file = try #require(fopen(path, "a"))
        fputs("# comment\n\n\(line)\n", file)
        fclose(file)
        let failure = #expect(throws: Failure.self) { _ = try Keys(process(folder)).key(for: origin()) }
        #expect(failure?.status == .configuration)
        #expect(failure?.message.contains("credentials:4: ") == true)
        #expect(failure?.lines.joined().contains("secret") == false)
    }

    @Test func `a link to the file stays one`() throws {
        let folder = try ThrowAwayFolder()
        let path = try Keys(process(folder)).store("k", for: origin())
        #expect(rename(path, path + ".real") == 0 && symlink(path + ".real", path) == 0)
        _ = try Keys(process(folder)).store("new", for: origin())
        #expect(try folder.read(".config/todosync/credentials.real").contains(" new\n"))
        #expect(try Keys(process(folder)).key(for: origin()) == "new")
    }

    @Test func `logins at once lose none`() async throws {
        let folder = try ThrowAwayFolder()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 {
                let (process, server) = (process(folder), try origin("https://h\(number)"))
                group.addTask { _ = try Keys(process).store("k", for: server) }
            }
            try await group.waitForAll()
        }
        #expect(try folder.read(".config/todosync/credentials").split(separator: "\n").count == 20)
    }

    @Test(arguments: [
        KeyProblem.malformed(url: "https://h"), .exposed(url: "https://h"),
        .insufficient(url: "https://h", needed: .write(table: "t"), message: "no"),
    ])
    func `what is wrong with a key is reported with what to do`(problem: KeyProblem) {
        let hint = Failure(RemoteError.notAllowed(problem)).hint ?? ""
        let expected =
            switch problem {
            case .malformed: "run \"todosync remote login https://h\" to save a different one"
            case .exposed: "run \"todosync remote set-url origin URL\" with an https URL"
            default: "ask the server's administrator for a key with write access to the table t"
            }
        #expect(hint == expected)
    }

    @Test func `a helper that closes its output and goes on is not waited for`() throws {
        let helper = CredentialHelper(
            command: "echo password=x; exec >&-; exec sleep 100;", timeLimit: .seconds(1))
        let failure = #expect(throws: Failure.self) { _ = try helper.key(for: origin()) }
        #expect(failure?.message.hasSuffix(" did not respond within 1 seconds") == true)
    }

    @Test func `a helper without a key is mentioned, with what to do`() throws {
        let folder = try ThrowAwayFolder()
        _ = try Keys(process(folder)).store("k", for: origin("https://b.org"))
        try folder.write("helper exit 1 #\n", to: ".config/todosync/credentials")
        try folder.write("", to: "errors")
        let descriptor = open(folder.path + "/errors", O_WRONLY)
        defer { close(descriptor) }
        var process = process(folder)
        process.standardError = todosync.Stream(descriptor: descriptor, name: "standard error")
        #expect(try Keys(process).key(for: origin()) == nil)
        #expect(
            try folder.read("errors")
                == "warning: the credential helper 'exit 1 #' has no key for https://example.org:8443; "
                + "run \"todosync remote login https://example.org:8443\" to give it one\n")
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func `a signal that ends the question for a key leaves the terminal as it was`(signal: Int32) throws {
        let folder = try ThrowAwayFolder()
        let session = try TerminalSession(["remote", "login", Self.server], in: folder.path)
        try session.expect("key for https://example.org:8443: ")
        #expect(!session.echoes)
        session.signal(signal)
        #expect(try session.end() == 128 + signal)
        #expect(session.echoes)
    }

    @Test(arguments: ["yes", "/nowhere/helper", "sleep 100;"])
    func `a helper without end or answer is named`(command: String) throws {
        if command == "/nowhere/helper" {
            let failure = #expect(throws: Failure.self) {
                _ = try CredentialHelper(command: command).key(for: origin())
            }
            #expect(failure?.status == .configuration)
            #expect(failure?.message.contains(command) == true)
        } else {
            let helper = CredentialHelper(command: command, timeLimit: .seconds(1))
            let failure = #expect(throws: Failure.self) { _ = try helper.key(for: origin()) }
            #expect(failure?.status == .configuration)
            let problem = command == "yes" ? "printed more than" : "did not respond"
            #expect(failure?.message.hasPrefix("the credential helper '\(command)' \(problem) ") == true)
        }
    }

    @Test func `a key in a message is masked`() {
        let key = "todosync_" + String(repeating: "0a", count: 16)
        for text in [
            "unexpected argument '\(key)'", "http://h/tables/t?key=\(key)x: no", "'https://h?a=secret'",
        ] {
            let shown = withoutKeys(text)
            #expect(!shown.contains("0a0a") && !shown.contains("secret"))
        }
        #expect(withoutKeys("http://h/tables/t: why?") == "http://h/tables/t: why?")
    }

    @Test func `the variable comes before the file`() throws {
        let folder = try ThrowAwayFolder()
        _ = try Keys(process(folder)).store("kept", for: origin())
        #expect(try Keys(process(folder, ["TODOSYNC_KEY": "given"])).key(for: origin()) == "given")
        #expect(try Keys(process(folder, ["TODOSYNC_KEY": ""])).key(for: origin()) == "kept")
    }

    @Test func `XDG_CONFIG_HOME sets where the file is, if it is absolute`() throws {
        let folder = try ThrowAwayFolder()
        let path = try Keys(process(folder, ["XDG_CONFIG_HOME": folder.path + "/x"])).store(
            "k", for: origin())
        #expect(path == folder.path + "/x/todosync/credentials")
        let usual = try Keys(process(folder, ["XDG_CONFIG_HOME": "x"])).store("k", for: origin())
        #expect(usual == folder.path + "/.config/todosync/credentials")
    }

    @Test(arguments: ["640", "604", "660", "601"])
    func `a file that others can read is refused with the way out`(mode: String) throws {
        let folder = try ThrowAwayFolder()
        let path = try Keys(process(folder)).store("k", for: origin())
        _ = try Program.shell(
            "chmod \(mode) '\(path)'", in: folder.path, environment: TestedEnvironment(home: folder.path))
        let failure = #expect(throws: Failure.self) { try Keys(process(folder)).key(for: origin()) }
        #expect(failure?.status == .configuration)
        #expect(failure?.hint?.contains("chmod 600") == true)
    }

    @Test func `what a user wrote into the file stays`() throws {
        let folder = try ThrowAwayFolder()
        let path = try Keys(process(folder)).store("k", for: origin())
        let file = "# mine\n\nhttps://example.org:8443\told\nhttps://b.org  key "
        try folder.write(file, to: ".config/todosync/credentials")
        _ = try Keys(process(folder)).store("new", for: origin())
        #expect(
            try folder.read(".config/todosync/credentials")
                == "# mine\n\nhttps://b.org  key \nhttps://example.org:8443 new\n")
        let mode = try Program.shell(
            "stat -c %a '\(path)'; ls -A '\(path)/..'", in: folder.path,
            environment: TestedEnvironment(home: folder.path))
        #expect(mode.output.hasPrefix("600\n"))
    }

    @Test func `a helper is asked as git asks one`() throws {
        let folder = try ThrowAwayFolder()
        _ = try Keys(process(folder)).store("k", for: origin("https://b.org"))
        let helper =
            #"helper sh -c 'cat >> "$HOME/asked"; echo "$0" >> "$HOME/asked"; echo password=secret'"#
        try folder.write(
            "\(helper)\nhttps://b.org k\n".replacing("$HOME", with: folder.path),
            to: ".config/todosync/credentials")
        let keys = Keys(process(folder))
        #expect(try keys.key(for: origin("https://b.org")) == "k")
        #expect(try keys.key(for: origin()) == "secret")
        #expect(try keys.store("new", for: origin()) == "the credential helper")
        try keys.erase(for: origin())
        let question = "protocol=https\nhost=example.org:8443\nusername=todosync\n"
        #expect(
            try folder.read("asked")
                == "\(question)\nget\n\(question)password=new\n\nstore\n\(question)\nerase\n")
    }

    @Test(arguments: ["exit 1", "true", "echo nothing", "kill -9 $$"])
    func `a helper without a key is no error unless it is broken`(command: String) throws {
        let folder = try ThrowAwayFolder()
        _ = try Keys(process(folder)).store("k", for: origin("https://b.org"))
        try folder.write("helper \(command) #\n", to: ".config/todosync/credentials")
        if command.hasPrefix("kill") {
            #expect(throws: Failure.self) { try Keys(process(folder)).key(for: origin()) }
        } else {
            #expect(try Keys(process(folder)).key(for: origin()) == nil)
        }
    }

    @Test func `login takes the key from standard input, and never from the command line`() throws {
        let folder = try ThrowAwayFolder()
        let environment = TestedEnvironment(home: folder.path)
        let login = try Program.shell(
            "echo ' secret ' | todosync remote login \(Self.absent)", in: folder.path,
            environment: environment)
        #expect(login.status == 69)
        #expect(!login.output.contains("secret"))
        #expect(try folder.read(".config/todosync/credentials") == "http://127.0.0.1:1 secret\n")
        let again = try Program.todosync("remote", "login", Self.absent, "key", in: folder.path)
        #expect(again.status == 64)
        let logout = try Program.todosync("remote", "logout", Self.absent, in: folder.path)
        #expect(logout.status == 0)
        #expect(try folder.read(".config/todosync/credentials") == "")
    }

    @Test(arguments: [
        ("http://example.org/tables/todoitem", 78), ("/srv/store", 64), ("https://", 64),
        ("https://example.org", 64),
    ])
    func `login without a key, or to where none is sent, changes nothing`(url: String, status: Int) throws {
        let folder = try ThrowAwayFolder()
        let login = try Program.todosync("remote", "login", url, in: folder.path)
        #expect(Int(login.status) == status)
        #expect(throws: (any Error).self) { try folder.read(".config/todosync/credentials") }
    }

    @Test func `at a terminal the key is not shown, and Ctrl-C leaves the terminal as it was`() throws {
        let folder = try ThrowAwayFolder()
        let session = try TerminalSession(["remote", "login", Self.absent], in: folder.path)
        try session.expect("key for http://127.0.0.1:1: ")
        session.type("secrex\u{7F}t\n")
        #expect(try session.end() == 69)
        #expect(!session.transcript.contains("secre"))
        #expect(try folder.read(".config/todosync/credentials") == "http://127.0.0.1:1 secret\n")
        let interrupted = try TerminalSession(["remote", "login", Self.absent], in: folder.path)
        try interrupted.expect("key for http://127.0.0.1:1: ")
        interrupted.type("\u{3}")
        #expect(try interrupted.end() == 130)
    }

    @Test func `a remote that wants a key is reported with the way to give it one`() {
        let url = "https://example.org/tables/todoitem"
        let failure = Failure(RemoteError.notAllowed(.unknown(url: url, message: "unauthorized")))
        #expect(
            failure.lines == [
                "error: the remote refused access: https://example.org/tables/todoitem: unauthorized",
                "hint: run \"todosync remote login https://example.org/tables/todoitem\" to save a key for it",
            ])
    }
}
