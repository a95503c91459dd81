import LosslessYAML
import Platform
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// What keeps a mistake on one side from wiping the other: guards of deletes, and checks of the remote's
/// identity.
@Suite struct GuardTests {
    // MARK: Mass deletes

    struct Deletion: Sendable, CustomTestStringConvertible {
        var all: Int
        var deleted: Int
        var folder = ""
        /// Todos besides those in the folder.
        var others = 0
        /// Whether the deletes are withheld if they are local.
        var isWithheld: Bool
        /// Whether the deletes are withheld if they come from the remote, whose users meant to send them.
        var isWithheldFromRemote: Bool { isWithheld && deleted > 10 }

        var testDescription: String { "\(deleted) of \(all) in \"\(folder)\", \(others) others" }

        static let all = [
            Deletion(all: 1, deleted: 1, isWithheld: false),
            Deletion(all: 2, deleted: 2, isWithheld: true),
            Deletion(all: 10, deleted: 9, isWithheld: false),
            Deletion(all: 10, deleted: 10, isWithheld: true),
            Deletion(all: 11, deleted: 11, isWithheld: true),
            Deletion(all: 20, deleted: 11, isWithheld: true),
            Deletion(all: 22, deleted: 11, isWithheld: false),
            Deletion(all: 40, deleted: 10, isWithheld: false),
            Deletion(all: 11, deleted: 11, folder: "work/", others: 30, isWithheld: true),
            Deletion(all: 12, deleted: 11, folder: "work/", others: 30, isWithheld: false),
            Deletion(all: 10, deleted: 10, folder: "work/", others: 30, isWithheld: false),
        ]

        var files: [String: String] {
            let names = (0..<all).map { "\(folder)\($0)" } + (0..<others).map { "other/\($0)" }
            return Dictionary(
                uniqueKeysWithValues: names.map { name in
                    ("\(name).yaml", "id: t\(name.replacing("/", with: "-"))\ntext: t\n")
                })
        }

        func delete(on machine: Machine) {
            for number in 0..<deleted { machine["\(folder)\(number).yaml"] = nil }
        }
    }

    @Test(arguments: Deletion.all)
    func `many deletes made here are not sent until the user allows that many`(_ deletion: Deletion)
        async throws
    {
        let world = World()
        let machine = try await world.machines(1, deletion.files)[0]
        deletion.delete(on: machine)
        machine["new.yaml"] = "id: new\ntext: new\n"
        let count = deletion.all + deletion.others
        for (number, verb) in [Verb.push, .sync, .push].enumerated() where deletion.isWithheld {
            let report = try await machine.run(verb)
            #expect(report.withheld?.side == .local)
            #expect(report.withheld?.count == deletion.deleted)
            #expect(report.withheld?.of == count + min(1, number), "the new one is sent with the first push")
            #expect(report.needsUser)
            #expect(report.pending == deletion.deleted)
            // Other changes are still sent.
            #expect(await world.remote.record(id: "new") != nil)
            #expect(await world.remote.liveRecords().count == count + 1)
            #expect(try await machine.push(allowing: deletion.deleted - 1).withheld != nil)
        }
        let report = try await machine.push(allowing: deletion.isWithheld ? deletion.deleted : nil)
        #expect(report.withheld == nil)
        #expect(await world.remote.liveRecords().count == count - deletion.deleted + 1)
        #expect(try machine.isClean)
    }

    @Test func `the status reports the remote's deletes that are withheld, until they are not`() async throws
    {
        let world = World()
        let deletion = Deletion(all: 15, deleted: 12, isWithheld: true)
        let machines = try await world.machines(2, deletion.files)
        deletion.delete(on: machines[1])
        try await machines[1].push(allowing: 12)
        #expect(try machines[0].status.held.withheld == [])
        let report = try await machines[0].pull()
        let withheld = try #require(report.withheld)
        #expect(withheld.side == .remote && withheld.count == 12 && withheld.of == 15)
        #expect(try machines[0].status.held.withheld == [withheld])
        // A push ignores the remote's deletes.
        try await machines[0].push()
        #expect(try machines[0].status.held.withheld == [withheld])
        try await machines[0].pull(allowing: 12)
        #expect(try machines[0].status.held.withheld == [])
    }

