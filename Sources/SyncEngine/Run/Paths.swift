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
        for (id, known) in state.todos.loaded
        where known.isDisplaced && known.conflict == nil && !moving.contains(id) {
            guard let local = inventory.todos[id], let path = known.base?.todo?.path, !local.isRenamed(known)
            else { continue }
            wishes.append(PathPlan.Wish(id: id, path: path))
            moving.insert(id)
        }
        guard !wishes.isEmpty else { return PathPlan([], isUsable: isUsable) { _ in nil } }
        return PathPlan(wishes, isUsable: isUsable) { [inventory] path in
            guard inventory.hasFile(at: path) else { return nil }
            guard let id = inventory.id(at: path), inventory.todos.contains(id) else { return .fixed }
            return moving.contains(id) ? nil : options.knowsAll ? .todo(id) : .fixed
        }
    }

    /// Returns a place for a single todo beside all that is there and stays; nil if the folder has none.
    func placeAmongFiles(_ id: TodoID, _ path: String) -> PathPlan.Placement? {
        let plan = PathPlan([PathPlan.Wish(id: id, path: path)], isUsable: isUsable) { [inventory] path in
            inventory.hasFile(at: path) ? .fixed : nil
        }
        return plan.placements[id]
    }

    func isUsable(_ path: String) -> Bool { inventory.scan.wouldSee(path) }
}
