internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// The user's answer to a conflict.
struct GivenAnswer {
    var conflict: Conflict
    /// The text that the user was asked about; if the todo has a different one by now, the answer doesn't
    /// apply.
    var question: ConflictedText
    /// The todo's text that the user chose.
    var bytes: [UInt8]
    /// Whether the user stopped before the text was complete, so that it has markers left or isn't valid.
    ///
    /// The conflict stays open, with this text in the file.
    var isDraft = false
}

/// The answers to the questions of a push, pull or sync.
///
/// An answer counts as long as the question stays the same.
struct Answers {
    /// The user's answers.
    private(set) var given: [TodoID: GivenAnswer] = [:]
    /// Who decides conflicts before ``SyncOptions/policy`` applies; nil if there is no handler.
    var handler: LoggedChoice.Chooser?
    /// What the handler's answers leave of the conflicts.
    var handled: [TodoID: Conflict] = [:]
    /// The todos that the user doesn't want to be asked about again.
    private(set) var cancelled: Set<TodoID> = []
    /// The cancelled todos that the operation log doesn't have yet.
    private(set) var newlyCancelled: Set<TodoID> = []
    /// The held todos that the user was last asked about, and the answer.
    private(set) var held: (todos: [HeldTodo], answer: HeldAnswer)?
    /// The paths of the files that the user lets todosync write ids into.
    var adopted: Set<ByteKey> = []
    /// The todos whose answers were used.
    private var used: Set<TodoID> = []

    var isEmpty: Bool { given.isEmpty && cancelled.isEmpty && held == nil && adopted.isEmpty }

    /// Updates the answers after a round.
    mutating func take(_ round: Round) {
        cancelled.formUnion(round.cancelled)
        newlyCancelled = []
        used.formUnion(round.used)
        // For conflict markers that another command wrote, the user is asked as in "todosync resolve".
        for id in round.changedMarkers { given[id] = nil }
    }

    /// Asks the user about the conflicts of a round, in the order of the report.
    mutating func ask(
        _ round: Round, _ ask: @escaping @Sendable (ConflictQuestion) throws -> ConflictAnswer
    ) throws {
        let questions = round.questions.values.sorted(byBytesOf: \.path)
        for (index, question) in questions.enumerated() {
            let earlier = given[question.id]?.conflict.record?.remote
            let asked = Questions(
                conflict: question,
                changed: earlier.map { $0 == question.record?.remote ? .local : .remote },
                position: (index + 1, questions.count),
                remembered: question.differences(by: question.answers(in: round.resolutions())).map(
                    \.difference),
                unions: question.unionDifferences, ask: ask)
            if let answer = try asked.answer(question.text) {
                given[question.id] = answer
                used.remove(question.id)
            } else {
                given[question.id] = nil
                cancelled.insert(question.id)
                newlyCancelled.insert(question.id)
            }
        }
    }

    /// Asks the user about the held todos of a round.
    mutating func ask(_ round: Round, _ ask: @Sendable ([HeldTodo]) throws -> HeldAnswer) throws {
        if !round.heldToAsk.isEmpty { held = (round.heldToAsk, try ask(round.heldToAsk)) }
    }

    /// The paths of todos that no longer had a conflict once the user had answered.
    var unused: [String] {
        given.filter { !used.contains($0.key) }.map(\.value.conflict.path).sorted(byBytesOf: \.self)
    }
}

extension Exchange {
    /// Applies the user's answers about remote changes that are in the journal, at the beginning of a round.
    ///
    /// This needs no connection, so an answer isn't lost if the remote can no longer be reached.
    func applyAnswers() async throws {
        // The log contains only operations that have begun.
        if !answers.newlyCancelled.isEmpty { try locked.transaction.begin() }
        for id in answers.newlyCancelled.sorted() { cancel(id) }
        try resolveMarkers()
        var held: [TodoID: RemoteState] = [:]
        for id in answers.given.keys {
            guard let recorded = locked.tracked.todos[id], recorded.sent == nil else { continue }
            held[id] = recorded.held
        }
        if !held.isEmpty { try await applyChanges(held) }
    }

    /// Resolves the conflicts that another command wrote into files while the user was asked about them.
    private func resolveMarkers() throws {
        let snapshot = locked.snapshot
        let opened = answers.given.filter { snapshot.condition(of: $0.key).isConflicted }
        guard !opened.isEmpty else { return }
        var resolved = ResolveReport()
        round.changedMarkers = try locked.resolve(
            opened.keys.sorted(), .ask { _ in .cancel }, isNamed: true, answers: opened, &resolved)
        for todo in resolved.resolved {
            guard let id = todo.id else { continue }
            round.used.insert(id)
            let isDeleted = locked.snapshot.folder.path(of: id) == nil
            round.report.merged.append(
                ReportRow(
                    id: id, path: todo.path, operation: isDeleted ? .delete : .update,
                    fields: opened[id]?.conflict.fields ?? []))
        }
    }
}