    @Test func `the status does not count deletes that wait for another reason`() async throws {
        let deletion = Deletion(all: 18, deleted: 14, isWithheld: true)
        let machines = try await World().machines(2, deletion.files)
        deletion.delete(on: machines[1])
        try await machines[1].push(allowing: 14)
        machines[0]["0.yaml"] = "id: t0\ntext: [\n"
        machines[0].edit("1.yaml", "text: t", "text: edited")
        let report = try await machines[0].pull()
        #expect(report.withheld?.count == 12)
        #expect(try machines[0].status.held.withheld == [report.withheld])
        machines[0].edit("2.yaml", "text: t", "text: edited")
        #expect(try machines[0].status.held.withheld.map(\.count) == [11])
        machines[0].edit("3.yaml", "text: t", "text: edited")
        #expect(try machines[0].status.held.withheld == [], "so few are no matter of the guard")
    }

    @Test func `the status reports deletes made here that are withheld, until they are not`() async throws {
        let deletion = Deletion(all: 40, deleted: 21, isWithheld: true)
        let machine = try await World().machines(1, deletion.files)[0]
        deletion.delete(on: machine)
        let withheld = try #require(try machine.status.held.withheld.first, "the next push tells the same")
        #expect(withheld.side == .local && withheld.count == 21 && withheld.of == 40)
        #expect(try await machine.push().withheld == withheld)
        #expect(try machine.status.held.withheld == [withheld])
        #expect(try machine.status.pending.count == 21)
        machine["0.yaml"] = "id: t0\ntext: t\n"
        #expect(try machine.status.held.withheld == [])
        machine["0.yaml"] = nil
        try await machine.push(allowing: 21)
        #expect(try machine.status.held.withheld == [])
    }

    @Test(arguments: Deletion.all)
    func `many deletes from the remote are not applied until the user allows that many`(
        _ deletion: Deletion
    )
        async throws
    {
        let machines = try await World().machines(2, deletion.files)
        deletion.delete(on: machines[1])
        machines[1]["new.yaml"] = "id: new\ntext: new\n"
        try await machines[1].push(allowing: 1000)
        let count = deletion.all + deletion.others
        for verb in [Verb.pull, .sync, .pull] where deletion.isWithheldFromRemote {
            let report = try await machines[0].run(verb)
            #expect(report.withheld?.side == .remote)
            #expect(report.withheld?.count == deletion.deleted)
            #expect(report.needsUser)
            #expect(machines[0].files.count == count + 1, "all else comes in")
            #expect(report.pushed.isEmpty, "what is withheld is not made anew")
            #expect(try await machines[0].pull(allowing: deletion.deleted - 1).withheld != nil)
        }
        let report = try await machines[0].pull(
            allowing: deletion.isWithheldFromRemote ? deletion.deleted : nil)
        #expect(report.withheld == nil)
        #expect(machines[0].files == machines[1].files)
        #expect(try machines[0].isClean)
    }

    // Each delete of 8 of the 20 todos passes alone, but together they are more than half.
    @Test(arguments: [WithheldChanges.Side.local, .remote])
    func `deletes of a run that did not end count with those of the next, until they are allowed`(
        _ side: WithheldChanges.Side
    ) async throws {
        let deletion = Deletion(all: 20, deleted: 8, isWithheld: false)
        var number = 0
        var interruptedCount = 0
        var isDone = false
        while !isDone {
            number += 1
            let world = World()
            let machines = try await world.machines(2, deletion.files)
            func deleteMore(_ numbers: Range<Int>) async throws {
                let machine = side == .local ? machines[0] : machines[1]
                for number in numbers { machine["\(number).yaml"] = nil }
                if side == .remote { try await machine.push(allowing: 20) }
            }
            let failing = FailingFileSystem(failingAt: number, andAfter: true, code: EIO)
            try await deleteMore(0..<8)
            let stopped = Machine(
                folder: machines[0].folder, workspace: world.workspace(at: machines[0].folder, failing))
            _ = try? await stopped.sync()
            // The number of calls depends slightly on which files the cache can be trusted about.
            isDone = failing.calls + 50 < number

            let wasInterrupted = try machines[0].workspace.log(nil).first?.isInterrupted == true
            let left =
                side == .local ? await world.remote.liveRecords().count : machines[0].files.count
            guard wasInterrupted, left < 20 else { continue }
            interruptedCount += 1
            try await deleteMore(8..<16)
            let report = try await machines[0].sync()
            #expect(report.withheld?.side == side, "at call \(number)")
            #expect(report.withheld?.count == 16, "at call \(number)")
            #expect(report.withheld?.of == 20, "at call \(number)")
            #expect(try await machines[0].sync().withheld != nil, "still, at call \(number)")
            #expect(try await machines[0].sync(allowing: 16).withheld == nil, "at call \(number)")
            #expect(await world.remote.liveRecords().count == 4)
            #expect(machines[0].files.count == 4)
        }
        #expect(interruptedCount > 0)
    }

