internal import TodoModel

/// Whether a store can be used, as recorded in its database.
package enum StoreState: Sendable, Hashable {
    case open
    /// The store accepts no writes during the last step of a copy to a different location.
    case moving(to: String)
    /// The store was copied to a different location, which is used instead.
    case moved(to: String)
    /// The store is a copy that isn't complete.
    case unfinished

    /// The columns `state` and `moved_to`.
    var columns: (state: String, movedTo: String?) {
        switch self {
        case .open: ("open", nil)
        case .moving(let location): ("moving", location)
        case .moved(let location): ("moved", location)
        case .unfinished: ("unfinished", nil)
        }
    }

    init(state: String, movedTo: String?) {
        self =
            switch state {
            case "open": .open
            case "moving": .moving(to: movedTo ?? "")
            case "moved": .moved(to: movedTo ?? "")
            default: .unfinished
            }
    }

    /// Checks that a store can be read.
    func checkIsReadable(at path: String) throws(StoreError) {
        switch self {
        case .open, .moving: break
        case .moved(let location):
            throw .moved(path: path, to: StoreLocation(remembered: location).description)
        case .unfinished: throw .unfinishedCopy(path: path)
        }
    }

    /// Checks that a store can be written to.
    func checkIsWritable(at path: String) throws(StoreError) {
        if case .moving(let location) = self {
            throw .moving(path: path, to: StoreLocation(remembered: location).description)
        }
        try checkIsReadable(at: path)
    }
}
