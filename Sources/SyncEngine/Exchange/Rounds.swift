internal import Git
internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// Runs a push, pull or sync in rounds, and asks the user between them.
///
///     lock ─► round ─► unlock ─► ask ─┐
///       ▲                             │ answers
///       └─────────────────────────────┘
///
/// The lock isn't held while a person thinks, so other commands can change anything in the meantime. Each
/// round therefore reads everything again. In a round, a conflict that needs the user's answer waits as a
/// held change, and everything else continues. The next round begins with the answers. An answer doesn't
/// count if the conflict has changed; the user is then asked again.
struct Rounds {
    private let workspace: Workspace
    private let options: SyncOptions
    private let pulls: Bool
    private let pushes: Bool

    init(_ workspace: Workspace, _ options: SyncOptions, pulls: Bool, pushes: Bool) {
        (self.workspace, self.pulls, self.pushes) = (workspace, pulls, pushes)
        self.options = options.isDryRun ? options.withoutQuestions : options
    }

    /// Runs rounds until there is nothing to ask; returns the report of all of them.
    ///
    /// A dry run is a single round that writes and sends nothing.
    func report() async throws -> SyncReport {
        let report = try await askingReport()
        if report.stop == nil, !options.isDryRun {
            LastSync.record(workspace.surroundings.now(), in: workspace.directory)
        }
        return report
    }

    private func askingReport() async throws -> SyncReport {
        var answers = Answers()
        var last: Round?
        while true {
            var round: Round
            do {
                let workspace = answers.isEmpty ? workspace : workspace.patient
                round = try await workspace.round(
                    options, answers, continuing: last, pulls: pulls, pushes: pushes)
            } catch let question as AdoptionQuestion {
                try options.askAboutAdoption?(question.paths)
                answers.adopted.formUnion(question.paths.map { ByteKey($0) })
                continue
            } catch {
                guard let last, last.hasDoneSomething else { throw error }
                return last.stopped(by: error)
            }
            answers.take(round)
            if last == nil, options.policy.asks, !options.isDryRun, round.report.gitProgress == nil {
                round.openConflicts = round.report.conflicts.filter(\.hasMarkers).map(\.id)
            }
            guard round.asks, !(round.report.stop is CancellationError) else {
                reportUnused(answers)
                return round.report
            }
            if let stop = ask(&round, &answers) {
                return try await keep(answers, round, stop)
            }
            if !round.hasAnswers { return round.report }
            last = round
        }
    }

    /// Asks the user the questions of a round.
    ///
    /// - Returns: The error that stopped the questions; a `CancellationError` if the command is asked to end.
    private func ask(_ round: inout Round, _ answers: inout Answers) -> (any Error)? {
        do {
            if case .ask(let ask) = options.policy {
                try answers.ask(round, ask)
                let marked = round.changedMarkers + round.openConflicts
                if !marked.isEmpty {
                    let report = try workspace.resolve(
                        asking: marked, .ask(ask), changed: Set(round.changedMarkers))
                    round.take(report.resolved)
                }
            }
            if let ask = options.askAboutHeld { try answers.ask(round, ask) }
            try workspace.surroundings.checkGoesOn()
            return nil
        } catch {
            return error
        }
    }

    /// Applies the answers that were given before the questions were stopped.
    private func keep(
        _ answers: Answers, _ last: Round, _ stop: any Error
    ) async throws -> SyncReport {
        // The handler has already left these conflicts to the user.
        var options = options
        options.handler = nil
        do {
            let round = try await LockedWorkspace.perform(workspace.unstoppable) { locked in
                let exchange = Exchange(
                    locked, options, answers, continuing: last.report, hasDoneBefore: last.hasDoneSomething)
                try await exchange.applyAnswers()
                exchange.round.report.stop = stop
                return exchange.end(
                    last.selected, isPull: !pushes, countsPending: last.report.pending != nil)
            }
            var answers = answers
            answers.take(round)
            reportUnused(answers)
            return round.report
        } catch {
            return last.stopped(by: error)
        }
    }

    private func reportUnused(_ answers: Answers) {
        for path in answers.unused {
            workspace.surroundings.notice(
                "note: \(path) changed while you were asked; your answer was not used")
        }
    }
}

/// The result of one round of a push, pull or sync.
struct Round {
    var report: SyncReport
    /// The todos that the command is about; nil for all.
    var selected: Set<TodoID>?
    /// Whether this round or an earlier one did anything.
    var hasDoneSomething = false
    /// The conflicts to ask the user about once the lock is released.
    var questions: [TodoID: Conflict] = [:]
    /// The held todos to ask the user about once the lock is released.
    var heldToAsk: [HeldTodo] = []
    /// The todos with conflict markers that the user's answers don't fit.
    var changedMarkers: [TodoID] = []
    /// The todos with conflict markers from an earlier command, if the user wants to be asked about them.
    fileprivate(set) var openConflicts: [TodoID] = []
    /// Whether the user resolved any of ``openConflicts``.
    private var hasResolved = false
    /// The todos whose questions the user or the handler cancelled.
    var cancelled: Set<TodoID>
    /// The todos whose conflicts the user's answers resolved.
    var used: Set<TodoID> = []
    /// Returns the remembered resolutions.
    let resolutions: () -> Resolutions

    init(_ report: SyncReport, cancelled: Set<TodoID>, resolutions: @escaping () -> Resolutions) {
        self.report = report
        self.cancelled = cancelled
        self.resolutions = resolutions
    }

    /// Whether the user has to be asked before the command can do the rest.
    var asks: Bool { hasQuestions || !openConflicts.isEmpty }

    private var hasQuestions: Bool {
        !questions.isEmpty || !heldToAsk.isEmpty || !changedMarkers.isEmpty
    }

    /// Whether there might be something to do with the user's answers.
    fileprivate var hasAnswers: Bool { hasQuestions || hasResolved }

    /// Adds conflicts that the user resolved after the round to the report.
    fileprivate mutating func take(_ resolved: [ReportRow]) {
        hasResolved = hasResolved || !resolved.isEmpty
        for todo in resolved {
            let fields = report.conflicts.first { $0.id == todo.id }?.fields ?? []
            report.merged.append(
                ReportRow(
                    id: todo.id, path: todo.path, operation: todo.isDelete ? .delete : .update,
                    fields: fields))
        }
    }

    /// Returns the report of a command that was stopped after this round.
    fileprivate func stopped(by error: any Error) -> SyncReport {
        var report = report
        (report.stop, report.hasDoneNothing) = (error, !hasDoneSomething)
        return report
    }
}

/// Postpones the question whether to write ids into files until the lock is released.
struct AdoptionQuestion: Error {
    /// The paths of the files.
    var paths: [String]
}

extension Workspace {
    /// The same workspace, for applying answers.
    ///
    /// It waits for the lock for up to a day; otherwise, the user's work would be lost.
    fileprivate var patient: Workspace {
        var surroundings = surroundings
        surroundings.lockTimeout = .seconds(24 * 60 * 60)
        return Workspace(directory: directory, surroundings: surroundings)
    }

    /// The same workspace, for applying answers even though the command was asked to end.
    var unstoppable: Workspace {
        var surroundings = patient.surroundings
        surroundings.isAskedToEnd = { false }
        surroundings.pause = { _ in }
        return Workspace(directory: directory, surroundings: surroundings)
    }
}
