internal import Git
internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// The files of a working directory, matched with the tracked todos.
struct Folder: Sendable {
    private(set) var todos: LocalTodos
    /// Valid todos without an id, in the order of their paths.
    var newTodos: [LocalTodo] { newTodosByPath.values.sorted(byBytesOf: \.path) }
    private var newTodosByPath: [ByteKey: LocalTodo] = [:]
    private(set) var conflicted: [TodoID: ConflictedFile] = [:]
    private(set) var invalid: [InvalidFile] = []
    private(set) var duplicates: [DuplicateFile] = []
    /// Copies of todos' files that other tools made, in the order of their paths.
    private(set) var copies: [CopiedFile] = []
    /// Todos whose file exists but can't be read as a todo, so they don't count as deleted.
    private(set) var unreadable: [TodoID: String] = [:]
    /// The paths of files that are YAML or have a YAML name but aren't todos.
    private(set) var otherFiles: [String] = []
    /// Todos whose file was moved to an ignored path, or survives only as copies.
    private(set) var setAside: Set<TodoID> = []
    /// The files that todos in ``setAside`` were moved to.
    private(set) var hidden: [TodoID: HiddenFile] = [:]
    /// What git is merging; read only if git might have written conflict markers.
    var gitMerge = GitMerge()
    let scan: FileScan
    let copyMemory: CopyMemory
    /// The file at each path that the scan found, except unchanged files.
    private var filesByPath: [ByteKey: File] = [:]

    private struct File {
        var bytes: [UInt8]
        /// The id of the todo that the file belongs to.
        var id: TodoID?
    }

    /// Matches files with todos.
    ///
    /// - Parameter state: A state that has loaded all todos except those that the scan found unchanged.
    init(scan: FileScan, state: State, _ copyMemory: CopyMemory, progress: Progress.Reporter? = nil) {
        let counter = progress.map { ProgressCounter(.reading, .todos, total: scan.files.count, $0) }
        self.scan = scan
        self.copyMemory = copyMemory
        todos = LocalTodos([:], scan.unchanged)
        var matching = Matching(
            state: state, unchanged: scan.unchanged, copyMemory: copyMemory, count: scan.files.count)
        filesByPath.reserveCapacity(scan.files.count)
        // Each file is parsed into a tree, so the files are read in parts to limit memory use.
        for start in stride(from: 0, to: scan.files.count, by: Matching.readingCount) {
            let files = Array(scan.files[start..<min(start + Matching.readingCount, scan.files.count)])
            let read = mapConcurrently(files) { [recorded = matching.recorded] in
                counter?.add()
                return ReadFile(
                    $0, isRecorded: recorded[ByteKey($0.path)] != nil,
                    keepsTree: scan.files.count <= Matching.readingCount)
            }
            for file in read {
                filesByPath[ByteKey(file.path)] = File(bytes: file.bytes)
                matching.take(file)
            }
        }
        matching.assignDuplicates()
        matching.assignMissingIDs()
        matching.assignHalfWritten()
        todos = LocalTodos(matching.todos, scan.unchanged)
        for id in matching.superseded {
            // A file that no longer belongs to a todo still exists.
            if let path = todos.unchanged.path(of: id) {
                filesByPath[ByteKey(path)] = File(bytes: todos.unchanged.bytes(of: id) ?? [])
            }
            todos[id] = matching.todos[id]
        }
        for local in matching.newTodos { newTodosByPath[ByteKey(local.path)] = local }
        conflicted = matching.conflicted
        invalid = (matching.invalid + Self.leftOut(of: scan)).sorted(byBytesOf: \.path)
        duplicates = matching.duplicates.sorted(byBytesOf: \.path)
        otherFiles = matching.otherFiles
        unreadable = matching.unreadable
        for (id, local) in matching.todos { filesByPath[ByteKey(local.path)]?.id = id }
        for (id, file) in conflicted { filesByPath[ByteKey(file.path)]?.id = id }
        for (id, path) in unreadable { filesByPath[ByteKey(path)]?.id = id }
        for (id, path) in matching.copies {
            let original = self.path(of: id)
            let todo = state.todos[id]
            if original == nil, todo?.localPath != nil || todo?.base?.todo != nil { setAside.insert(id) }
            copies.append(
                CopiedFile(
                    id: id, path: path,
                    original: original ?? state.formerPath(of: id, copiedTo: path, copyMemory),
                    isOrphan: original == nil))
        }
        copies = copies.sorted(byBytesOf: \.path)
    }

