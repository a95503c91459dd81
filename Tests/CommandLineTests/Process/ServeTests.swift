import Foundation
import TestSupport
import Testing

/// The server as a process: its output, its signals, and `curl` as its client.
@Suite(.ownThreads) struct ServeTests {
    private let folder: ThrowAwayFolder

    init() throws {
        folder = try ThrowAwayFolder()
        _ = try Program.todosync("init", "--bare", "store", in: folder.path)
    }

    // MARK: Words

    @Test func `a server reports where it listens, and nothing else on standard output`() throws {
        let server = try ServerProcess(in: folder)
        #expect(server.url.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+/) != nil)
        #expect(try server.curl("/health").output == #"{"status":"ok"}"#)
        server.signal(SIGTERM)
        #expect(server.end() == 0)
        #expect(try folder.read("output") == "listening on \(server.url)\n")
    }

    @Test func `with --json, a server prints its URL as JSON, and no log`() throws {
        let server = try ServerProcess("--json", in: folder)
        let value = try JSONSerialization.jsonObject(with: Data(folder.read("output").utf8))
        let url = try #require((value as? [String: String])?["url"])
        let answer = try ChildProcess.run(["curl", "-s", url + "/health"], in: folder.path)
        #expect(String(decoding: answer.output, as: UTF8.self) == #"{"status":"ok"}"#)
        server.signal(SIGTERM)
        #expect(server.end() == 0)
        #expect(try folder.read("errors").isEmpty)
    }

    @Test func `a server listens on the given address`() throws {
        let server = try ServerProcess("--listen", "[::1]:0", in: folder)
        #expect(server.url.hasPrefix("http://[::1]:"))
        #expect(try server.curl("/health").output == #"{"status":"ok"}"#)
    }

    @Test func `a private key that every user can read is reported`() throws {
        let result = try Program.shell(
            """
            echo x > chain.pem; echo x > key.pem; chmod 644 key.pem
            serve() { todosync serve --store store --tls-certificate chain.pem --tls-key key.pem; }
            serve; chmod 640 key.pem; serve
            """, in: folder.path, environment: TestedEnvironment(home: folder.path))
        let lines = result.output.split(separator: "\n")
        let key = folder.path + "/key.pem"
        #expect(
            lines.first
                == "warning: every user of this machine can read the private key \(key); run \"chmod o= \(key)\" to prevent that"
        )
        #expect(lines.count { $0.hasPrefix("warning: ") } == 1)
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        var status: Int32
        var errors: [String]
        var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test(arguments: [
        Wrong(arguments: ["serve"], status: 64, errors: ["the option --store is missing"]),
        Wrong(
            arguments: ["serve", "--store", "none"], status: 66,
            errors: ["none: no such store", "todosync init --bare "]),
        Wrong(arguments: ["serve", "--store", "."], status: 66, errors: ["not a todosync store"]),
        Wrong(
            arguments: ["serve", "--store", "store", "--listen", "0.0.0.0:0"], status: 78,
            errors: ["the store has no keys", "todosync serve key add"]),
        Wrong(
            arguments: ["serve", "--store", "store", "--listen", "8080"], status: 64,
            errors: ["'8080' is not an address", "127.0.0.1:8080"]),
        Wrong(
            arguments: ["serve", "--store", "store", "--listen", "127.0.0.1:0", "--tls-key", "key.pem"],
            status: 64, errors: ["use --tls-certificate and --tls-key together"]),
        Wrong(
            arguments: [
                "serve", "--store", "store", "--listen", "127.0.0.1:0", "--tls-key", "no.pem",
                "--tls-certificate", "no.pem",
            ], status: 78, errors: ["/no.pem: no such file"]),
        Wrong(
            arguments: ["serve", "--store", "store", "--cors-origin", "*"], status: 64,
            errors: ["'*' is not an origin", "https://example.org"]),
        Wrong(
            arguments: ["serve", "--store", "store", "--rate-limit", "0"], status: 64,
            errors: ["--rate-limit must be 1 to 1000000"]),
        Wrong(
            arguments: ["serve", "--store", "store", "--connections-per-address", "0"], status: 64,
            errors: ["--connections-per-address must be 1 to 1000000"]),
        Wrong(
            arguments: ["serve", "--store", "store", "--trusted-proxy", "proxy"], status: 64,
            errors: ["'proxy' is not an address", "192.0.2.0/24"]),
        Wrong(
            arguments: ["serve", "key", "add", "a b", "--access", "read", "--store", "store"], status: 64,
            errors: ["not a key name: a b"]),
        Wrong(
            arguments: ["serve", "key", "add", "a", "--access", "all", "--store", "store"], status: 64,
            errors: ["'all' is not an access level; use read, write or admin"]),
        Wrong(
            arguments: [
                "serve", "key", "add", "a", "--access", "read", "--table", "a-b", "--store", "store",
            ],
            status: 64, errors: ["'a-b' is not a table name"]),
        Wrong(
            arguments: ["serve", "key", "revoke", "a", "--store", "store"], status: 66,
            errors: ["there is no key 'a'", "todosync serve key list\" with the same --store"]),
        Wrong(
            arguments: ["serve", "table", "add", "1a", "--store", "store"], status: 64,
            errors: ["'1a' is not a table name"]),
    ])
    func `what can't be done is reported with what to do next`(wrong: Wrong) throws {
        let result = try Program.todosync(wrong.arguments, in: folder.path)
        #expect(result.status == wrong.status)
        #expect(result.output.isEmpty)
        #expect(result.errors.hasPrefix("error: "))
        for part in wrong.errors { #expect(result.errors.contains(part), "\(result.errors)") }
    }

    @Test func `a server doesn't start if it may open too few files for its connections`() throws {
        let result = try Program.shell(
            "ulimit -n 700; todosync serve --store store --listen 127.0.0.1:0 --watchers 0", in: folder.path,
            environment: TestedEnvironment(home: folder.path))
        #expect(result.status == 74)
        let words = "error: the system lets todosync open 700 files at a time; it needs up to 7"
        #expect(result.output.hasPrefix(words), "\(result.output)")
    }

    @Test func `an address where another program listens is reported`() throws {
        let server = try ServerProcess(in: folder)
        let address = String(server.url.dropFirst("http://".count))
        let second = try Program.todosync("serve", "--store", "store", "--listen", address, in: folder.path)
        #expect(second.status == 73)
        #expect(
            second.errors == """
                error: another program is listening on \(address)
                hint: choose a different address with --listen HOST:PORT

                """)
    }

