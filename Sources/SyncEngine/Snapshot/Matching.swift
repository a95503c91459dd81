internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// A scanned file, parsed without regard to other files.
struct ReadFile: Sendable {
    let path: String
    /// The bytes that were read from it.
    let bytes: [UInt8]
    let content: Content

    enum Content: Sendable {
        /// A valid todo, with the id that is in the file.
        case todo(LocalTodo)
        /// Not a valid todo by itself.
        case reading(ParsedFile)
        /// Larger than a todo can be.
        case tooLarge
    }

    /// - Parameters:
    ///   - isRecorded: Whether a todo was recorded at its path.
    ///   - keepsTree: Whether a parsed todo is kept, so that it needn't be parsed again.
    init(_ file: FoundFile, isRecorded: Bool, keepsTree: Bool) {
        path = file.path
        switch file.content {
        case .tooLarge(let beginning):
            bytes = beginning
            content = .tooLarge
        case .read(let read):
            bytes = read
            let reading = ParsedFile(read, isRecorded: isRecorded)
            if case .todo(let todo) = reading {
                content = .todo(
                    LocalTodo(
                        id: todo.id, path: file.path, todo: todo, stamp: file.stamp, keepsTree: keepsTree))
            } else {
                content = .reading(reading)
            }
        }
    }
}

/// Matches scanned files with todos, file by file.
struct Matching {
    let state: State
    private let unchanged: UnchangedFiles
    private let copyMemory: CopyMemory
    /// The todos by their recorded paths.
    let recorded: [ByteKey: TodoID]
    /// Todos that aren't kept here, by their former paths.
    private let purged: [ByteKey: [TodoID]]
    /// The todos with an open conflict whose file was written with markers.
    private let openConflicts: Set<TodoID>

    var todos: [TodoID: LocalTodo] = [:]
    var newTodos: [LocalTodo] = []
    var conflicted: [TodoID: ConflictedFile] = [:]
    var invalid: [InvalidFile] = []
    var duplicates: [DuplicateFile] = []
    /// Copies that other tools made, with the ids of their todos.
    private(set) var copies: [(id: TodoID, path: String)] = []
    var unreadable: [TodoID: String] = [:]
    var otherFiles: [String] = []
    /// Todos with unchanged files whose ids belong to other files.
    private(set) var superseded: [TodoID] = []

    /// The first file for each id, in lowercase because ids that differ only in case can't coexist.
    private var claims: [TodoID: Claim] = [:]
    /// Further files with the same ids.
    private var rivals: [TodoID: [Claim]] = [:]
    /// Files without an id at the recorded path of a todo.
    private var atRecordedPath: [(TodoID, Claim)] = []
    /// Files with the id of a todo recorded at a different path, which aren't todos by themselves.
    private var halfWritten: [Claim] = []

    private struct Claim {
        var id: TodoID
        var path: String
        var content: Content
        enum Content {
            case todo(LocalTodo)
            indirect case conflicted(ConflictedFile)
            indirect case unreadable(TodoProblem)
        }

        var isUnreadable: Bool { if case .unreadable = content { true } else { false } }
    }

    /// - Parameter count: The number of files to expect.
    init(state: State, unchanged: UnchangedFiles, copyMemory: CopyMemory, count: Int) {
        self.state = state
        self.unchanged = unchanged
        self.copyMemory = copyMemory
        todos.reserveCapacity(count)
        claims.reserveCapacity(count)
        var recorded: [ByteKey: TodoID] = [:]
        var purged: [ByteKey: [TodoID]] = [:]
        var openConflicts: Set<TodoID> = []
        for (id, todo) in state.todos.loaded {
            if todo.isNotKept, let path = todo.formerLocalPath {
                purged[ByteKey(path), default: []].append(id)
            }
            if let localPath = todo.localPath { recorded[ByteKey(localPath)] = id }
            if todo.hasMarkedConflict { openConflicts.insert(id) }
        }
        self.recorded = recorded
        self.purged = purged
        self.openConflicts = openConflicts
    }

    /// The number of files that are parsed at once; the trees are kept if there aren't more files.
    static let readingCount = 2048

    mutating func take(_ file: ReadFile) {
        switch file.content {
        case .todo(let local): take(file, local)
        case .reading(let reading): take(file, reading)
        case .tooLarge: takeTooLarge(file)
        }
    }

