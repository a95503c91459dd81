import Dispatch
import Synchronization
import TestSupport
import Testing

extension TerminalTests {
    /// A server with two pages of changes, which sends the second page when the test allows it.
    private final class SlowServer: Sendable {
        let isAllowed = DispatchSemaphore(value: 0)

        var url: String { "http://127.0.0.1:\(server.withLock { $0?.port ?? 0 })/tables/todoitem" }
        private let server = Mutex<LoopbackServer?>(nil)

        init() throws {
            let isAllowed = isAllowed
            let started = try LoopbackServer { connection in
                while let head = connection.readHead() {
                    let isSecond = head.contains("deltatoken=1")
                    if isSecond {
                        isAllowed.wait()
                        isAllowed.signal()
                    }
                    let names = head.contains("top=0") ? [] : isSecond ? ["c", "d"] : ["a", "b"]
                    guard connection.write(Self.answer(names, isLast: isSecond)) else { return }
                }
            }
            server.withLock { $0 = started }
        }

        private static func answer(_ names: [String], isLast: Bool) -> [UInt8] {
            let records = names.map { #"{"id":"\#($0)","version":"1","text":"\#($0)"}"# }
            let count = names == ["a", "b"] ? #""@odata.count":4,"# : ""
            let link =
                isLast
                ? #""@odata.deltaLink":"x?$deltatoken=2""# : #""@odata.nextLink":"x?$deltatoken=1""#
            let list = records.joined(separator: ",")
            let body = #"{"@todosync.identity":"s/t",\#(count)"value":[\#(list)],\#(link)}"#
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
            return Array("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
        }
    }

    private static let erasure = "\r\u{1B}[K"

    @Test func `a slow clone shows how far it has come, and leaves nothing on the screen`() throws {
        let server = try SlowServer()
        let terminal = try prompt("clone", server.url, "../slow")
        try terminal.expect("pulling 2 of 4 todos, ")
        server.isAllowed.signal()
        try terminal.expect("\(Self.erasure)cloned 4 todos into ../slow\n")
        #expect(try terminal.end() == 0)
    }

    @Test(arguments: [["--quiet"], ["--json"]])
    func `with --quiet and --json, nothing is shown`(_ options: [String]) throws {
        let server = try SlowServer()
        server.isAllowed.signal()
        let terminal = try TerminalSession(
            ["clone", server.url, "../slow"] + options, in: phone, environment: ["TODOSYNC_SEED": ""])
        #expect(try terminal.end() == 0)
        #expect(!terminal.transcript.contains(Self.erasure))
    }

    @Test func `Ctrl-C erases the line, and reports what is left`() throws {
        let server = try SlowServer()
        let terminal = try prompt("clone", server.url, "../slow")
        try terminal.expect("pulling 2 of 4 todos, ")
        terminal.type("\u{3}")
        try terminal.expect("\(Self.erasure)cloned 2 todos into ../slow\n")
        try terminal.expect("interrupted: ")
        #expect(try terminal.end() == 130)
        server.isAllowed.signal()
        #expect(try Program.todosync("clone", server.url, "../slow", in: phone).status == 0)
    }
}
