import LosslessYAML
import Platform
import SyncEngine
import Synchronization
import TestSupport
import ThreeWayMerge
import TodoModel
import WorkingCopy

extension Simulation {
    /// What happens while a command runs.
    private enum Disturbance {
        case none
        /// - Parameter isChanging: Whether calls are counted only from the first one that moves a file.
        case crash(at: Int, isChanging: Bool, MemoryDisk.PowerLoss?)
        case failure(at: Int, code: Int32)
        case fullDisk(room: Int)
        case edit(at: Int)
        case pause(at: Int, length: Int)
    }

    /// Runs one of todosync's commands, with or without a disturbance.
    mutating func command(_ machine: SimulatedMachine) async throws {
        var disturbance = disturbance()
        var before: InterruptedCommand?
        var hasNews = false
        switch disturbance {
        case .crash(let number, _, let loss):
            if random.chance(0.7), try await bringNews(to: machine) {
                hasNews = true
                disturbance = .crash(at: number % 60, isChanging: true, loss)
            }
            let pending = (try? machine.workspace().status())?.pending.map(\.path) ?? []
            before = InterruptedCommand(
                files: machine.files, pending: Set(pending), isFirst: machine.hasEnded)
        // This can lose the file with the journal's length, and then base versions are no longer trusted.
        case .failure, .fullDisk:
            hasLostState = true
            hasDamagedState = true
        case .none, .edit, .pause: break
        }
        let busy = BusyMachine(machine, disturbance: disturbance, random: SplitMix64(seed: random.next()))
        switch disturbance {
        case .fullDisk(let room): machine.disk.setRoom(room)
        default: break
        }
        isExchange = false
        do {
            if hasNews { try await exchange(busy) } else { try await command(busy) }
        } catch let error as SimulationFailure {
            throw error
        } catch EngineError.configuration, EngineError.noRemote, EngineError.lostConfiguration {
            machine.writeState(machine.configuration, to: "config.yaml")
        } catch let error as EngineError {
            // The command can't do what the user asked for.
            _ = error
        } catch is RemoteError {
            // A damaged configuration can name a different remote.
            machine.writeState(machine.configuration, to: "config.yaml")
        } catch  where busy.isUndisturbed {
            throw SimulationFailure("a command failed though nothing went wrong: \(error)")
        } catch {}
        busy.endEditing()
        if machine.disk.room == 0 { events.note(.diskFull) }
        machine.disk.setRoom(nil)
        for event in busy.events { events.note(event) }
        guard case .crash(_, _, let loss) = disturbance, busy.hasStopped, var before else { return }
        before.isExchange = isExchange
        before.loss = loss
        if let loss {
            machine.disk.losePower(&random, loss)
            events.note(SimulatedEvent(loss))
            hasLostState = true
        }
        try await goOn(machine, after: before)
    }

    /// Lets a different user edit files and sync, so that there is something to pull; returns whether there
    /// is.
    private mutating func bringNews(to machine: SimulatedMachine) async throws -> Bool {
        guard let other = machines.filter({ $0.disk !== machine.disk }).randomElement(using: &random) else {
            return false
        }
        var editor = SimulatedEditor(machine: other, random: random)
        for _ in 0..<3 { events.note(editor.act()) }
        random = editor.random
        guard let report = try? await other.workspace().sync(SyncOptions()) else { return false }
        return !report.pushed.isEmpty
    }

    private mutating func disturbance() -> Disturbance {
        func call() -> Int {
            // Most calls only look at files, before the first change.
            Int.random(in: 1...(random.chance(0.5) ? 60 : 400), using: &random)
        }
        switch Int.random(in: 0..<15, using: &random) {
        case 0...4:
            let loss = random.chance(0.6) ? MemoryDisk.PowerLoss.allCases.randomElement(using: &random) : nil
            return .crash(at: call(), isChanging: false, loss)
        case 5:
            let codes = [EIO, EACCES, EROFS, ENOSPC, EMFILE]
            return .failure(at: call(), code: codes.randomElement(using: &random) ?? EIO)
        case 6: return .fullDisk(room: Int.random(in: 0...3000, using: &random))
        case 7...8: return .edit(at: call())
        case 9: return .pause(at: call(), length: Int.random(in: 1...8, using: &random))
        default: return .none
        }
    }

