import Testing

@testable import Remotes
@testable import SyncEngine
@testable import TodoModel
@testable import WorkingCopy
@testable import todosync

@Suite struct FailureTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var error: any Error
        var status: todosync.ExitStatus
        var testDescription: String { String(String(reflecting: error).prefix(60)) }

        init(_ error: any Error, _ status: todosync.ExitStatus) {
            self.error = error
            self.status = status
        }
    }

    private static let url = "https://h/tables/t"
    private static let problem = TodoProblem(reason: .noText, line: 3, column: 1)
    private static let duplicate = TodoID("a").map { DuplicateFile(id: $0, path: "b.yaml", keptBy: "a.yaml") }

    static let rows: [Row] = [
        Row(EngineError.noWorkingDirectory(from: "/"), .notFound),
        Row(EngineError.inNestedRepository("/todos/wt", root: "/todos"), .notFound),
        Row(EngineError.noSuchTodo("x"), .notFound),
        Row(EngineError.noSuchFile("x.yaml"), .notFound),
        Row(EngineError.notKept(path: "x.yaml"), .notFound),
        Row(EngineError.isKept(path: "x.yaml"), .notFound),
        Row(EngineError.cannotPurge(path: "x.yaml", reason: "it is not done"), .needsUser),
        Row(EngineError.noSuchVersion("x.yaml", .base), .notFound),
        Row(EngineError.ambiguous("x", []), .usage),
        Row(EngineError.notATodo(path: "x.yaml", reason: "it is hidden"), .notFound),
        Row(EngineError.invalid(InvalidFile(path: "x.yaml", problem: problem)), .invalidData),
        Row(EngineError.isConflicted(path: "x.yaml"), .needsUser),
        Row(EngineError.isNotConflicted(path: "x.yaml"), .needsUser),
        Row(EngineError.undoDeletes(count: 3, of: 3, command: "todosync clone /s"), .needsUser),
        Row(EngineError.noRemote, .configuration),
        Row(EngineError.remoteExists(url: "/s"), .configuration),
        Row(EngineError.isWorkingDirectory("/w"), .cannotCreate),
        Row(EngineError.folderNotEmpty("/w"), .cannotCreate),
        Row(EngineError.fileExists("x.yaml"), .cannotCreate),
        Row(EngineError.badPath("../x.yaml", reason: "outside"), .usage),
        Row(EngineError.badField("x", reason: "not like this"), .usage),
        Row(EngineError.otherRemote(url: "/s"), .configuration),
        Row(EngineError.otherHistory(url: "/s"), .configuration),
        Row(EngineError.configuration(path: "c", line: 1, column: 1, reason: "r"), .configuration),
        Row(EngineError.lostConfiguration(url: "/s"), .configuration),
        Row(EngineError.unsupportedFormat(root: "/w", found: 9, supported: 5), .configuration),
        Row(EngineError.unsupportedFormat(root: "/w", found: 4, supported: 5), .configuration),
        Row(EngineError.damaged(path: "j", reason: "r"), .invalidData),
        Row(EngineError.keepsChanging(path: "x.yaml"), .cannotReadOrWrite),
        Row(FileError(.read, "x.yaml", code: 13), .cannotReadOrWrite),
        Row(FileError(.create, "x.yaml", code: 28), .cannotCreate),
        Row(LockError.busy, .busy),
        Row(LockError.file(FileError(.open, ".todosync/lock", code: 21)), .cannotReadOrWrite),
        Row(RemoteError.unreachable(url: url, reason: "r"), .remoteUnavailable),
        Row(RemoteError.badResponse(url: url, reason: "r"), .remoteUnavailable),
        Row(RemoteError.unanswered(url: url, reason: "r"), .remoteUnavailable),
        Row(RemoteError.redirected(url: url, .endless), .remoteUnavailable),
        Row(RemoteError.overloaded(url: url, pause: nil, message: "m"), .remoteUnavailable),
        Row(RemoteError.refused(url: url, status: 500, message: nil), .remoteUnavailable),
        Row(RemoteError.notAllowed(.unknown(url: url, message: "m")), .notAllowed),
        Row(
            RemoteError.notAllowed(.insufficient(url: url, needed: .write(table: "t"), message: "m")),
            .notAllowed),
        Row(RemoteError.notAllowed(.malformed(url: url)), .configuration),
        Row(RemoteError.notAllowed(.exposed(url: url)), .configuration),
        Row(RemoteError.untrusted(server: "https://h"), .configuration),
        Row(RemoteError.otherHistory, .configuration),
        Row(RemoteError.badURL(url), .configuration),
        Row(RemoteError.noSuchTable(url: url, message: "m"), .configuration),
        Row(RemoteError.withoutHTTP, .configuration),
        Row(RemoteError.badVariable(.notAProxy(variable: "HTTPS_PROXY")), .configuration),
        Row(
            RemoteError.badVariable(.noCertificates(variable: "SSL_CERT_FILE", path: "/p")), .configuration),
        Row(RemoteError.store(.notFound(path: "/s")), .remoteUnavailable),
        Row(RemoteError.store(.busy(path: "/s")), .remoteUnavailable),
        Row(RemoteError.store(.cannotLock(path: "/s")), .remoteUnavailable),
        Row(RemoteError.store(.damaged(path: "/s", detail: "d")), .configuration),
        Row(RemoteError.store(.unsupportedFormat(path: "/s", found: 9, supported: 2)), .configuration),
        Row(RemoteError.store(.diskFull(path: "/s")), .cannotReadOrWrite),
        Row(RemoteError.store(.notPermitted(path: "/s")), .cannotReadOrWrite),
        Row(RemoteError.store(.inputOutput(path: "/s", detail: "d")), .cannotReadOrWrite),
        Row(StoreError.diskFull(path: "/s"), .cannotReadOrWrite),
        Row(StoreError.readOnly(path: "/s"), .cannotReadOrWrite),
        Row(StoreError.notPermitted(path: "/s"), .cannotReadOrWrite),
        Row(StoreError.inputOutput(path: "/s", detail: "d"), .cannotReadOrWrite),
        Row(StoreError.notFound(path: "/s"), .notFound),
        Row(StoreError.notAStore(path: "/s"), .notFound),
        Row(StoreError.damaged(path: "/s", detail: "d"), .invalidData),
        Row(StoreError.unsupportedFormat(path: "/s", found: 1, supported: 2), .configuration),
        Row(StoreError.busy(path: "/s"), .busy),
        Row(FieldAssignmentProblem.identity, .usage),
        Row(SomethingElse(), .internalError),
    ]

    private struct SomethingElse: Error {}

    @Test(arguments: rows)
    func `every error has a status and one or two lines`(_ row: Row) {
        let failure = Failure(row.error)
        #expect(failure.status == row.status)
        #expect((1...2).contains(failure.lines.count))
        #expect(failure.lines.allSatisfy { !$0.contains("\n") })
        let message = failure.message.unicodeScalars
        #expect(message.first?.properties.isUppercase == false, "an error does not begin with a capital")
        #expect(message.last != ".")
    }

    @Test func `the position of an error can be jumped to`() {
        let failure = Failure(EngineError.invalid(InvalidFile(path: "work/x.yaml", problem: Self.problem)))
        #expect(failure.lines.first == "error: work/x.yaml:3:1: a todo needs a field text")
    }

    @Test func `the path of the next occurrence can be pasted into a shell`() {
        let hint = Failure(FieldChangeProblem.hasNext("water the plants.yaml")).hint
        #expect(hint?.hasPrefix("run \"todosync skip 'water the plants.yaml'\" to skip that one") == true)
    }

    @Test(arguments: [
        (FieldChangeProblem.isMissing("it's"), #"'it'\''s=[VALUE]'"#),
        (.itemsAreMappings("it's"), #"'it'\''s+={text: …}'"#),
        (.noParent("it's", path: "it's.here"), #"'it'\''s={KEY: VALUE}'"#),
    ])
    func `the field of a hint can be pasted into a shell`(problem: FieldChangeProblem, word: String) {
        #expect(Failure(problem).hint?.hasPrefix("run \"todosync set TODO \(word)\" to ") == true)
    }

    @Test func `a duplicate is reported with the way out`() throws {
        let failure = Failure(EngineError.isDuplicate(try #require(Self.duplicate)))
        #expect(
            failure.lines == [
                "error: b.yaml has the id of a.yaml", "hint: run \"todosync add b.yaml\" to give it a new id",
            ])
    }

    @Test(arguments: ["\u{1B}[2J", "a\nb"])
    func `no name gets to the terminal as it is`(name: String) {
        for error: any Error in [
            EngineError.noSuchTodo(name), EngineError.isConflicted(path: name), EngineError.fileExists(name),
            EngineError.otherRemote(url: name), FileError(.read, name, code: 13),
            RemoteError.unreachable(url: name, reason: name), RemoteError.store(.busy(path: name)),
            RemoteError.untrusted(server: name),
        ] {
            #expect(Failure(error).lines.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 } })
        }
    }

    @Test func `a name of several todos lists the first twenty of them`() {
        let todos = (10...40).map { number in
            NamedTodo(id: nil, path: "\(number).yaml", handle: "h\(number)", text: "todo \(number)\n\u{1B}")
        }
        let lines = Failure(EngineError.ambiguous("todo", todos)).lines
        #expect(lines.first == "error: todo matches 31 todos")
        #expect(lines[1] == "  h10  todo 10 …  10.yaml")
        #expect(lines[20] == "  h29  todo 29 …  29.yaml")
        #expect(lines[21] == "  … and 11 more")
        #expect(lines.last?.hasPrefix("hint: ") == true)
        #expect(lines.count == 23)
    }
}
