import Foundation
import LosslessYAML
import TestSupport
import Testing
import TodoModel
import Values

/// What `--json` prints if a command can't do what the user asked for.
@Suite(.ownThreads) struct StoppedReportTests {
    private let folder: ThrowAwayFolder
    private var work: String { folder.path + "/" + "work" }

    init() throws {
        folder = try ThrowAwayFolder()
        _ = try shell(
            """
            set -e
            todosync init --quiet --bare store
            todosync clone --quiet store work
            printf 'id: a\ntext: A\n' > work/a.yaml
            (cd work; todosync push --quiet)
            printf 'id: b\ntext: B\n' > work/b.yaml
            """)
    }

    struct Stop: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var preparation: String
        var status: Int32

        static let all = [
            Stop(testDescription: "a store that is gone", preparation: "rm -rf store", status: 69),
            Stop(
                testDescription: "another store",
                preparation: "rm -rf store; todosync init --quiet --bare store", status: 78),
            Stop(
                testDescription: "another store that only the configuration names",
                preparation:
                    "todosync init --quiet --bare other; echo \"remote: $PWD/other\" > work/.todosync/config.yaml",
                status: 78),
            Stop(
                testDescription: "no remote",
                preparation: "cd work; todosync remote remove origin > /dev/null",
                status: 78),
            Stop(
                testDescription: "a port that nobody listens on",
                preparation: "echo 'remote: http://127.0.0.1:1/tables/todoitem' > work/.todosync/config.yaml",
                status: 69),
            Stop(
                testDescription: "a server that is not trusted",
                preparation: "echo 'remote: http://127.0.0.1:2/tables/todoitem' > work/.todosync/config.yaml",
                status: 78),
        ]
    }

    private static let trust = ["TODOSYNC_TRUST": "http://127.0.0.1:1"]

    @Test(
        arguments: Stop.all,
        [["push"], ["pull"], ["sync"], ["push", "--dry-run"], ["sync", "--dry-run"], ["push", "b.yaml"]])
    func `what the remote stops still prints its report`(_ stop: Stop, _ command: [String]) throws {
        try #require(try shell(stop.preparation).status == 0)
        let result = try Program.todosync(command + ["--json"], in: work, environment: Self.trust)
        #expect(result.status == stop.status)
        #expect(result.errors.hasPrefix(#"{"error":{"code":"#))
        let report = try #require(Self.report(result.output), "\(result.output)")
        #expect(report["pushed"] == .list([]) && report["pulled"] == .list([]))
        #expect(report["withheld"] == .null && report["pending"] == .number(Number(1)))
        // Without `--json`, only the error is printed.
        let reported = try Program.todosync(command, in: work, environment: Self.trust)
        #expect(
            reported.status == stop.status && reported.output == "" && reported.errors.hasPrefix("error: "))
    }

    @Test func `so does what needs a key`() async throws {
        try await withServer { server in
            try "remote: \(server.url)/tables/todoitem\n".write(
                toFile: work + "/.todosync/config.yaml", atomically: true, encoding: .utf8)
            for command in [["push"], ["pull"], ["sync"]] {
                let result = try Program.todosync(
                    command + ["--json"], in: work, environment: ["TODOSYNC_TRUST": server.url])
                #expect(result.status == 77 && Self.report(result.output) != nil, "\(result)")
            }
            let url = server.url + "/tables/todoitem"
            let clone = try Program.todosync("clone", "--json", url, "other", in: folder.path)
            #expect(clone.status == 77 && Self.report(clone.output) != nil, "\(clone)")
        }
    }

    @Test func `a clone of what is not there prints its report, and leaves no folder`() throws {
        let result = try Program.todosync("clone", "--json", "nowhere", "other", in: folder.path)
        #expect(result.status == 69)
        #expect(Self.report(result.output)?["pulled"] == .list([]))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/other"))
        let reported = try Program.todosync("clone", "nowhere", "other", in: folder.path)
        #expect(reported.status == 69 && reported.output == "")
    }

    @Test(
        arguments: [
            (["push", "nowhere.yaml"], 66), (["sync", "--on-conflict", "what"], 64),
            (["status", "-C", "/"], 66), (["show", "nowhere.yaml"], 66),
        ] as [([String], Int32)])
    func `what was asked for wrongly prints nothing but the error`(_ command: [String], _ status: Int32)
        throws
    {
        let result = try Program.todosync(command + ["--json"], in: work)
        #expect(
            result.status == status && result.output == "" && result.errors.hasPrefix(#"{"error":{"code":"#))
    }

    private static func report(_ output: String) -> Mapping? {
        guard case .mapping(let report)? = try? JSON.read(Array(output.utf8)) else { return nil }
        let keys = ["pushed", "pulled", "merged", "conflicts", "refused", "waiting", "withheld", "pending"]
        return report.keys == keys ? report : nil
    }

    private func shell(_ command: String) throws -> Program.Result {
        try Program.shell(
            "unset TODOSYNC_SEED\n" + command, in: folder.path,
            environment: TestedEnvironment(home: folder.path))
    }
}
