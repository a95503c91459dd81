import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// Todos whose two sides don't fit into one file.
@Suite struct UnmergeableTests {
    private static let large = String(repeating: "x", count: 600_000)
    private static let base = "id: t\ntext: x\n"
    private static let local = "id: t\ntext: x\na: \(large)\n"
    private static let remote = "id: t\ntext: x\nb: \(large)\nprecious: 1\n"

    /// Returns a machine with an edit that can't be merged with the other machine's, and that machine.
    private func unmergeable() async throws -> (here: Machine, there: Machine) {
        let machines = try await World().machines(2, ["t.yaml": Self.base])
        machines[1]["t.yaml"] = Self.remote
        try await machines[1].push()
        machines[0]["t.yaml"] = Self.local
        return (machines[0], machines[1])
    }

    @Test(arguments: Verb.allCases)
    func `neither side loses anything, and every command reports it`(_ verb: Verb) async throws {
        let (here, there) = try await unmergeable()
        for _ in 0..<2 {
            let dryRun = try await here.workspace.sync(SyncOptions(isDryRun: true))
            #expect(dryRun.conflicts.map(\.hasMarkers) == [false] && dryRun.needsUser)
            for verb in [verb, .sync] {
                let report = try await here.run(verb)
                #expect(report.conflictKinds == ["edit/edit"] && report.needsUser)
                #expect(report.merged.isEmpty && report.pushed.isEmpty && report.pulled.isEmpty)
            }
            let status = try here.status
            #expect(status.conflicts.map(\.fields) == [["a", "b", "precious"]])
            #expect(status.conflicts.map(\.hasMarkers) == [false])
            let obstacle = try #require(status.conflicts.first?.obstacle)
            for words in ["larger than 1 MiB", "600,018 bytes", "600,030 bytes"] {
                #expect(obstacle.contains(words), "\(obstacle)")
            }
            #expect(status.pendingLines == ["update t.yaml: a"])
            #expect(try here.workspace.list().map(\.isConflicted) == [true])
            #expect(try Glance(of: here.workspace).conflicts == 1)
            #expect(here["t.yaml"] == Self.local)
        }
        try await there.sync()
        #expect(there["t.yaml"] == Self.remote)
    }

    @Test(arguments: Verb.allCases, [true, false])
    func `a shorter side is merged by the next command`(_ verb: Verb, _ isLocal: Bool) async throws {
        let (here, there) = try await unmergeable()
        try await here.sync()
        let side = isLocal ? here : there
        side.edit("t.yaml", Self.large, "short")
        if !isLocal { try await there.push() }
        let report = try await here.run(verb)
        // A push learns of the other side's edit only from the conflict's version.
        if verb == .push, !isLocal {
            #expect(report.conflicts.count == 1)
            try await here.sync()
        } else {
            #expect(report.conflicts.isEmpty && report.merged.map(\.path) == ["t.yaml"])
        }
        #expect(try here.status.conflicts.isEmpty)
        try await here.sync()
        try await there.sync()
        let (left, right) = (isLocal ? "short" : Self.large, isLocal ? Self.large : "short")
        #expect(here["t.yaml"] == "id: t\ntext: x\na: \(left)\nb: \(right)\nprecious: 1\n")
        #expect(here.files == there.files)
        #expect(try here.isClean && there.isClean)
    }

    @Test(arguments: [Side.local, .remote, .base])
    func `a whole side can be taken, and that can be undone`(_ side: Side) async throws {
        let (here, there) = try await unmergeable()
        try await here.sync()
        let report = try here.resolve("t", by: .use(side))
        #expect(report.unresolved.isEmpty && report.resolved.count == 1)
        let text = [Side.local: Self.local, .remote: Self.remote, .base: Self.base][side]
        #expect(here["t.yaml"] == text)
        _ = try here.workspace.undo(nil)
        #expect(here["t.yaml"] == Self.local)
        #expect(try here.status.conflicts.map(\.hasMarkers) == [false])
        #expect(try await here.sync().conflicts.count == 1)
        try here.resolve("t", by: .use(side))
        try await here.sync()
        try await there.sync()
        #expect(here["t.yaml"] == text && there["t.yaml"] == text)
        #expect(try here.isClean && there.isClean)
    }

    @Test func `other answers are refused, because a file without markers has none`() async throws {
        let (here, _) = try await unmergeable()
        try await here.sync()
        let fields: [ByteKey: FieldAnswer] = [ByteKey("a"): .take(.local)]
        for resolution in [Resolution.file, .union, .again, .fields(fields)] {
            #expect(try here.resolve("t", by: resolution).resolved.isEmpty)
            let reason = try here.resolve(by: resolution).unresolved.first?.reason
            #expect(reason?.contains("--use local or remote") == true, "\(reason ?? "")")
        }
        #expect(try here.resolve("t", by: .abort).resolved.count == 1)
        #expect(here["t.yaml"] == Self.local)
        #expect(try await here.sync().conflicts.count == 1)
    }

    @Test func `a removed file is a deletion against an edit`() async throws {
        let (here, _) = try await unmergeable()
        try await here.sync()
        here["t.yaml"] = nil
        #expect(try await here.sync().conflictKinds == ["delete/edit"])
        #expect(here["t.yaml"]?.contains("precious: 1\n") == true)
    }

    @Test func `a set that shortens the file is merged`() async throws {
        let (here, there) = try await unmergeable()
        try await here.sync()
        _ = try here.workspace.change(["t"], set: [], unset: ["a"])
        let report = try await here.sync()
        #expect(report.conflicts.isEmpty)
        #expect(here["t.yaml"] == Self.remote)
        try await there.sync()
        #expect(there["t.yaml"] == Self.remote)
    }
}
