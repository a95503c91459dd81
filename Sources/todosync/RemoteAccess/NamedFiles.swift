internal import LosslessYAML
internal import Platform
internal import Remotes
internal import Values

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
