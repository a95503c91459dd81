internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// Asks the user about each conflict of a todo.
struct Questions {
    var id: TodoID
    var path: String
    var kind: ConflictKind
    var labels: SideLabels?
    /// See ``ConflictQuestion/changed``.
    var changed: Side?
    /// The todo's position among the todos that the user is asked about, and their number.
    var position = (number: 1, count: 1)
    /// The remembered answers, each for one or more blocks.
    var remembered: [ConflictedText.Difference] = []
    /// The answers that give a field the values of both sides, each for one or more blocks.
    var unions: [ConflictedText.Difference] = []
    var ask: @Sendable (ConflictQuestion) throws -> ConflictAnswer

    /// Returns the file's text after the user's answers: a valid todo, or only its id if the user chose the
    /// side that deleted it; nil if the user cancels.
    func answer(_ text: ConflictedText) throws -> [UInt8]? {
        var problem: String?
        let title = title(of: text)
        asking: while true {
            var bytes: [UInt8] = []
            var number = 0
            var place = 0
            while place < text.pieces.count {
                let piece = text.pieces[place]
                place += 1
                switch piece {
                case .text(let same): bytes += same
                case .block(let block):
                    number += 1
                    let known = answer(from: remembered, in: text, at: place - 1)
                    let rest = ConflictedText(pieces: Array(text.pieces[(place - 1)...]))
                    let both =
                        allowsBoth(bytes, rest)
                        ? (lines: block.local + block.remote, count: 1)
                        : answer(from: unions, in: text, at: place - 1)
                    let question = ConflictQuestion(
                        id: id, path: path, title: title, todo: position, kind: kind, labels: labels,
                        block: block, allowsBoth: both != nil,
                        file: bytes + rest.text(style: .merge), number: number,
                        count: text.blocks.count, remembered: known?.lines,
                        changed: changed, problem: problem)
                    let given = try ask(question)
                    switch given {
                    case .useLocal: bytes += block.local
                    case .useRemote: bytes += block.remote
                    case .useRemembered, .useBoth:
                        let lasting = if case .useBoth = given { both } else { known }
                        guard let lasting else { return nil }
                        bytes += lasting.lines
                        let answered = text.pieces[place..<place - 1 + lasting.count]
                        number += ConflictedText(pieces: Array(answered)).blocks.count
                        place += answered.count
                    case .edited(let lines): bytes += lines
                    case .editedFile(let file):
                        problem = self.problem(in: file)
                        if problem == nil { return file }
                        continue asking
                    case .cancel: return nil
                    }
                    problem = nil
                }
            }
            problem = self.problem(in: bytes)
            if problem == nil { return bytes }
        }
    }

    /// Returns why a text can't be the answer; nil if it can.
    private func problem(in bytes: [UInt8]) -> String? {
        switch ParsedFile(bytes, isRecorded: true) {
        case .todo(let todo) where todo.id == id: nil
        case .onlyID(let found) where found == id && kind.hasDeletion: nil
        case .invalid(let found, _): "line \(found.line): \(found.message)"
        case .todo, .markers, .onlyID, .other: "it is not a todo with the id \(id)"
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
        from differences: [ConflictedText.Difference], in text: ConflictedText, at place: Int
    ) -> (lines: [UInt8], count: Int)? {
        for difference in differences {
            if let lines = difference.answer, let count = text.count(of: difference, at: place) {
                return (lines, count)
            }
        }
        return nil
    }
}

extension ConflictKind {
    /// Whether one side deleted the todo.
    var hasDeletion: Bool { self == .editDelete || self == .deleteEdit }
}
