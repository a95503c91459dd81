import TodosyncKit

struct LongerText: SyncDelegate {
    func resolve(_ conflict: Conflict) async throws -> ConflictAnswer {
        guard conflict.kind == .editEdit, conflict.fields.contains("text") else { return .leaveToUser }
        let lengths = [conflict.local, conflict.remote].map { $0?.fields["text"]?.string?.count ?? 0 }
        return .fields(["text": lengths[0] < lengths[1] ? .remote : .local])
    }
}
