internal import TodoModel
internal import WorkingCopy

/// Decides whether the number of deletes requires the user's confirmation.
struct DeleteGuard {
    /// Up to this many todos are deleted without confirmation.
    static let harmlessCount = 10
    let withholds: Bool
    /// The number of deletes, including those already applied.
    let count: Int
    /// The number of todos before the first delete.
    let total: Int

    /// - Parameters:
    ///   - deletes: The paths of the todos that would be deleted.
    ///   - applied: The paths of the todos that this run, and earlier runs that didn't finish, have
    ///     deleted.
    ///   - others: The paths of all todos, including those to be deleted.
    ///   - allowed: The number of deletes that the user allowed.
    ///   - withheld: The number of deletes that were last withheld; 0 if none were. While there are at least
    ///     that many, they stay withheld, regardless of the number of other todos.
    init(deletes: [String], applied: [String], others: [String], allowed: Int?, withheld: Int) {
        let deletes = deletes + applied
        let all = others + applied
        count = deletes.count
        total = all.count
        guard deletes.count > Self.harmlessCount, (allowed ?? 0) < deletes.count else {
            withholds = false
            return
        }
        if deletes.count * 2 > all.count || withheld > 0 && deletes.count >= withheld {
            withholds = true
            return
        }
        let totals = Self.countsByFolder(all)
        withholds = Self.countsByFolder(deletes).contains { folder, count in
            count > Self.harmlessCount && count >= totals[folder] ?? 0
        }
    }

    /// Counts the paths in each top-level folder.
    private static func countsByFolder(_ paths: [String]) -> [Substring: Int] {
        var counts: [Substring: Int] = [:]
        for path in paths {
            if let slash = path.utf8.firstIndex(of: UInt8(ascii: "/")) {
                counts[path[..<slash], default: 0] += 1
            }
        }
        return counts
    }
}

extension State {
    /// Returns the deletes of one side that the guard withholds; nil if they can all be applied.
    ///
    /// - Parameters:
    ///   - paths: The paths of the todos that would be deleted.
    ///   - allowed: The number of deletes that the user allowed.
    ///   - new: The todos that don't count.
    func withheldDeletes(
        _ side: WithheldChanges.Side, _ paths: [String], allowed: Int? = nil,
        besides new: @autoclosure () -> Set<TodoID> = []
    ) -> WithheldChanges? {
        let applied = side == .local ? deletes.local : deletes.remote
        guard !paths.isEmpty, paths.count + applied.count > DeleteGuard.harmlessCount else { return nil }
        let new = new()
        let confirmed = todos.confirmed.filter { !new.contains($0.id) }
        let guarded = DeleteGuard(
            deletes: paths, applied: applied,
            others: confirmed.compactMap(\.path), allowed: allowed,
            withheld: side == .local ? guards.local : guards.remote)
        return guarded.withholds
            ? WithheldChanges(side: side, count: guarded.count, of: guarded.total) : nil
    }
}
