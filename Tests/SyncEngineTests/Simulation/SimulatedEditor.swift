import TestSupport
import TodoModel

/// A user who edits a machine's files at random.
struct SimulatedEditor {
    let machine: SimulatedMachine
    var random: SplitMix64

    static let paths = [
        "a.yaml", "b.yaml", "c.yaml", "d.yml", "e.yaml", "work/a.yaml", "work/b.yaml", "home/deep/a.yaml",
    ]

    /// Makes one random change to one file, and returns what happened.
    mutating func act() -> SimulatedEvent? {
        guard let path = machine.paths.randomElement(using: &random), let old = machine.text(at: path) else {
            return create()
        }
        if old.contains("<<<<<<<") { return solve(path, old) }
        let new = machine.texts.new()
        switch Int.random(in: 0..<18, using: &random) {
        case 0...2: return save(path, Self.setting("text", new, in: old))
        case 3...4: return save(path, Self.setting("priority", new, in: old))
        case 5: return save(path, Self.setting("tags", "[\(new), shop]", in: old))
        case 6: return save(path, old + "# \(new)\n")
        case 7: return save(path, Self.setting("notes", "|\n  first\n  \(new)\n  last", in: old))
        case 8: return save(path, Self.setting("more", "{part: {deep: \(new)}, same: 1}", in: old))
        case 9: return save(path, Self.removing("priority", from: old))
        // An old buffer without the id is written back.
        case 10:
            // If the file is then moved, it becomes a new todo, and its former todo is deleted.
            machine.allowReturn()
            return save(path, Self.removing("id", from: old))
        case 11...12: return rename(path)
        case 13: return copy(path, old)
        case 14: return remove(path)
        case 15: return invalidate(path, old)
        default: return create()
        }
    }

    /// Continues after an interrupted command: edits a file that it changed, reverts the change, creates a
    /// file again that it removed, or deletes any file.
    ///
    /// - Parameters:
    ///   - before: The files before the command.
    ///   - pending: The paths of the files that had edits.
    mutating func goOn(from before: [String: [UInt8]], pending: Set<String>) -> SimulatedEvent? {
        let files = machine.files
        if random.chance(0.15), let path = machine.paths.randomElement(using: &random) {
            _ = remove(path)
            return .deleteAfterCrash
        }
        let paths = Set(files.keys).union(before.keys).filter { files[$0] != before[$0] }.sorted()
        guard let path = paths.randomElement(using: &random) else { return nil }
        guard let text = machine.text(at: path) else {
            guard let old = before[path] else { return nil }
            // The file might have been moved, so this might be a copy, and either can become a new todo.
            machine.allowReturn()
            machine.save(String(decoding: old, as: UTF8.self), to: path)
            return .recreateAfterCrash
        }
        if text.contains("<<<<<<<") { return solve(path, text) }
        // A file with edits isn't reverted: a merge that is reverted looks like one that was never written.
        if let old = before[path], !pending.contains(path), random.chance(0.5) {
            // The path might have received a different todo's text, which stays on the remote.
            if id(in: old) != id(in: Array(text.utf8)) { machine.allowReturn() }
            machine.save(String(decoding: old, as: UTF8.self), to: path)
            return .revertAfterCrash
        }
        machine.save(Self.setting("text", machine.texts.new(), in: text), to: path)
        return .editAfterCrash
    }

    private func id(in bytes: [UInt8]) -> TodoID? { (try? Todo(parsing: bytes))?.id }

    mutating func create() -> SimulatedEvent? {
        let path = Self.paths.randomElement(using: &random) ?? "a.yaml"
        guard machine[path] == nil else { return nil }
        machine.save("text: \(machine.texts.new())\n", to: path)
        return .create
    }

    private mutating func save(_ path: String, _ text: String) -> SimulatedEvent {
        let saving = SimulatedMachine.Saving.allCases.randomElement(using: &random) ?? .byRename
        machine.save(text, to: path, saving)
        return saving == .overwriting ? .editByOverwriting : .editByRename
    }

    private mutating func rename(_ path: String) -> SimulatedEvent {
        // A file without an id becomes a new todo, and its former todo is deleted.
        if let bytes = machine[path], (try? Todo(parsing: bytes))?.id == nil { machine.allowReturn() }
        machine.move(path, to: Self.paths.randomElement(using: &random) ?? path)
        return .rename
    }

    private mutating func copy(_ path: String, _ text: String) -> SimulatedEvent? {
        let newPath = Self.paths.randomElement(using: &random) ?? path
        guard machine[newPath] == nil else { return nil }
        machine.texts.allowReturn(of: UserTexts.all(in: Array(text.utf8)))
        machine.save(text, to: newPath)
        return .copy
    }

    private mutating func remove(_ path: String) -> SimulatedEvent {
        // The other machine's file can come back, without the edits that are deleted with this one.
        machine.allowReturn()
        machine.save(nil, to: path)
        return .delete
    }

    /// Leaves a file in the middle of being edited.
    private mutating func invalidate(_ path: String, _ text: String) -> SimulatedEvent {
        machine.save(text + "]] \(machine.texts.new())\n", to: path)
        return .invalidate
    }

    /// Removes what makes a file invalid.
    mutating func repair(_ path: String) {
        if let text = machine.text(at: path), text.contains("<<<<<<<") { _ = solve(path, text) }
        guard let text = machine.text(at: path) else { return }
        let lines = text.split(separator: "\n").filter { !$0.contains("]]") }
        let repaired = lines.joined(separator: "\n") + "\n"
        machine.save(
            repaired.contains("text:") ? repaired : repaired + "text: \(machine.texts.new())\n", to: path)
    }

    /// Takes the local or the remote lines of every block, and adds a new line.
    private mutating func solve(_ path: String, _ text: String) -> SimulatedEvent {
        let takesLocal = random.chance(0.5)
        // A user who sees both sides takes one knowingly.
        machine.texts.allowReturn(of: UserTexts.all(in: Array(text.utf8)))
        var side: Bool?
        var lines: [Substring] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("<<<<<<<") {
                side = true
            } else if line.hasPrefix("======="), side != nil {
                side = false
            } else if line.hasPrefix(">>>>>>>") {
                side = nil
            } else if side == nil || side == takesLocal {
                lines.append(line)
            }
        }
        machine.save(lines.joined(separator: "\n") + "\n# \(machine.texts.new())\n", to: path)
        return .solveByHand
    }

    /// Returns the text with a field instead of the one with this name and its continuation lines.
    static func setting(_ field: String, _ value: String, in text: String) -> String {
        removing(field, from: text) + "\(field): \(value)\n"
    }

    private static func removing(_ field: String, from text: String) -> String {
        var lines: [Substring] = []
        var isSkipping = false
        for line in text.split(separator: "\n") {
            if !line.hasPrefix(" ") { isSkipping = line.hasPrefix(field + ":") }
            if !isSkipping { lines.append(line) }
        }
        return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
    }
}
