internal import Dispatch
internal import Platform
internal import Synchronization

/// Notices changes to the todo files in a folder and its subfolders, with Linux's inotify.
///
/// Changes that a different machine makes on a network file system aren't noticed.
package final class FolderWatch: Sendable {
    private struct State {
        /// The paths of the watched folders, by their watch descriptors.
        var folders: [Int32: String] = [:]
        var isComplete = true
    }

    private let state = Mutex(State())
    private let root: String
    private let changed: @Sendable () -> Void
    /// The file descriptor of the inotify instance, or -1 if there isn't one.
    private let descriptor: Int32
    // A dispatch source is thread-safe, but isn't marked as such on Linux.
    private let source: Mutex<(any DispatchSourceRead)?>

    /// Whether all folders are watched; false if the system can't watch folders, or not this many.
    package var isComplete: Bool { state.withLock { $0.isComplete } }

    #if os(Linux)
        /// Begins to watch a folder.
        ///
        /// - Parameter changed: Called on any thread after a file or folder might have changed.
        package init(root: String, changed: @escaping @Sendable () -> Void) {
            (self.root, self.changed) = (root, changed)
            descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            guard descriptor >= 0 else {
                source = Mutex(nil)
                state.withLock { $0.isComplete = false }
                return
            }
            source = Mutex(DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global()))
            watch(root)
            source.withLock { [descriptor] source in
                source?.setEventHandler { [weak self] in self?.readEvents() }
                source?.setCancelHandler { _ = close(descriptor) }
                source?.resume()
            }
        }

        deinit { source.withLock { $0?.cancel() } }

        private static let events = UInt32(
            IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
                | IN_MOVE_SELF | IN_ONLYDIR | IN_DONT_FOLLOW)

        /// Watches a folder and its subfolders, except hidden ones.
        private func watch(_ path: String) {
            let watch = inotify_add_watch(descriptor, path, Self.events)
            guard watch >= 0 else {
                // A path that is gone, isn't a folder or can't be read needs no watch.
                if errno != ENOENT, errno != ENOTDIR, errno != EACCES {
                    state.withLock { $0.isComplete = false }
                }
                return
            }
            state.withLock { $0.folders[watch] = path }
            guard let listing = try? Scanner.listing(of: path, POSIXFileSystem()) else { return }
            for index in 0..<listing.count where [.folder, .unknown].contains(listing.kind(at: index)) {
                let name = listing.name(at: index)
                if !name.isHidden, let text = name.string { self.watch(path + "/" + text) }
            }
        }

        /// Reads all events that have happened, and watches new folders.
        private func readEvents() {
            var isChange = false
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else { break }
                var rest = buffer[..<count]
                let size = MemoryLayout<inotify_event>.size
                while rest.count >= size {
                    let event = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
                    rest = rest.dropFirst(size)
                    let name = String(decoding: rest.prefix(Int(event.len)).prefix { $0 != 0 }, as: UTF8.self)
                    rest = rest.dropFirst(Int(event.len))
                    if handle(event, name: name) { isChange = true }
                }
            }
            if isChange { changed() }
        }

        /// Handles an event, and returns whether it might have changed a todo.
        private func handle(_ event: inotify_event, name: String) -> Bool {
            let mask = event.mask
            if mask & UInt32(IN_Q_OVERFLOW) != 0 {
                // Events were lost, such as those of new folders.
                watch(root)
                return true
            }
            if mask & UInt32(IN_IGNORED) != 0 {
                state.withLock { $0.folders[event.wd] = nil }
                return false
            }
            if name.isEmpty { return mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF) != 0 }
            if mask & UInt32(IN_ISDIR) != 0 {
                guard !name.hasPrefix("."), let folder = state.withLock({ $0.folders[event.wd] }) else {
                    return false
                }
                if mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0 { watch(folder + "/" + name) }
                return true
            }
            // A file that is created is empty until it is closed, unless it is a link to another file.
            return isRead(name)
        }

        /// Returns whether todosync reads a file with this name.
        private func isRead(_ name: String) -> Bool {
            name == IgnoreRules.fileName.description
                || !name.hasPrefix(".") && PathRules.isYAML(name.lowercased().utf8)
        }
    #else
        package init(root: String, changed: @escaping @Sendable () -> Void) {
            (self.root, self.changed) = (root, changed)
            descriptor = -1
            source = Mutex(nil)
            state.withLock { $0.isComplete = false }
        }
    #endif
}
