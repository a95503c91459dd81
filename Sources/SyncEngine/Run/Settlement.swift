internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// Whether changes that were announced and may not have been carried out are in the folder.
///
/// The files tell, together with what the interrupted command left in `.todosync/tmp`: a staged file holds
/// the new text until the change is carried out, and the replaced one from then on.
enum Settlement {
    /// Returns a record for every unfinished change whose file is as it was announced.
    static func byPaths(_ state: State, _ files: FileContents) -> [JournalRecord] {
        state.todos.loaded.compactMap { id, todo in
            guard let unfinished = todo.unfinished, let to = unfinished.to,
                files.bytes(at: to) == unfinished.bytes
            else { return nil }
            return .finished(id: id)
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

    /// Returns a record for every other unfinished change that the todo's file and the staged files decide.
    ///
    /// What is left then are files that are nowhere: they were not made yet, or taken away to be written.
    static func byInventory(
        _ state: State, _ inventory: Inventory, _ staged: StagedTexts
    ) -> [JournalRecord] {
        state.todos.loaded.compactMap { id, todo in
            guard let unfinished = todo.unfinished else { return nil }
            let change = StagedChange(unfinished, over: todo.textReplacedByUnfinished)
            let isWritten: Bool
            if let path = inventory.path(of: id), let found = inventory.bytes(at: path) {
                isWritten = staged.show(change, asFileHolds: found)
            } else if unfinished.to == nil {
                // What was to be removed may have become a file that is not a todo's.
                let isThere = unfinished.from.map {
                    inventory.hasFile(at: $0) && inventory.id(at: $0) == nil
                }
                isWritten = isThere != true || staged.hasReplaced(change)
            } else {
                guard let isKnown = staged.showWithoutFile(change) else { return nil }
                isWritten = isKnown
            }
            return isWritten ? .finished(id: id) : .abandoned(id: id)
        }
    }
}

/// An unfinished change, with the text that it replaces or removes; nil if it makes a file.
struct StagedChange {
    fileprivate let bringing: Bringing
    fileprivate let old: [UInt8]?

    init(_ bringing: Bringing, over old: [UInt8]?) {
        self.bringing = bringing
        self.old = old
    }
}

/// The texts that an interrupted command left in `.todosync/tmp`.
struct StagedTexts: Sendable {
    /// What is not a replaced text as it was.
    private let others: Set<[UInt8]>
    /// What files hold that are to be known by each replaced text's mark.
    private let byMark: [ContentMark: [[UInt8]]]
    private let unplaced: UnplacedPaths
    private let mayBeSending: Bool

    init(in directory: WorkingDirectory, _ state: State) throws {
        let folders = state.foldersUnderWay
        let leftovers = try directory.leftovers(in: folders)
        unplaced = try directory.unplacedPaths(in: folders)
        mayBeSending = state.openOperation?.mayBeSending ?? false
        others = Set(leftovers.filter { !$0.isReplacedText }.compactMap(\.bytes))
        byMark = Dictionary(
            leftovers.compactMap { leftover in
                leftover.mark.flatMap { mark in leftover.bytes.map { (mark, [$0]) } }
            }, uniquingKeysWith: +)
    }

    /// Whether a change's new text is staged, and so not in the folder.
    fileprivate func hasNew(_ change: StagedChange) -> Bool {
        change.bringing.bytes.map(others.contains) ?? false
    }

    /// Whether the text that a change replaces was taken out of the folder; somebody may have written into it
    /// since.
    fileprivate func hasReplaced(_ change: StagedChange) -> Bool {
        guard let old = change.old, let texts = byMark[ContentMark(of: old)] else { return false }
        return texts.contains { $0 == old || change.bringing.bytes.map($0.isRemnant) != true }
    }

    /// Whether a change was carried out whose file holds something else than was announced.
    fileprivate func show(_ change: StagedChange, asFileHolds found: [UInt8]) -> Bool {
        if hasNew(change) { return false }
        // A new file is staged before it is announced, and until it gets its place.
        guard let old = change.old else { return change.bringing.to.map(unplaced.contains) != true }
        let bringing = change.bringing
        // Of a file that only moves, any copy is old and new.
        if bringing.bytes == old { return false }
        if found == old {
            // Somebody has taken back what came. But from when on a merged text may be sent, the text before
            // it must not count as an edit of it, as after a power failure: merged again, nothing is lost.
            return hasReplaced(change)
                && (bringing.takesRemoteAsItIs || bringing.opensConflict || !mayBeSending)
        }
        // Markers that somebody has worked on since they were written are no less a conflict's.
        return hasReplaced(change) || bringing.opensConflict && MarkerScan.hasMarkerLine(found)
    }

    /// Whether a change was carried out whose todo has no file; nil if its file is still to be written.
    ///
    /// A file that the command did not take away was deleted by the user, and must not come back. A new file
    /// comes back: nothing tells one that the user deleted from one that could not be made.
    fileprivate func showWithoutFile(_ change: StagedChange) -> Bool? {
        guard let old = change.old else { return nil }
        guard hasReplaced(change) else { return false }
        // Taken away, to be replaced or moved.
        if hasNew(change) || change.bringing.bytes == old { return nil }
        return true
    }
}

extension Bringing {
    /// Whether the file becomes what the remote has, and nothing of the user's is in the way.
    fileprivate var takesRemoteAsItIs: Bool { conflict == .none && remote != nil && replaced == nil }

    fileprivate var opensConflict: Bool {
        switch conflict {
        case .opens, .reopens: true
        case .none, .closes, .aborts: false
        }
    }
}

extension [UInt8] {
    /// Whether these bytes may be what a command that was killed, or a power failure, left of a text that
    /// was being written: what had not reached the disk is missing, or zero.
    func isRemnant(of text: [UInt8]) -> Bool {
        count <= text.count && zip(self, text).allSatisfy { $0 == $1 || $0 == 0 }
    }
}

extension TodoState {
    /// The text that the unfinished change replaces or removes; nil if it makes a file.
    var textReplacedByUnfinished: [UInt8]? {
        guard let unfinished, unfinished.from != nil else { return nil }
        let isMoveOnly = unfinished.remote == nil && unfinished.conflict == .none
        return unfinished.replaced ?? (isMoveOnly ? unfinished.bytes : nil) ?? base?.todo?.bytes
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
    /// Matches files with todos for a command that only reads: what was interrupted is taken as the files
    /// tell, and nothing is written.
    ///
    /// - Returns: the records that tell what was carried out, besides.
    static func settling(
        _ state: inout State, in directory: WorkingDirectory, _ configuration: Configuration,
        usingCache: Bool = true
    ) throws -> (inventory: Inventory, records: [JournalRecord]) {
        // Before the files are looked at: a command that is at work may replace one in between.
        let staged = state.hasUnfinished ? try StagedTexts(in: directory, state) : nil
        let scan = try directory.scan(configuration, usingCache ? state : nil)
        state.load(besides: scan.unchanged)
        guard let staged else { return (Inventory(scan: scan, state: state), []) }
        let byPaths = Settlement.byPaths(state, FileContents(scan))
        for record in byPaths { state.apply(record) }
        let inventory = Inventory(scan: scan, state: state)
        let byInventory = Settlement.byInventory(state, inventory, staged)
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
    /// Finishes what an interrupted command had begun, and looks at the files that commands before it kept.
    func recover() throws {
        let isInterrupted = state.openOperation != nil || state.hasUnfinished
        guard isInterrupted else { return try clearLeftovers(in: [], knowing: []) }
        let command = state.openOperation?.command
        let folders = state.foldersUnderWay
        let unfinished = state.unfinished
        let announced = state.todos.loaded.values.flatMap {
            [$0.unfinished?.bytes, $0.textReplacedByUnfinished].compactMap(\.self)
        }
        try settleUnfinished()
        try transaction.begin()
        try clearLeftovers(in: folders, knowing: Set(announced))
        // The command may have been interrupted just before it removed folders that it had emptied.
        transaction.removeEmptyFolders(
            unfinished.filter { !givenUp.contains($0.id) }.compactMap(\.folderLeft))
        if let command { surroundings.notice(recovered(command, begun: unfinished.count)) }
    }

    /// Returns the words for what became of a command that was cut off.
    private func recovered(_ command: String, begun: Int) -> String {
        let name = "an interrupted command (\(command))"
        if begun == 0 { return "\(name) left nothing to finish in the files" }
        let left = givenUp.count == 1 ? "1 todo stays as it is" : "\(givenUp.count) todos stay as they are"
        if givenUp.isEmpty { return "finished \(name)" }
        if givenUp.count >= begun { return "could not finish \(name): \(left)" }
        return "finished \(name) in part: \(left)"
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
        // What is recorded as carried out must not be lost after all.
        try transaction.synchronizeFiles()
        let files = FileContents(inventory.scan)
        try refuseUnreadable(files)
        let staged = try StagedTexts(in: workspace.directory, state)
        let byPaths = Settlement.byPaths(state, files)
        try transaction.record(byPaths)
        if !byPaths.isEmpty { matchAgain() }
        let byInventory = Settlement.byInventory(state, inventory, staged)
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
            let (creations, announcement) = try chooseMissingFiles()
            let outcomes = try transaction.apply(
                creations.map { .create(path: $0.path, bytes: $0.bytes) }, announcing: announcement)
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

    /// Chooses places for the files that are nowhere, with records that announce those that are other ones.
    private func chooseMissingFiles() throws -> (
        creations: [(id: TodoID, path: String, bytes: [UInt8])], announcement: [JournalRecord]
    ) {
        var creations: [(id: TodoID, path: String, bytes: [UInt8])] = []
        var announcement: [JournalRecord] = []
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
                announcement += [.abandoned(id: unfinished.id), .bringing(bringing)]
            }
            inventory.occupy(ByteKey(place))
            creations.append((unfinished.id, place, bytes))
        }
        return (creations, announcement)
    }

    private func placeForMissing(_ unfinished: Bringing, _ to: String) -> String? {
        let places = [to, unfinished.from].compactMap(\.self)
        if let free = places.first(where: { snapshot.isUsable($0) && !inventory.hasFile(at: $0) }) { return free }
        return snapshot.placeAmongFiles(unfinished.id, to)?.path
    }

    /// Leaves a text that has no place to the operation log.
    private func giveUp(_ unfinished: Bringing) throws {
        var records = [JournalRecord.abandoned(id: unfinished.id)]
        if let text = FileText(unfinished.bytes, at: unfinished.to ?? unfinished.id.string) {
            records.insert(.kept(id: unfinished.id, path: text.path, bytes: text.bytes), at: 0)
        }
        try transaction.record(records)
        givenUp.insert(unfinished.id)
    }
}
