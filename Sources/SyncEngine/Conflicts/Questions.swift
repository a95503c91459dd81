internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// Asks the user about each block of a todo's conflict.
struct Questions {
    var conflict: Conflict
    /// See ``ConflictQuestion/changed``.
    var changed: Side?
    /// The todo's position among the todos that the user is asked about, and their number.
    var position = (number: 1, count: 1)
    /// The remembered answers, each for one or more blocks.
    var remembered: [ConflictedText.Difference] = []
    /// The answers that give a field the values of both sides, each for one or more blocks.
    var unions: [ConflictedText.Difference] = []
    var ask: @Sendable (ConflictQuestion) throws -> ConflictAnswer

    private var id: TodoID { conflict.id }

    /// Returns the file's text after the user's answers: a valid todo, or only its id if the user chose the
    /// side that deleted it; nil if the user cancels.
    ///
    /// If the user cancels after typing a text, the answer is a draft with that text.
    func answer(_ question: ConflictedText) throws -> GivenAnswer? {
        var (text, typed, problem) = (question, [UInt8]?.none, ConflictQuestion.Problem?.none)
        func given(_ bytes: [UInt8], isDraft: Bool = false) -> GivenAnswer {
            GivenAnswer(conflict: conflict, question: question, bytes: bytes, isDraft: isDraft)
        }
        let title = title(of: text)
        asking: while true {
            var bytes: [UInt8] = []
            var number = 0
            var index = 0
            while index < text.pieces.count {
                let piece = text.pieces[index]
                index += 1
                switch piece {
                case .text(let same): bytes += same
                case .block(let block):
                    number += 1
                    let recalled = answer(from: remembered, in: text, at: index - 1)
                    let rest = ConflictedText(pieces: Array(text.pieces[(index - 1)...]))
                    let both =
                        allowsBoth(bytes, rest)
                        ? (lines: block.local + block.remote, count: 1)
                        : answer(from: unions, in: text, at: index - 1)
                    var file = bytes + rest.text(style: .merge, labels: conflict.labels)
                    if case .invalid? = problem, let typed { file = typed }
                    let question = ConflictQuestion(
                        id: id, path: conflict.path, title: title, todo: position, kind: conflict.kind,
                        labels: conflict.sides, block: block, allowsBoth: both != nil, file: file,
                        number: number, count: text.blocks.count, remembered: recalled?.lines,
                        changed: changed, problem: problem)
                    let answer = try ask(question)
                    let isInvalid = if case .invalid? = problem { true } else { false }
                    switch answer {
                    case .take(let side):
                        guard let lines = block[side] else { return nil }
                        bytes += lines
                    case .fields(let answers):
                        let current = ConflictedText(joining: [.text(bytes)] + rest.pieces)
                        guard let answered = try conflict.answering(answers, in: current) else { return nil }
                        (text, problem) = (answered, nil)
                        continue asking
                    case .remembered, .both:
                        let lasting = if case .both = answer { both } else { recalled }
                        guard let lasting else { return nil }
                        bytes += lasting.lines
                        let answered = text.pieces[index..<index - 1 + lasting.count]
                        number += ConflictedText(pieces: Array(answered)).blocks.count
                        index += answered.count
                    case .lines(let lines): bytes += lines
                    case .text(let edited):
                        if edited != file { typed = edited }
                        problem = self.problem(in: edited)
                        if problem == nil { return given(edited) }
                        if case .markersLeft(let left)? = problem { text = left.restoringBlocks(of: text) }
                        continue asking
                    case .draft(let edited): return given(edited, isDraft: true)
                    case .leave, .cancel: return typed == nil ? nil : given(file, isDraft: true)
                    }
                    // The user has decided against the text.
                    if isInvalid { typed = nil }
                    problem = nil
                }
            }
            problem = self.problem(in: bytes)
            if problem == nil { return given(bytes) }
        }
    }

    /// Returns why a text can't be the answer; nil if it can.
    private func problem(in bytes: [UInt8]) -> ConflictQuestion.Problem? {
        switch ParsedFile(bytes, isRecorded: true) {
        case .todo(let todo) where todo.id == id: nil
        case .onlyID(let found) where found == id && conflict.kind.hasDeletion: nil
        case .markers(let left, let found) where found == id || found == nil: .markersLeft(left)
        case .invalid(let found, _): .invalid("line \(found.line): \(found.message)")
        case .todo, .markers, .onlyID, .other: .invalid("it is not a todo with the id \(id)")
        }
    }

    /// Returns the todo's text on the local side, or else on the remote.
    private func title(of text: ConflictedText) -> String {
        for side in [Side.local, .remote] {
            if let bytes = text.taking(side), let todo = try? Todo(parsing: bytes) { return todo.text }
        }
        return ""
    }

    /// Returns whether the first block of a text can be resolved by keeping the lines of both sides.
    ///
    /// - Parameter before: The text before the block.
    private func allowsBoth(_ before: [UInt8], _ text: ConflictedText) -> Bool {
        guard case .block(let block)? = text.pieces.first, !block.local.isEmpty, !block.remote.isEmpty,
            block.local != block.remote,
            let rest = ConflictedText(pieces: Array(text.pieces.dropFirst())).taking(.local)
        else { return false }
        return problem(in: before + block.local + block.remote + rest) == nil
    }

    /// Returns the first answer that fits a block, with the number of pieces that it replaces.
    private func answer(
        from differences: [ConflictedText.Difference], in text: ConflictedText, at index: Int
    ) -> (lines: [UInt8], count: Int)? {
        for difference in differences {
            if let lines = difference.answer, let count = text.count(of: difference, at: index) {
                return (lines, count)
            }
        }
        return nil
    }
}
