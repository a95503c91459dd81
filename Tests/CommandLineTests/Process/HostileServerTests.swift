import Foundation
import Synchronization
import TestSupport
import Testing

/// The program's behavior with malicious servers.
@Suite(.ownThreads) struct HostileServerTests {
    /// The contents of a page of changes besides one good record, as JSON.
    struct Records: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var json: String
        var status: Int32
        var isUnreadable: Bool

        /// - Parameters:
        ///   - status: 69 if the whole page is rejected; 0 if the good record is applied.
        ///   - isUnreadable: Whether the record `x` can't be read, and is one warning.
        init(_ testDescription: String, _ json: String, status: Int32 = 0, isUnreadable: Bool = false) {
            (self.testDescription, self.json, self.status) = (testDescription, json, status)
            self.isUnreadable = isUnreadable
        }

        /// Returns a record whose layout has a path, as JSON's string without its quotes.
        private static func path(_ path: String) -> String {
            #"{"id":"x","version":"1","text":"X","todosync":{"path":"\#(path)","yaml":"id: x\ntext: X\n"}}"#
        }

        /// Returns a record with one more field, as JSON.
        private static func field(_ json: String) -> String {
            #"{"id":"x","version":"1","text":"X","field":\#(json)}"#
        }

        static let all =
            [
                "../out.yaml", "a/../../out.yaml", "/todosync-out.yaml", ".git/hooks/a.yaml",
                ".todosync/config.yaml", ".TODOSYNC/config.yaml", "run.sh", "a\\u0000.yaml", "a\\nb.yaml",
                "a\\u001b[2J.yaml", "..\\\\out.yaml", "~/out.yaml", "a//b.yaml", "a/", "", ".",
                String(repeating: "x", count: 300) + ".yaml", String(repeating: "x/", count: 3000) + "a.yaml",
                "a\\u202elmay.yaml", "good.yaml", "GOOD.yaml", "good.yaml/x.yaml",
            ].map { Records("the path \($0.prefix(30))", path($0)) } + [
                Records("a path that is not UTF-8", path("\u{FFFD}"), isUnreadable: true),
                Records("a path with half a character", path("\\ud800.yaml"), isUnreadable: true),
                Records(
                    "paths that differ in case",
                    #"{"id":"y","version":"1","text":"Y","todosync":{"path":"X.yaml"}},"# + path("x.yaml")),
                Records(
                    "paths that differ in form",
                    #"{"id":"y","version":"1","text":"Y","todosync":{"path":"\u00e9.yaml"}},"#
                        + path("e\\u0301.yaml")),
                Records("a huge number", field("1e999999999")),
                Records("a number of many digits", field(String(repeating: "9", count: 100_000))),
                Records("control characters", field(#""\u0000\u001b]0;owned\u0007\u009b31m\u2028""#)),
                Records("a text that is YAML", field(#""\n---\nid: good\ntext: smuggled\n""#)),
                Records(
                    "60 levels", field(String(repeating: "[", count: 60) + String(repeating: "]", count: 60))),
                Records(
                    "100 levels",
                    field(String(repeating: "[", count: 100) + String(repeating: "]", count: 100)),
                    isUnreadable: true),
                Records(
                    "100,000 levels",
                    field(String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)),
                    isUnreadable: true),
                Records("an invalid number", field("[01]"), isUnreadable: true),
                Records("no number, as JavaScript says it", field("NaN"), isUnreadable: true),
                Records("a control character as it is", field("\"a\u{1B}[2Jb\""), isUnreadable: true),
                Records("a repeated name", field(#"1,"field":2"#), isUnreadable: true),
                Records(
                    "2,000,000 values",
                    field("[" + Array(repeating: "1", count: 2_000_000).joined(separator: ",") + "]"),
                    isUnreadable: true),
                Records("a list that does not end", field("[[1]"), status: 69),
                Records("a field of 2 MiB", field("\"" + String(repeating: "x", count: 2 << 20) + "\"")),
                Records(
                    "200,000 values",
                    field("[" + Array(repeating: "1", count: 200_000).joined(separator: ",") + "]")),
                Records("a reserved name", #"{"id":"x","version":"1","text":"X","__proto__":1}"#),
                Records(
                    "a text of a megabyte of aliases",
                    #"{"id":"x","version":"1","text":"X","todosync":{"path":"x.yaml","yaml":"id: x\ntext: X\na: &a [1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d]\n"}}"#
                ),
                Records("an id that is a path", #"{"id":"../x","version":"1","text":"X"}"#),
                Records("an id with an escape", #"{"id":"\u001b[2J","version":"1","text":"X"}"#),
                Records("an id of another's in other case", #"{"id":"GOOD","version":"1","text":"X"}"#),
                Records(
                    "a long id", #"{"id":"\#(String(repeating: "x", count: 300))","version":"1","text":"X"}"#),
                Records(
                    "an endless id",
                    #"{"id":"\#(String(repeating: "x", count: 5000))","version":"1","text":"X"}"#, status: 69),
                Records("no id", #"{"version":"1","text":"X"}"#, status: 69),
                Records("a number for an id", #"{"id":5,"version":"1","text":"X"}"#, status: 69),
                Records("no version", #"{"id":"x","text":"X"}"#, status: 69),
                Records(
                    "a version with a line break", #"{"id":"x","version":"1\r\nx: y","text":"X"}"#, status: 69
                ),
                Records("no record at all", "5", status: 69),
                Records("what is no JSON", "{]", status: 69),
            ]
    }

    /// Half of the records arrive by a clone, the others by a pull.
    @Test(arguments: zip(Records.all, Records.all.indices.map { $0 % 2 == 0 ? "clone" : "pull" }))
    func `what a record contains stays in the folder, and its neighbor is applied`(
        _ records: Records, _ verb: String
    )
        throws
    {
        let page = Self.page(records.json)
        let isLegal = !records.testDescription.contains("not UTF-8")
        let bytes = isLegal ? Array(page.utf8) : Self.withBrokenText(page)
        let server = try LoopbackServer { connection in
            while let head = connection.readHead() {
                let wantsNone = head.contains("top=0")
                guard connection.write(Self.answer(wantsNone ? Array(Self.page(nil).utf8) : bytes)) else {
                    return
                }
            }
        }
        let folder = try ThrowAwayFolder()
        let result = try run(verb, server, folder)
        #expect(result.status == records.status, "\(result)")
        try expectNothingOutside(folder, result)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/box/work")
        let todos = names.filter { $0.hasSuffix(".yaml") }
        guard records.status == 0 else {
            #expect(todos == [] && result.errors.contains("can't be used"), "\(result)")
            return
        }
        // If two ids differ only in case, the smaller one is applied.
        #expect(todos.contains("good.yaml") || result.errors.contains("warning: "), "\(names), \(result)")
        #expect(todos.count >= 1)
        if records.isUnreadable {
            #expect(todos == ["good.yaml"])
            let warning = "warning: a todo on the remote can't be used here: x: it can't be read: "
            #expect(result.errors.contains(warning) && result.errors.count < 1000, "\(result)")
        }
        let status = try Program.todosync("status", "--json", in: folder.path + "/box/work")
        #expect(status.output.contains(#""invalid": []"#), "\(status.output)")
    }

    /// An answer's complete bytes.
    struct Answer: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]

        init(_ testDescription: String, _ head: String, _ body: [UInt8] = []) {
            self.testDescription = testDescription
            bytes = Array((head.replacing("\n", with: "\r\n") + "\r\n\r\n").utf8) + body
        }

        static let all = [
            Answer("no HTTP", "SSH-2.0-OpenSSH_9.2"),
            Answer(
                "a chunk without a size", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked", Array("zz\r\n".utf8)),
            Answer(
                "a chunk of nearly endless size", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked",
                Array("fffffffffffffff0\r\nabc".utf8)),
            Answer("a size below nothing", "HTTP/1.1 200 OK\nContent-Length: -1", Array("{}".utf8)),
            Answer("two sizes", "HTTP/1.1 200 OK\nContent-Length: 2\nContent-Length: 3", Array("{}".utf8)),
            Answer(
                "a size that is a promise", "HTTP/1.1 200 OK\nContent-Length: 9223372036854775807",
                Array("{".utf8)),
            Answer("an odd status", "HTTP/1.1 999 \u{1B}[31mowned\nContent-Length: 0"),
            Answer(
                "a message with escapes", "HTTP/1.1 403 Forbidden\nContent-Length: 29",
                Array("{\"error\":\"\\u001b[2J\\u0007own\"}".utf8)),
            Answer(
                "what is no gzip", "HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: 4",
                Array("nope".utf8)),
            Answer(
                "an unknown encoding", "HTTP/1.1 200 OK\nContent-Encoding: compress\nContent-Length: 4",
                Array("nope".utf8)),
            Answer(
                "a redirect elsewhere", "HTTP/1.1 302 Found\nLocation: file:///etc/passwd\nContent-Length: 0"),
            Answer(
                "a redirect to itself", "HTTP/1.1 302 Found\nLocation: /tables/todoitem\nContent-Length: 0"),
            Answer("a header without end", "HTTP/1.1 200 OK\nX: " + String(repeating: "x", count: 2 << 20)),
            Answer(
                "a web page", "HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: 15",
                Array("<html>x</html>\n".utf8)),
        ]
    }

    @Test(arguments: Answer.all)
    func `an invalid answer ends in one error`(_ answer: Answer) throws {
        let server = try LoopbackServer { connection in
            while connection.readHead() != nil { guard connection.write(answer.bytes) else { return } }
        }
        // When the client closes the connection, the server's wait ends.
        let folder = try ThrowAwayFolder()
        let result = try run("pull", server, folder)
        #expect([69, 77].contains(result.status), "\(result)")
        #expect(result.output == "" && result.errors.hasPrefix("error: "))
        #expect(
            result.errors.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x9B })
        try expectNothingOutside(folder, result)
    }

    @Test func `a bomb of gzip and pages without end are given up, with little memory`() throws {
        let folder = try ThrowAwayFolder()
        _ = try Program.shell(
            "head -c 300000000 /dev/zero | gzip -9 > bomb", in: folder.path,
            environment: TestedEnvironment(home: folder.path))
        let bomb = Array(try Data(contentsOf: URL(filePath: folder.path + "/bomb")))
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n"
        let bombServer = try LoopbackServer { connection in
            while connection.readHead() != nil {
                guard connection.write(Array(head.utf8) + bomb) else { return }
            }
        }
        let bombed = try run("pull", bombServer, ThrowAwayFolder())
        #expect(bombed.status == 69 && bombed.errors.hasPrefix("error: "), "\(bombed)")

        let endless = try LoopbackServer { connection in
            var number = 0
            while let head = connection.readHead() {
                number += 1
                let page =
                    head.contains("top=0")
                    ? Self.page(nil)
                    : #"{"@todosync.identity":"t","value":[],"@odata.nextLink":"/?$deltatoken=\#(number)"}"#
                guard connection.write(Self.answer(Array(page.utf8))) else { return }
            }
        }
        let result = try run("clone", endless, ThrowAwayFolder())
        #expect(result.status == 69 && result.errors.contains("does not end"), "\(result)")
        #expect(
            result.errors.contains(
                "hint: work has what was cloned so far; run the same command again for the rest"), "\(result)"
        )
    }

    @Test(arguments: [["a"], ["a", "b"], ["a", "b", "c", "b"]])
    func `a list of changes that repeats or goes back is given up at once`(_ links: [String]) throws {
        let count = Mutex(0)
        let server = try LoopbackServer { connection in
            while let head = connection.readHead() {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                let record = #"{"id":"x\#(number)","version":"1","text":"X"}"#
                let link = links[number % links.count]
                let page =
                    head.contains("top=0")
                    ? Self.page(nil)
                    : #"{"@todosync.identity":"t","value":[\#(record)],"@odata.nextLink":"/?$deltatoken=\#(link)"}"#
                guard connection.write(Self.answer(Array(page.utf8))) else { return }
            }
        }
        let result = try run("clone", server, ThrowAwayFolder())
        #expect(result.status == 69 && result.errors.contains("its list of changes "), "\(result)")
        #expect(count.withLock(\.self) < 12)
    }

    // MARK: Support

    private static func page(_ records: String?) -> String {
        let good =
            #"{"id":"good","version":"1","text":"G","todosync":{"path":"good.yaml","yaml":"id: good\ntext: G\n"}}"#
        let list = records.map { good + "," + $0 } ?? ""
        return #"{"@todosync.identity":"t","value":[\#(list)],"@odata.deltaLink":"/?$deltatoken=end"}"#
    }

    private static func withBrokenText(_ page: String) -> [UInt8] {
        var bytes = Array(page.utf8)
        if let range = bytes.firstRange(of: Array("\u{FFFD}".utf8)) {
            bytes.replaceSubrange(range, with: [0xFF, 0xC0])
        }
        return bytes
    }

    private static func answer(_ body: [UInt8]) -> [UInt8] {
        Array(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n".utf8)
            + body
    }

    /// Runs a clone or a pull two levels below the test's folder, with little memory if the system can limit
    /// it.
    private func run(
        _ verb: String, _ server: LoopbackServer, _ folder: ThrowAwayFolder
    ) throws -> Program.Result {
        let url = "http://127.0.0.1:\(server.port)/tables/todoitem"
        let command =
            verb == "clone"
            ? "todosync clone '\(url)' work"
            : "todosync init --quiet work; cd work; todosync remote add origin '\(url)' > /dev/null 2>&1; todosync pull"
        #if os(Linux)
            let limit = "ulimit -v 3000000; "
        #else
            let limit = ""
        #endif
        let script = "mkdir -p box; cd box; \(limit)(\(command)) > ../output 2> ../errors"
        let status = try Program.shell(
            script, in: folder.path, environment: TestedEnvironment(home: folder.path)
        ).status
        return Program.Result(
            status: status, output: try folder.read("output"), errors: try folder.read("errors"))
    }

    private func expectNothingOutside(_ folder: ThrowAwayFolder, _ result: Program.Result) throws {
        let outside = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(outside).subtracting([".config", ".cache"]) == ["box", "output", "errors"])
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/box")).isSubset(of: [
                "work"
            ]))
        #expect(!FileManager.default.fileExists(atPath: "/todosync-out.yaml"))
        if FileManager.default.fileExists(atPath: folder.path + "/box/work") {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/box/work")
            #expect(names.filter { $0.hasPrefix(".") } == [".todosync"], "\(names)")
            let config = try folder.read("box/work/.todosync/config.yaml")
            #expect(!config.contains("text:"))
        }
        let shown = result.output + result.errors
        #expect(
            shown.unicodeScalars.allSatisfy {
                $0 == "\n" || $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)
            })
        #expect(!result.errors.contains("Fatal error"))
    }
}