    // MARK: Keys and tables

    @Test func `a key is printed once, alone on the last line, and lets in until it is revoked`() throws {
        let server = try ServerProcess(in: folder)
        #expect(try server.status(of: "/tables/todoitem") == "200")
        let secret = try addKey("phone", "--table", "todoitem", "--access", "write")
        #expect(try server.status(of: "/tables/todoitem") == "401")
        let header = "x-zumo-application: \(secret)"
        #expect(try server.status(of: "/tables/todoitem", "-H", header, "-d", #"{"id":"a"}"#) == "201")
        #expect(try server.status(of: "/tables/other", "-H", header, "-d", #"{"id":"a"}"#) == "403")
        let list = try Program.todosync("serve", "key", "list", "--store", "store", in: folder.path)
        #expect(list.output.hasPrefix("phone  write  todoitem  created 20"))
        #expect(!list.output.contains(secret))
        _ = try addKey("laptop", "--access", "admin")
        let revoked = try Program.todosync(
            "serve", "key", "revoke", "phone", "--store", "store", in: folder.path)
        #expect(revoked.status == 0)
        #expect(revoked.errors.isEmpty)
        #expect(try server.status(of: "/tables/todoitem", "-H", header) == "401")
        let last = try Program.todosync(
            "serve", "key", "revoke", "laptop", "--store", "store", in: folder.path)
        #expect(last.status == 0)
        #expect(last.errors.contains("no keys are left"))
        #expect(try server.status(of: "/tables/todoitem") == "401")
        server.signal(SIGTERM)
        _ = server.end()
        #expect(try !folder.read("errors").contains(secret))
        #expect(try folder.read("errors").contains(" key=phone\n"))
    }

    @Test func `a key's name is one key's`() throws {
        _ = try addKey("phone", "--access", "read")
        let again = try Program.todosync(
            "serve", "key", "add", "phone", "--access", "write", "--store", "store", in: folder.path)
        #expect(again.status == 73)
        #expect(again.errors.contains("the key phone already exists\nhint: choose a different name"))
        #expect(again.output.isEmpty)
    }

    @Test func `an anonymous key opens a table to all, and has no secret`() throws {
        let added = try Program.todosync(
            "serve", "key", "add", "all", "--access", "read", "--table", "notes", "--anonymous", "--store",
            "store", in: folder.path)
        #expect(added.status == 0)
        #expect(added.output.isEmpty)
        #expect(added.errors == "requests without a key now have read access to notes\n")
        _ = try Program.todosync("serve", "table", "add", "notes", "--store", "store", in: folder.path)
        let server = try ServerProcess(in: folder)
        #expect(try server.status(of: "/tables/notes") == "200")
        #expect(try server.status(of: "/tables/notes", "-d", #"{"id":"a"}"#) == "401")
        #expect(try server.status(of: "/tables/todoitem") == "401")
    }