    private mutating func command(_ busy: BusyMachine) async throws {
        let machine = busy.machine
        if hasConflict {
            hasConflict = false
            return try resolve(busy)
        }
        switch Int.random(in: 0..<32, using: &random) {
        case 0..<16: try await exchange(busy)
        case 16...18: try set(busy)
        case 19:
            let text = texts.new()
            _ = try busy.workspace.add(NewTodo(text: text, fields: [:], path: nil))
            texts.wrote(Array(text.utf8), over: [])
            events.note(.add)
        case 20:
            if let path = machine.paths.randomElement(using: &random) {
                events.note(.track)
                // A duplicate becomes a new todo.
                texts.allowReturn(of: UserTexts.all(in: machine[path] ?? []))
                _ = try busy.workspace.track([path])
            }
        case 21: try remove(busy)
        case 22...25: try resolve(busy)
        case 26:
            events.note(.undo)
            machine.allowReturn()
            let log = try busy.workspace.log(nil)
            _ = try busy.workspace.undo(
                random.chance(0.5) ? nil : log.randomElement(using: &random)?.operation)
        case 27: try restore(busy)
        case 29: try await purge(busy)
        case 30:
            let report = try busy.workspace.undoPurge([])
            if !report.todos.isEmpty { events.note(.undoPurge) }
        case 28:
            events.note(.fsck)
            if try !busy.workspace.check(repairs: true).repaired.isEmpty {
                hasLostState = true
                hasDamagedState = true
            }
        default: try compact(busy)
        }
    }

    private mutating func exchange(_ busy: BusyMachine) async throws {
        isExchange = true
        let policies: [ConflictPolicy] = [.markers, .markers, .use(.local), .use(.remote)]
        let options = SyncOptions(
            policy: policies.randomElement(using: &random) ?? .markers, isDryRun: random.chance(0.1),
            countsPending: random.chance(0.5))
        var workspace = busy.workspace
        var isMeeting = false
        if random.chance(0.2), machines.count > 1, let other = machines.randomElement(using: &random),
            other.disk !== busy.machine.disk
        {
            // A different machine syncs in between.
            let meeting = MeetingRemote(
                remote, other.workspace(), at: Int.random(in: 1...4, using: &random))
            workspace = busy.workspace(connectingTo: meeting)
            events.note(.syncMeanwhile)
            isMeeting = true
        }
        let verb = Verb.allCases.randomElement(using: &random) ?? .sync
        events.note([.push: .push, .pull: .pull, .sync: .sync][verb])
        let isAlone = busy.hasNoDisturbance && !isMeeting && !options.isDryRun
        let forecast = isAlone ? await forecast(of: verb, options, on: busy.machine) : nil
        let report = try await workspace.perform(verb, options)
        try compare(forecast, report, options)
        hasConflict = !report.conflicts.isEmpty
        try await checkKinds(of: report.conflicts)
        events.note(.conflict, report.conflicts.count)
        events.note(.merge, report.merged.count)
    }

    /// Returns the report that a dry run foresees; nil if it can't foresee anything.
    ///
    /// A dry run doesn't know how the remote will misbehave, what became of an operation without an answer,
    /// and which texts the next command finds among the files that an interrupted one left. After a loss, a
    /// push doesn't know what the remote already has.
    mutating func forecast(of verb: Verb, _ options: SyncOptions, on machine: SimulatedMachine) async
        -> Forecast?
    {
        guard !isRemoteTroubled, !hasDamagedState || verb != .push,
            !machine.stateFiles.keys.contains(where: { $0.hasPrefix("tmp/") }),
            await !remote.wasLate, let state = try? machine.workspace().directory.state(),
            state.todos.loaded.values.allSatisfy({ $0.sent == nil })
        else { return nil }
        let before = machine.disk.contents(in: SimulatedMachine.root)
        var surroundings = world.surroundings(device: "machine")
        surroundings.connect = { [remote = world.remote] _ in remote }
        let workspace = machine.workspace(nil, surroundings)
        let forecast = await Forecast(of: verb, options, in: workspace, machine.disk)
        if machine.disk.contents(in: SimulatedMachine.root) != before { hasDryRunWritten = true }
        events.note(.forecast)
        return forecast
    }

    /// Checks that a command did what a dry run had foreseen.
    func compare(_ forecast: Forecast?, _ report: SyncReport, _ options: SyncOptions) throws {
        if hasDryRunWritten { throw SimulationFailure("a dry run changed a file") }
        if let difference = forecast?.difference(from: report, options) {
            throw SimulationFailure("a dry run gave a different report: \(difference)")
        }
    }

