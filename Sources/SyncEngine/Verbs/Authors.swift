internal import LosslessYAML
package import TodoModel
internal import WorkingCopy

/// The time and author of a todo's creation and last change, as far as the operation log shows.
package struct Authorship: Sendable, Hashable {
    package var created: Author?
    package var changed: Author?

    package init(created: Author? = nil, changed: Author? = nil) {
        self.created = created
        self.changed = changed
    }
}

/// The time and author of a change to a todo.
package struct Author: Sendable, Hashable {
    /// An RFC 3339 time in UTC: when the command ran, or pulled the change.
    package var time: String
    package var device: Device

    package enum Device: Sendable, Hashable {
        /// The change was made in this working directory.
        case here
        /// The change came from the remote, where the device with this name wrote it; nil if it gave none.
        case other(String?)
    }

    package init(time: String, device: Device) {
        self.time = time
        self.device = device
    }
}

extension Workspace {
    /// Returns who created and changed the todos in the operation log.
    package func authors() throws -> [TodoID: Authorship] { try history().authors }
}

extension History {
    /// The authors of each todo; an edit in an editor counts when a command records it.
    fileprivate var authors: [TodoID: Authorship] {
        var authors: [TodoID: Authorship] = [:]
        for operation in operations {
            for event in operation.events {
                guard let (device, isFirst) = event.authorship else { continue }
                let author = Author(time: operation.time, device: device)
                let isUnknown = authors[event.id] == nil && remembered[event.id] == nil
                if isUnknown, isFirst { authors[event.id, default: Authorship()].created = author }
                authors[event.id, default: Authorship()].changed = author
            }
        }
        return authors
    }
}

extension LoggedEvent {
    /// Who changed the todo's file, and whether there was no file before; nil if the event changed nothing.
    fileprivate var authorship: (device: Author.Device, isFirst: Bool)? {
        switch self {
        case .change(let change):
            guard change.after != nil else { return nil }
            let remote = change.remote?.todo
            let isPulled = remote != nil && remote?.bytes == change.after?.bytes
            return (isPulled ? .other(remote?.device) : .here, change.before == nil && !change.wasTracked)
        case .seen(_, let text): return text == nil ? nil : (.here, true)
        case .linked(let link):
            guard let todo = link.remote.todo else { return nil }
            return (.other(todo.device), link.baseBefore == nil)
        case .pushed, .rejected, .kept, .givenUp, .distrusted: return nil
        }
    }
}
