import Foundation
import Remotes
import TestSupport
import Testing

@testable import todosync

/// The list of trusted servers.
@Suite(.ownThreads) struct TrustTests {
    private static let path = ".config/todosync/trusted"

    private func process(_ folder: ThrowAwayFolder, _ environment: [String: String] = [:])
        -> ProcessSurroundings
    {
        let variables = ["HOME": folder.path].merging(environment) { $1 }
        return ProcessSurroundings(
            now: { "" }, milliseconds: { 0 }, randomBytes: { [UInt8](repeating: 0, count: $0) },
            environment: { variables[$0] })
    }

    private func origin(_ url: String) throws -> ServerOrigin { try #require(ServerOrigin(url: url)) }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test func `a server is added, listed, and taken away again`() throws {
        let folder = try ThrowAwayFolder()
        let added = try Program.todosync(
            "trust", "https://Example.org:443/tables/todoitem", in: folder.path)
        #expect(added.status == 0 && added.output == "")
        #expect(
            added.errors
                == "https://example.org is now trusted; the list is \(folder.path)/\(Self.path)\n")
        #expect(try Program.todosync("trust", "http://127.0.0.1:8080", in: folder.path).status == 0)
        #expect(try Program.todosync("trust", "https://example.org", in: folder.path).status == 0)
        #expect(
            try Program.todosync("trust", in: folder.path).output
                == "https://example.org\nhttp://127.0.0.1:8080\n")
        #expect(
            try JSONSerialization.jsonObject(
                with: Data(Program.todosync("trust", "--json", in: folder.path).output.utf8))
                as? [[String: String]] == [
                    ["origin": "https://example.org"], ["origin": "http://127.0.0.1:8080"],
                ])
        #expect(
            try Program.todosync("trust", "--remove", "https://example.org/", in: folder.path).status == 0)
        #expect(try folder.read(Self.path) == "http://127.0.0.1:8080\n")
        let again = try Program.todosync("trust", "--remove", "https://example.org", in: folder.path)
        #expect(again.status == 66)
    }

    @Test(arguments: [
        ["trust", "example.org"], ["trust", "/srv/store"], ["trust", "--remove"],
        ["trust", "https://a@example.org"],
    ])
    func `what names no server changes nothing`(words: [String]) throws {
        let folder = try ThrowAwayFolder()
        #expect(try Program.todosync(words, in: folder.path).status == 64)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/.config"))
    }

    @Test(arguments: [
        (["trust", "example.org"], "example.org", "run \"todosync trust https://example.org\""),
        (
            ["trust", "--remove", "Example.org:8443/tables/t"], "Example.org:8443/tables/t",
            "run \"todosync trust --remove https://Example.org:8443/tables/t\""
        ),
        (["trust", "127.0.0.1:80"], "127.0.0.1:80", "run \"todosync trust http://127.0.0.1:80\""),
        (
            ["remote", "login", "h.org/tables/a"], "h.org/tables/a",
            "run \"todosync remote login https://h.org/tables/a\""
        ),
        (["remote", "logout", "h.org"], "h.org", "run \"todosync remote logout https://h.org\""),
        (
            ["trust", "/srv/store"], "/srv/store",
            "use the server's URL, such as https://example.org, without a user name or password"
        ),
        (
            ["trust", "https://a:b@example.org"], "https://…@example.org",
            "use the server's URL, such as https://example.org, without a user name or password"
        ),
    ])
    func `what is no server's URL is reported with what to type instead`(
        words: [String], shown: String, hint: String
    ) throws {
        let folder = try ThrowAwayFolder()
        let result = try Program.todosync(words, in: folder.path)
        #expect(result.status == 64)
        #expect(result.errors == "error: \(shown) is not a server's URL\nhint: \(hint)\n")
    }

    @Test func `the file is the user's alone, and comments in it stay`() throws {
        let folder = try ThrowAwayFolder()
        try TrustedServers.add(origin("https://example.org"), process(folder))
        let path = folder.path + "/" + Self.path
        #expect(try mode(path) == 0o600 && mode(folder.path + "/.config/todosync") == 0o700)
        let text = "# mine\n\nhttps://EXAMPLE.org   # the office\n  http://[0:0::1]:80 \n"
        try folder.write(text, to: Self.path)
        try TrustedServers.add(origin("https://example.org"), process(folder))
        #expect(try folder.read(Self.path) == text)
        try TrustedServers.add(origin("https://b.example"), process(folder))
        #expect(try folder.read(Self.path) == text + "https://b.example\n")
        #expect(try TrustedServers(process(folder)).contains(origin("http://[::1]")))
        #expect(try TrustedServers.remove(origin("http://[::1]"), process(folder)))
        #expect(
            try folder.read(Self.path) == "# mine\n\nhttps://EXAMPLE.org   # the office\nhttps://b.example\n")
    }

    @Test(arguments: ["https://example.org evil", "example.org", "https://a@b", "* # all"])
    func `a line that can't be understood is named, and nothing is trusted`(line: String) throws {
        let folder = try ThrowAwayFolder()
        try TrustedServers.add(origin("https://example.org"), process(folder))
        try folder.write("# comment\n\(line)\nhttps://example.org\n", to: Self.path)
        let failure = #expect(throws: Failure.self) { try TrustedServers(process(folder)) }
        #expect(failure?.status == .configuration && failure?.message.contains("trusted:2: ") == true)
        #expect(throws: Failure.self) { try TrustedServers.add(origin("https://c.example"), process(folder)) }
    }

    @Test(arguments: [0o620, 0o602, 0o666])
    func `a file that others can write is not believed`(mode: Int) throws {
        let folder = try ThrowAwayFolder()
        let path = try TrustedServers.add(origin("https://example.org"), process(folder))
        chmod(path, mode_t(mode))
        let failure = #expect(throws: Failure.self) { try TrustedServers(process(folder)) }
        #expect(failure?.status == .configuration)
        #expect(
            failure?.lines == [
                "error: other users can change \(path)",
                "hint: run \"chmod 600 \(path)\", so that nobody else can read or change it",
            ])
    }

    @Test(arguments: [
        (0o640, "read"), (0o604, "read"), (0o620, "change"), (0o622, "change"), (0o666, "read and change"),
        (0o601, "run"),
        (0o777, "read, change and run"),
    ])
    func `what others can do with the keys is reported as it is`(mode: Int, verbs: String) throws {
        let folder = try ThrowAwayFolder()
        let path = try Keys(process(folder)).store("secret", for: origin("https://example.org"))
        chmod(path, mode_t(mode))
        let failure = #expect(throws: Failure.self) { try CredentialsFile(process(folder)) }
        #expect(failure?.status == .configuration)
        #expect(failure?.message == "other users can \(verbs) \(path)")
    }

    @Test func `a folder instead of the file is reported as one`() throws {
        let folder = try ThrowAwayFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/" + Self.path, withIntermediateDirectories: true)
        chmod(folder.path + "/" + Self.path, 0o777)
        let failure = #expect(throws: Failure.self) { try TrustedServers(process(folder)) }
        #expect(failure?.message.hasSuffix("is not a regular file") == true)
    }

    @Test(
        .enabled(if: getuid() == 0, "only root can give a file to somebody else"), arguments: [0o600, 0o666])
    func `a file of another user's is not believed, and is reported as such`(mode: Int) throws {
        let folder = try ThrowAwayFolder()
        let path = try TrustedServers.add(origin("https://example.org"), process(folder))
        chmod(path, mode_t(mode))
        chown(path, 12345, 12345)
        let failure = #expect(throws: Failure.self) { try TrustedServers(process(folder)) }
        #expect(failure?.status == .configuration)
        #expect(
            failure?.lines == [
                "error: \(path) belongs to another user (12345)",
                "hint: if you trust its content, take ownership with chown; otherwise move it away",
            ])
    }

    @Test func `XDG_CONFIG_HOME sets where the list is`() throws {
        let folder = try ThrowAwayFolder()
        let surroundings = process(folder, ["XDG_CONFIG_HOME": folder.path + "/x"])
        #expect(
            try TrustedServers.add(origin("https://example.org"), surroundings)
                == folder.path + "/x/todosync/trusted")
    }

    @Test func `commands at once lose no server, and no key`() throws {
        let folder = try ThrowAwayFolder()
        let shell = try Program.shell(
            """
            for n in $(seq 20); do
                todosync trust https://h$n & echo k | todosync remote login http://127.0.0.1:$n/tables/t &
            done > /dev/null 2>&1; wait
            """, in: folder.path, environment: TestedEnvironment(home: folder.path))
        #expect(shell.status == 0)
        #expect(try folder.read(Self.path).split(separator: "\n").count == 40)
        #expect(try folder.read(".config/todosync/credentials").split(separator: "\n").count == 20)
    }

    @Test func `TODOSYNC_TRUST names one server more, and must name one`() throws {
        let folder = try ThrowAwayFolder()
        let variables = ["TODOSYNC_TRUST": "https://example.org/tables/t"]
        try Trust(process(folder, variables)).require(origin("https://example.org"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/.config"))
        // A clone in CI, where there might be no folder for the list.
        let homeless = process(folder, variables.merging(["HOME": ""]) { $1 })
        try Trust(homeless).grant(origin("https://example.org"))
        #expect(throws: Failure.self) { try Trust(homeless).grant(origin("https://b.example")) }
        for value in ["1", "*", "example.org", "https://example.org@evil.example"] {
            let failure = #expect(throws: Failure.self) {
                try Trust(process(folder, ["TODOSYNC_TRUST": value])).require(
                    origin("https://example.org"))
            }
            #expect(failure?.status == .configuration)
        }
    }

    @Test func `TODOSYNC_KEY can be for one server only`() throws {
        let folder = try ThrowAwayFolder()
        func key(_ value: String, _ url: String) throws -> String? {
            try Keys(process(folder, ["TODOSYNC_KEY": value])).key(for: origin(url))
        }
        #expect(try key("secret", "https://example.org") == "secret")
        #expect(try key(" secret\n", "https://example.org") == "secret")
        let one = "https://EXAMPLE.org:443/ secret"
        #expect(try key(one, "https://example.org") == "secret")
        for other in ["http://example.org", "https://example.org:8443", "https://a.example.org"] {
            #expect(try key(one, other) == nil)
        }
        _ = try Keys(process(folder)).store("kept", for: origin("https://b.example"))
        #expect(try key(one, "https://b.example") == "kept")
        // The last value results from an empty variable for the key.
        for value in ["example.org secret", "https://a b c", "https://example.org "] {
            let failure = #expect(throws: Failure.self) { try key(value, "https://example.org") }
            #expect(failure?.status == .configuration)
            #expect(failure?.lines.joined().contains("secret") == false)
        }
    }
}
