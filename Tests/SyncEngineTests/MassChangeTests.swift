import TestSupport
import Testing
import WorkingCopy

@testable import SyncEngine

/// Edits and deletes of so many todos that a program probably made them.
@Suite struct MassChangeTests {
    private func machines(_ count: Int, of todos: Int) async throws -> [Machine] {
        let files = (0..<todos).map { ("\($0).yaml", "id: t\($0)\ntext: old\n") }
        return try await World().machines(count, Dictionary(uniqueKeysWithValues: files))
    }

    /// Edits the first todos as an editor does.
    private func edit(_ machine: Machine, _ numbers: Range<Int>, _ new: String = "text: new") {
        for number in numbers { machine.edit("\(number).yaml", "text: old", new) }
    }

    private func push(
        _ machine: Machine, todos: [String] = [], allowingEdits edits: Int? = nil, deletes: Int? = nil
    ) async throws -> SyncReport {
        var options = SyncOptions(todos: todos, allowedDeletes: deletes)
        options.allowedEdits = edits
        return try await machine.workspace.push(options)
    }

    // MARK: Edits

    @Test(arguments: [
        (20, 20, false), (21, 10, false), (21, 11, true), (22, 11, false), (22, 12, true), (40, 20, false),
        (40, 21, true),
    ])
    func `edits of more than half of many todos are withheld`(
        _ count: Int, _ edits: Int, isWithheld: Bool
    ) async throws {
        let machine = try await machines(1, of: count)[0]
        edit(machine, 0..<edits)
        let withheld = WithheldChanges(side: .local, count: edits, of: count, change: .update)
        #expect(try machine.status.held.withheld == (isWithheld ? [withheld] : []))
        let report = try await push(machine)
        #expect(report.withheldEdits == (isWithheld ? withheld : nil))
        #expect(report.pushed.count == (isWithheld ? 0 : edits))
        #expect(report.needsUser == isWithheld)
        #expect(try machine.status.pending.count == (isWithheld ? edits : 0))
    }

    @Test func `the user allows as many edits as there are`() async throws {
        let machine = try await machines(1, of: 30)[0]
        edit(machine, 0..<20)
        #expect(try await push(machine, allowingEdits: 19).withheldEdits?.count == 20)
        let report = try await push(machine, allowingEdits: 20)
        #expect(report.withheldEdits == nil && report.pushed.count == 20)
    }

    @Test func `edits stay withheld until there are fewer, however many todos there are`() async throws {
        let machine = try await machines(1, of: 30)[0]
        edit(machine, 0..<20)
        #expect(try await push(machine).withheldEdits?.count == 20)
        for number in 100..<200 { machine["\(number).yaml"] = "id: t\(number)\ntext: old\n" }
        let report = try await push(machine)
        #expect(report.withheldEdits?.of == 30, "the todos of this push don't count yet")
        #expect(report.pushed.count == 100 && report.pushed.allSatisfy { $0.operation == .insert })
        let withheld = WithheldChanges(side: .local, count: 20, of: 130, change: .update)
        #expect(try machine.status.held.withheld == [withheld])
        #expect(try await push(machine).withheldEdits == withheld)
        machine.edit("0.yaml", "text: new", "text: old")
        #expect(try await push(machine).pushed.count == 19)
        edit(machine, 0..<1)
        #expect(try await push(machine).pushed.count == 1, "the guard has forgotten the edits")
    }

    @Test func `todos that came with the command don't count`() async throws {
        let machines = try await machines(2, of: 21)
        for number in 100..<120 { machines[1]["\(number).yaml"] = "id: t\(number)\ntext: old\n" }
        try await machines[1].push()
        edit(machines[0], 0..<11)
        let report = try await machines[0].workspace.sync(SyncOptions())
        #expect(report.withheldEdits?.of == 21 && report.pulled.count == 20 && report.pushed.isEmpty)
    }

    @Test func `new todos, commands' changes and named todos are sent anyway`() async throws {
        let machine = try await machines(1, of: 30)[0]
        edit(machine, 0..<20)
        machine["new.yaml"] = "id: new\ntext: New\n"
        try machine.set("29.yaml", "text", "set")
        let report = try await push(machine)
        #expect(report.withheldEdits?.count == 20)
        #expect(report.pushedLines.sorted() == ["insert new.yaml", "update 29.yaml"])
        let named = try await push(machine, todos: ["3.yaml", "4.yaml"])
        #expect(named.withheldEdits == nil && named.pushedLines == ["update 3.yaml", "update 4.yaml"])
    }

    @Test func `a formatter is named as the cause if no field changed`() async throws {
        let machine = try await machines(1, of: 30)[0]
        edit(machine, 0..<20, "text:   'old' # formatted")
        #expect(try await push(machine).withheldEdits?.cause == .formatter)
        machine.edit("0.yaml", "'old'", "'new'")
        #expect(try await push(machine).withheldEdits?.cause == nil)
    }

    @Test func `a dry run withholds the same edits`() async throws {
        let machine = try await machines(1, of: 30)[0]
        edit(machine, 0..<20)
        let report = try await machine.workspace.push(SyncOptions(isDryRun: true))
        #expect(report.withheldEdits == WithheldChanges(side: .local, count: 20, of: 30, change: .update))
        #expect(report.pushed.isEmpty)
    }

    // MARK: Deletes

    @Test func `the deletes of all todos are withheld, but not of the only one`() async throws {
        let one = try await machines(1, of: 1)[0]
        one["0.yaml"] = nil
        #expect(try await push(one).pushedLines == ["delete 0.yaml"])
        let machine = try await machines(1, of: 3)[0]
        for number in 0..<3 { machine["\(number).yaml"] = nil }
        #expect(try await push(machine, deletes: 2).withheld?.count == 3)
        #expect(try machine.status.held.withheld.map(\.count) == [3])
        machine["new.yaml"] = "id: new\ntext: New\n"
        let report = try await push(machine)
        #expect(report.withheld == WithheldChanges(side: .local, count: 3, of: 3))
        #expect(report.pushedLines == ["insert new.yaml"])
        #expect(try await push(machine).withheld?.of == 4)
        #expect(try await push(machine, deletes: 3).pushed.count == 3)
    }

    @Test func `deletes are sent once one of the files is back`() async throws {
        let machine = try await machines(1, of: 3)[0]
        let text = machine["0.yaml"]
        for number in 0..<3 { machine["\(number).yaml"] = nil }
        #expect(try await push(machine).withheld?.count == 3)
        machine["0.yaml"] = text
        #expect(try await push(machine).pushedLines.sorted() == ["delete 1.yaml", "delete 2.yaml"])
    }

    @Test func `todos that a command removed don't count`() async throws {
        let machine = try await machines(1, of: 3)[0]
        for number in 0..<3 { _ = try machine.workspace.remove(["\(number).yaml"]) }
        let report = try await push(machine)
        #expect(report.withheld == nil && report.pushed.count == 3)
    }
}
