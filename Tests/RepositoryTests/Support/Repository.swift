import Foundation

/// The checkout that these tests were compiled from.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Every source file of the project, except dot-files.
    static let files =
        ["Sources", "Tests", "completions"].flatMap(files)
        + (["Package.swift", "README.md"] + scripts).map(SourceFile.init)

    /// The scripts that build and check the project.
    static let scripts = ["full", "name-server", "notices", "package", "release", "run", "test-package"].map {
        ".ci/" + $0
    }

    /// Every Swift file in `Sources` and `Tests`.
    static let swiftFiles = files.filter { $0.path.hasSuffix(".swift") && $0.path.contains("/") }
        .map(SwiftFile.init)

    /// Returns the Swift files in a folder.
    static func swiftFiles(in folder: String) -> [SwiftFile] {
        swiftFiles.filter { $0.path.hasPrefix(folder + "/") }
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    /// The paths in git's index; nil outside of a checkout, such as in an unpacked archive.
    static let trackedPaths: [String]? = {
        guard exists(".git"), FileManager.default.isExecutableFile(atPath: "/usr/bin/git") else { return nil }
        // The checkout can belong to a user other than the one who runs the tests.
        let arguments = ["-c", "safe.directory=*", "-C", root.path, "ls-files", "-z"]
        guard let result = try? run(URL(filePath: "/usr/bin/git"), arguments), result.status == 0 else {
            return nil
        }
        return result.output.split(separator: "\0").map(String.init)
    }()

    /// Returns every file in a folder, except hidden ones, sorted by path.
    private static func files(in folder: String) -> [SourceFile] {
        let paths = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
        return (paths?.compactMap { $0 as? String } ?? []).sorted()
            .map { folder + "/" + $0 }
            .filter { path in !path.contains("/.") && !isFolder(path) }
            .map(SourceFile.init)
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(
            atPath: root.appending(path: path).path, isDirectory: &isFolder)
        return exists && isFolder.boolValue
    }
}

/// A file of the repository, by its path from the root; empty if it is missing.
struct SourceFile: Sendable {
    let path: String
    let bytes: [UInt8]

    init(path: String) {
        self.path = path
        bytes = [UInt8](
            FileManager.default.contents(atPath: Repository.root.appending(path: path).path) ?? Data())
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// A Swift file, with its text and its code.
struct SwiftFile: Sendable {
    let path: String
    let lines: [Substring]
    let code: SwiftCode

    init(_ file: SourceFile) {
        path = file.path
        lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
        code = SwiftCode(file.bytes)
    }

    /// The file's module, or the folder of its tests.
    var module: Substring { path.split(separator: "/")[1] }
}
