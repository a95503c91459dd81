internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// A working directory at one moment: what is tracked, and what is in the folder.
///
/// It answers every question about the two together, and changes nothing. A command that only reads needs no
/// more; one that writes plans its changes by it.
struct Snapshot: Sendable {
    let configuration: Configuration
    /// What `.todosync` remembers of each todo.
    var tracked: State
    var folder: Folder

    var rules: FieldRules { FieldRules(configuration) }
    var conflictStyle: ConflictStyle { ConflictStyle(configuration) }
}

extension Snapshot {
    /// Reads a working directory without locking it.
    ///
    /// - Parameter usingCache: false for reading every file.
    init(of workspace: Workspace, usingCache: Bool = true) throws {
        let tracked = try workspace.translatingErrors {
            try workspace.directory.state(usingCache: usingCache)
        }
        self = try Snapshot.recovered(workspace, workspace.configuration(), tracked).snapshot
    }

    /// Reads the files of a working directory, as if what was interrupted had been recovered.
    ///
    /// - Returns: the records that a recovery would write, besides.
    static func recovered(
        _ workspace: Workspace, _ configuration: Configuration, _ tracked: State, usingCache: Bool = true
    ) throws -> (snapshot: Snapshot, records: [JournalRecord]) {
        var tracked = tracked
        // Before the files are looked at: a command that is at work may replace one in between.
        let staged =
            tracked.hasUnfinished ? try StagedTexts(in: workspace.directory, tracked) : nil
        let scan = try workspace.directory.scan(configuration, usingCache ? tracked : nil)
        tracked.load(besides: scan.unchanged)
        var snapshot = Snapshot(
            configuration: configuration, tracked: tracked, folder: Folder(scan: scan, state: tracked))
        var records: [JournalRecord] = []
        if let staged {
            let recovery = recovery(from: snapshot, staged)
            (snapshot, records) = (recovery.snapshot, recovery.records)
        }
        snapshot.folder.lookAside(in: workspace.directory, snapshot.tracked)
        return (snapshot, records)
    }
}

// MARK: Files

extension Snapshot {
    /// What is told of a todo whose file was not found and is not surely gone.
    static let unseen = "its file can't be seen (ignored, hidden, behind a link or unreadable)"

    /// Whether a todo's file, which was written once, is surely not there.
    ///
    /// It is neither at its place nor, with its id, anywhere else, and the scan would have seen it.
    func isGone(_ id: TodoID) -> Bool { folder.isGone(id, tracked.todos[id] ?? TodoState()) }

    /// Whether a todo whose file was not found may have it all the same.
    func isUnseen(_ id: TodoID) -> Bool { tracked.todos[id].map { !folder.isGone(id, $0) } ?? false }

    /// Why the disk does not give a todo's file or a folder above it; nil if it is not the reason.
    func diskError(of id: TodoID) -> FileError? {
        guard let place = tracked.todos[id]?.place,
            case .unreadable(let error)? = folder.scan.reasonNotToSee(place), error.isOfDisk
        else { return nil }
        return error
    }

    /// Returns why files and folders can't be read in which todos were recorded; in the order of their paths.
    func unreadablePlaces() -> [FileError] {
        let errors = tracked.todos.loaded.compactMap { id, todo -> FileError? in
            guard !folder.hasFile(of: id), let place = todo.place,
                case .unreadable(let error)? = folder.scan.reasonNotToSee(place)
            else { return nil }
            return error
        }
        return Set(errors).sorted(byBytesOf: \.path)
    }

    /// Whether a path is a place for a todo in this folder.
    func isUsable(_ path: String) -> Bool { folder.scan.wouldSee(path) }
}