    private mutating func take(_ file: ReadFile, _ local: LocalTodo) {
        if let id = local.id {
            claim(id, local.path, content(id, local))
            return
        }
        let recordedID = recorded[ByteKey(local.path)] ?? purged(as: local)
        let local = local.taken(for: recordedID)
        if !local.hasRoomForID {
            takeInvalid(file, TodoProblem(reason: .noRoomForID, line: 1, column: 1), recordedID)
        } else if let recordedID {
            let content = content(recordedID, local)
            atRecordedPath.append((recordedID, Claim(id: recordedID, path: local.path, content: content)))
        } else {
            newTodos.append(local)
        }
    }

    /// Returns the purged todo whose file somebody put back without its id.
    ///
    /// Any other text at its path is a new todo, because names are reused.
    private func purged(as local: LocalTodo) -> TodoID? {
        let ids = (purged[ByteKey(local.path)] ?? []) + state.todos.idsNotKept(inCacheAt: local.path)
        return ids.sorted().first { id in
            guard let base = state.todos[id]?.base?.todo, let todo = try? Todo(parsing: base.bytes) else {
                return false
            }
            var fields = todo.document.fields
            fields[FieldName.id] = nil
            return fields == local.todo.document.fields
        }
    }

    /// Returns a valid file's role for its todo.
    private func content(_ id: TodoID, _ local: LocalTodo) -> Claim.Content {
        guard openConflicts.contains(id) else { return .todo(local) }
        return .conflicted(
            ConflictedFile(id: id, path: local.path, bytes: local.bytes, content: .todo(local.todo)))
    }

    private mutating func take(_ file: ReadFile, _ reading: ParsedFile) {
        let recordedID = recorded[ByteKey(file.path)]
        switch reading {
        case .todo: preconditionFailure("a valid file was made a todo when it was read")
        case .markers(let text, let id):
            takeMarked(file, text, id, recordedID)
        case .onlyID(let id):
            if openConflicts.contains(id) {
                claim(id, file.path, .conflicted(conflictedFile(id, file, .onlyID)))
            } else if state.todos[id] != nil || recordedID != nil {
                takeInvalid(file, TodoProblem(reason: .noText, line: 1, column: 1), id)
            }
        case .invalid(let problem, let id): takeInvalid(file, problem, id ?? recordedID)
        case .other(let problem, let id):
            if let id, state.todos.loaded[id].map({ $0.localPath != nil || $0.conflict != nil }) == true {
                halfWritten.append(Claim(id: id, path: file.path, content: content(id, file, problem)))
            } else {
                otherFiles.append(file.path)
            }
        }
    }

    /// Handles a file with conflict markers: todosync's, or git's without a recorded conflict.
    private mutating func takeMarked(
        _ file: ReadFile, _ text: ConflictedText, _ id: TodoID?, _ recordedID: TodoID?
    ) {
        if let id, openConflicts.contains(id) || text.isOfOneTodo(id) {
            claim(id, file.path, .conflicted(conflictedFile(id, file, .markers(text))))
            return
        }
        let owner = id ?? recordedID
        let isOpen = owner.map(openConflicts.contains) == true
        if id == nil, !isOpen, let owner, text.isOfOneTodo(owner) {
            let content = Claim.Content.conflicted(conflictedFile(owner, file, .markers(text)))
            atRecordedPath.append((owner, Claim(id: owner, path: file.path, content: content)))
            return
        }
        if owner == nil, let id = TodoID(ofUntracked: text, path: file.path, file.bytes) {
            claim(id, file.path, .conflicted(conflictedFile(id, file, .markers(text))))
            return
        }
        let stray = TodoProblem.strayMarkers(in: file.bytes, isBetweenTodos: owner != nil)
        takeInvalid(
            file, isOpen ? TodoProblem(reason: .otherID, line: stray.line, column: 1) : stray, owner)
    }

    /// Handles a file that is larger than a todo can be, based on its beginning.
    private mutating func takeTooLarge(_ file: ReadFile) {
        let recordedID = recorded[ByteKey(file.path)]
        guard recordedID != nil || LineScan.hasLine(beginning: "text:", in: file.bytes) else { return }
        takeInvalid(
            file, TodoProblem(reason: .tooLarge, line: 1, column: 1),
            LineScan.idLine(in: file.bytes) ?? recordedID)
    }

