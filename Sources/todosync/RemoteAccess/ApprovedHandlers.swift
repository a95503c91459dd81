internal import LosslessYAML
internal import Values

/// The file `todosync/handlers` in the user's configuration folder, which lists the programs that
/// `merge.handler` may run.
///
/// Each line is a JSON object with a folder and its handler, exactly as the configuration names it, and with
/// the digests of the folder's files that the handler names (``NamedFiles``): a handler needs a new approval
/// if it or its script changes. Lines that are empty or begin with `#` are ignored. Only the file's owner may
/// have write permission.
struct ApprovedHandlers {
    private static let kind = UserFile.Kind(
        name: "handlers", content: "approved handlers", forbidden: 0o022)

    /// A handler that may run in a folder.
    struct Approval: Hashable {
        /// The working directory's absolute path, without symbolic links.
        let folder: String
        let handler: String
        let files: NamedFiles

        init(_ handler: String, in root: String) throws {
            (folder, self.handler) = (root, handler)
            files = try NamedFiles(in: handler, root)
        }

        fileprivate init?(line: String) {
            guard case .mapping(let fields)? = try? JSON.read(Array(line.utf8)),
                case .string(let folder)? = fields["folder"], case .string(let handler)? = fields["handler"]
            else { return nil }
            (self.folder, self.handler) = (folder, handler)
            if case .mapping(let digests)? = fields["files"] {
                files = NamedFiles(digests: digests)
            } else {
                files = NamedFiles(digests: Mapping())
            }
        }

        fileprivate var line: String {
            var fields: Mapping = ["folder": .string(folder), "handler": .string(handler)]
            if !files.paths.isEmpty { fields["files"] = .mapping(files.digests) }
            return String(decoding: JSON.write(.mapping(fields)), as: UTF8.self)
        }

        static func == (left: Approval, right: Approval) -> Bool {
            left.folder.isSameBytes(as: right.folder) && left.handler.isSameBytes(as: right.handler)
                && left.files == right.files
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

    /// Returns the files that have changed since a handler was approved for a folder, in the order of their
    /// paths; nil if the handler wasn't approved, or if a file can't be read.
    func changedFiles(of handler: String, in root: String) -> [String]? {
        // The files that a command names are read only if the user has approved the command.
        let approvals = all.filter { $0.folder.isSameBytes(as: root) && $0.handler.isSameBytes(as: handler) }
        guard let last = approvals.last, let current = try? Approval(handler, in: root) else { return nil }
        return approvals.contains(current) ? [] : last.files.differences(from: current.files)
    }

    /// Adds an approval, which replaces any other for the same folder; returns the file's path.
    static func add(_ approval: Approval, _ process: ProcessSurroundings) throws -> String {
        try UserFile.change(kind, process) { file in
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
                    hint: "remove the line; to approve a handler, run \"todosync trust --handler\"")
            }
            return approval
        }
    }
}
