internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// Whether changes that were announced and may not have been carried out are in the folder.
///
/// The files tell: one that is as it was announced was written.
enum Settlement {
    /// Returns a record for every unfinished change that the files at its paths decide.
    static func byPaths(_ state: State, _ files: FileContents) -> [JournalRecord] {
        state.todos.loaded.compactMap { id, todo in
            guard let unfinished = todo.unfinished else { return nil }
            guard let to = unfinished.to else {
                let left = unfinished.from.flatMap { files.bytes(at: $0) }
                return left == nil ? .finished(id: id) : nil
            }
            return files.bytes(at: to) == unfinished.bytes ? .finished(id: id) : nil
        }
    }

    /// Returns the removals of files that were moved to another file system, where they are already, and not
    /// taken away yet.
    static func leftBehind(_ state: State, _ files: FileContents) -> [FileChange] {
        state.todos.loaded.values.compactMap { todo in
            guard let unfinished = todo.unfinished, let from = unfinished.from, let to = unfinished.to,
                !from.isSameBytes(as: to), files.bytes(at: to) == unfinished.bytes,
                let bytes = files.bytes(at: from),
                [unfinished.replaced, todo.base?.todo?.bytes, unfinished.bytes].contains(bytes)
            else { return nil }
            return .remove(path: from, expecting: bytes)
        }
    }

    /// Returns a record for every unfinished change of a todo whose file is there, but not as announced.
    ///
    /// What is left then are files that are nowhere: they were never written, or taken away to be written.
    static func byInventory(_ state: State, _ inventory: Inventory) -> [JournalRecord] {
        state.todos.loaded.compactMap { id, todo in
            guard let unfinished = todo.unfinished else { return nil }
            guard let path = inventory.path(of: id) else {
                // What was to be removed may have become no todo's file.
                guard unfinished.to == nil, let from = unfinished.from, inventory.hasFile(at: from),
                    inventory.id(at: from) == nil
                else { return nil }
                return .abandoned(id: id)
            }
            // Markers that somebody has worked on since they were written are no less a conflict's.
            let isOpening =
                switch unfinished.conflict {
                case .opens, .reopens: true
                case .none, .closes, .aborts: false
                }
            if isOpening, let bytes = inventory.bytes(at: path), MarkerScan.hasMarkerLine(bytes) {
                return .finished(id: id)
            }
            return .abandoned(id: id)
        }
    }
}

/// The bytes that a scan found at each path.
struct FileContents {
    private var contents: [ByteKey: [UInt8]] = [:]
    private let unchanged: UnchangedFiles

    init(_ scan: FileScan) {
        unchanged = scan.unchanged
        for file in scan.files {
            if case .read(let bytes) = file.content { contents[ByteKey(file.path)] = bytes }
        }
    }

    func bytes(at path: String) -> [UInt8]? {
        contents[ByteKey(path)] ?? unchanged.id(at: path).flatMap { unchanged.bytes(of: $0) }
    }
}

extension Inventory {
    /// Matches files with todos for a command that only reads: what a crash cut off is taken as the files
    /// tell, and nothing is written.
    static func settled(_ scan: FileScan, _ state: inout State) -> Inventory {
        settling(scan, &state).inventory
    }

    /// Does so, and returns the records that tell it besides.
    static func settling(
        _ scan: FileScan, _ state: inout State
    ) -> (inventory: Inventory, records: [JournalRecord]) {
        state.load(besides: scan.unchanged)
        guard state.hasUnfinished else { return (Inventory(scan: scan, state: state), []) }
        let byPaths = Settlement.byPaths(state, FileContents(scan))
        for record in byPaths { state.apply(record) }
        let inventory = Inventory(scan: scan, state: state)
        let byInventory = Settlement.byInventory(state, inventory)
        guard !byInventory.isEmpty else { return (inventory, byPaths) }
        for record in byInventory { state.apply(record) }
        return (Inventory(scan: scan, state: state), byPaths + byInventory)
    }
}

