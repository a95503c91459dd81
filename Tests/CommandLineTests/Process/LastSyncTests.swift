import Foundation
import TestSupport
import Testing

/// What `status` and `prompt` print about the last sync, and what `prompt` sees.
@Suite(.ownThreads) struct LastSyncTests {
    private let folder: ThrowAwayFolder
    private let phone: String
    /// Without the seed, because identical commands would create the same identifiers.
    private let seedless = ["TODOSYNC_SEED": ""]

    init() throws {
        folder = try ThrowAwayFolder()
        phone = folder.path + "/phone"
        for command in [["init", "--quiet", "--bare", "store"], ["clone", "--quiet", "store", "phone"]] {
            let result = try Program.todosync(command, in: folder.path)
            try #require(result.status == 0, "\(result.errors)")
        }
        try folder.write("id: hello\ntext: Hello world 3\n", to: "phone/hello.yaml")
        _ = try todosync("push")
    }

    /// Runs a command at the given time and returns its output.
    private func todosync(_ arguments: String..., at time: String = "2026-11-21T07:00:00Z") throws -> String {
        let result = try Program.todosync(
            arguments, in: phone, environment: ["TODOSYNC_NOW": time, "TODOSYNC_SEED": ""])
        #expect(result.errors == "")
        return result.output
    }

    @Test(arguments: [
        ("2026-11-21T07:00:30Z", "Last synced just now\n", "synced just now\n"),
        ("2026-11-21T07:03:00Z", "Last synced 3 minutes ago\n", "synced 3m ago\n"),
        ("2026-11-21T08:30:00Z", "Last synced 90 minutes ago\n", "synced 90m ago\n"),
        ("2026-11-22T09:00:00Z", "Last synced 26 hours ago\n", "synced 26h ago\n"),
        ("2026-11-28T07:00:00Z", "Last synced 7 days ago\n", "synced 7d ago\n"),
        (
            "2026-11-28T07:00:01Z", "Last synced 7 days ago; run \"todosync sync\" to see what is new\n",
            "synced 7d ago\n"
        ),
        ("2026-11-20T07:00:00Z", "Last synced at 2026-11-21T07:00:00Z\n", ""),
    ])
    func `the age is in words, and more than a week is worth a warning`(
        _ time: String, _ line: String, _ prompt: String
    ) throws {
        #expect(try todosync("status", at: time).contains("/store\n\(line)\nnothing pending"))
        #expect(try todosync("prompt", at: time) == prompt)
    }

    private func move(_ name: String, to newName: String) throws {
        try FileManager.default.moveItem(
            atPath: folder.path + "/" + name, toPath: folder.path + "/" + newName)
    }

    @Test(arguments: ["push", "pull", "sync"])
    func `each exchange counts, unless it failed or was a dry run`(command: String) throws {
        let later = "2026-11-21T10:00:00Z"
        _ = try todosync(command, "--dry-run", at: later)
        #expect(try todosync("status", "--json").contains("\"lastSync\": \"2026-11-21T07:00:00Z\""))
        try move("store", to: "away")
        let failed = try Program.todosync([command], in: phone, environment: ["TODOSYNC_NOW": later])
        #expect(failed.status == 69)
        #expect(try todosync("status", "--json").contains("\"lastSync\": \"2026-11-21T07:00:00Z\""))
        try move("away", to: "store")
        _ = try todosync(command, at: later)
        #expect(try todosync("status", "--json").contains("\"lastSync\": \"\(later)\""))
    }

    @Test(arguments: ["", "nonsense\n", "2026-11-21T07:00:00Z", "2026-11-21T07:00:00Z\n\n"])
    func `a damaged time is not used, and is replaced`(content: String) throws {
        try folder.write(content, to: "phone/.todosync/synced")
        #expect(try todosync("status", "--json").contains("\"lastSync\": null"))
        #expect(try !todosync("status").contains("Last synced"))
        _ = try todosync("sync")
        #expect(try folder.read("phone/.todosync/synced") == "2026-11-21T07:00:00Z\n")
    }

    // MARK: prompt

    @Test func `the prompt counts what commands changed`() throws {
        _ = try todosync("set", "hello.yaml", "text=Hello world 13")
        _ = try todosync("add", "--quiet", "Buy milk")
        #expect(try todosync("prompt") == "2 pending, synced just now\n")
        #expect(try todosync("-C", phone, "prompt", "--json").contains("\"pending\": 2,"))
        try folder.write("id: hello\ntext: Hello world 3\n", to: "phone/hello.yaml")
        #expect(try todosync("prompt") == "1 pending, synced just now\n")
        _ = try todosync("rm", "hello.yaml")
        #expect(try todosync("prompt") == "2 pending, synced just now\n")
        _ = try todosync("push")
        #expect(try todosync("prompt") == "synced just now\n")
    }

    @Test func `the prompt counts conflicts`() throws {
        _ = try Program.todosync(
            "clone", "--quiet", "store", "laptop", in: folder.path, environment: seedless)
        let laptop = folder.path + "/laptop"
        _ = try Program.todosync(
            "set", "hello.yaml", "text=Hello world 23", in: laptop, environment: seedless)
        _ = try Program.todosync("push", in: laptop, environment: seedless)
        _ = try todosync("set", "hello.yaml", "text=Hello world 13")
        #expect(try Program.todosync("pull", in: phone, environment: seedless).status == 1)
        #expect(try todosync("prompt") == "1 conflict, synced just now\n")
    }

    @Test func `the prompt reports when there is more than it looks at`() throws {
        for number in 1...120 { try folder.write("id: n\(number)\ntext: n\n", to: "phone/n\(number).yaml") }
        _ = try todosync("push")
        let names = (1...120).map { "n\($0).yaml" }
        let result = try Program.todosync(["done"] + names, in: phone)
        #expect(result.status == 0)
        #expect(try todosync("prompt") == "100+ pending, synced just now\n")
    }

    @Test func `outside a working directory, and in a damaged one, the prompt is silent`() throws {
        let outside = try Program.todosync("prompt", in: folder.path)
        #expect(outside.status == 0 && outside.output.isEmpty && outside.errors.isEmpty)
        try folder.write("not a journal", to: "phone/.todosync/journal")
        #expect(try Program.todosync("prompt", in: phone).status == 0)
        #expect(try Program.todosync("prompt", in: phone).errors == "")
    }
}
