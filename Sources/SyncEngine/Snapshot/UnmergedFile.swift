internal import Git
internal import LosslessYAML
package import ThreeWayMerge
package import TodoModel
internal import Values
internal import WorkingCopy

/// What git is merging.
struct GitMerge: Sendable {
    var isInProgress = false
    /// The commit that is checked out, which is a conflict's first side.
    var head: String?
    /// The commit that a merge, a rebase or a cherry-pick applies; nil if there are several.
    var merged: String?
    /// The stash, if there is just one: git doesn't record which one it popped.
    var stash: String?
    /// The paths that are unmerged in git's index.
    var unmerged: Set<String> = []
    /// The common versions of conflicted files in git's index, by path.
    var bases: [String: [UInt8]] = [:]
}

/// A todo that is unmerged in git's index, although its file has no conflict markers.
package struct UnmergedFile: Sendable, Hashable {
    package var id: TodoID
    package var path: String
    package var state: State

    package enum State: Sendable, Hashable {
        /// The file has one side's text, and nothing shows that the user chose this side.
        ///
        /// Git leaves such a file if the other side deleted the todo, or if the merge driver failed.
        case untouched(Side, isDeletedOnOther: Bool)
        /// The user has resolved the conflict or edited the file.
        case resolved
        /// The file is gone.
        case gone
    }
}

extension Side {
    /// What git calls the side of a conflict.
    package var nameInGit: String { self == .local ? "HEAD" : "the other side" }
}

extension UnmergedFile {
    /// Determines the state of an unmerged path; nil if it isn't a todo's, or if the todo is in conflict.
    ///
    /// - Parameters:
    ///   - sides: The texts of the sides that have the file.
    ///   - resolved: Returns the text that resolved a todo's git conflict; called only if needed.
    init?(
        at path: String, _ sides: [Side: [UInt8]], in snapshot: Snapshot, resolved: (TodoID) -> [UInt8]?
    ) {
        guard let id = TodoID(unmergedAt: path, sides, in: snapshot), !snapshot.condition(of: id).isConflicted
        else {
            return nil
        }
        (self.id, self.path) = (id, path)
        guard let bytes = snapshot.folder.bytes(at: path) else {
            state = .gone
            return
        }
        let taken = [Side.local, .remote].first { sides[$0].map { isSameText($0, bytes) } ?? false }
        if let taken, sides.count < 2 || resolved(id) != bytes {
            state = .untouched(taken, isDeletedOnOther: sides.count < 2)
        } else {
            state = .resolved
        }
    }
}

extension TodoID {
    /// Finds the todo at a path that is unmerged; nil if a different file is there, or if no side has a todo.
    fileprivate init?(unmergedAt path: String, _ sides: [Side: [UInt8]], in snapshot: Snapshot) {
        let folder = snapshot.folder
        if let id = folder.id(at: path) {
            if folder.todos[id] == nil { return nil }
            self = id
        } else if folder.hasFile(at: path) {
            return nil
        } else if let (id, _) = snapshot.tracked.todos.loaded.first(where: {
            $0.value.localPath?.isSameBytes(as: path) == true
        }) {
            if folder.path(of: id) != nil { return nil }
            self = id
        } else {
            let todos = [Side.local, .remote].compactMap { sides[$0] }.compactMap { try? Todo(parsing: $0) }
            if todos.isEmpty { return nil }
            // A todo that was never sent might not have an id.
            self = todos.lazy.compactMap(\.id).first ?? TodoID(BinaryUUID(named: path, in: .zero))
        }
    }
}

extension History {
    /// Returns the texts that commands wrote in place of conflict markers, unless a command changed them
    /// again.
    ///
    /// - Parameter start: The time to begin at, in seconds since 1970.
    func resolvedTexts(since start: Int) -> [TodoID: [UInt8]] {
        var texts: [TodoID: [UInt8]] = [:]
        for operation in operations {
            guard let time = Instant(operation.time), time.seconds >= start else { continue }
            for change in operation.changes {
                let hadMarkers =
                    change.before.map { ConflictedText.firstMarkerLine(in: $0.bytes) != nil } ?? false
                texts[change.id] = hadMarkers ? change.after?.bytes : nil
            }
        }
        return texts
    }
}
