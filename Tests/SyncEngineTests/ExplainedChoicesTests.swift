import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// What `explain` prints about conflicts that were resolved without writing markers.
@Suite struct ExplainedChoicesTests {
    typealias Kind = ResolveTests.Kind

    private func conflict(_ kind: Kind) async throws -> Machine {
        let machines = try await World().machines(2, kind.base)
        kind.remote(machines[1])
        try await machines[1].push()
        kind.local(machines[0])
        return machines[0]
    }

    private func options(
        _ policy: ConflictPolicy = .markers,
        _ decision: @escaping @Sendable (Conflict) -> ConflictAnswer
    ) -> SyncOptions {
        var options = SyncOptions(policy: policy)
        options.handler = .program(decision)
        return options
    }

    /// Returns who decided the todo's last merge, and how, field by field.
    private func choices(_ here: Machine, at operation: String? = nil) throws -> [String] {
        let explanation = try here.workspace.explain("a", at: operation)
        if let choice = explanation.choice { return ["todo \(choice.chooser) \(choice.side)"] }
        return explanation.fields.map { field in
            let chooser = field.chooser.map { "\($0)" } ?? "nobody"
            return "\(field.decision.field) \(chooser) \(field.side?.rawValue ?? "–")"
        }
    }

    @Test(arguments: [Side.local, .remote], Kind.all)
    func `a side that was chosen, and who chose it`(_ side: Side, _ kind: Kind) async throws {
        let subject = kind.name.contains("delete") ? "todo" : "text"
        for chooser in [LoggedChoice.Chooser.program, .option] {
            let here = try await conflict(kind)
            let sync = {
                chooser == .program
                    ? try await here.workspace.sync(options { _ in .take(side) })
                    : try await here.sync(.use(side))
            }
            let report = try await sync()
            #expect(report.conflicts.isEmpty)
            let files = here.files
            let operation = try here.workspace.log(nil)[0]
            #expect(try choices(here) == ["\(subject) \(chooser) \(side)"], "\(kind.name)")
            #expect(try choices(here, at: operation.operation) == ["\(subject) \(chooser) \(side)"])
            let shown = try? here.workspace.show("a", at: operation.operation)
            #expect(shown.map { ["a.yaml": String(decoding: $0.bytes, as: UTF8.self)] } ?? [:] == files)
            #expect(operation.todos.contains { $0.state == .merged })
        }
    }

    private static let base = "id: a\ntext: t\nowner: A\nsize: 1\nplace: {city: A, zip: 1}\n"

    private func fields() async throws -> (here: Machine, there: Machine) {
        let machines = try await World().machines(2, ["a.yaml": Self.base])
        for (machine, (name, size)) in zip(machines, [("B", "2"), ("C", "3")]) {
            machine["a.yaml"] = Self.base.replacing("owner: A", with: "owner: \(name)")
                .replacing("size: 1", with: "size: \(size)").replacing("city: A", with: "city: \(name)")
        }
        machines[1].edit("a.yaml", "zip: 1", "zip: 3")
        try await machines[1].push()
        return (machines[0], machines[1])
    }

    @Test func `each field has who chose it, and the rest is in conflict`() async throws {
        let (here, _) = try await fields()
        let answers: [ByteKey: FieldAnswer] = [
            ByteKey("owner"): .take(.remote), ByteKey("place"): .take(.local),
        ]
        _ = try await here.workspace.pull(options { _ in .fields(answers) })
        #expect(try choices(here) == ["owner program remote", "size nobody local", "place program local"])
        let explanation = try here.workspace.explain("a")
        #expect(explanation.outcome == .conflict && explanation.isOpen)
        #expect(explanation.fields[0].result == .string("C"))
    }

    @Test func `a value of its own is no side's, and the option decides the rest`() async throws {
        let (here, _) = try await fields()
        let decision = ConflictAnswer.fields([
            ByteKey("owner"): .value(.string("D")), ByteKey("size"): .take(.base),
        ])
        _ = try await here.workspace.pull(options(.use(.remote)) { _ in decision })
        #expect(try choices(here) == ["owner program –", "size program base", "place option remote"])
    }

    @Test func `an answer at the prompt, and what was remembered`() async throws {
        let (here, there) = try await fields()
        here.edit(".todosync/config.yaml", "merge.labels: plain", "merge: {labels: plain, remember: true}")
        try await here.sync(.ask { _ in .take(.remote) })
        #expect(try choices(here) == ["owner user remote", "size user remote", "place user remote"])
        here["a.yaml"] = Self.base
        try await here.sync()
        try await there.sync()
        there.edit("a.yaml", "owner: A", "owner: C")
        try await there.push()
        here.edit("a.yaml", "owner: A", "owner: B")
        try await here.pull()
        #expect(try choices(here) == ["owner memory remote"])
    }

    @Test func `the side that a field's rule took`() async throws {
        let (here, _) = try await fields()
        here.edit(
            ".todosync/config.yaml", "merge.labels: plain",
            "merge: {labels: plain, fields: {owner: local, size: max, place: remote}}")
        try await here.pull()
        #expect(try choices(here) == ["owner nobody local", "size nobody remote", "place nobody remote"])
    }
}