    /// Returns the files that are left out because of their names, and are otherwise meant as todos.
    private static func leftOut(of scan: FileScan) -> [InvalidFile] {
        scan.unsuitable.compactMap { unsuitable in
            let isTodo =
                switch unsuitable.file.content {
                case .read(let bytes): ParsedFile(bytes, isRecorded: false).isMeantAsTodo
                case .tooLarge(let beginning): LineScan.hasLine(beginning: "text:", in: beginning)
                }
            guard isTodo else { return nil }
            let problem = TodoProblem(
                reason: .unsuitableName("\(unsuitable.problem)"), line: 1, column: 1)
            return InvalidFile(path: unsuitable.file.path, problem: problem)
        }
    }

    /// Returns the bytes of the file at a path; nil if the scan found no file there.
    func bytes(at path: String) -> [UInt8]? {
        filesByPath[ByteKey(path)]?.bytes
            ?? todos.unchanged.id(at: path).flatMap { todos.unchanged.bytes(of: $0) }
    }

    /// Returns whether the scan found any file at a path.
    func hasFile(at path: String) -> Bool {
        filesByPath[ByteKey(path)] != nil || todos.unchanged.id(at: path) != nil
    }

    /// Returns whether the todo's file is in the folder, valid or not.
    func hasFile(of id: TodoID) -> Bool {
        todos.contains(id) || conflicted[id] != nil || unreadable[id] != nil
    }

    /// Returns the id of the todo whose file is at a path.
    func id(at path: String) -> TodoID? {
        filesByPath[ByteKey(path)]?.id ?? todos.unchanged.id(at: path)
    }

    /// Returns the todo's file if it can't be read as a todo.
    func invalidFile(of id: TodoID) -> InvalidFile? {
        unreadable[id].flatMap { path in invalid.first { $0.path.isSameBytes(as: path) } }
    }

    /// Returns whether only copies made by other tools are left of a todo's file, and nothing hides the file
    /// itself.
    func hasOnlyCopies(of id: TodoID, _ state: State) -> Bool {
        let isSeen = state.todos[id]?.localPath.map { scan.wouldSee($0) } ?? true
        return isSeen && copies.contains { $0.id == id && $0.isOrphan }
    }

    /// Returns the path of the todo's file.
    func path(of id: TodoID) -> String? {
        todos.path(of: id) ?? conflicted[id]?.path ?? unreadable[id]
    }

    /// Returns whether a todo's file, which was written before, is certain to be gone.
    ///
    /// It is neither at its recorded path nor, by its id, at any other, and the scan would have found it.
    func isGone(_ id: TodoID, _ state: TodoState) -> Bool {
        guard !hasFile(of: id), !setAside.contains(id), state.unfinished == nil else { return false }
        guard let localPath = state.localPath else { return true }
        return hasFile(at: localPath) || scan.wouldSee(localPath)
    }
}

extension Folder {
    /// Returns the recorded change of the remote that a pull or push applies to a todo's file; nil if there
    /// isn't one.
    ///
    /// It is a held one, or that of a conflict without markers whose file has changed since.
    func recordedChange(of id: TodoID, _ state: TodoState) -> RemoteState? {
        if state.sent != nil || state.held != nil { return state.sent == nil ? state.held : nil }
        guard let conflict = state.conflict, conflict.obstacle != nil,
            todos[id]?.bytesWithID != conflict.local
        else { return nil }
        return conflict.remote
    }

    /// Searches the ignored files for todos that seem to be gone.
    mutating func inspectMissing(in directory: WorkingDirectory, _ state: State) {
        let missing = state.todos.loaded.filter {
            $0.value.base?.todo != nil && !$0.value.isNotKept && isGone($0.key, $0.value)
        }
        guard !missing.isEmpty else { return }
        for (file, text) in IgnoredFiles(in: directory).texts(scan) {
            guard let id = LineScan.id(in: text), missing[id] != nil else { continue }
            setAside.insert(id)
            hidden[id] = HiddenFile(file: file, text: text)
        }
    }

