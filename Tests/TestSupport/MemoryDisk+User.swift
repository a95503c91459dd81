internal import LosslessYAML
internal import Synchronization
internal import WorkingCopy

// Changes that programs other than todosync make to the files of a memory disk. All of them are durable at
// once.

extension MemoryDisk {
    /// Returns the bytes of the file at a path; nil if there isn't one.
    package func read(_ path: String) -> [UInt8]? {
        content.withLock { content in
            content.inode(at: path).flatMap { content.nodes[$0] }.flatMap {
                $0.kind == .file ? $0.bytes : nil
            }
        }
    }

    /// Writes to a file in place, after creating it and its parent folders if necessary.
    package func write(_ bytes: [UInt8], to path: String) {
        content.withLock { content in
            let inode = content.inode(at: path) ?? content.makeFile(at: path)
            content.change(inode) { node in
                node.bytes = bytes
                node.durableBytes = bytes
            }
        }
    }

    /// Replaces a file with a new one, as most editors do.
    package func save(_ bytes: [UInt8], to path: String) {
        content.withLock { content in
            content.unlink(path)
            let inode = content.makeFile(at: path)
            content.change(inode) { node in
                node.bytes = bytes
                node.durableBytes = bytes
            }
        }
    }

    /// Removes a file, or a folder with its contents.
    package func remove(_ path: String) { content.withLock { $0.unlink(path) } }

    /// Moves a file to another path.
    package func move(_ path: String, to newPath: String) {
        content.withLock { content in
            guard let inode = content.inode(at: path) else { return }
            content.unlink(path)
            content.unlink(newPath)
            content.enter(inode, at: newPath)
        }
    }

    /// Returns the bytes of every file by path, including hidden files.
    package func contents(in root: String = "") -> [String: [UInt8]] {
        content.withLock { content in
            var contents: [String: [UInt8]] = [:]
            func visit(_ inode: UInt64, _ path: String) {
                guard let node = content.nodes[inode] else { return }
                if node.kind == .file { contents[path] = node.bytes }
                for (name, inode) in node.entries {
                    visit(inode, path.isEmpty ? name.string : path + "/" + name.string)
                }
            }
            if let inode = content.inode(at: root) { visit(inode, "") }
            return contents
        }
    }

    /// Returns the bytes of the files that a user sees.
    package func visibleContents(in root: String = "") -> [String: [UInt8]] {
        contents(in: root).filter { !$0.key.hasPrefix(".") && !$0.key.contains("/.") }
    }

    /// Creates a folder and its parents.
    package func makeFolder(_ path: String) { content.withLock { _ = $0.makeFolder(at: path) } }
}

extension MemoryDisk.Content {
    fileprivate mutating func makeFile(at path: String) -> UInt64 {
        lastInode += 1
        let inode = lastInode
        nodes[inode] = MemoryDisk.Node()
        enter(inode, at: path)
        return inode
    }

    fileprivate mutating func enter(_ inode: UInt64, at path: String) {
        keepAllNames()
        let (folder, name) = Self.split(path)
        change(makeFolder(at: folder)) { $0.entries[name] = inode }
    }

    fileprivate mutating func unlink(_ path: String) {
        let (folder, name) = Self.split(path)
        guard let parent = inode(at: folder), nodes[parent]?.entries[name] != nil else { return }
        keepAllNames()
        change(parent) { $0.entries[name] = nil }
    }

    fileprivate mutating func makeFolder(at path: String) -> UInt64 {
        if path.isEmpty { return 1 }
        if let inode = inode(at: path) { return inode }
        lastInode += 1
        let inode = lastInode
        nodes[inode] = MemoryDisk.Node(kind: .folder, permissions: 0o755)
        enter(inode, at: path)
        return inode
    }

    private static func split(_ path: String) -> (folder: String, name: ByteKey) {
        let parts = path.split(separator: "/")
        return (parts.dropLast().joined(separator: "/"), ByteKey(String(parts.last ?? "")))
    }
}
