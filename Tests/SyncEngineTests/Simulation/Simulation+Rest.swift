import LosslessYAML
import SyncEngine
import TestSupport
import ThreeWayMerge
import TodoModel
import WorkingCopy

extension Simulation {
    /// The maximum number of syncs on each machine until nothing is left to do.
    private static let maximumRounds = 40

    /// Lets all users fix what waits for them, and syncs until nothing happens any more.
    mutating func comeToRest() async throws {
        await remote.setBehaviors([])
        isRemoteTroubled = false
        for machine in machines { machine.writeState(machine.configuration, to: "config.yaml") }
        var options = SyncOptions(allowedDeletes: 1000)
        options.allowsManyMarkers = true
        for _ in 0..<Self.maximumRounds {
            var isAtRest = true
            for machine in machines {
                let workspace = machine.workspace()
                try putRight(machine, workspace)
                let forecast = await forecast(of: .sync, options, on: machine)
                let report: SyncReport
                do {
                    report = try await workspace.sync(options)
                } catch {
                    throw SimulationFailure("sync failed though nothing went wrong: \(error)")
                }
                await trace("rest")
                if let stop = report.stop { throw SimulationFailure("sync stopped: \(stop)") }
                try compare(forecast, report, options)
                try await checkKinds(of: report.conflicts)
                events.note(.conflict, report.conflicts.count)
                events.note(.merge, report.merged.count)
                if !report.isQuiet { isAtRest = false }
            }
            if isAtRest { return }
        }
        throw SimulationFailure("termination: the machines do not come to rest:\n\(try description)")
    }

    private mutating func putRight(_ machine: SimulatedMachine, _ workspace: Workspace) throws {
        events.note(.undoPurge, try workspace.undoPurge([]).todos.count)
        var status = try workspace.status()
        var editor = SimulatedEditor(machine: machine, random: random)
        if !status.invalid.isEmpty {
            for file in status.invalid { editor.repair(file.path) }
            status = try workspace.status()
        }
        // Files without a text are removed, because they aren't todos but can have a todo's path.
        for file in status.ignored { machine.save(nil, to: file.path) }
        for path in machine.paths where Todo.isWithoutText(machine[path]) { machine.save(nil, to: path) }
        for duplicate in status.duplicates {
            // A duplicate becomes a new todo.
            texts.allowReturn(of: UserTexts.all(in: machine[duplicate.path] ?? []))
            do {
                _ = try workspace.track([duplicate.path])
            } catch {
                // The duplicate still has markers of a conflict that was resolved in the todo's own file.
                editor.repair(duplicate.path)
                _ = try? workspace.track([duplicate.path])
            }
        }
        if status.conflicts.isEmpty { return }
        // A user who sees both sides takes one knowingly.
        texts.allowReturn(of: machine.textsInConflicts())
        let side: Side = random.chance(0.5) ? .local : .remote
        let resolved = try workspace.resolve([], .use(side))
        for todo in resolved.unresolved {
            // The todo's file is gone, or was written back without markers.
            editor.repair(todo.path)
            _ = try? workspace.resolve([todo.name], .file)
        }
    }

    /// Checks that nothing is lost, that all machines agree, and that nothing is left to do.
    func check() async throws {
        try checkAgreement(await world.remote.liveRecords())
        try checkLoss(await world.remote.liveRecords())
        // A remote that reports or applies something late brings back older values, and so does a comparison
        // without a base version.
        if await !remote.wasLate, !hasDamagedState { try checkRevival(await world.remote.liveRecords()) }
        for machine in machines {
            // This drops the files that the last command replaced.
            _ = try await machine.workspace().sync(SyncOptions())
            // Cache updates don't count, so they happen first; a file's stamp needs a tick of the clock.
            machine.disk.advance(nanoseconds: 5_000_000)
            for _ in 0..<3 { _ = try machine.workspace().status() }
            let before = (machine.disk.contents(), machine.disk.changeCount)
            let report = try await machine.workspace().sync(SyncOptions())
            guard report.isQuiet else {
                throw SimulationFailure("idempotence: another sync reports \(report)")
            }
            guard machine.disk.contents() == before.0 else {
                let now = machine.disk.contents()
                let names = Set(now.keys).union(before.0.keys).filter { now[$0] != before.0[$0] }.sorted()
                throw SimulationFailure("idempotence: another sync changes the folder: \(names)")
            }
            guard machine.disk.changeCount == before.1 else {
                throw SimulationFailure("idempotence: another sync writes")
            }
        }
    }

    /// Each folder's files, and what waits there.
    private var description: String {
        get throws {
            var lines: [String] = []
            for (number, machine) in machines.enumerated() {
                let status = try machine.workspace().status()
                lines.append(
                    "machine \(number): \(status.pendingLines) \(status.conflicts) \(status.invalid) "
                        + "\(status.duplicates)")
                lines += machine.paths.map { "\($0): \((machine.text(at: $0) ?? "").debugDescription)" }
            }
            return lines.joined(separator: "\n")
        }
    }

    private func checkAgreement(_ records: [RemoteRecord]) throws {
        let files = machines[0].files
        for machine in machines where machine.files != files {
            throw SimulationFailure("agreement: two folders differ:\n\(try description)")
        }
        let texts = records.compactMap { $0.layout?.yaml }.sorted()
        let contents = files.values.map { String(decoding: $0, as: UTF8.self) }.sorted()
        guard texts == contents else {
            throw SimulationFailure(
                "agreement: the remote differs from the folders: \(texts)\n\(try description)")
        }
        var ids: Set<String> = []
        for (path, bytes) in files {
            guard let id = try? Todo(parsing: bytes).id, ids.insert(id.string).inserted else {
                throw SimulationFailure("agreement: \(path) has no id, or another's")
            }
        }
    }

    /// Checks that no value has come back that a user had replaced.
    private func checkRevival(_ records: [RemoteRecord]) throws {
        for record in records {
            for field in ["text", "priority", "owner"] {
                guard case .string(let value)? = record.fields[field] else { continue }
                let revived = texts.revived(UserTexts.all(in: Array(value.utf8)))
                guard revived.isEmpty else {
                    throw SimulationFailure("revival: \(field) is \(value) again\n\(try description)")
                }
            }
        }
    }

    private func checkLoss(_ records: [RemoteRecord]) throws {
        var found: Set<Int> = []
        for machine in machines {
            found.formUnion(machine.textsInFiles())
            found.formUnion(machine.lastingTexts())
        }
        let lost = texts.live.subtracting(found).sorted()
        guard lost.isEmpty else { throw SimulationFailure("loss: \(lost)\n\(try description)") }
    }
}

extension Todo {
    /// Returns whether a file is a mapping without a text, and so not a todo.
    fileprivate static func isWithoutText(_ bytes: [UInt8]?) -> Bool {
        guard let bytes, let document = try? Document(parsing: bytes) else { return false }
        return document.fields["text"] == nil
    }
}

extension SyncReport {
    /// Whether nothing was done and nothing is waiting.
    fileprivate var isQuiet: Bool {
        pushed.isEmpty && pulled.isEmpty && merged.isEmpty && !needsUser && pending == 0
    }
}
