import Foundation
import TestSupport

/// A user who edits the todos of a working directory with an editor that waits for the disk.
struct PowerLossUser {
    enum Act: String, CaseIterable {
        case edits, inserts, deletes, renames
        // Possible only if something has arrived.
        case reverts = "reverts what arrived"
        case editsArrived = "edits what arrived"
        case recreates = "re-creates what arrived"
    }

    let side: String
    let folder: String
    /// The field that this user changes most often, so that not every edit is a conflict.
    let favorite: String
    var random: SplitMix64
    var written: WrittenFields

    var files: [TodoFileOfUser] {
        TodoFileOfUser.all(in: folder).filter { $0.fields != nil }
    }

    /// Does something, and returns a description of it.
    mutating func act() throws -> (act: Act, what: String)? {
        let todos = files
        // Users often work on the same todo.
        guard let file = random.chance(0.4) ? todos.first : todos.randomElement(using: &random) else {
            return (.inserts, try insert())
        }
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<13: return (.edits, try edit(file, anyField()))
        case 13..<16: return (.inserts, try insert())
        case 16: return (.deletes, try delete(file))
        default: return (.renames, try rename(file))
        }
    }

    /// Acts on what is visible after an interrupted command.
    ///
    /// If a merged file gets back its text from before the merge, the merge counts as never written. So the
    /// user doesn't revert such a merge.
    /// - Parameters:
    ///   - before: The files before the command.
    ///   - unedited: The files before their last edits.
    mutating func actOnSeen(
        before: [TodoFileOfUser], unedited: [TodoFileOfUser]
    ) throws -> (act: Act, what: String)? {
        let old = Dictionary(before.map { ($0.key, $0) }) { first, _ in first }
        let arrived = files.flatMap { file in
            TodoFileOfUser.names.compactMap { name -> (TodoFileOfUser, String, String?)? in
                let value = old[file.key]?.value(of: name)
                return value == file.value(of: name) ? nil : (file, name, value)
            }
        }
        guard let (file, name, value) = arrived.randomElement(using: &random), random.chance(0.8) else {
            guard let file = files.randomElement(using: &random) else { return nil }
            if random.chance(0.2) { return (.renames, try rename(file)) }
            return (.edits, try edit(file, anyField()))
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0...1:
            let text = value.map { file.setting(name, to: $0).text }
            let undoesMerge = before.contains { $0.text == text } && !unedited.contains { $0.text == text }
            guard let value, !undoesMerge else { return (.editsArrived, try edit(file, name)) }
            return (.reverts, try set(file, name, to: value, isRevert: true))
        case 2: return (.editsArrived, try edit(file, random.chance(0.5) ? name : anyField()))
        default:
            let other = anyField()
            try remove(file.path)
            return (.recreates, try edit(file, other) + " in a new file")
        }
    }

    private mutating func anyField() -> String {
        random.chance(0.8) ? favorite : TodoFileOfUser.names.randomElement(using: &random) ?? favorite
    }

    private mutating func edit(_ file: TodoFileOfUser, _ name: String) throws -> String {
        try set(file, name, to: written.new())
    }

    private mutating func set(
        _ file: TodoFileOfUser, _ name: String, to value: String, isRevert: Bool = false
    ) throws -> String {
        try save(file.setting(name, to: value))
        let field = WrittenFields.Field(todo: file.key ?? "", name: name)
        written.wrote(value, over: file.value(of: name), in: field, by: side, isRevert: isRevert)
        return "\(field): \(file.value(of: name) ?? "") -> \(value) in \(file.path)"
    }

    mutating func insert() throws -> String {
        let key = written.new()
        var fields = TodoFileOfUser.names.map { ($0, written.new()) }
        for (name, value) in fields {
            written.wrote(value, over: nil, in: .init(todo: key, name: name), by: side)
        }
        fields.append(("key", key))
        if random.chance(0.5) { fields.insert(("id", "id-\(key)"), at: 0) }
        let path = newPath()
        written.wrote(path, over: nil, in: .init(todo: key, name: TodoFileOfUser.pathName), by: side)
        try save(TodoFileOfUser(path: path, text: fields.map { "\($0.0): \($0.1)\n" }.joined()))
        return "\(key) in \(path)"
    }

    private mutating func delete(_ file: TodoFileOfUser) throws -> String {
        try remove(file.path)
        for name in TodoFileOfUser.names + [TodoFileOfUser.pathName] {
            written.wrote(
                nil, over: file.value(of: name), in: .init(todo: file.key ?? "", name: name), by: side)
        }
        return file.path
    }

    private mutating func rename(_ file: TodoFileOfUser) throws -> String {
        let path = newPath()
        try makeFolder(of: path)
        guard Foundation.rename(folder + "/" + file.path, folder + "/" + path) == 0 else {
            throw LoopError("rename: \(String(cString: strerror(errno)))")
        }
        for changed in [file.path, path] { try synchronize(folderOf(changed)) }
        written.wrote(
            path, over: file.path, in: .init(todo: file.key ?? "", name: TodoFileOfUser.pathName), by: side)
        return "\(file.path) -> \(path)"
    }

    private mutating func newPath() -> String {
        (random.chance(0.3) ? "folder/" : "") + written.new() + ".yaml"
    }

    // MARK: On the disk

    /// Saves a file as editors do: in place, or by a rename.
    private mutating func save(_ file: TodoFileOfUser) throws {
        try makeFolder(of: file.path)
        let path = folder + "/" + file.path
        let written = random.chance(0.5) ? path : folderOf(file.path) + "/.saved"
        let descriptor = open(written, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        let bytes = Array(file.text.utf8)
        guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0,
            close(descriptor) == 0, written == path || Foundation.rename(written, path) == 0
        else { throw LoopError("\(file.path) was not saved: \(String(cString: strerror(errno)))") }
        try synchronize(folderOf(file.path))
    }

    private func remove(_ path: String) throws {
        try FileManager.default.removeItem(atPath: folder + "/" + path)
        try synchronize(folderOf(path))
    }

    private func folderOf(_ path: String) -> String {
        ((folder + "/" + path) as NSString).deletingLastPathComponent
    }

    private func makeFolder(of path: String) throws {
        guard folderOf(path) != folder, mkdir(folderOf(path), 0o755) == 0 else { return }
        try synchronize(folder)
    }

    private func synchronize(_ folder: String) throws {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(descriptor) }
        guard descriptor >= 0, fsync(descriptor) == 0 else { throw LoopError("\(folder) was not synced") }
    }
}
