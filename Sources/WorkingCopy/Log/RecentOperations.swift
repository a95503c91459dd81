internal import LosslessYAML
internal import Platform
package import TodoModel
internal import Values

/// The newest operations of the log that changed anything, the newest first.
///
/// The operations are found at the end of the journal, so reading a long log takes no longer than reading a
/// short one.
package struct RecentOperations: Sendable {
    package struct Operation: Sendable, Hashable {
        package var operation: String
        /// The time when the operation began, in RFC 3339 format and UTC.
        package var time: String
        package var command: String
    }

    package private(set) var operations: [Operation] = []

    /// The number of bytes at the journal's end that are searched for operations.
    private static let searchedSize = 1 << 22
    private static let limit = 50

    /// Finds the newest operations in a working directory's journal.
    ///
    /// - Throws: An error if the journal can't be read.
    package init(in directory: WorkingDirectory) throws(FileError) {
        let fileSystem = directory.fileSystem
        let folder = try StateFolder(root: directory.root, fileSystem: fileSystem).folder
        guard let file = try fileSystem.open(Journal.name, in: folder, for: .reading) else {
            self.init(ending: [])
            return
        }
        let size = Int(try fileSystem.status(of: file).stamp.size)
        let start = max(0, size - Self.searchedSize)
        self.init(ending: try fileSystem.read(file, from: start, atMost: size - start))
    }

    /// Finds the operations in the last bytes of a journal, which can begin in the middle of a line.
    init(ending bytes: [UInt8]) {
        // Parsing only the lines that matter takes a hundredth of the time.
        let lines = Self.lines(of: bytes)
        var changedNothing = false
        for line in lines.reversed() where operations.count < Self.limit {
            if bytes[line].suffix(Self.noTodos.count).elementsEqual(Self.noTodos) {
                changedNothing = true
            } else if bytes[line].dropFirst(9).starts(with: Self.beginning),
                case .begin(let operation, let time, let command)? = JournalLines.record(in: bytes[line])
            {
                if !changedNothing {
                    operations.append(Operation(operation: operation, time: time, command: command))
                }
                changedNothing = false
            }
        }
    }

    private static let beginning = Array(#"{"record":"begin","#.utf8)
    private static let noTodos = Array(#""todos":[]}"#.utf8)

    /// Returns the ranges of the lines without their line feeds.
    private static func lines(of bytes: [UInt8]) -> [Range<Int>] {
        bytes.withUnsafeBufferPointer { bytes in
            var lines: [Range<Int>] = []
            var start = 0
            while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
                lines.append(start..<end)
                start = end + 1
            }
            return lines
        }
    }
}

/// The last operation on a todo that the journal records.
package struct LastTouch: Sendable, Hashable {
    /// Whether the last record about the todo announces that its file is removed.
    package fileprivate(set) var isRemoval = false
    /// Whether the file is removed because the remote deleted the todo, or never existed for that reason.
    package fileprivate(set) var isFromRemote = false
    /// The other todos whose files the operation changed.
    package fileprivate(set) var others: Set<TodoID> = []

    fileprivate static let removalFromRemote = LastTouch(isRemoval: true, isFromRemote: true)
}

extension WorkingDirectory {
    /// Returns the last operation on a todo; nil if the journal has no record about it.
    package func lastTouch(_ id: TodoID) throws -> LastTouch? {
        let journal = try wholeJournal()
        guard journal[...].contains(JSON.write(.string(id.string))) else { return nil }
        var last: LastTouch?
        var isCurrent = false
        var others: Set<TodoID> = []
        for line in JournalLines(journal) {
            switch line.record {
            case .begin:
                others = []
                isCurrent = false
            case .announced(let edit) where edit.id != id:
                others.insert(edit.id)
                if isCurrent { last?.others.insert(edit.id) }
            case .announced(let edit):
                last = LastTouch(
                    isRemoval: edit.to == nil, isFromRemote: edit.remote != nil, others: others)
                isCurrent = true
            case .abandoned(id): last?.isRemoval = false
            case .finished(id), .dropped(id), .accepted(id, _), .rejected(id), .held(id, _): break
            case .sent(id, let sent) where sent.bytes == nil: break
            case .confirmed(id, .deleted, _, _): last = last ?? .removalFromRemote
            case .remembered(id, let state) where state.base.map { $0.todo == nil } == true:
                last = .removalFromRemote
            case let record where record.finishedTodo == id: last = LastTouch(others: others)
            default: break
            }
        }
        return last
    }
}
