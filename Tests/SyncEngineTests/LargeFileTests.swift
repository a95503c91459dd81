import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// Todos and conflicts whose files are about as large as they can be.
@Suite struct LargeFileTests {
    private static let large = String(repeating: "x", count: 600_000)

    @Test(arguments: [Side.local, .remote, .base])
    func `a conflict of large values can be resolved`(_ side: Side) async throws {
        let texts = ["a", "b", "c"].map { "id: t\nbody: \(Self.large)\($0)\ntext: x\n" }
        let machines = try await World().machines(2, ["t.yaml": texts[0]])
        let (here, there) = (machines[0], machines[1])
        there["t.yaml"] = texts[2]
        try await there.push()
        here["t.yaml"] = texts[1]
        #expect(try await here.sync().conflicts.map(\.hasMarkers) == [true])
        #expect(here["t.yaml"]?.utf8.count ?? 0 > 1_200_000)
        #expect(try here.status.conflicts.map(\.hasMarkers) == [true])
        #expect(try here.resolve().unresolved.first?.line == 2)
        try here.resolve("t", by: .abort)
        #expect(here["t.yaml"] == texts[1])
        try await here.sync()
        try here.resolve("t", by: .use(side))
        #expect(here["t.yaml"] == [Side.base: texts[0], .local: texts[1], .remote: texts[2]][side])
        try await here.sync()
        try await there.sync()
        #expect(here.files == there.files)
        #expect(try here.isClean && there.isClean)
    }

    @Test func `a union that is too large is refused with the limit`() async throws {
        let texts = ["a", "b", "c"].map { "id: t\nnotes: \(Self.large)\($0)\ntext: x\n" }
        let machines = try await World().machines(2, ["t.yaml": texts[0]])
        machines[1]["t.yaml"] = texts[2]
        try await machines[1].push()
        machines[0]["t.yaml"] = texts[1]
        try await machines[0].sync()
        let marked = machines[0]["t.yaml"]
        let reason = try machines[0].resolve("t", by: .union).unresolved.first?.reason
        #expect(reason?.contains("larger than 1 MiB") == true, "\(reason ?? "")")
        #expect(machines[0]["t.yaml"] == marked)
    }

    @Test func `a union of large notes is made`() async throws {
        let half = String(repeating: "x", count: 350_000)
        let texts = ["a", "b", "c"].map { "id: t\nnotes: |\n  \($0)\(half)\n  end\ntext: x\n" }
        let machines = try await World().machines(2, ["t.yaml": texts[0]])
        machines[1]["t.yaml"] = texts[2]
        try await machines[1].push()
        machines[0]["t.yaml"] = texts[1]
        machines[0].edit(".todosync/config.yaml", "merge.labels", "merge.conflictStyle: diff3\nmerge.labels")
        try await machines[0].sync()
        #expect(machines[0]["t.yaml"]?.utf8.count ?? 0 > 1 << 20)
        #expect(try machines[0].resolve("t", by: .union).unresolved.isEmpty)
        #expect(machines[0]["t.yaml"] == "id: t\nnotes: |\n  b\(half)\n  c\(half)\n  end\ntext: x\n")
    }

    // MARK: Files without room for an id

    @Test func `a file without room for its id is reported and not changed`() async throws {
        let text = "text: x\nb: \(String(repeating: "x", count: (1 << 20) - 20))\n"
        let machine = try World().machine(["t.yaml": text, "u.yaml": "id: u\ntext: u\n"])
        for verb in Verb.allCases {
            let report = try await machine.run(verb)
            #expect(report.invalid.map(\.problem.reason) == [.noRoomForID])
            #expect(report.needsUser == (verb != .pull))
        }
        #expect(try machine.status.invalid.map(\.path) == ["t.yaml"])
        #expect(throws: EngineError.self) { try machine.workspace.track(["t.yaml"]) }
        await #expect(throws: EngineError.self) { try await machine.push(todos: ["t.yaml"]) }
        #expect(machine["t.yaml"] == text)
    }

    @Test func `the largest file with room for its id is pushed`() async throws {
        let frame = "text: x\nb: \n".utf8.count + 44
        let text = "text: x\nb: \(String(repeating: "x", count: (1 << 20) - frame))\n"
        let machine = try World().machine(["t.yaml": text])
        let report = try await machine.sync()
        #expect(report.pushedLines == ["insert t.yaml"] && !report.needsUser)
        #expect(try machine.isClean)
    }

    @Test func `a tracked file that lost its id, and has no room for it, is invalid`() async throws {
        let machine = try World().machine(["t.yaml": "id: t\ntext: x\n"])
        try await machine.sync()
        machine["t.yaml"] = "text: x\nb: \(String(repeating: "x", count: (1 << 20) - 12))\n"
        let report = try await machine.sync()
        #expect(report.invalid.map(\.problem.reason) == [.noRoomForID] && report.needsUser)
        #expect(report.pushed.isEmpty)
    }
}
