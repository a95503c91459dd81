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
                let isThere = unfinished.from.map { files.bytes(at: $0) != nil } ?? false
                return isThere ? nil : .finished(id: id)
            }
            return files.bytes(at: to) == unfinished.bytes ? .finished(id: id) : nil
        }
    }

    /// Returns a record for every unfinished change of a todo whose file is there, but not as announced.
    ///
    /// What is left then are files that are nowhere: they were never written, or taken away to be written.
    static func byInventory(_ state: State, _ inventory: Inventory) -> [JournalRecord] {
        state.todos.loaded.compactMap { id, todo in
            guard let unfinished = todo.unfinished, let path = inventory.path(of: id) else { return nil }
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
        state.load(besides: scan.unchanged)
        for record in Settlement.byPaths(state, FileContents(scan)) { state.apply(record) }
        let inventory = Inventory(scan: scan, state: state)
        let records = Settlement.byInventory(state, inventory)
        guard !records.isEmpty else { return inventory }
        for record in records { state.apply(record) }
        return Inventory(scan: scan, state: state)
    }
}

extension Run {
    /// Finishes what a command that was cut off had begun.
    func recover() throws {
        guard
            state.openOperation != nil
                || state.todos.loaded.values.contains(where: { $0.unfinished != nil })
        else {
            return try rescueLeftovers()
        }
        let command = state.openOperation?.command
        try settleUnfinished()
        try transaction.begin()
        try rescueLeftovers()
        if let command { surroundings.notice("finished what an interrupted command (\(command)) had begun") }
    }

    /// Finds out which announced changes were carried out, and writes the files that are nowhere.
    func settleUnfinished() throws {
        try lookAgain()
        try transaction.record(Settlement.byPaths(state, FileContents(inventory.scan)))
        try lookAgain()
        try transaction.record(Settlement.byInventory(state, inventory))
        try writeMissingFiles()
        try lookAgain()
    }

    /// Writes the files that were announced and are nowhere.
    ///
    /// They go where they were to be, or else where they were, or by a name that is this folder's alone,
    /// until the next pull puts them right.
    private func writeMissingFiles() throws {
        let missing = state.todos.loaded.values.compactMap(\.unfinished).sorted { $0.id < $1.id }
        for unfinished in missing {
            guard let to = unfinished.to, let bytes = unfinished.bytes else {
                try transaction.record([.finished(id: unfinished.id)])
                continue
            }
            try lookAgain()
            guard let place = placeForMissing(unfinished, to) else {
                try giveUp(unfinished, to, bytes)
                continue
            }
            if !place.isSameBytes(as: to) {
                var bringing = unfinished
                bringing.to = place
                bringing.isDisplaced = true
                try transaction.record([.abandoned(id: unfinished.id), .bringing(bringing)])
            }
            let outcome = try transaction.apply([.create(path: place, bytes: bytes)])[0]
            if outcome == .done {
                try transaction.record([.finished(id: unfinished.id)])
            } else {
                try giveUp(unfinished, to, bytes)
            }
        }
    }

    private func placeForMissing(_ unfinished: Bringing, _ to: String) -> String? {
        let places = [to, unfinished.from].compactMap(\.self)
        if let free = places.first(where: { isUsable($0) && !inventory.hasFile(at: $0) }) { return free }
        return placeAmongFiles(unfinished.id, to)?.path
    }

    /// Leaves a text that has no place to the operation log.
    private func giveUp(_ unfinished: Bringing, _ path: String, _ bytes: [UInt8]) throws {
        try transaction.record([
            .kept(id: unfinished.id, path: path, bytes: bytes), .abandoned(id: unfinished.id),
        ])
    }

    /// Looks through what an interrupted command left in `.todosync/tmp`: a text that nothing else has is put
    /// into the journal, so that `restore` can bring it back.
    private func rescueLeftovers() throws {
        for leftover in try transaction.leftovers() {
            try keepIfUnknown(leftover.bytes)
            try transaction.synchronize()
            try transaction.discard(leftover)
        }
    }

    private func keepIfUnknown(_ bytes: [UInt8]) throws {
        guard !bytes.isEmpty, let id = MarkerScan.id(in: bytes) else { return }
        let todo = state.todos[id]
        let known = [
            todo?.base?.todo?.bytes, todo?.held?.todo?.bytes, todo?.conflict?.local,
            inventory.path(of: id).flatMap { inventory.bytes(at: $0) },
        ]
        guard !known.contains(bytes) else { return }
        let path = todo?.place ?? inventory.path(of: id) ?? "todo.yaml"
        try transaction.record([.kept(id: id, path: path, bytes: bytes)])
    }
}