    @Test(arguments: [WithheldChanges.Side.local, .remote])
    func `todos that are added meanwhile let no deletes through`(_ side: WithheldChanges.Side) async throws {
        let deletion = Deletion(all: 12, deleted: 12, isWithheld: true)
        let world = World()
        let machines = try await world.machines(2, deletion.files)
        let (deleting, adding) = side == .local ? (machines[0], machines[1]) : (machines[1], machines[0])
        deletion.delete(on: deleting)
        if side == .remote { try await deleting.push(allowing: 12) }
        func addMany(_ round: Int, on machine: Machine) async throws {
            for number in 0..<30 {
                machine["new/\(round)-\(number).yaml"] = "id: n\(round)-\(number)\ntext: n\n"
            }
            try await machine.push(allowing: nil)
        }
        // The other machine adds todos before the run that judges the deletes; this one adds more later.
        if side == .local { try await addMany(0, on: adding) } else { try await addMany(0, on: deleting) }
        for round in 1...3 {
            let report = try await machines[0].sync()
            #expect(report.withheld?.side == side && report.withheld?.count == 12, "round \(round)")
            #expect(report.withheld?.of == (round == 1 ? 12 : 12 + 30 * round))
            try await addMany(round, on: machines[0])
        }
        // The withheld count is remembered in the journal and the cache.
        #expect(try await machines[0].sync().withheld?.count == 12)
        #expect(try await machines[0].sync(allowing: 12).withheld == nil)
        #expect(machines[0].files.count == 120)
        // Once the user has allowed the deletes, the guard starts again.
        for number in 0..<12 { machines[0]["new/3-\(number).yaml"] = nil }
        #expect(try await machines[0].sync().withheld == nil)
    }

    @Test(arguments: [WithheldChanges.Side.local, .remote])
    func `a remote that can't be reached for a while makes no guard forget`(_ side: WithheldChanges.Side)
        async throws
    {
        let deletion = Deletion(all: 12, deleted: 12, isWithheld: true)
        let world = World()
        let machines = try await world.machines(2, deletion.files)
        let deleting = machines[side == .local ? 0 : 1]
        deletion.delete(on: deleting)
        if side == .remote { try await deleting.push(allowing: 12) }
        #expect(try await machines[0].sync().withheld?.side == side)
        for number in 0..<30 { machines[0]["new/\(number).yaml"] = "id: n\(number)\ntext: n\n" }
        #expect(try await machines[0].sync().withheld?.side == side)
        world.put(nil)
        await #expect(throws: RemoteError.self) { try await machines[0].sync() }
        world.put(world.remote)
        let report = try await machines[0].sync()
        #expect(report.withheld?.side == side && report.withheld?.count == 12)
    }

