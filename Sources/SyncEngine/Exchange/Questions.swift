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
    var isAskedAgain: Bool
    /// The remembered answers for one or several blocks.
    var remembered: [ConflictedText.Difference] = []
    var ask: @Sendable (ConflictQuestion) throws -> ConflictAnswer

    /// Returns the text made of the answers, valid as a todo or as a deletion; nil if the user cancelled.
    func answer(_ text: ConflictedText) throws -> [UInt8]? {
        var problem: String?
        while true {
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
                    let known = answer(in: text, at: place - 1)
                    let question = ConflictQuestion(
                        id: id, path: path, kind: kind, labels: labels, block: block, number: number,
                        count: text.blocks.count, remembered: known?.lines,
                        isAskedAgain: isAskedAgain, problem: problem)
                    switch try ask(question) {
                    case .useLocal: bytes += block.local
                    case .useRemote: bytes += block.remote
                    case .useRemembered:
                        guard let known else { return nil }
                        bytes += known.lines
                        let answered = text.pieces[place..<place - 1 + known.count]
                        number += ConflictedText(pieces: Array(answered)).blocks.count
                        place += answered.count
                    case .edited(let lines): bytes += lines
                    case .cancel: return nil
                    }
                    problem = nil
                }
            }
            switch ParsedFile(bytes, isRecorded: true) {
            case .todo(let todo) where todo.id == id: return bytes
            case .onlyID(let found) where found == id && kind.hasDeletion: return bytes
            case .invalid(let found, _): problem = "line \(found.line): \(found.message)"
            case .todo, .markers, .onlyID, .other: problem = "it is not a todo with the id \(id)"
            }
        }
    }

    /// Returns the remembered answer for a block, and the number of pieces of the text that it replaces.
    private func answer(in text: ConflictedText, at place: Int) -> (lines: [UInt8], count: Int)? {
        for difference in remembered {
            if let lines = difference.answer, let count = text.count(of: difference, at: place) {
                return (lines, count)
            }
        }
        return nil
    }
}

extension ConflictKind {
    /// Whether one of the sides deleted the todo.
    var hasDeletion: Bool { self == .editDelete || self == .deleteEdit }
}