    /// Checks that no todo is in conflict with itself: two inserts with one id are the same insert.
    ///
    /// The exceptions are a todo that was deleted and then created again on two machines, and an insert that
    /// seemed lost but arrived after its todo was edited.
    func checkKinds(of conflicts: [ConflictedTodo]) async throws {
        guard !hasLostState, await !remote.wasLate else { return }
        for conflict in conflicts where conflict.kind == .insertInsert {
            if await world.remote.wasDeleted(id: conflict.id.string) { continue }
            throw SimulationFailure("conflict: \(conflict.path) is in conflict with itself")
        }
    }

    private mutating func set(_ busy: BusyMachine) throws {
        let machine = busy.machine
        guard let path = machine.paths.randomElement(using: &random) else { return }
        events.note(.set)
        let text = texts.new()
        // Whatever the command does, its user no longer expects the old value.
        let lines = machine.text(at: path)?.split(separator: "\n").filter { $0.hasPrefix("owner:") } ?? []
        let old = UserTexts.all(in: Array(lines.joined().utf8))
        texts.giveUp(old)
        // An editor that saves meanwhile can write the value once more before it is changed.
        defer { texts.giveUp(old) }
        // This completes or reopens some todos.
        let isDone = random.chance(0.5)
        _ = try busy.workspace.change(
            [path], set: [("owner", .string(text)), ("complete", .bool(isDone))], unset: [])
        texts.replaced(old)
        texts.wrote(Array(text.utf8), over: [])
    }

    private mutating func remove(_ busy: BusyMachine) throws {
        guard let path = busy.machine.paths.randomElement(using: &random) else { return }
        events.note(.remove)
        busy.machine.allowReturn()
        texts.wrote([], over: busy.machine[path] ?? [])
        _ = try busy.workspace.remove([path])
    }

    private mutating func purge(_ busy: BusyMachine) async throws {
        // Only completed, synced todos can be purged.
        let workspace = busy.machine.workspace()
        for path in busy.machine.paths where random.chance(0.6) {
            _ = try? workspace.change([path], set: [("complete", .bool(true))], unset: [])
        }
        _ = try? await workspace.sync(SyncOptions())
        let report = try busy.workspace.purge(PurgeOptions())
        if !report.todos.isEmpty { events.note(.purge) }
    }

    private mutating func resolve(_ busy: BusyMachine) throws {
        let resolutions: [Resolution] = [.file, .use(.local), .use(.remote), .use(.base), .abort]
        let resolution = resolutions.randomElement(using: &random) ?? .file
        switch resolution {
        case .use(.base), .abort: busy.machine.allowReturn()
        // A user who sees both sides takes one knowingly.
        case .use: texts.allowReturn(of: busy.machine.textsInConflicts())
        default: break
        }
        let report = try busy.workspace.resolve([], resolution)
        if case .abort = resolution {
            events.note(.abort, report.resolved.count)
        } else {
            events.note(.resolve, report.resolved.count)
        }
    }

    private mutating func restore(_ busy: BusyMachine) throws {
        let log = try busy.workspace.log(nil)
        guard let entry = log.randomElement(using: &random),
            let todo = entry.todos.randomElement(using: &random)
        else { return }
        events.note(.restore)
        busy.machine.allowReturn()
        let operation = entry.operation + (random.chance(0.3) ? "^" : "")
        _ = try busy.workspace.restore(todo.id.string, to: operation)
    }

    private mutating func compact(_ busy: BusyMachine) throws {
        let machine = busy.machine
        let before = machine.textsInState()
        defer {
            // Texts that only the log had are lost on purpose.
            texts.giveUp(before.subtracting(machine.lastingTexts()).subtracting(others(than: machine)))
        }
        events.note(.gc)
        _ = try busy.workspace.compact(keeping: 0)
    }

    /// A machine that runs a command, and what happens in the meantime.
    private final class BusyMachine: Sendable {
        let machine: SimulatedMachine
        private let disturbance: Disturbance
        private let progress: Mutex<Progress>

        private struct Progress {
            var random: SplitMix64
            var calls = 0
            var events: [SimulatedEvent] = []
            var hasStopped = false
            /// The file that an editor has removed, and the text that it is about to write.
            var paused: (path: String, text: String)?
        }

