/// What a read is for.
///
/// Each kind of read has connections of its own, so that short reads never wait for long ones.
enum ReadKind {
    /// A few rows that are found by their keys.
    case lookup
    /// A page of the change feed.
    case feed
    /// Any number of rows, which can take seconds.
    case query

    /// The maximum number of concurrent reads.
    static let connectionCount = 4

    /// The maximum number of concurrent reads for one client.
    var shareOfClient: Int {
        switch self {
        case .lookup, .feed: 3
        // They use a processor for seconds.
        case .query: 2
        }
    }

    /// The time that a client waits until its own reads leave it a connection; nil for any time.
    var patience: Duration? {
        switch self {
        case .lookup, .feed: nil
        // A moment, so that several short queries at once are all answered.
        case .query: .milliseconds(250)
        }
    }
}

/// A value for each kind of read.
struct ByReadKind<Value: Sendable>: Sendable {
    private let lookup: Value
    private let feed: Value
    private let query: Value

    init(_ value: (ReadKind) -> Value) {
        (lookup, feed, query) = (value(.lookup), value(.feed), value(.query))
    }

    var all: [Value] { [lookup, feed, query] }

    subscript(kind: ReadKind) -> Value {
        switch kind {
        case .lookup: lookup
        case .feed: feed
        case .query: query
        }
    }
}
