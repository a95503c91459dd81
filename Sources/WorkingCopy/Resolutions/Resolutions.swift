package import LosslessYAML
package import TodoModel
internal import Values

/// The remembered resolutions, oldest first, limited in number.
package struct Resolutions: Sendable, Hashable {
    package private(set) var all: [RememberedResolution] = []

    /// The maximum number of resolutions.
    package static let maximumCount = 1000
    /// The maximum size of the file in bytes.
    static let maximumSize = 1 << 20

    package init() {}

    /// Remembers a resolution, and replaces an earlier resolution of the same conflict.
    ///
    /// If the results are equal, the resolution keeps the earlier operation.
    package mutating func learn(_ resolution: RememberedResolution) {
        var resolution = resolution
        if let index = all.lastIndex(where: { $0.isAboutSame(as: resolution) }) {
            let earlier = all.remove(at: index)
            if earlier.result == resolution.result { resolution.operation = earlier.operation }
        }
        all.append(resolution)
        if all.count > Self.maximumCount { all.removeFirst(all.count - Self.maximumCount) }
    }

    /// Forgets matching resolutions, and returns their number.
    @discardableResult
    package mutating func forget(where isForgotten: (RememberedResolution) -> Bool) -> Int {
        let before = all.count
        all.removeAll(where: isForgotten)
        return before - all.count
    }

    /// Forgets resolutions that are as old as the operations that the log can drop, and resolutions of
    /// deleted todos; returns their number.
    package mutating func prune(_ retention: Retention, isGone: (TodoID) -> Bool) -> Int {
        forget { resolution in
            guard case .instant(let instant)? = Due(resolution.time) else { return true }
            return instant.seconds <= retention.since || isGone(resolution.id)
        }
    }

    // MARK: The file

    static let format = 1

    /// Parses the file; nil if it is damaged or has a different format.
    ///
    /// The file's lines have the same form as the journal's lines. The first line has the format's number.
    init?(_ bytes: [UInt8]) {
        guard bytes.last == UInt8(ascii: "\n") else { return nil }
        var lines = bytes.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[
            ...]
        guard let first = lines.popFirst(), case .mapping(let head)? = JournalLines.value(in: first),
            case .number(let format)? = head["format"]
        else { return nil }
        guard format == Number(Self.format) else { return nil }
        for line in lines {
            guard let resolution = JournalLines.value(in: line).flatMap(RememberedResolution.init) else {
                return nil
            }
            all.append(resolution)
        }
    }

    /// The file's bytes.
    ///
    /// The oldest resolutions are left out if all of them would exceed the maximum size.
    var bytes: [UInt8] {
        var head: [UInt8] = []
        JournalLines.append(to: &head) {
            JSON.write(.mapping(["format": .number(Number(Self.format))]), to: &$0)
        }
        var size = head.count
        var lines: [[UInt8]] = []
        for resolution in all.reversed() {
            var line: [UInt8] = []
            JournalLines.append(to: &line) { JSON.write(resolution.json, to: &$0) }
            // Leave out a resolution that is too large on its own.
            if size + line.count > Self.maximumSize { continue }
            size += line.count
            lines.append(line)
        }
        return head + lines.reversed().joined()
    }
}

/// The user's resolution of a conflict in one value of a todo.
package struct RememberedResolution: Sendable, Hashable {
    /// The todo that the resolution applies to.
    package var id: TodoID
    /// The path of keys to the value, beginning with the top-level field.
    package var path: [String]
    /// The base value; nil if there wasn't one.
    package var base: Value?
    /// The local value; nil if there wasn't one.
    package var local: Value?
    /// The remote value; nil if there wasn't one.
    package var remote: Value?
    /// The value that the user chose; nil if the user removed it.
    package var result: Value?
    /// The operation that resolved the conflict.
    package var operation: String
    /// The time of the resolution, in RFC 3339 format.
    package var time: String

    package init(
        id: TodoID, path: [String], base: Value?, local: Value?, remote: Value?, result: Value?,
        operation: String, time: String
    ) {
        self.id = id
        self.path = path
        self.base = base
        self.local = local
        self.remote = remote
        self.result = result
        self.operation = operation
        self.time = time
    }

    /// Returns whether two resolutions are about the same conflict, with local and remote possibly swapped.
    package func isAboutSame(as other: RememberedResolution) -> Bool {
        id == other.id && isAbout(other.path, base: other.base, local: other.local, remote: other.remote)
    }

    /// Returns whether the resolution is about a conflict of its todo, with local and remote possibly
    /// swapped.
    package func isAbout(_ path: [String], base: Value?, local: Value?, remote: Value?) -> Bool {
        guard ByteKey.areSame(self.path, path), isSame(self.base, base) else { return false }
        return isSame(self.local, local) && isSame(self.remote, remote)
            || isSame(self.local, remote) && isSame(self.remote, local)
    }

    private func isSame(_ left: Value?, _ right: Value?) -> Bool {
        if left == right { return true }
        guard path.count == 1, let field = path.first else { return false }
        return CanonicalField.value(field, left) == CanonicalField.value(field, right)
    }
}

extension ByteKey {
    fileprivate static func areSame(_ left: [String], _ right: [String]) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { $0.isSameBytes(as: $1) }
    }
}

// A resolution is a JSON object without the values that are nil.
extension RememberedResolution {
    init?(_ value: Value) {
        guard case .mapping(let object) = value, case .string(let id)? = object["id"],
            let id = TodoID(id), case .list(let keys)? = object["path"],
            case .string(let operation)? = object["operation"], case .string(let time)? = object["time"]
        else { return nil }
        let path = keys.compactMap { if case .string(let key) = $0 { key } else { nil } }
        guard !path.isEmpty, path.count == keys.count else { return nil }
        self.init(
            id: id, path: path, base: object["base"], local: object["local"], remote: object["remote"],
            result: object["result"], operation: operation, time: time)
    }

    var json: Value {
        var object: Mapping = ["id": .string(id.string), "path": .list(path.map(Value.string))]
        object["base"] = base
        object["local"] = local
        object["remote"] = remote
        object["result"] = result
        object["operation"] = .string(operation)
        object["time"] = .string(time)
        return .mapping(object)
    }
}

extension WorkingDirectory {
    /// Returns the remembered resolutions; nil if their file is damaged.
    package func resolutions() throws -> Resolutions? {
        try Resolutions.read(in: StateFolder(root: root, fileSystem: fileSystem))
    }
}

extension Transaction {
    /// Writes the remembered resolutions, after moving a damaged file away.
    package func write(_ resolutions: Resolutions) throws {
        try Resolutions.moveDamaged(in: stateFolder)
        try stateFolder.replaceWhole(Resolutions.name.description, with: resolutions.bytes)
    }
}

extension Resolutions {
    static let name: FileName = "resolutions"

    /// Returns the resolutions in the file; nil if the file is damaged.
    static func read(in stateFolder: StateFolder) throws(FileError) -> Resolutions? {
        do throws(FileError) {
            switch try stateFolder.fileSystem.readFile(name, in: stateFolder.folder, limit: maximumSize) {
            case .missing: return Resolutions()
            case .notRegular: return nil
            case .content(let content): return Resolutions(content.bytes)
            }
        } catch {
            throw error.at("\(StateFolder.name)/\(name)")
        }
    }

    static func moveDamaged(in stateFolder: StateFolder) throws(FileError) {
        if try read(in: stateFolder) == nil { try stateFolder.moveDamaged(name) }
    }
}
