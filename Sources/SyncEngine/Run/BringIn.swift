internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// How bringing in remote changes is to be done.
struct BringInOptions {
    var policy: ConflictPolicy
    var allowedDeletes: Int?
    /// Whether all of the remote's changes are brought in, so that paths can be judged on the state after
    /// them.
    var knowsAll = false
}

extension Run {
    /// How often a todo is decided on anew because its file changed meanwhile.
    static let maximumTries = 5

    /// Brings remote changes into the folder.
    ///
    /// What can't be brought in now is held, and comes with the first run that can.
    func bringIn(_ changes: [TodoID: RemoteState], _ options: BringInOptions) async throws {
        try forgetDoubtful(changes)
        var waiting = changes
        report.left = SyncReport.Left(count: changes.count, isAll: options.knowsAll)
        // Without news, a name that is this folder's alone may still not be needed any more.
        if waiting.isEmpty, options.knowsAll { _ = try carryOut([], options) }
        for _ in 0..<Self.maximumTries where !waiting.isEmpty {
            try surroundings.checkGoesOn()
            _ = try await waitForFiles(of: Set(waiting.keys.filter(isMissingItsFile)))
            var steps = try decide(waiting, options.policy)
            try withholdDeletes(&steps, options)
            waiting = try carryOut(steps, options)
            report.left.count = waiting.count
        }
        for (id, remote) in waiting { try hold(id, remote, "the file keeps changing") }
    }

    /// Decides what becomes of remote changes; those that have to wait are held.
    private func decide(_ changes: [TodoID: RemoteState], _ policy: ConflictPolicy) throws -> [Step] {
        var ids: [TodoID] = []
        for id in changes.keys.sorted() {
            guard let remote = changes[id] else { continue }
            if let reason = reasonToWait(id) {
                try hold(id, remote, reason)
            } else if failed.contains(id) {
                try hold(id, remote, nil)
            } else {
                ids.append(id)
            }
        }
        let (todos, known, rules) = (inventory.todos, state.todos, mergeRules)
        let questions = mapConcurrently(ids) { id -> (OpenQuestion, Decision)? in
            guard let remote = changes[id] else { return nil }
            let question = OpenQuestion(id: id, remote: remote, local: todos[id])
            return (question, question.decision(base: known[id]?.base, rules: rules))
        }
        var steps: [Step] = []
        for case .some((let question, let decision)) in questions {
            if let step = try decide(question, decision, policy) {
                steps.append(step)
            } else {
                // Cancelled by the user, who knows.
                let id = question.id
                try hold(id, question.remote, nil)
                log(id, inventory.path(of: id) ?? id.string, .update, .cancelled)
            }
        }
        return steps
    }

    /// Whether a todo that was in the folder has no file now.
    private func isMissingItsFile(_ id: TodoID) -> Bool {
        guard !inventory.todos.contains(id), let known = state.todos[id], known.base?.todo != nil else {
            return false
        }
        return known.place != nil && reasonToWait(id) == nil
    }

    /// Looks again, after a moment, where files are absent: an editor that saves may have one away.
    ///
    /// - Returns: whether the folder was looked at again; for todos that were waited for already it is not.
    func waitForFiles(of ids: Set<TodoID>) async throws -> Bool {
        guard !ids.isSubset(of: awaited) else { return false }
        try await surroundings.pause(.milliseconds(300))
        try lookAgain()
        awaited = awaited.union(ids).filter { !inventory.todos.contains($0) }
        return true
    }

    /// Returns in words why nothing can be brought into a todo's file now; nil if it can.
    func reasonToWait(_ id: TodoID) -> String? {
        cancelled.contains(id) ? "" : snapshot.reasonToWait(id)
    }

    /// Keeps a remote change for later.
    func hold(_ id: TodoID, _ remote: RemoteState, _ reason: String?) throws {
        if state.todos[id]?.held != remote { try transaction.record([.held(id: id, remote)]) }
        guard let reason, !reason.isEmpty, !report.postponed.contains(where: { $0.id == id }) else { return }
        let path = inventory.path(of: id) ?? state.todos[id]?.lastPlace ?? id.string
        report.postponed.append(PostponedTodo(id: id, path: path, reason: reason))
    }

    /// Takes removals out of the steps if a guard says so, and holds them.
    private func withholdDeletes(_ steps: inout [Step], _ options: BringInOptions) throws {
        guard let withheld = withheldDeletes(steps, options) else { return }
        withhold(withheld)
        for removal in steps.filter(\.isRemoval) { try hold(removal.id, removal.remote, nil) }
        steps.removeAll(where: \.isRemoval)
    }

    /// Returns what the guard says of the removals among some steps; nil if they can be carried out.
    func withheldDeletes(_ steps: [Step], _ options: BringInOptions) -> WithheldDeletes? {
        let paths = steps.lazy.filter(\.isRemoval).compactMap { $0.local?.path }
        return withheldDeletes(.remote, Array(paths), state, options)
    }

