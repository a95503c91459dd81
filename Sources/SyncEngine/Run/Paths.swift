internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

extension Run {
    /// Gives paths to the todos of some steps, and to those that had to have another path until now.
    ///
    /// While not all of the remote's changes are known, nobody has to make room: who has a path may be about
    /// to leave it, as in a swap. Then a path that is taken can't be had until the next pull.
    func planPaths(_ steps: [Step], _ options: BringInOptions) -> PathPlan {
        var wishes: [PathPlan.Wish] = []
        var moving: Set<TodoID> = []
        for step in steps {
            if let path = step.wishedPath, step.bytes != nil {
                wishes.append(PathPlan.Wish(id: step.id, path: path))
            }
            if step.wishedPath != nil || step.bytes == nil { moving.insert(step.id) }
        }
        for (id, known) in state.todos
        where known.isDisplaced && known.conflict == nil && !moving.contains(id) {
            guard let local = inventory.todos[id], let path = known.base?.todo?.path, !local.isRenamed(known)
            else { continue }
            wishes.append(PathPlan.Wish(id: id, path: path))
            moving.insert(id)
        }
        guard !wishes.isEmpty else { return PathPlan([], holders: [:], isUsable: isUsable) }
        return PathPlan(
            wishes, holders: holders(besides: moving, areFixed: !options.knowsAll), isUsable: isUsable)
    }

    /// Returns who has which path, besides todos that will have another one.
    private func holders(besides moving: Set<TodoID>, areFixed: Bool) -> [ByteKey: PathPlan.Holder] {
        var holders: [ByteKey: PathPlan.Holder] = [:]
        for path in inventory.paths { holders[path] = .fixed }
        for (id, local) in inventory.todos {
            holders[ByteKey(local.path)] = moving.contains(id) ? nil : areFixed ? .fixed : .todo(id)
        }
        return holders
    }

    /// Returns a place for a single todo beside all that is there and stays; nil if the folder has none.
    func placeAmongFiles(_ id: TodoID, _ path: String) -> PathPlan.Placement? {
        let holders = Dictionary(uniqueKeysWithValues: inventory.paths.map { ($0, PathPlan.Holder.fixed) })
        let wish = PathPlan.Wish(id: id, path: path)
        return PathPlan([wish], holders: holders, isUsable: isUsable).placements[id]
    }

    /// Whether a path is a place for a todo in this folder.
    func isUsable(_ path: String) -> Bool {
        PathRules.problem(with: path) == nil && inventory.scan.wouldSee(path)
    }
}
