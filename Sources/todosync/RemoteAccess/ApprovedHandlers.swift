internal import LosslessYAML
internal import Platform
internal import Remotes
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
        guard UserFile.hasFolder(process.environment) else {
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

/// The files of a working directory that its handler's command names, with their digests.
///
/// A script in the folder can change at any time, for example with the next `git pull` or the next copy from
/// a shared disk. So an approval also covers the scripts.
///
/// A file counts as named if the command contains its name anywhere, because todosync doesn't parse the
/// command as a shell does. So it finds a script after `cd`, through `PATH` or through `$PWD`, and notices a
/// script that replaces a different one. Quotes, backslashes and the case of letters make no difference. A
/// name inside a longer word also counts, because an option's letter can come before it. As a result, a
/// change to an unrelated file can require a new approval.
///
/// These files aren't found:
/// - files that the command names only by a variable, a substitution or a pattern (see ``hidesNames(_:)``)
/// - files that a named script loads, or that a program chooses, as `make` and `python -m` do
/// - files outside the folder, which don't come with it
/// - files in `.git` and `.todosync`, unless the command contains that name, because `HEAD` changes all the
///   time
struct NamedFiles: Hashable {
    /// The SHA-256 of each file in hexadecimal digits, by path from the folder, in the order of the paths.
    let digests: Mapping

    var paths: [String] { digests.keys }

    init(digests: Mapping) { self.digests = digests }

    /// Returns the files that other digests lack or differ in, and those that only they have, in the order of
    /// their paths.
    func differences(from other: NamedFiles) -> [String] {
        Set(paths + other.paths).filter { digests[$0] != other.digests[$0] }.sorted(byBytesOf: \.self)
    }

    /// Finds and reads the files that a command names.
    ///
    /// - Throws: A ``Failure`` if a file or folder can't be read, or if the files are too large.
    init(in command: String, _ root: String) throws {
        let words = Self.essence(of: command)
        var found: [String] = []
        var folders = [""]
        while let folder = folders.popLast() {
            for (name, isFolder) in try Self.entries(of: root + "/" + folder) {
                let path = folder + name
                let isNamed = words[...].contains(Self.essence(of: name))
                if isFolder {
                    if isNamed || ![".git", ".todosync"].contains(name) { folders.append(path + "/") }
                } else if isNamed {
                    found.append(path)
                }
            }
        }
        var digests = Mapping()
        var size = 0
        for path in found.sorted(byBytesOf: \.self) {
            guard let digest = try Self.digest(ofFileAt: path, root, addingTo: &size) else { continue }
            digests[path] = .string(digest)
        }
        self.digests = digests
    }

    /// Returns whether a command can name files in a way that only a shell can follow.
    static func hidesNames(_ command: String) -> Bool {
        let rest = command.replacing(/\$(PWD|HOME)\b|\$\{(PWD|HOME)\}/, with: "")
        return rest.contains(/[$`*?\[]/) || rest.contains(/\{[^{}'"\s]*(,|\.\.)[^{}'"\s]*\}/)
    }

    /// Returns a text in lower case, without the characters that a shell removes from words.
    private static func essence(of text: String) -> [UInt8] {
        let quotes = Set("'\"\\".utf8)
        let joined = Array(text.utf8).split(separator: Array("\\\n".utf8)).joined()
        return joined.filter { !quotes.contains($0) }.map { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
        }
    }

    /// Returns the entries of a folder; empty if the folder no longer exists.
    private static func entries(of folder: String) throws -> [(name: String, isFolder: Bool)] {
        guard let stream = opendir(folder) else {
            if errno == ENOENT || errno == ENOTDIR { return [] }
            throw Failure(.cannotReadOrWrite, "can't list the folder \(visible(folder))", code: errno)
        }
        defer { closedir(stream) }
        var entries: [(name: String, isFolder: Bool)] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { field in
                String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name == "." || name == ".." { continue }
            var status = stat()
            // A symbolic link to a folder isn't followed.
            let isFolder = lstat(folder + "/" + name, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            entries.append((name, isFolder))
        }
        return entries
    }

    /// The maximum size of a file that is part of an approval, in bytes.
    private static let maximumSize = 16 << 20

    /// The maximum size of all files of an approval, in bytes.
    private static let maximumTotalSize = 64 << 20

    /// Returns the digest of a file; nil if it isn't a regular file, because reading it could then block.
    ///
    /// - Parameter size: The size of the files so far.
    private static func digest(
        ofFileAt path: String, _ root: String, addingTo size: inout Int
    ) throws -> String? {
        var status = stat()
        guard stat(root + "/" + path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        guard status.st_size <= maximumSize else {
            throw Failure(
                .configuration, "merge.handler names \(visible(path)), which is larger than 16 MiB",
                hint: "move it to a different folder that only you can write to")
        }
        size += Int(status.st_size)
        guard size <= maximumTotalSize else {
            throw Failure(
                .configuration, "merge.handler names files that are larger than 64 MiB together",
                hint: "move them to a different folder that only you can write to")
        }
        return try readFile(root + "/" + path, limit: maximumSize).sha256.hexadecimal
    }
}
