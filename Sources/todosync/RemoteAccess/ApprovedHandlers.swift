internal import LosslessYAML
internal import Platform
internal import Remotes
internal import Values

/// The file `todosync/handlers` in the user's configuration folder, which lists the programs that
/// `merge.handler` may run.
///
/// Each line is a JSON object with a folder and its handler, exactly as the configuration names it, and with
/// the digests of the folder's files that the handler names: a changed handler, or one whose script changed,
/// needs another approval. Lines that are empty or begin with `#` are ignored. Only the file's owner may have
/// write permission.
struct ApprovedHandlers {
    private static let kind = UserFile.Kind(
        name: "handlers", content: "approved handlers", forbidden: 0o022)

    /// A handler that may run in a folder.
    struct Approval: Hashable {
        /// The working directory's absolute path, without symbolic links.
        let folder: String
        let handler: String
        /// The SHA-256 of each file that the handler names and that is in the folder, in hexadecimal digits.
        private let digests: Mapping

        init(_ handler: String, in root: String) {
            (folder, self.handler) = (root, handler)
            digests = Self.digests(ofFilesIn: handler, root)
        }

        /// Returns the digests of the files that a command for the shell names, by their names.
        private static func digests(ofFilesIn command: String, _ root: String) -> Mapping {
            let separators = Set(" \t\n'\"`;|&()<>={}")
            var digests = Mapping()
            for word in command.split(whereSeparator: separators.contains) {
                let path = word.hasPrefix("/") ? String(word) : root + "/" + word
                guard path.hasPrefix(root + "/"), isReadableSoon(path), let bytes = try? readFile(path) else {
                    continue
                }
                digests[String(word)] = .string(
                    bytes.sha256.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
            }
            return digests
        }

        /// Returns whether a file is a regular one, whose reading can't wait for anybody, and not huge.
        private static func isReadableSoon(_ path: String) -> Bool {
            var information = stat()
            return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
                && information.st_size <= maximumSize
        }

        /// The maximum size of a file that is part of an approval, in bytes.
        private static let maximumSize = 16 << 20

        fileprivate init?(line: String) {
            guard case .mapping(let fields)? = try? JSON.read(Array(line.utf8)),
                case .string(let folder)? = fields["folder"], case .string(let handler)? = fields["handler"]
            else { return nil }
            (self.folder, self.handler) = (folder, handler)
            if case .mapping(let digests)? = fields["files"] {
                self.digests = digests
            } else {
                digests = Mapping()
            }
        }

        fileprivate var line: String {
            var fields: Mapping = ["folder": .string(folder), "handler": .string(handler)]
            if !digests.isEmpty { fields["files"] = .mapping(digests) }
            return String(decoding: JSON.write(.mapping(fields)), as: UTF8.self)
        }

        static func == (left: Approval, right: Approval) -> Bool {
            left.folder.isSameBytes(as: right.folder) && left.handler.isSameBytes(as: right.handler)
                && left.digests == right.digests
        }

        func hash(into hasher: inout Hasher) { hasher.combine(ByteKey(folder)) }
    }

    /// The approvals in the order of the file.
    let all: [Approval]

    /// Reads the file; a missing file counts as empty.
    ///
    /// - Throws: A ``Failure`` if the file can't be read or parsed, or if others can write it.
    init(_ process: ProcessSurroundings) throws {
        guard UserFile.hasPlace(process.environment) else {
            all = []
            return
        }
        all = try Self.approvals(UserFile(Self.kind, process))
    }

    /// Returns whether a handler may run in a folder.
    func contains(_ handler: String, in root: String) -> Bool {
        // The files that a command names are read only if somebody has approved the command.
        let isKnown = all.contains { $0.folder.isSameBytes(as: root) && $0.handler.isSameBytes(as: handler) }
        return isKnown && all.contains(Approval(handler, in: root))
    }

    /// Approves a handler for a folder, replacing any other; returns the file's path.
    static func add(_ handler: String, in root: String, _ process: ProcessSurroundings) throws -> String {
        let approval = Approval(handler, in: root)
        return try UserFile.change(kind, process) { file in
            if try approvals(file).contains(approval) { return file.path }
            file.lines.removeAll { Approval(line: $0)?.folder.isSameBytes(as: approval.folder) == true }
            file.lines.append(approval.line)
            return file.path
        }
    }

    /// Removes a folder's approvals; returns false if there were none.
    static func remove(for root: String, _ process: ProcessSurroundings) throws -> Bool {
        return try UserFile.change(kind, process) { file in
            let count = try approvals(file).count
            file.lines.removeAll { Approval(line: $0)?.folder.isSameBytes(as: root) == true }
            return try approvals(file).count < count
        }
    }

    private static func approvals(_ file: UserFile) throws -> [Approval] {
        try zip(1..., file.lines).compactMap { number, line in
            let text = line.drop(while: \.isWhitespace)
            if text.isEmpty || text.hasPrefix("#") { return nil }
            guard let approval = Approval(line: line) else {
                throw Failure(
                    .configuration, "\(visible(file.path)):\(number): not an approved handler",
                    hint: "remove the line; run \"todosync trust --handler\" to add one")
            }
            return approval
        }
    }
}