    @Test func `keys and tables are listed for programs`() throws {
        let before = try Program.todosync("serve", "key", "list", "--store", "store", in: folder.path)
        #expect(before.output.isEmpty)
        #expect(before.errors.hasPrefix("no keys"))
        _ = try addKey("phone", "--table", "todoitem", "--access", "write")
        _ = try addKey("admin", "--access", "admin")
        let keys = try Program.todosync("serve", "key", "list", "--json", "--store", "store", in: folder.path)
        let expected =
            /\[\s*\{\s*"name": "admin",\s*"table": null,\s*"access": "admin",\s*"anonymous": false,\s*"createdAt": "20[^"]*Z"\s*\},\s*\{\s*"name": "phone",\s*"table": "todoitem",\s*"access": "write",\s*"anonymous": false,\s*"createdAt": "20[^"]*Z"\s*\}\s*\]\n/
        #expect(keys.output.wholeMatch(of: expected) != nil, "\(keys.output)")
        for (name, message) in [
            ("notes", "created the table notes\n"), ("Notes", "the table Notes already exists\n"),
        ] {
            let added = try Program.todosync(
                "serve", "table", "add", name, "--store", "store", in: folder.path)
            #expect(added.status == 0)
            #expect(added.output == message)
        }
        let tables = try Program.todosync("serve", "table", "list", "--store", "store", in: folder.path)
        #expect(tables.output == "notes\n")
        let json = try Program.todosync(
            "serve", "table", "list", "--json", "--store", "store", in: folder.path)
        #expect(json.output.filter { !$0.isWhitespace } == #"[{"name":"notes"}]"#)
    }

    // MARK: Signals

    @Test(arguments: [(SIGTERM, Int32(0)), (SIGINT, Int32(130))])
    func `a server that is asked to end finishes what is under way, takes no more, and ends`(
        signal: Int32, status: Int32
    ) throws {
        let server = try ServerProcess(in: folder)
        let body = #"{"id":"a","text":"under way"}"#
        let pipe = Pipe()
        let upload = try server.startUpload(to: "/tables/todoitem", from: pipe)
        // The server has received the header, and waits for the body.
        while try !folder.read("curl-errors").contains("100 Continue") { usleep(5_000) }
        server.signal(signal)
        while try server.curl("/health").status == 0 { usleep(5_000) }
        pipe.fileHandleForWriting.write(Data(body.utf8))
        try pipe.fileHandleForWriting.close()
        upload.wait()
        #expect(try folder.read("curl-output").hasSuffix(" 201"))
        #expect(server.end() == status)
    }

    @Test func `a server whose log nobody reads goes on`() throws {
        let server = try ServerProcess(in: folder, readsLog: false)
        for _ in 0..<3 { #expect(try server.curl("/health").status == 0) }
        server.signal(SIGTERM)
        #expect(server.end() == 0)
    }

    // MARK: TLS

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "openssl is missing"))
    func `a server speaks TLS, and takes a new certificate at SIGHUP`() throws {
        try makeCertificate("first")
        let server = try ServerProcess(
            "--tls-certificate", "first.pem", "--tls-key", "first.key", in: folder)
        #expect(server.url.hasPrefix("https://127.0.0.1:"))
        #expect(try server.curl("/health", "--cacert", "first.pem").output == #"{"status":"ok"}"#)
        #expect(try server.curl("/health").status == 60)
        try makeCertificate("second")
        for kind in ["pem", "key"] {
            try folder.write(try folder.read("second.\(kind)"), to: "first.\(kind)")
        }
        let errors = try folder.read("errors")
        server.signal(SIGHUP)
        while try folder.read("errors") == errors { usleep(10_000) }
        #expect(try folder.read("errors").hasSuffix(" reloaded the certificate\n"))
        #expect(try server.curl("/health", "--cacert", "first.pem").output == #"{"status":"ok"}"#)
        try folder.write("broken", to: "first.pem")
        server.signal(SIGHUP)
        while try !folder.read("errors").contains("can't reload the certificate") { usleep(10_000) }
        #expect(try server.curl("/health", "--insecure").output == #"{"status":"ok"}"#)
    }

    private func addKey(_ arguments: String...) throws -> String {
        let added = try Program.todosync(
            ["serve", "key", "add"] + arguments + ["--store", "store"], in: folder.path)
        try #require(added.status == 0, "\(added.errors)")
        return String(try #require(added.output.split(separator: "\n").last))
    }

    private func makeCertificate(_ name: String) throws {
        let made = try Program.shell(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout \(name).key \
            -out \(name).pem -days 2 -subj /CN=\(name) -addext subjectAltName=IP:127.0.0.1
            """, in: folder.path, environment: TestedEnvironment(home: folder.path))
        try #require(made.status == 0, "\(made.output)")
    }
}