    /// Updates the folder after a todo's file was written.
    ///
    /// - Parameters:
    ///   - stamp: The stamp to recognize the file by; nil if the file could still change without a new stamp.
    ///   - text: The bytes, if they were already checked.
    mutating func write(
        _ id: TodoID, at path: String, _ bytes: [UInt8], stamp: FileStamp?, isConflicted: Bool,
        checked text: CheckedText? = nil
    ) {
        forget(id)
        filesByPath[ByteKey(path)] = File(bytes: bytes, id: id)
        newTodosByPath[ByteKey(path)] = nil
        duplicates.removeAll { $0.path.isSameBytes(as: path) }
        copies.removeAll { $0.path.isSameBytes(as: path) }
        for index in copies.indices where copies[index].id == id { copies[index].original = path }
        if let text, !isConflicted {
            todos[id] = LocalTodo(id: id, path: path, text, stamp: stamp)
            return
        }
        switch ParsedFile(bytes, isRecorded: true) {
        case .todo(let todo) where isConflicted:
            conflicted[id] = ConflictedFile(id: id, path: path, bytes: bytes, content: .todo(todo))
        case .todo(let todo):
            todos[id] = LocalTodo(id: id, path: path, todo: todo, stamp: stamp, keepsTree: false)
        case .markers(let text, _):
            conflicted[id] = ConflictedFile(id: id, path: path, bytes: bytes, content: .markers(text))
            if !isConflicted { unreadable[id] = path }
        case .onlyID:
            conflicted[id] = ConflictedFile(id: id, path: path, bytes: bytes, content: .onlyID)
        case .invalid(let problem, _):
            if isConflicted {
                conflicted[id] = ConflictedFile(
                    id: id, path: path, bytes: bytes, content: .invalid(problem))
            } else {
                unreadable[id] = path
                invalid.append(InvalidFile(path: path, problem: problem))
            }
        case .other: break
        }
    }

    /// Treats a file without an id as a todo's file, or as a duplicate if the todo has a different file.
    mutating func match(_ file: LocalTodo, with id: TodoID) {
        newTodosByPath[ByteKey(file.path)] = nil
        if let path = path(of: id) {
            duplicates.append(DuplicateFile(id: id, path: file.path, keptBy: path))
            duplicates = duplicates.sorted(byBytesOf: \.path)
        } else {
            todos[id] = file.taken(for: id)
            filesByPath[ByteKey(file.path)]?.id = id
        }
    }

    /// Treats a todo's file without an id as a new todo.
    mutating func release(_ file: LocalTodo) {
        guard let id = file.id else { return }
        todos[id] = nil
        newTodosByPath[ByteKey(file.path)] = file.taken(for: nil)
        filesByPath[ByteKey(file.path)]?.id = nil
    }

    /// Marks the duplicates that are git's.
    mutating func markDuplicates(ofGit paths: Set<String>) {
        for index in duplicates.indices where paths.contains(duplicates[index].path) {
            duplicates[index].comesFromGit = true
        }
    }

    /// Updates the folder after a todo's file was removed.
    mutating func forget(_ id: TodoID) {
        if let path = path(of: id) {
            // In a swap, another todo's file might already be at the path.
            if filesByPath[ByteKey(path)]?.id == id { filesByPath[ByteKey(path)] = nil }
            invalid.removeAll { $0.path.isSameBytes(as: path) }
        }
        todos[id] = nil
        conflicted[id] = nil
        unreadable[id] = nil
    }

    /// Releases the files of todos that are known to equal their base versions.
    mutating func leave(to unchanged: UnchangedFiles) {
        filesByPath = filesByPath.filter { $0.value.id.map(unchanged.contains) != true }
        var loaded = todos.loaded.filter { !unchanged.contains($0.key) }
        // For these todos, more than the base version has to be kept from now on.
        for id in todos.unchanged.ids(beginning: "") where !unchanged.contains(id) {
            guard let local = todos[id] else { continue }
            loaded[id] = local
            filesByPath[ByteKey(local.path)] = File(bytes: local.bytes, id: id)
        }
        todos = LocalTodos(loaded, unchanged)
    }

    /// Marks a path as taken by something other than a todo.
    mutating func occupy(_ path: ByteKey) {
        if !hasFile(at: path.string) { filesByPath[path] = File(bytes: []) }
    }

    /// Returns a todo's file, if it was read or written and needn't be read again until it changes.
    func stampedFile(of id: TodoID) -> StampedFile? {
        guard let local = todos.loaded[id], !local.lacksID, !local.hasOddities, let stamp = local.stamp
        else { return nil }
        return StampedFile(id: id, path: local.path, bytes: local.bytes, stamp: stamp)
    }
}