    private func conflictedFile(
        _ id: TodoID, _ file: ReadFile, _ content: ConflictedFile.Content
    ) -> ConflictedFile {
        ConflictedFile(id: id, path: file.path, bytes: file.bytes, content: content)
    }

    private mutating func claim(_ id: TodoID, _ path: String, _ content: Claim.Content) {
        let claim = Claim(id: id, path: path, content: content)
        if let first = claims.updateValue(claim, forKey: id.folded) {
            claims[id.folded] = first
            rivals[id.folded, default: []].append(claim)
        }
    }

    private mutating func takeInvalid(_ file: ReadFile, _ problem: TodoProblem, _ id: TodoID?) {
        if let id {
            // This applies even if the todo isn't tracked, for example after `.todosync` was lost.
            claim(id, file.path, content(id, file, problem))
        } else {
            invalid.append(InvalidFile(path: file.path, problem: problem))
        }
    }

    /// Returns an invalid file's role for its todo.
    private func content(_ id: TodoID, _ file: ReadFile, _ problem: TodoProblem) -> Claim.Content {
        openConflicts.contains(id)
            ? .conflicted(conflictedFile(id, file, .invalid(problem))) : .unreadable(problem)
    }

    /// Assigns each id to one file: the one at the todo's recorded path, otherwise the first by path.
    mutating func assignDuplicates() {
        for (folded, first) in claims {
            let others = rivals[folded] ?? []
            if others.isEmpty, first.id == folded, !unchanged.contains(folded), !isOrphanedCopy(first) {
                keep(first)
                continue
            }
            var claims = [first] + others
            let unchangedPath = unchanged.path(of: folded)
            if let path = unchangedPath,
                let todo = unchanged.bytes(of: folded).flatMap({ try? Todo(parsing: $0) })
            {
                let index = claims.firstIndex { path.utf8.lexicographicallyPrecedes($0.path.utf8) }
                let local = LocalTodo(id: folded, path: path, todo: todo, keepsTree: false)
                claims.insert(
                    Claim(id: folded, path: path, content: .todo(local)), at: index ?? claims.endIndex)
            }
            claims = withoutCopies(claims)
            guard !claims.isEmpty else {
                self.claims[folded] = nil
                continue
            }
            let recorded = claims.first {
                state.todos[$0.id]?.localPath?.isSameBytes(as: $0.path) == true
            }
            // If the todo isn't tracked, the first file that can be read keeps the id.
            let keeper =
                recorded ?? claims.first { state.todos[$0.id] == nil && !$0.isUnreadable } ?? claims[0]
            if let unchangedPath, unchangedPath.isSameBytes(as: keeper.path) {
                // The unchanged file is already recorded.
            } else {
                keep(keeper)
                if unchangedPath != nil { superseded.append(folded) }
            }
            for claim in claims where !claim.path.isSameBytes(as: keeper.path) {
                switch claim.content {
                case .unreadable(let problem): invalid.append(InvalidFile(path: claim.path, problem: problem))
                case .todo, .conflicted:
                    // An id that differs only in case is another todo's. That todo can't be tracked beside
                    // the keeper, but it doesn't count as deleted.
                    if claim.id != keeper.id { unreadable[claim.id] = claim.path }
                    duplicates.append(DuplicateFile(id: claim.id, path: claim.path, keptBy: keeper.path))
                }
            }
        }
    }

    // MARK: Copies

    /// Records the copies that other tools made among the files with an id, and returns the other files.
    private mutating func withoutCopies(_ claims: [Claim]) -> [Claim] {
        let isCandidate = claims.map { CopyName($0.path) != nil && !$0.isUnreadable && !isRecorded($0) }
        guard isCandidate.contains(true) else { return claims }
        var others = zip(claims, isCandidate).filter { !$0.1 }.map(\.0)
        var candidates = zip(claims, isCandidate).filter(\.1).map(\.0)
        // If a todo isn't tracked, the first of its copies becomes its file.
        if others.isEmpty, state.todos[candidates[0].id] == nil { others.append(candidates.removeFirst()) }
        let ids = Set(others.map(\.id))
        // A single name that people also give is the todo's new name; several can't all be.
        let left = others.isEmpty ? candidates.filter { !CopyName.isCertain($0.path) } : []
        let paths = others.map(\.path) + ids.compactMap { state.todos[$0]?.lastLocalPath }
        let areCopies = candidates.map { claim in
            ids.contains(claim.id)
                ? CopyName.isCertain(claim.path) || CopyName.isCopy(claim.path, ofFileAt: paths)
                    || isCopyOfFormerFile(claim)
                : isOrphanedCopy(claim) || isScattered(claim, among: left)
        }
        for (claim, isCopy) in zip(candidates, areCopies) where isCopy {
            copies.append((claim.id, claim.path))
        }
        candidates = zip(candidates, areCopies).filter { !$0.1 }.map(\.0)
        others += candidates
        return others.sorted(byBytesOf: \.path)
    }

