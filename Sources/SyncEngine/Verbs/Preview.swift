internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

extension Workspace {
    /// Returns the report that a push, pull or sync would give if it were run now; nothing is written or sent.
    ///
    /// Conflicts are told as such, whatever the policy.
    func preview(_ options: SyncOptions, pulls: Bool, pushes: Bool) async throws -> SyncReport {
        try await Run.perform(self) { run in
            let connection = try await run.connect()
            let selected = try options.todos.isEmpty ? nil : Set(run.selection.ids(options.todos))
            let isSelected = { (id: TodoID) in selected?.contains(id) ?? true }
            var news = try await run.news(of: connection)
            for (id, todo) in run.state.todos where news.changes[id] == nil { news.changes[id] = todo.held }
            let pending = run.inventory.pendingOperations(run.state).filter { isSelected($0.id) }
            var report = SyncReport()
            if pulls { report.unusableRecords = news.unusable }
            var opened: [ConflictedTodo] = []
            var stillPending: Set<TodoID> = []
            for (id, remote) in news.changes.sorted(by: { $0.key < $1.key }) {
                let isPending = pending.contains { $0.id == id }
                guard pulls || isPending, run.state.todos[id]?.conflict == nil else { continue }
                let local = run.inventory.todos[id]
                let path = local?.path ?? remote.todo?.path ?? run.state.todos[id]?.place ?? id.string
                switch reconcile(base: run.state.todos[id]?.base, local: local?.todo, remote: remote) {
                case .agreed, .keepPending, .bothDeleted: break
                case .takeRemote:
                    let operation: OperationKind = local == nil ? .insert : .update
                    report.pulled.append(SyncedTodo(id: id, path: path, operation: operation))
                case .deleteLocal: report.pulled.append(SyncedTodo(id: id, path: path, operation: .delete))
                case .merged(_, let fields): report.merged.append(MergedTodo(id: id, path: path, fields: fields))
                case .conflict(let kind, _, let fields, _):
                    stillPending.insert(id)
                    opened.append(
                        ConflictedTodo(id: id, path: path, fields: fields, kind: kind, hasMarkers: false))
                }
            }
            if pushes {
                for operation in pending where !stillPending.contains(operation.id) {
                    report.pushed.append(
                        SyncedTodo(id: operation.id, path: operation.path, operation: operation.kind))
                }
            }
            report.complete(run.inventory, run.state, selected, isPull: !pushes)
            report.conflicts += opened
            report.needsUser = report.needsUser || !opened.isEmpty
            return report
        }
    }
}
