internal import Synchronization
package import TodoModel
internal import Values
internal import WorkingCopy

/// The handles of the remembered todos, including done ones.
///
/// A todo's handle is the shortest prefix of its id that no other todo's id begins with, of at least two
/// characters. If another id begins with the whole id, the handle is the whole id.
package struct Handles: Sendable {
    private static let leastCount = 2

    /// The todos whose ids the cache has in order, so that they needn't be sorted.
    private let unchanged: UnchangedFiles?
    /// The other todos' ids, in order.
    ///
    /// They are only sorted once a handle is needed, because a report on many todos might name none.
    private let others: Deferred<[TodoID]>

    init(_ snapshot: Snapshot) {
        let unchanged = snapshot.folder.todos.unchanged
        self.unchanged = unchanged
        others = Deferred { (Selection(snapshot).loadedIDs + unchanged.unorderedIDs).sorted() }
    }

    package init(_ ids: [TodoID]) {
        unchanged = nil
        others = Deferred { ids.sorted() }
    }

    /// Returns the handle of a todo; for one that is gone, the handle that it would have.
    package func handle(of id: TodoID) -> String {
        let string = id.string
        // In byte order, the ids that share the longest prefix with an id are next to it.
        let shared = neighbors(of: id).map { sharedCount(id, $0) }.max() ?? 0
        let count = max(shared + 1, Self.leastCount)
        if id.uuid != nil { return String(string.prefix(count)) }
        var handle = ""
        var length = 0
        for character in string where length < count {
            handle.append(character)
            length += character.unicodeScalars.count
        }
        return handle
    }

    private func neighbors(of id: TodoID) -> [TodoID] {
        let others = others.value
        var (low, high) = (0, others.count)
        while low < high {
            let middle = low + (high - low) / 2
            if others[middle] < id { low = middle + 1 } else { high = middle }
        }
        var found = unchanged?.neighbors(of: id) ?? []
        if low > 0 { found.append(others[low - 1]) }
        if let after = others[low...].first(where: { $0 != id }) { found.append(after) }
        return found
    }

    /// Returns the number of leading characters, as Unicode scalars, that two ids share.
    private func sharedCount(_ left: TodoID, _ right: TodoID) -> Int {
        if let left = left.uuid, let right = right.uuid { return left.sharedCount(with: right) }
        return zip(left.string.unicodeScalars, right.string.unicodeScalars).prefix { $0 == $1 }.count
    }
}

/// A value that is computed when it is first needed.
private final class Deferred<Value: Sendable>: Sendable {
    private let computed = Mutex<Value?>(nil)
    private let compute: @Sendable () -> Value

    init(_ compute: @escaping @Sendable () -> Value) { self.compute = compute }

    var value: Value {
        computed.withLock { computed in
            if let value = computed { return value }
            let value = compute()
            computed = value
            return value
        }
    }
}