    /// Returns whether a file is a copy of a tracked todo's file, even if that file is gone.
    private func isOrphanedCopy(_ claim: Claim) -> Bool {
        // The name comes last, because it takes longest to examine.
        guard let todo = state.todos[claim.id], !claim.isUnreadable, !isRecorded(claim),
            CopyName(claim.path) != nil
        else { return false }
        if CopyName.isCertain(claim.path) { return true }
        // Nobody can have renamed a file that todosync removed.
        if todo.localPath == nil, todo.base != nil { return isCopyOfFormerFile(claim) }
        return copyMemory.hasListed(claim.path, of: claim.id)
    }

    /// Returns whether a file is named as a copy of an earlier file of the todo, and isn't an earlier file
    /// itself.
    ///
    /// If the log doesn't show the todo's paths, any copy's name counts.
    private func isCopyOfFormerFile(_ claim: Claim) -> Bool {
        let paths = copyMemory.paths(of: claim.id)
        return !paths.contains { $0.isSameBytes(as: claim.path) }
            && (paths.isEmpty || CopyName.isCopy(claim.path, ofFileAt: paths))
    }

    /// Returns whether several remaining files of a todo, including the given one, are named as copies of the
    /// same file.
    ///
    /// That is the file at the todo's recorded path, or any other if the todo has been deleted.
    private func isScattered(_ claim: Claim, among left: [Claim]) -> Bool {
        let localPath = state.todos[claim.id]?.lastLocalPath
        let originals = localPath.map { [$0] } ?? CopyName(claim.path)?.originals ?? []
        return originals.contains { original in
            let copies = left.filter { CopyName.isCopy($0.path, ofFileAt: [original]) }
            return copies.count > 1 && copies.contains { $0.path.isSameBytes(as: claim.path) }
        }
    }

    /// Returns whether a todo was recorded at its file's path, or was about to be.
    private func isRecorded(_ claim: Claim) -> Bool {
        let todo = state.todos[claim.id]
        return [todo?.localPath, todo?.unfinished?.to].contains { $0?.isSameBytes(as: claim.path) == true }
    }

    /// Assigns files without an id to the todo recorded at their path, unless a different file has its id.
    mutating func assignMissingIDs() {
        for (id, claim) in atRecordedPath {
            let isTaken = claims[id.folded] != nil || unchanged.contains(id)
            switch claim.content {
            case .todo(let local):
                if isTaken { newTodos.append(local.taken(for: nil)) } else { todos[id] = local }
            case .conflicted(let file):
                if !isTaken {
                    keep(claim)
                } else if file.hasMarkers {
                    invalid.append(InvalidFile(path: file.path, problem: .strayMarkers(in: file.bytes)))
                }
            case .unreadable: break
            }
        }
    }

    /// Assigns files that aren't valid by themselves to the todos with their ids, if these have no other
    /// file.
    ///
    /// A todo that was renamed and is only half-written doesn't count as deleted.
    mutating func assignHalfWritten() {
        for claim in halfWritten {
            let id = claim.id
            let hasFile =
                claims[id.folded] != nil || unchanged.contains(id) || todos[id] != nil
                || conflicted[id] != nil || unreadable[id] != nil
            if hasFile { otherFiles.append(claim.path) } else { keep(claim) }
        }
    }

    private mutating func keep(_ claim: Claim) {
        switch claim.content {
        case .todo(let local): todos[claim.id] = local
        case .conflicted(let file):
            conflicted[claim.id] = file
            // Without an open conflict, only this shows that no change can be applied to the file.
            if !openConflicts.contains(claim.id) { unreadable[claim.id] = claim.path }
        case .unreadable(let problem):
            unreadable[claim.id] = claim.path
            invalid.append(InvalidFile(path: claim.path, problem: problem))
        }
    }
}
