import Foundation

/// A temporary folder for a test, which is removed with its last reference.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// In memory if possible, because some tests create thousands of folders.
    private static let parent =
        FileManager.default.isWritableFile(atPath: "/dev/shm")
        ? URL(filePath: "/dev/shm") : FileManager.default.temporaryDirectory

    package init() throws {
        let url = TemporaryFolder.parent.appending(path: "todosync-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    /// Creates a working directory with files.
    package convenience init(_ files: [String: String]) throws {
        try self.init()
        try makeFolder(".todosync")
        for (path, content) in files { try write(content, to: path) }
    }

    /// Creates a copy of a folder with its contents.
    package init(copyOf folder: TemporaryFolder) throws {
        path =
            FileManager.default.temporaryDirectory.appending(path: "todosync-test-\(UUID().uuidString)").path
        try FileManager.default.copyItem(atPath: folder.path, toPath: path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func path(of relative: String) -> String { path + "/" + relative }

    package func makeFolder(_ relative: String) throws {
        try FileManager.default.createDirectory(atPath: path(of: relative), withIntermediateDirectories: true)
    }

    /// Writes in place, so that programs that have the file open see the change.
    package func write(_ content: String, to relative: String) throws {
        try FileManager.default.createDirectory(
            atPath: (path(of: relative) as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true)
        try Data(content.utf8).write(to: URL(filePath: path(of: relative)))
    }

    /// Writes a new file and renames it over the old one, as most editors do.
    package func save(_ content: String, to relative: String) throws {
        try makeFolderAbove(relative)
        try Data(content.utf8).write(to: URL(filePath: path(of: relative)), options: .atomic)
    }

    private func makeFolderAbove(_ relative: String) throws {
        try FileManager.default.createDirectory(
            atPath: (path(of: relative) as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true)
    }

    package func remove(_ relative: String) throws {
        try FileManager.default.removeItem(atPath: path(of: relative))
    }

    package func link(_ relative: String, to destination: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: path(of: relative), withDestinationPath: destination)
    }

    package func read(_ relative: String) -> String? {
        FileManager.default.contents(atPath: path(of: relative)).map { String(decoding: $0, as: UTF8.self) }
    }

    package func exists(_ relative: String) -> Bool {
        FileManager.default.fileExists(atPath: path(of: relative))
    }

    package func permissions(of relative: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path(of: relative))[.posixPermissions] as? Int
    }

    package func setPermissions(_ permissions: Int, of relative: String) throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: permissions], ofItemAtPath: path(of: relative))
    }

    /// Returns the content of every file by path, including `.todosync` and hidden files.
    package func contents() -> [String: String] {
        var contents: [String: String] = [:]
        for case let relative as String in FileManager.default.enumerator(atPath: path) ?? .init() {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: path(of: relative), isDirectory: &isFolder)
            if !isFolder.boolValue { contents[relative] = read(relative) }
        }
        return contents
    }

    /// Changes a file's times as if it was last written long ago, so that its stamp reveals every change.
    package func makeOld(_ relative: String) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: path(of: relative))
    }

    /// Returns the paths of all folders.
    package func folders() -> [String] {
        let contents = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return contents.filter { relative in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: self.path(of: relative), isDirectory: &isFolder)
                && isFolder.boolValue
        }.sorted()
    }

    /// Returns the contents of all files except the cache, which any command can write.
    package func contentsBesidesCache() -> [String: String] {
        var contents = contents()
        contents[".todosync/cache"] = nil
        // The rest of the line is the journal's seal, which no two folders share, and a checksum.
        let length = contents[".todosync/journal.length"]
        contents[".todosync/journal.length"] = length.map { String($0.prefix(20)) }
        return contents
    }

    /// Returns the contents of the files that a user sees.
    package func visibleContents() -> [String: String] {
        contents().filter { !$0.key.hasPrefix(".") && !$0.key.contains("/.") }
    }
}
