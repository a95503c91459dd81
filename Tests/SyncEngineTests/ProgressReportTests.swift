import SyncEngine
import Synchronization
import TestSupport
import Testing
import TodoModel
import WorkingCopy

/// What long operations report while they run.
@Suite struct ProgressReportTests {
    /// The reports of a machine's commands.
    private final class Reports: Sendable {
        private let all = Mutex<[Progress]>([])

        /// Returns the machine with a workspace that reports to this object.
        func of(_ machine: Machine) -> Machine {
            var surroundings = machine.workspace.surroundings
            surroundings.progress = { [self] progress in all.withLock { $0.append(progress) } }
            var machine = machine
            machine.workspace = Workspace(directory: machine.workspace.directory, surroundings: surroundings)
            return machine
        }

        func of(_ work: Progress.Work, _ unit: Progress.Unit) -> [Progress] {
            all.withLock { $0.filter { $0.work == work && $0.unit == unit } }
        }
    }

    private static func files(_ count: Int) -> [String: String] {
        Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0).yaml", "id: t\($0)\ntext: t\n") })
    }

    @Test func `a pull counts what it has applied, and a push what was sent`() async throws {
        let world = World(pageSize: 400)
        let reports = Reports()
        let here = reports.of(try world.machine(Self.files(1200)))
        try await here.push()
        let pushed = reports.of(.pushing, .todos)
        #expect(pushed.map(\.done) == [500, 1200])
        #expect(pushed.allSatisfy { $0.total == 1200 })
        try await reports.of(try world.machine()).pull()
        #expect(reports.of(.pulling, .todos).map(\.done) == [400])
    }

    @Test func `a first scan counts files, and then the todos that it reads`() throws {
        let reports = Reports()
        let machine = reports.of(try World().machine(Self.files(1000)))
        _ = try machine.workspace.list()
        // Two threads count together, and each counts in steps.
        #expect(reports.of(.reading, .files).map(\.done).max().map { $0 >= 256 } == true)
        #expect(reports.of(.reading, .todos).map(\.done) == [256, 512, 768])
        #expect(reports.of(.reading, .todos).allSatisfy { $0.total == 1000 })
    }

    @Test func `a later scan has the number of files`() async throws {
        let machine = try World().machine(Self.files(1000))
        try await machine.sync()
        let reports = Reports()
        _ = try reports.of(machine).workspace.status()
        #expect(reports.of(.reading, .files).allSatisfy { $0.total == 1000 })
        #expect(!reports.of(.reading, .files).isEmpty)
    }

    @Test func `fsck and gc report which part of the journal they have read`() async throws {
        let machine = try World().machine(Self.files(20))
        try await machine.sync()
        let reports = Reports()
        let reporting = reports.of(machine)
        _ = try reporting.workspace.check(repairs: false)
        _ = try reporting.workspace.compact(keeping: 0)
        for work in [Progress.Work.checking, .compacting] {
            let found = reports.of(work, .bytes)
            #expect(!found.isEmpty)
            #expect(found.allSatisfy { $0.done <= $0.total ?? 0 })
        }
    }

    @Test func `a small folder reports nothing`() async throws {
        let reports = Reports()
        let machine = reports.of(try World().machine(["a.yaml": "id: a\ntext: t\n"]))
        _ = try machine.workspace.status()
        #expect(reports.of(.reading, .files) == [])
        #expect(reports.of(.reading, .todos) == [])
    }
}
