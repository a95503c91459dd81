internal import LosslessYAML
internal import Synchronization
internal import TodoModel
internal import Values

extension StoreTable {
    /// Returns whether the table exists: it was created, or records were written to it.
    package func exists() async throws -> Bool {
        try await read(.lookup) { [name] in try $0.table(named: name) != nil }
    }

    /// Returns the records that match a query; an empty list if the table doesn't exist.
    ///
    /// - Parameter arrival: The time from which ``queryTime`` counts.
    /// - Throws: ``ODataProblem`` if the query creates a string that is too long, or takes longer than
    ///   ``queryTime``.
    package func records(
        _ query: RecordQuery, since arrival: Arrival = .now
    ) async throws -> RecordList {
        let tooLong = ODataProblem(message: "the query takes too long", offset: 0)
        let deadline = arrival.time + queryTime
        guard .now < deadline else { throw tooLong }
        return try await withThrowingTaskGroup(of: RecordList?.self) { tasks in
            tasks.addTask { try await found(query) }
            tasks.addTask {
                try await Task.sleep(until: deadline)
                return nil
            }
            // Cancel the other task, which is still running.
            defer { tasks.cancelAll() }
            guard let list = try await tasks.next() ?? nil else { throw tooLong }
            return list
        }
    }

    private func found(_ query: RecordQuery) async throws -> RecordList {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await read(.query) { [name, pageByteSize, sortByteSize] reader in
                guard let table = try reader.table(named: name) else {
                    return RecordList(records: [], count: query.countsAll ? 0 : nil, isCutShort: false)
                }
                let search = RecordSearch(
                    query: query, table: table, reader: reader, byteLimit: pageByteSize,
                    sortByteSize: sortByteSize, cancellation: cancellation)
                return try search.list()
            }
        } onCancel: {
            cancellation.request()
        }
    }
}

/// A flag that cancels work outside of its task.
final class Cancellation: Sendable {
    private let flag = Atomic(false)

    /// - Throws: `CancellationError` if the work was cancelled.
    func check() throws {
        if flag.load(ordering: .relaxed) { throw CancellationError() }
    }

    func request() { flag.store(true, ordering: .relaxed) }
}

/// An order of rows that an index provides.
enum RowOrder: Equatable {
    /// Sorted by the bytes of the ids.
    case id
    case version(isDescending: Bool)
    case updatedAt(isDescending: Bool)

    /// Creates the order that a query asks for; nil if no index provides it, or if another index suits the
    /// query's bounds better.
    ///
    /// The database never sorts rows itself.
    init?(_ orders: [RecordOrder], in bounds: ColumnBounds) {
        let bound = Set(bounds.ranges.keys).intersection([.version, .updatedAt])
        guard bounds.ids == nil else { return nil }
        // Versions and times are unique in a table, so no other property matters.
        switch orders.first?.property {
        case nil where bound.isEmpty: self = .id
        case .version where bound.isSubset(of: [.version]):
            self = .version(isDescending: orders[0].isDescending)
        case .updatedAt where bound.isSubset(of: [.updatedAt]):
            self = .updatedAt(isDescending: orders[0].isDescending)
        default: return nil
        }
    }
}

/// The time when a request arrived at a server, from which the time of its queries counts.
package struct Arrival: Sendable {
    let time: ContinuousClock.Instant

    package init(time: ContinuousClock.Instant) { self.time = time }

    package static var now: Arrival { Arrival(time: .now) }
}