    /// Writes what was decided: first the journal, then the files.
    ///
    /// - Returns: what has to be decided anew, because a file changed meanwhile.
    private func carryOut(_ steps: [Step], _ options: BringInOptions) throws -> [TodoID: RemoteState] {
        let plan = planPaths(steps, options)
        let steps = try holdUnplaced(steps, plan)
        var jobs: [Job] = []
        var records: [JournalRecord] = []
        for step in steps {
            let placement = plan.placements[step.id]
            if let job = Job(step, placement, state.todos[step.id]) {
                jobs.append(job)
            } else {
                records.append(confirmation(of: step))
                note(step, at: step.local?.path)
            }
        }
        let decided = Set(steps.map(\.id))
        for (id, placement) in plan.placements where !decided.contains(id) {
            guard let local = inventory.todos[id], !local.path.isSameBytes(as: placement.path) else {
                continue
            }
            jobs.append(Job(moving: local, id, to: placement))
        }
        let obstructed = try holdObstructed(&jobs)
        let outcomes = try transaction.apply(
            jobs.map(\.change), announcing: records + jobs.map { .bringing($0.bringing) })
        // What failed is tried again only where another file may have been in the way.
        let isTriedAgain = outcomes.contains(.done)
        if isTriedAgain { failed = [] }
        var again = isTriedAgain ? obstructed : [:]
        for (job, outcome) in zip(jobs, outcomes) {
            if try !finish(job, outcome), let step = job.step { again[step.id] = step.remote }
            if case .failed = outcome, !isTriedAgain { failed.insert(job.bringing.id) }
        }
        return again
    }

    /// Holds what can't be carried out, as a folder can't be written in; only the other jobs stay.
    ///
    /// Nothing is put into the journal for it that is there already.
    private func holdObstructed(_ jobs: inout [Job]) throws -> [TodoID: RemoteState] {
        var held: [TodoID: RemoteState] = [:]
        var free: [Job] = []
        for (job, obstacle) in zip(jobs, transaction.obstacles(to: jobs.map(\.change))) {
            guard let obstacle else {
                free.append(job)
                continue
            }
            if let step = job.step {
                try hold(step.id, step.remote, nil)
                held[step.id] = step.remote
            }
            postpone(job, obstacle)
        }
        jobs = free
        return held
    }

    private func postpone(_ job: Job, _ error: FileError) {
        let bringing = job.bringing
        report.postponed.removeAll { $0.id == bringing.id }
        report.postponed.append(
            PostponedTodo(
                id: bringing.id, path: bringing.to ?? bringing.from ?? bringing.id.string, reason: "\(error)",
                cause: error))
    }

    /// Holds what would need a new file for which this folder has no place; returns the other steps.
    ///
    /// That is how the user has set the folder up (`include`, `.todosyncignore`), and so nothing to report.
    private func holdUnplaced(_ steps: [Step], _ plan: PathPlan) throws -> [Step] {
        for step in steps where step.needsPlace && plan.placements[step.id] == nil {
            try hold(step.id, step.remote, nil)
        }
        return steps.filter { !$0.needsPlace || plan.placements[$0.id] != nil }
    }

    /// Returns the record of a step that needs no change of a file.
    func confirmation(of step: Step) -> JournalRecord {
        let isKnown = state.todos[step.id]?.place != nil
        return .confirmed(id: step.id, step.remote, place: isKnown ? nil : step.local?.path)
    }

    /// Takes note of how a change of a file ended; returns whether it is done.
    private func finish(_ job: Job, _ outcome: FileChangeOutcome) throws -> Bool {
        let id = job.bringing.id
        switch outcome {
        case .done:
            transaction.finish(id)
            if let path = job.bringing.to, let bytes = job.bringing.bytes {
                inventory.write(
                    id, at: path, bytes, stamp: transaction.stamp(ofFileAt: path),
                    isConflicted: state.todos[id]?.conflict != nil,
                    checked: checkedTexts[id].flatMap { $0.bytes == bytes ? $0 : nil })
            } else {
                inventory.forget(id)
            }
            if let step = job.step { note(step, at: job.bringing.to ?? job.bringing.from) }
            report.postponed.removeAll { $0.id == id }
            return true
        case .changedMeanwhile:
            try transaction.record([.abandoned(id: id)])
            // Its stamp may not tell.
            try lookAgain(usingCache: false)
            return false
        case .occupied, .refused:
            try transaction.record([.abandoned(id: id)])
            if let path = job.bringing.to { occupied.insert(ByteKey(path)) }
            // It may be the todo's own file that is back: an editor saved it with a moment without the file.
            try lookAgain()
            return false
        case .withoutPlace:
            // The file was as expected, and is nowhere now: what is left is to create it anew.
            try transaction.record([.abandoned(id: id)])
            try recreate(job)
            try lookAgain()
            return false
        case .failed(let error):
            try transaction.record([.abandoned(id: id)])
            if error.isOutOfSpace { throw error }
            // Only the last failure is told.
            postpone(job, error)
            return job.step == nil
        }
    }

