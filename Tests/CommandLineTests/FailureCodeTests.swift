import Foundation
import LosslessYAML
import TestSupport
import Testing
import Values

@testable import SyncEngine
@testable import TodoModel
@testable import todosync

/// The codes of errors, which programs rely on.
@Suite(.ownThreads) struct FailureCodeTests {
    /// Returns the rows of the table of codes.
    private func documented() throws -> [(code: String, status: String, meaning: String)] {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/todosync/todosync.docc/JSON.md")
        let page = try String(contentsOf: url, encoding: .utf8)
        let table = try #require(
            page.firstMatch(of: /(?s)\| code \| status \| meaning \|\n\|[^\n]*\n(.*?)(?:\n\n|$)/))
        return try table.output.1.split(separator: "\n").map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            try #require(cells.count == 3, "\(line)")
            return (cells[0].trimmingCharacters(in: ["`"]), cells[1], cells[2])
        }
    }

    @Test func `the table has each code with its status`() throws {
        let rows = try documented()
        #expect(Set(rows.map(\.code)) == Set(FailureCode.allCases.map(\.rawValue)))
        #expect(rows.count == FailureCode.allCases.count)
        for row in rows {
            let code = try #require(FailureCode(rawValue: row.code))
            let isInterruption = code == .interrupted
            #expect(
                row.status == (isInterruption ? "129, 130, 143" : "\(code.status.rawValue)"), "\(row.code)")
            #expect(!row.meaning.isEmpty)
        }
    }

    @Test(arguments: [
        todosync.ExitStatus.needsUser, .usage, .invalidData, .notFound, .remoteUnavailable, .internalError,
        .cannotCreate, .cannotReadOrWrite, .busy, .notAllowed, .configuration, .cannotMerge, .interrupted,
    ])
    func `a failure without a code of its own has that of its status`(status: todosync.ExitStatus) {
        #expect(Failure(status, "x").code.status == status)
    }

    @Test(arguments: FailureTests.rows)
    func `each error's code has the status that the command exits with`(row: FailureTests.Row) {
        let failure = Failure(row.error)
        let isOfStatus = failure.code.status == failure.status
        #expect(isOfStatus || failure.status.isInterruption && failure.code == .interrupted)
    }

    @Test func `an error in JSON names the kind, the status, and what it is about`() {
        let failure = Failure(EngineError.isConflicted(path: "home/milk.yaml"))
        #expect(
            String(decoding: JSON.write(json(failure)), as: UTF8.self)
                == """
                {"error":{"code":"conflict","status":1,"message":"home/milk.yaml has a conflict",\
                "hint":"\(failure.hint ?? "?")","path":"home/milk.yaml"}}
                """.replacing("\"\(failure.hint ?? "?")\"", with: quoted(failure.hint ?? "?")))
        let short = Failure(.usage, "wrong")
        #expect(
            String(decoding: JSON.write(json(short)), as: UTF8.self)
                == #"{"error":{"code":"usage","status":64,"message":"wrong"}}"#)
    }

    @Test func `an ambiguous name's error in JSON lists all todos that have the name`() throws {
        let todos = (1...30).map {
            NamedTodo(id: TodoID("t\($0)"), path: "\($0).yaml", handle: "t\($0)", text: "T")
        }
        let text = String(
            decoding: JSON.write(json(Failure(EngineError.ambiguous("t", todos)))), as: UTF8.self)
        #expect(text.contains(#""todos":[{"id":"t1","path":"1.yaml","handle":"t1","text":"T"},"#))
        #expect(text.hasSuffix(#"{"id":"t30","path":"30.yaml","handle":"t30","text":"T"}]}}"#))
    }

    private func quoted(_ text: String) -> String {
        String(decoding: JSON.write(.string(text)), as: UTF8.self)
    }

    @Test(arguments: [
        (["list", "--json"], true), (["--json"], true), (["list"], false), (["add", "--", "--json"], false),
        ([], false),
    ])
    func `what asks for JSON is found before the words are read`(words: [String], expected: Bool) {
        #expect(wantsJSON(words) == expected)
    }
}