    @Test func `a new file in an emptied folder lets no deletes through, and fewer deletes are judged anew`()
        async throws
    {
        let deletion = Deletion(all: 12, deleted: 12, folder: "work/", others: 60, isWithheld: true)
        let world = World()
        let machine = try await world.machines(1, deletion.files)[0]
        deletion.delete(on: machine)
        machine["work/new.yaml"] = "id: new\ntext: new\n"
        for _ in 0..<2 { #expect(try await machine.push(allowing: nil).withheld?.count == 12) }
        machine["work/0.yaml"] = deletion.files["work/0.yaml"]
        #expect(try await machine.push(allowing: nil).withheld == nil)
        #expect(await world.remote.liveRecords().count == 62)
    }

    @Test func `deletes of everything are withheld even if one of them is a conflict`() async throws {
        let world = World()
        let machines = try await world.machines(
            2, ["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])
        let (here, there) = (machines[0], machines[1])
        (here["a.yaml"], here["b.yaml"]) = (nil, nil)
        there.edit("b.yaml", "B", "there")
        try await there.push()
        let report = try await here.sync(allowing: nil)
        #expect(report.conflictKinds == ["delete/edit"] && report.withheld?.count == 1)
        #expect(await world.remote.liveRecords().count == 2)
    }

    @Test func `deletes stay withheld if one of them is a conflict since`() async throws {
        let world = World()
        let machines = try await world.machines(
            2, ["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])
        let (here, there) = (machines[0], machines[1])
        (here["a.yaml"], here["b.yaml"]) = (nil, nil)
        #expect(try await here.sync(allowing: nil).withheld?.count == 2)
        there.edit("b.yaml", "B", "there")
        try await there.push()
        let report = try await here.sync(allowing: nil)
        #expect(report.conflictKinds == ["delete/edit"] && report.withheld?.count == 1)
        #expect(try here.status.held.withheld.map(\.count) == [1])
        #expect(try here.resolve("b", by: .use(.remote)).unresolved.isEmpty)
        #expect(try await here.sync(allowing: nil).withheld?.count == 1)
        #expect(await world.remote.liveRecords().count == 2)
        #expect(try await here.sync(allowing: 1).withheld == nil)
        #expect(await world.remote.liveRecords().count == 1)
    }

    @Test func `the guard lifts when the files are back`() async throws {
        let deletion = Deletion(all: 11, deleted: 11, isWithheld: true)
        let world = World()
        let machine = try await world.machines(1, deletion.files)[0]
        deletion.delete(on: machine)
        #expect(try await machine.sync().withheld != nil)
        for (path, text) in deletion.files { machine[path] = text }
        let report = try await machine.sync()
        #expect(report.withheld == nil)
        #expect(try machine.isClean)
        #expect(await world.remote.liveRecords().count == 11)
    }

    @Test func `a remote that seems to have deleted everything takes nothing away, and an empty one neither`()
        async throws
    {
        let deletion = Deletion(all: 12, deleted: 0, isWithheld: false)
        let world = World()
        let machines = try await world.machines(2, deletion.files)
        for number in 0..<12 { machines[1].edit("\(number).yaml", "text: t", "text: u") }
        try await machines[1].push()
        let remote = MisbehavingRemote(world.remote, behaviors: [.deletesEverything])
        world.put(remote)
        #expect(try await machines[0].pull().withheld?.count == 12)
        #expect(machines[0].files.count == 12)
        await remote.setBehaviors([.emptiesTable])
        try await machines[0].pull()
        #expect(machines[0].files.count == 12)
    }

    // MARK: Other remotes

    @Test(arguments: Verb.allCases)
    func `another store behind the URL is refused before anything is changed`(_ verb: Verb) async throws {
        let world = World()
        let machine = try await world.machines(1, ["a.yaml": "id: a\ntext: A\n"])[0]
        machine["new.yaml"] = "text: new\n"
        let before = machine.folder.contentsBesidesCache()
        let stranger = InMemoryRemote(seed: 99)
        world.put(stranger)
        let error = await #expect(throws: EngineError.self) { try await machine.run(verb) }
        guard case .otherRemote = error else { throw error ?? EngineError.noRemote }
        #expect(machine.folder.contentsBesidesCache() == before)
        #expect(await stranger.liveRecords().isEmpty)
    }

    @Test(arguments: Verb.allCases)
    func `a store put back from a backup is refused before anything is changed`(_ verb: Verb) async throws {
        let world = World()
        let machine = try await world.machines(1, ["a.yaml": "id: a\ntext: A\n"])[0]
        let backup = await world.remote.backup()
        machine.edit("a.yaml", "A", "B")
        // This only pushes, so nothing has been pulled since the backup.
        try await machine.push()
        await world.remote.restore(backup)
        machine["new.yaml"] = "text: new\n"
        let before = machine.folder.contentsBesidesCache()
        let error = await #expect(throws: EngineError.self) { try await machine.run(verb) }
        guard case .otherHistory = error else { throw error ?? EngineError.noRemote }
        #expect(machine.folder.contentsBesidesCache() == before)
        #expect(await world.remote.liveRecords().count == 1)
    }

    @Test(arguments: [true, false])
    func `another store under a new URL starts anew, and nothing is taken for deleted`(_ isReachable: Bool)
        async throws
    {
        let world = World()
        let machine = try await world.machines(
            1, ["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])[0]
        machine["b.yaml"] = nil
        let other = InMemoryRemote(seed: 99)
        await other.put(id: "c", fields: ["text": .string("C")])
        if isReachable { world.put(other, at: "/other") }
        try await machine.workspace.setRemote("/other")
        world.put(other, at: "/other")

        let report = try await machine.sync()

        #expect(report.pushedLines == ["insert a.yaml"])
        #expect(machine.files == ["a.yaml": "id: a\ntext: A\n", "c.yaml": "id: c\ntext: C\n"])
        #expect(await world.remote.liveRecords().count == 2, "the old one is left as it was")
        #expect(try machine.isClean)
    }

    @Test(arguments: Verb.allCases, [true, false])
    func `another store that only the configuration names is refused, and a command switches to it`(
        _ verb: Verb, isDryRun: Bool
    ) async throws {
        let world = World()
        let machine = try await world.machines(1, ["a.yaml": "id: a\ntext: A\n"])[0]
        let other = InMemoryRemote(seed: 99)
        await other.put(id: "c", fields: ["text": .string("C")])
        world.put(other, at: "/other")
        machine[".todosync/config.yaml"] = "remote: /other\n"
        let before = machine.folder.contentsBesidesCache()
        let options = SyncOptions(isDryRun: isDryRun)
        let report =
            switch verb {
            case .push: try await machine.workspace.push(options)
            case .pull: try await machine.workspace.pull(options)
            case .sync: try await machine.workspace.sync(options)
            }
        guard case EngineError.otherRemote("/other")? = report.stop else {
            throw report.stop ?? EngineError.noRemote
        }
        #expect(machine.folder.contentsBesidesCache() == before)
        #expect(await other.liveRecords().count == 1)
        try await machine.workspace.setRemote("/other")
        try await machine.sync()
        #expect(await other.liveRecords().count == 2 && machine.files.count == 2)
        // The same store under another URL needs no command.
        world.put(other, at: "/moved")
        machine[".todosync/config.yaml"] = "remote: /moved\n"
        #expect(try await machine.sync().pushed.isEmpty)
    }

    @Test func `a dry run at another store shows what would be sent there, and forgets nothing`() async throws
    {
        let world = World()
        let machine = try await world.machines(1, ["a.yaml": "id: a\ntext: A\n"])[0]
        try await machine.workspace.setRemote("/other")
        world.put(InMemoryRemote(seed: 99), at: "/other")
        let before = machine.folder.contents()
        let report = try await machine.workspace.sync(SyncOptions(isDryRun: true))
        #expect(report.pushedLines == ["insert a.yaml"])
        #expect(machine.folder.contents() == before)
    }

    @Test func `the same store under a new URL keeps everything`() async throws {
        let world = World()
        let machines = try await world.machines(
            2, ["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])
        machines[0]["b.yaml"] = nil
        machines[0].edit("a.yaml", "A", "A1")
        world.put(world.remote, at: "/moved")
        try await machines[0].workspace.setRemote("/moved")
        #expect(try machines[0].status.pendingLines == ["update a.yaml: text", "delete b.yaml"])
        try await machines[0].sync()
        try await machines[1].sync()
        #expect(machines[1].files == ["a.yaml": "id: a\ntext: A1\n"])
        // The remote is removed and added again.
        try machines[0].workspace.removeRemote()
        await #expect(throws: EngineError.self) { try await machines[0].sync() }
        try await machines[0].workspace.addRemote(World.url)
        #expect(try await machines[0].sync().pushed.isEmpty)
        #expect(try machines[0].isClean)
    }

    @Test func `another store is not begun with while a conflict is open`() async throws {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
        machines[1].edit("a.yaml", "A", "there")
        try await machines[1].push()
        machines[0].edit("a.yaml", "A", "here")
        try await machines[0].pull()
        world.put(InMemoryRemote(seed: 99), at: "/other")
        await #expect(throws: EngineError.self) { try await machines[0].workspace.setRemote("/other") }
        #expect(try machines[0].workspace.remoteURL == World.url)
        withExtendedLifetime(machines) {}
    }
}