    /// Creates a file again that lost its place while it was moved, by a name of this folder only.
    private func recreate(_ job: Job) throws {
        guard let bytes = job.step?.local?.bytes ?? job.bringing.bytes, let path = job.bringing.to else {
            return
        }
        let id = job.bringing.id
        let plan = PathPlan(
            [PathPlan.Wish(id: id, path: path)], isUsable: isUsable
        ) { $0.isSameBytes(as: path) ? .fixed : nil }
        guard let placement = plan.placements[id] else { return }
        let bringing = Bringing(
            id: id, from: nil, to: placement.path, bytes: bytes, isDisplaced: true, remote: nil)
        let outcome = try transaction.apply(
            [.create(path: placement.path, bytes: bytes)], announcing: [.bringing(bringing)])[0]
        if outcome == .done {
            transaction.finish(id)
        } else {
            try transaction.record([.kept(id: id, path: path, bytes: bytes), .abandoned(id: id)])
        }
    }

    /// Tells the report and the operation log of a step.
    func note(_ step: Step, at path: String?) {
        let path = path ?? step.local?.path ?? state.todos[step.id]?.lastPlace ?? step.id.string
        if !step.recalled.isEmpty {
            report.recalled.append(RecalledTodo(id: step.id, path: path, fields: step.recalled))
        }
        switch step.outcome {
        case .confirmed:
            if let local = step.local, !local.path.isSameBytes(as: path) {
                report.pulled.append(SyncedTodo(id: step.id, path: path, operation: .update))
                log(step.id, path, .update, .pulled)
            }
        case .pulled:
            let operation: OperationKind = step.bytes == nil ? .delete : step.local == nil ? .insert : .update
            report.pulled.append(SyncedTodo(id: step.id, path: path, operation: operation))
            log(step.id, path, TodoChange.Change(operation), .pulled)
        case .merged(let parts):
            report.merged.append(
                MergedTodo(
                    id: step.id, path: path, fields: parts.fields, hasCommentsOfBoth: parts.hasCommentsOfBoth)
            )
            log(step.id, path, step.bytes == nil ? .delete : .update, .merged)
        case .conflict:
            log(step.id, path, step.local == nil ? .delete : .update, .conflict)
        }
    }
}

extension TodoChange.Change {
    init(_ operation: OperationKind) {
        switch operation {
        case .insert: self = .insert
        case .update: self = .update
        case .delete: self = .delete
        }
    }
}

extension Snapshot {
    /// Returns in words why nothing can be brought into a todo's file as it is; nil if it can.
    func reasonToWait(_ id: TodoID) -> String? {
        let known = tracked.todos[id]
        if known?.conflict != nil { return "" }
        if folder.unreadable[id] != nil { return "its file is not valid" }
        if !folder.todos.contains(id), let place = known?.place, known?.base != nil,
            !folder.scan.wouldSee(place)
        {
            // Left alone, as the user has set the folder up: it comes when the file can be seen again.
            return ""
        }
        if folder.setAside.contains(id) { return "" }
        return nil
    }
}

/// A change of a file, with the record that announces it.
final class Job {
    /// What was decided; nil for a todo that only makes room for another one.
    let step: Step?
    let bringing: Bringing
    let change: FileChange

    /// Creates the job of a step; nil if its file stays as it is.
    init?(_ step: Step, _ placement: PathPlan.Placement?, _ known: TodoState?) {
        self.step = step
        var conflict = Bringing.ConflictChange.none
        if case .conflict(let opened) = step.outcome { conflict = .opens(opened) }
        var place: PathPlan.Placement?
        switch (step.local, step.bytes) {
        case (nil, nil): return nil
        case (nil, let bytes?):
            guard let placement else { preconditionFailure("a new file has a place") }
            place = placement
            change = .create(path: placement.path, bytes: bytes)
        case (let local?, nil):
            change = .remove(path: local.path, expecting: local.bytes)
        case (let local?, let bytes?):
            let path = placement?.path ?? local.path
            let isMoved = !path.isSameBytes(as: local.path)
            guard isMoved || bytes != local.bytes else { return nil }
            place = placement ?? .init(path: path, isDisplaced: known?.isDisplaced(at: path) ?? false)
            change =
                isMoved
                ? .move(from: local.path, to: path, expecting: local.bytes, with: bytes)
                : .replace(path: path, expecting: local.bytes, with: bytes)
        }
        let isInJournal = step.local.map { $0.bytes == known?.base?.todo?.bytes } ?? true
        bringing = Bringing(
            id: step.id, from: step.local?.path, to: place?.path, bytes: step.bytes,
            isDisplaced: place?.isDisplaced ?? false, replaced: isInJournal ? nil : step.local?.bytes,
            remote: step.remote, conflict: conflict)
    }

    /// Creates the job of a todo that makes room for another one.
    init(moving local: LocalTodo, _ id: TodoID, to placement: PathPlan.Placement) {
        step = nil
        bringing = Bringing(
            id: id, from: local.path, to: placement.path, bytes: local.bytes,
            isDisplaced: placement.isDisplaced, remote: nil)
        change = .move(from: local.path, to: placement.path, expecting: local.bytes, with: local.bytes)
    }
}