        init(_ machine: SimulatedMachine, disturbance: Disturbance, random: SplitMix64) {
            self.machine = machine
            self.disturbance = disturbance
            progress = Mutex(Progress(random: random))
        }

        var events: [SimulatedEvent] { progress.withLock(\.events) }
        var hasStopped: Bool { progress.withLock(\.hasStopped) }

        /// Whether nothing happens while the command runs.
        var hasNoDisturbance: Bool { if case .none = disturbance { true } else { false } }

        var isUndisturbed: Bool {
            if case .fullDisk = disturbance { return false }
            return !hasStopped
        }

        var workspace: Workspace { machine.workspace(fileSystem) }

        func workspace(connectingTo remote: any Remote) -> Workspace {
            var surroundings = machine.world.surroundings()
            surroundings.connect = { _ in remote }
            return machine.workspace(fileSystem, surroundings)
        }

        private var fileSystem: FailingFileSystem {
            FailingFileSystem(machine.disk) { [self] call throws(FileError) in try before(call) }
        }

        private func before(_ call: FailingFileSystem.Call) throws(FileError) {
            try progress.withLock { progress throws(FileError) in
                if case .crash(_, isChanging: true, _) = disturbance, progress.calls == 0,
                    call.manner == nil || call.name.hasPrefix(".")
                {
                    return
                }
                progress.calls += 1
                switch disturbance {
                case .none, .fullDisk: break
                case .crash(let number, _, _):
                    guard progress.calls >= number else { return }
                    if !progress.hasStopped { progress.events.append(.crash) }
                    progress.hasStopped = true
                    throw FileError(call.operation, call.name, code: EIO)
                case .failure(let number, let code):
                    guard progress.calls == number else { return }
                    progress.events.append(.failedCall)
                    progress.hasStopped = true
                    throw FileError(call.operation, call.name, code: code)
                case .edit(let number):
                    guard progress.calls == number else { return }
                    var editor = SimulatedEditor(machine: machine, random: progress.random)
                    if editor.act() != nil { progress.events.append(.editWhileBusy) }
                case .pause(let number, let length):
                    if progress.calls == number { beginEditing(&progress) }
                    if progress.calls == number + length { endEditing(&progress) }
                }
            }
        }

        private func beginEditing(_ progress: inout Progress) {
            guard let path = machine.paths.randomElement(using: &progress.random),
                let old = machine.text(at: path), !old.contains("<<<<<<<")
            else { return }
            progress.paused = (path, SimulatedEditor.setting("text", machine.texts.new(), in: old))
            machine.disk.remove(SimulatedMachine.root + "/" + path)
            machine.texts.wrote(Array((progress.paused?.text ?? "").utf8), over: Array(old.utf8))
            progress.events.append(.pauseWhileBusy)
        }

        private func endEditing(_ progress: inout Progress) {
            guard let (path, text) = progress.paused else { return }
            progress.paused = nil
            machine.save(text, to: path)
        }

        /// Lets an editor write what it was about to write when the command ended.
        func endEditing() { progress.withLock { endEditing(&$0) } }
    }
}

extension SimulatedEvent {
    fileprivate init(_ loss: MemoryDisk.PowerLoss) {
        switch loss {
        case .dataLate: self = .powerFailureWithLateData
        case .namesLate: self = .powerFailureWithLateNames
        case .foldersLate: self = .powerFailureWithLateFolders
        }
    }
}

/// A remote that a different machine syncs with just before one of the calls.
private actor MeetingRemote: Remote {
    private let inner: any Remote
    private let other: Workspace
    private let number: Int
    private var calls = 0

    init(_ inner: any Remote, _ other: Workspace, at number: Int) {
        self.inner = inner
        self.other = other
        self.number = number
    }

    private func meetOther() async {
        calls += 1
        if calls == number { _ = try? await other.sync(SyncOptions()) }
    }

    func meet(_ former: RecordedHistory?, wantsNews: Bool) async throws -> RemoteIdentity {
        await meetOther()
        return try await inner.meet(former, wantsNews: wantsNews)
    }

    func changes(after cursor: Cursor?) async throws -> ChangePage {
        await meetOther()
        return try await inner.changes(after: cursor)
    }

    func push(_ operations: [PushOperation]) async throws -> PushReply {
        await meetOther()
        return try await inner.push(operations)
    }
}
