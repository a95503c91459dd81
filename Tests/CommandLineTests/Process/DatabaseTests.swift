#if PostgreSQL
    import Foundation
    import TestSupport
    import Testing

    /// Servers of a store in PostgreSQL, as processes.
    @Suite(.ownThreads) struct DatabaseTests {
        private let folder: ThrowAwayFolder
        private let cluster: PostgresCluster
        private let name: String
        private var url: String { cluster.url(of: name) }

        init() throws {
            folder = try ThrowAwayFolder()
            cluster = try PostgresCluster.shared.get()
            name = "commands_\(UUID().uuidString.prefix(8).lowercased())"
            _ = try cluster.createDatabase(name)
        }

        private func todosync(_ arguments: String..., store: String? = nil) throws -> Program.Result {
            let words = (["todosync"] + arguments).map { "'\($0)'" }.joined(separator: " ")
            let environment = TestedEnvironment(
                home: folder.path, seed: .random(in: 1...1_000_000),
                more: store.map { ["TODOSYNC_STORE": $0] } ?? [:])
            return try Program.shell(words, in: folder.path, environment: environment)
        }

        @Test func `two servers offer one store, and a revoked key is refused by both at once`() throws {
            #expect(try todosync("serve", "store", "create", "--store", url).status == 0)
            let key = try todosync("serve", "key", "add", "all", "--access", "admin", store: url)
                .output.split(separator: "\n").last.map(String.init)
            let servers = try (0..<2).map { number in
                let own = try ThrowAwayFolder()
                return try ServerProcess(in: own, store: url)
            }
            let header = "x-zumo-application: \(try #require(key))"
            let json = "content-type: application/json"
            let path = "/tables/todoitem"
            #expect(
                try servers[0].status(
                    of: path, "-X", "POST", "-H", header, "-H", json, "-d", #"{"id":"milk","text":"Milk"}"#)
                    == "201")
            #expect(try servers[1].curl(path + "/milk", "-H", header).output.contains(#""text":"Milk""#))
            // A client that waits at the other server is notified of a write at once.
            let cursor = try servers[1].curl(path + "/changes?wait=1", "-H", header).output
                .split(separator: "after=").last?.prefix { $0 != "\"" && $0 != "&" }
            let waiting = path + "/changes?wait=60&after=" + (cursor ?? "")
            let watcher = try ChildProcess(
                ["curl", "-sg", "-H", header, servers[1].url + waiting], output: .file(folder.path + "/news"))
            let change = ["-X", "PATCH", "-H", header, "-H", json, "-d", #"{"text":"Oat milk"}"#]
            repeat {
                usleep(200_000)
                _ = try ChildProcess.run(["curl", "-sg"] + change + [servers[0].url + path + "/milk"])
            } while watcher.isRunning
            #expect(try folder.read("news").contains("Oat milk"))

            #expect(try todosync("serve", "key", "revoke", "all", store: url).status == 0)
            for server in servers { #expect(try server.status(of: path, "-H", header) == "401") }
            servers[0].signal(SIGTERM)
            #expect(servers[0].end() == 0)
            #expect(try servers[1].curl("/ready").output == #"{"status":"ok"}"#)
        }

        @Test func `a folder is synced through one server after another, which are killed`() throws {
            #expect(try todosync("init", "--bare", url).status == 0)
            let first = try ServerProcess(in: try ThrowAwayFolder(), store: url)
            let port = first.url.split(separator: ":").last.map(String.init) ?? ""
            #expect(try todosync("clone", first.url + "/tables/todoitem", "one").status == 0)
            #expect(try todosync("clone", first.url + "/tables/todoitem", "two").status == 0)
            #expect(try todosync("-C", "one", "add", "Buy milk").status == 0)
            #expect(try todosync("-C", "one", "sync").status == 0)
            first.signal(SIGKILL)
            _ = first.end()
            #expect(try todosync("-C", "one", "add", "Call Anna").status == 0)
            #expect(try todosync("-C", "one", "sync").status == 69)
            let second = try ServerProcess(
                "--listen", "127.0.0.1:\(port)", in: try ThrowAwayFolder(), store: url)
            #expect(try todosync("-C", "one", "sync").status == 0)
            #expect(try todosync("-C", "two", "sync").status == 0)
            #expect(try todosync("-C", "two", "list", "--count").output == "2\n")
            #expect(try todosync("fsck", "--store", url).output == "all is well\n")
            second.signal(SIGTERM)
            #expect(second.end() == 0)
        }

        @Test func `a server is verified over TLS, and an unknown one is refused`() throws {
            let unused = try LoopbackServer { _ in }.port
            let cluster = try PostgresCluster(tlsPort: unused)
            defer { withExtendedLifetime(cluster) {} }
            _ = try cluster.createDatabase("secure")
            let (url, certificate) = cluster.urlWithTLS(of: "secure")
            let verified = url + "?sslmode=verify-full&sslrootcert=" + certificate
            #expect(try todosync("serve", "store", "create", "--store", verified).status == 0)
            let server = try ServerProcess(in: ThrowAwayFolder(), store: verified)
            #expect(try server.curl("/ready").output == #"{"status":"ok"}"#)
            let versions = try cluster.run(
                """
                SELECT DISTINCT version FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
                WHERE datname = 'secure' AND application_name = 'todosync'
                """, in: "secure")
            #expect(versions == "TLSv1.3")
            // It is also the certificate of another name.
            let unknown = verified.replacing("@127.0.0.1", with: "@localhost")
            for refused in [url + "?sslmode=verify-full", unknown] {
                let result = try todosync("serve", "table", "list", "--store", refused)
                #expect(result.status == 69 && result.output.contains("certificate"))
            }
        }

        @Test func `a store is created once, and its tables are listed`() throws {
            for _ in 0..<2 {
                let result = try todosync("serve", "store", "create", store: url)
                #expect(result.output == "the store postgresql:///\(name) is ready\n")
            }
            #expect(try todosync("serve", "table", "add", "work", store: url).status == 0)
            #expect(try todosync("serve", "table", "list", store: url).output == "work\n")
        }

        @Test func `a database without a store, and one that can't be used, are reported`() throws {
            let missing = try todosync("serve", store: url)
            #expect(missing.status == 66 && missing.output.contains("the database has no store"))
            let nowhere = "postgresql://postgres@/\(name)?host=\(folder.path)"
            let unreachable = try todosync("serve", "table", "list", store: nowhere)
            #expect(
                unreachable.status == 69
                    && unreachable.output.contains("the database can't be used at the moment"))
            try cluster.run(
                "CREATE DATABASE \(name)_latin ENCODING 'LATIN1' TEMPLATE template0", in: "postgres")
            let latin = try todosync("serve", "store", "create", store: cluster.url(of: name + "_latin"))
            #expect(
                latin.status == 78
                    && latin.output.contains("the database's encoding is LATIN1; UTF8 is required"))
        }

        @Test(arguments: [
            ("service=nowhere", "nowhere"), ("postgresql:///x?colour=red", "colour"),
            ("postgresql:///x?sslmode=most", "most"), ("postgresql://h:1x/y", "1x"),
        ])
        func `an address that libpq can't use is an error of the configuration`(
            address: String, reason: String
        ) throws {
            let result = try todosync("serve", "table", "list", store: address)
            #expect(result.status == 78)
            #expect(result.output.contains("the database's address can't be used"), "\(result.output)")
            #expect(result.output.contains(reason))
        }

        @Test func `the reason of a bad address doesn't reveal its password`() throws {
            let result = try todosync("serve", "table", "list", store: "postgresql://me:geh%zzeim@/x")
            #expect(result.status == 78 && !result.output.contains("geh"), "\(result.output)")
        }

        @Test func `health is reported even while the database is down`() throws {
            let cluster = try PostgresCluster()
            defer { withExtendedLifetime(cluster) {} }
            let url = try cluster.createDatabase("watched")
            #expect(try todosync("serve", "store", "create", store: url).status == 0)
            let server = try ServerProcess(in: ThrowAwayFolder(), store: url)
            #expect(try server.status(of: "/health") == "200")
            try cluster.stopAtOnce()
            for path in ["/health", "/ready"] { #expect(try server.status(of: path) == "503") }
            try cluster.start()
            for path in ["/health", "/ready"] { #expect(try server.status(of: path) == "200") }
            let metrics = try server.curl("/metrics").output
            #expect(metrics.contains("todosync_store_connections 16\n"), "\(metrics)")
            #expect(metrics.contains("todosync_store_busy_connections 0\n"))
        }

        @Test func `missing rights are reported with the statements that grant them`() throws {
            let user = "user_\(name)"
            try cluster.run("CREATE USER \(user)", in: "postgres")
            let userStore = cluster.url(of: name, user: user)
            let creation = try todosync("serve", "store", "create", store: userStore)
            #expect(
                creation.status == 77
                    && creation.output.contains("GRANT CREATE ON DATABASE \(name) TO \(user)"))
            #expect(try todosync("serve", "store", "create", store: url).status == 0)
            let refused = try todosync("serve", "table", "list", store: userStore)
            #expect(refused.status == 77)
            let statements = refused.output.matches(of: /GRANT [^;\n]*/).map { String($0.output) }
            #expect(statements.count == 9, "\(refused.output)")
            for statement in statements { try cluster.run(statement, in: name) }
            #expect(try todosync("serve", "table", "list", store: userStore).status == 0)
            // These need no other rights if there is nothing to do.
            #expect(try todosync("serve", "store", "create", store: userStore).status == 0)
            #expect(try todosync("serve", "store", "upgrade", store: userStore).status == 0)
        }

        @Test func `the store can be in a schema that an administrator has created`() throws {
            let user = "user_\(name)"
            try cluster.run("CREATE USER \(user)", in: "postgres")
            try cluster.run("CREATE SCHEMA todosync", in: name)
            let userStore = cluster.url(of: name, user: user)
            let refused = try todosync("serve", "store", "create", store: userStore)
            let grant = "GRANT USAGE, CREATE ON SCHEMA todosync TO \(user)"
            #expect(refused.status == 77 && refused.output.contains(grant))
            try cluster.run(grant, in: name)
            #expect(try todosync("serve", "store", "create", store: userStore).status == 0)
            #expect(try todosync("serve", "table", "list", store: userStore).status == 0)
        }

        @Test func `a password on the command line is refused, and never shown`() throws {
            let secret = "postgresql://postgres:geheim@/\(name)?host=\(cluster.folder)"
            for arguments in [["serve"], ["serve", "store", "create"], ["serve", "key", "list"], ["fsck"]] {
                let words = (["todosync"] + arguments + ["--store", secret]).map { "'\($0)'" }
                let result = try Program.shell(
                    words.joined(separator: " "), in: folder.path,
                    environment: TestedEnvironment(home: folder.path))
                #expect(result.status == 64 && result.output.contains("PGPASSFILE"))
                #expect(!result.output.contains("geheim"))
            }
            for parameter in ["password", "p%61ssword", "sslpassword"] {
                let url = "postgresql:///\(name)?host=\(cluster.folder)&\(parameter)=geheim"
                let result = try Program.shell(
                    "todosync fsck --store '\(url)'; todosync fsck --store 'service=x \(parameter)=geheim'",
                    in: folder.path, environment: TestedEnvironment(home: folder.path))
                #expect(result.output.contains("PGPASSFILE") && !result.output.contains("geheim"))
            }
            let created = try todosync("serve", "store", "create", store: secret)
            #expect(created.status == 0 && created.output == "the store postgresql:///\(name) is ready\n")
        }

        @Test func `a server works behind a pooler`() throws {
            let pooler = try cluster.startPooler(size: 2)
            let pooled = "postgresql://postgres@/\(name)?host=\(pooler)"
            #expect(try todosync("serve", "store", "create", store: pooled).status == 0)
            let servers = try (0..<2).map { _ in try ServerProcess(in: ThrowAwayFolder(), store: pooled) }
            #expect(try todosync("clone", servers[0].url + "/tables/todoitem", "one").status == 0)
            #expect(try todosync("clone", servers[1].url + "/tables/todoitem", "two").status == 0)
            #expect(try todosync("-C", "one", "add", "Buy milk").status == 0)
            #expect(try todosync("-C", "one", "sync").status == 0)
            #expect(try todosync("-C", "two", "sync").status == 0)
            #expect(try todosync("-C", "two", "list", "--count").output == "1\n")
            #expect(try servers[1].status(of: "/health") == "200")
            #expect(try todosync("fsck", "--store", pooled).output == "all is well\n")
        }

        @Test func `what the database refuses is not damage`() throws {
            #expect(try todosync("serve", "store", "create", store: url).status == 0)
            let repair = try todosync("fsck", "--store", url, "--repair")
            #expect(repair.status == 64)
            try cluster.run("ALTER TABLE todosync.access_key RENAME COLUMN access TO other", in: name)
            let refused = try todosync("serve", "key", "list", store: url)
            #expect(refused.status == 78 && refused.output.contains("42703"), "\(refused.output)")
            for result in [repair, refused] {
                #expect(!result.output.contains("damaged") && !result.output.contains("backup"))
            }
        }

        @Test func `a database can't be a remote`() throws {
            let result = try todosync("clone", url, "one")
            #expect(result.status == 64 && result.output.contains("a database can't be a remote"))
            #expect(!result.output.contains("postgres@"))
        }
    }
#endif