extension State {
    /// The changes that were announced and are not known to be carried out.
    fileprivate var unfinished: [Bringing] { todos.loaded.values.compactMap(\.unfinished) }
}

extension Run {
    /// Finishes what a command that was cut off had begun.
    func recover() throws {
        guard state.openOperation != nil || state.hasUnfinished else { return try rescueLeftovers(in: []) }
        let command = state.openOperation?.command
        let folders = state.foldersUnderWay
        let unfinished = state.unfinished
        let begun = unfinished.count
        try settleUnfinished()
        try transaction.begin()
        try rescueLeftovers(in: folders)
        // The command may have been cut off just before it removed folders that it had emptied.
        transaction.removeEmptyFolders(
            unfinished.filter { !givenUp.contains($0.id) }.compactMap(\.folderLeft))
        if let command { surroundings.notice(recovered(command, begun: begun)) }
    }

    /// Returns the words for what became of a command that was cut off.
    private func recovered(_ command: String, begun: Int) -> String {
        let name = "an interrupted command (\(command))"
        if begun == 0 { return "\(name) left nothing to finish in the files" }
        let left = givenUp.count == 1 ? "1 todo stays as it is" : "\(givenUp.count) todos stay as they are"
        if givenUp.isEmpty { return "finished what \(name) had begun" }
        if givenUp.count >= begun { return "gave up what \(name) had begun: \(left)" }
        return "finished what \(name) had begun, in part: \(left)"
    }

    /// Finds out which announced changes were carried out, and writes the files that are nowhere.
    ///
    /// The folder was looked at just before.
    func settleUnfinished() throws {
        let removals = Settlement.leftBehind(state, FileContents(inventory.scan))
        try settleByFiles()
        if try transaction.apply(removals).contains(.done) { try lookAgain() }
        try writeMissingFiles()
    }

    /// Finds out which announced changes were carried out.
    func settleByFiles() throws {
        guard state.hasUnfinished else { return }
        let files = FileContents(inventory.scan)
        try refuseUnreadable(files)
        let byPaths = Settlement.byPaths(state, files)
        try transaction.record(byPaths)
        if !byPaths.isEmpty { matchAgain() }
        let byInventory = Settlement.byInventory(state, inventory)
        try transaction.record(byInventory)
        for case .abandoned(let id) in byInventory { givenUp.insert(id) }
        if !byInventory.isEmpty { matchAgain() }
    }

    /// Stops where files that would tell what was carried out can't be read: taken for absent, they would be
    /// written a second time.
    private func refuseUnreadable(_ files: FileContents) throws {
        for unfinished in state.unfinished {
            if let to = unfinished.to, files.bytes(at: to) == unfinished.bytes { continue }
            for path in [unfinished.from, unfinished.to].compactMap(\.self) {
                if case .unreadable(let error) = inventory.scan.reasonNotToSee(path) {
                    throw EngineError.cannotFinish(error)
                }
            }
        }
    }

    /// Writes the files that were announced and are nowhere.
    ///
    /// They go where they were to be, or else where they were, or by a name that is this folder's alone,
    /// until the next pull puts them right.
    private func writeMissingFiles() throws {
        var failure: FileError?
        for _ in 0..<Self.maximumTries where state.hasUnfinished {
            let creations = try announceMissingFiles()
            let outcomes = try transaction.apply(
                creations.map { .create(path: $0.path, bytes: $0.bytes) })
            var records: [JournalRecord] = []
            for (creation, outcome) in zip(creations, outcomes) {
                switch outcome {
                case .done: records.append(.finished(id: creation.id))
                case .failed(let error):
                    failure = error
                    // Another name is no help where the disk is at fault.
                    if !error.isOfDisk { occupied.insert(ByteKey(creation.path)) }
                default: occupied.insert(ByteKey(creation.path))
                }
            }
            try transaction.record(records)
            try lookAgain()
            // One that could not be written may be there again.
            try settleByFiles()
            if failure?.isOfDisk == true { break }
        }
        if let failure, state.hasUnfinished { throw failure }
        for unfinished in state.unfinished { try giveUp(unfinished) }
    }

    /// Chooses places for the files that are nowhere, and announces those that are other ones.
    private func announceMissingFiles() throws -> [(id: TodoID, path: String, bytes: [UInt8])] {
        var creations: [(id: TodoID, path: String, bytes: [UInt8])] = []
        for unfinished in state.unfinished.sorted(by: { $0.id < $1.id }) {
            guard let to = unfinished.to, let bytes = unfinished.bytes else {
                try transaction.record([.finished(id: unfinished.id)])
                continue
            }
            guard let place = placeForMissing(unfinished, to) else {
                try giveUp(unfinished)
                continue
            }
            if !place.isSameBytes(as: to) {
                let bringing = unfinished.moved(to: place, isDisplaced: true)
                try transaction.record([.abandoned(id: unfinished.id), .bringing(bringing)])
            }
            inventory.occupy(ByteKey(place))
            creations.append((unfinished.id, place, bytes))
        }
        return creations
    }

    private func placeForMissing(_ unfinished: Bringing, _ to: String) -> String? {
        let places = [to, unfinished.from].compactMap(\.self)
        if let free = places.first(where: { isUsable($0) && !inventory.hasFile(at: $0) }) { return free }
        return placeAmongFiles(unfinished.id, to)?.path
    }

    /// Leaves a text that has no place to the operation log.
    private func giveUp(_ unfinished: Bringing) throws {
        var records = [JournalRecord.abandoned(id: unfinished.id)]
        if let text = TextOfTodo(unfinished.bytes, at: unfinished.to ?? unfinished.id.string) {
            records.insert(.kept(id: unfinished.id, path: text.path, bytes: text.bytes), at: 0)
        }
        try transaction.record(records)
        givenUp.insert(unfinished.id)
    }

    /// Looks through what an interrupted command left in `.todosync/tmp`: a text that nothing else has is put
    /// into the journal, so that `restore` can bring it back.
    ///
    /// - Parameter folders: where else there may be such files, as on another file system.
    private func rescueLeftovers(in folders: [String]) throws {
        try transaction.removeUnfinishedFolders()
        let leftovers = try transaction.leftovers(in: folders)
        // Many, where a command was giving ids to many files.
        lazy var textsWithoutID = Set(
            inventory.newTodos.map(\.bytes)
                + inventory.todos.loaded.values.map { MarkerScan.withoutIDLine($0.bytes) })
        for leftover in leftovers {
            guard let bytes = leftover.bytes else {
                surroundings.notice(
                    "an interrupted command left \(leftover.name), which is no todo's file; it stays there")
                continue
            }
            if bytes.isEmpty {
                // It was about to be written.
            } else if let id = MarkerScan.id(in: bytes) {
                try keepIfUnknown(bytes, id)
            } else if !textsWithoutID.contains(bytes) {
                try keepWithoutID(bytes)
            }
            try transaction.synchronize()
            try transaction.discard(leftover)
        }
    }

    private func keepIfUnknown(_ bytes: [UInt8], _ id: TodoID) throws {
        let todo = state.todos[id]
        let known = [
            todo?.base?.todo?.bytes, todo?.held?.todo?.bytes, todo?.conflict?.local,
            inventory.path(of: id).flatMap { inventory.bytes(at: $0) },
        ]
        guard !known.contains(bytes) else { return }
        let path = todo?.place ?? inventory.path(of: id) ?? "todo.yaml"
        try transaction.record([.kept(id: id, path: path, bytes: bytes)])
    }

    private func keepWithoutID(_ bytes: [UInt8]) throws {
        let id = surroundings.newTodoID()
        try transaction.record([.kept(id: id, path: "todo.yaml", bytes: bytes)])
        let isTodo = (try? Todo(parsing: bytes)) != nil
        surroundings.notice(
            "a text without an id was left by an interrupted command; "
                + (isTodo
                    ? "todosync restore \(id.string) --to \(operation)^ brings it back"
                    : "todosync show \(id.string) --at \(operation)^ prints it"))
    }
}
