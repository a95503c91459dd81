import TestSupport
import Testing
import TodoModel

@testable import WorkingCopy

/// Two threads that share a walk find the same files as one thread, wherever the walk is divided.
@Suite struct SharedScanTests {
    /// Paths in folders whose names sort before and after a slash, in nested folders, and with ignored files.
    private static let paths = [
        "a.yaml", "a/b.yaml", "a/b/c.yaml", "a/b/d.yaml", "a/ignored.yaml", "a/z.yaml", "a-b/c.yaml",
        "a0.yaml",
        "b!/a.yaml", "b/.hidden/a.yaml", "b/inner/.todosync/a.yaml", "b/inner/a.yaml", "b/x.yaml",
        "z/y/x.yaml",
    ]

    @Test(arguments: [true, false])
    func `two threads find the same as one, wherever they meet`(reportsKinds: Bool) throws {
        let folder = try TemporaryFolder()
        let directory = WorkingDirectory(root: folder.path, fileSystem: FailingFileSystem())
        try directory.create(Configuration())
        for path in Self.paths { try folder.write("id: \(Self.id(of: path))\ntext: x\n", to: path) }
        try folder.write("ignored.yaml\n", to: "a/.todosyncignore")
        try folder.link("b/link", to: "../a")
        let cache = try cache(of: directory, in: folder)
        try folder.write("id: changed\ntext: y\n", to: "a/b/d.yaml")
        try folder.write("id: new\ntext: z\n", to: "a/b.d/new.yaml")
        var fileSystem = FailingFileSystem()
        if !reportsKinds { fileSystem.missing.insert(.kinds) }
        let alone = try scan(root: folder.path, include: [], fileSystem: fileSystem, cache: cache)
        #expect(alone.ignored.count > 3)
        for entry in cache.entries.indices {
            let boundary = cache.path(at: entry)
            let findings = try scan(
                folder.path, try Scanner.listing(of: folder.path, fileSystem), nil, fileSystem, cache,
                try fileSystem.time(), from: boundary)
            let shared = FileScan(findings, include: nil)
            if reportsKinds {
                #expect(shared.files.map(\.path) == alone.files.map(\.path), "\(boundary)")
                #expect(shared.unchanged.paths == alone.unchanged.paths, "\(boundary)")
                #expect(shared.ignored == alone.ignored, "\(boundary)")
            } else {
                // The walk's order differs from the cache's, so some files are read anyway.
                #expect(Self.paths(in: shared) == Self.paths(in: alone), "\(boundary)")
                #expect(Set(shared.ignored) == Set(alone.ignored), "\(boundary)")
            }
            #expect(shared.mountPoints == alone.mountPoints)
            for path in Self.paths + ["a/new.yaml", "b/link/x.yaml"] {
                #expect(
                    shared.exclusionReason(for: path) == alone.exclusionReason(for: path),
                    "\(path), \(boundary)")
            }
        }
    }

    @Test func `an unreadable folder at the meeting point is skipped once`() throws {
        let folder = try TemporaryFolder()
        let directory = WorkingDirectory(root: folder.path, fileSystem: FailingFileSystem())
        try directory.create(Configuration())
        for path in Self.paths { try folder.write("id: \(Self.id(of: path))\ntext: x\n", to: path) }
        let cache = try cache(of: directory, in: folder)
        let failing = FailingFileSystem { call throws(FileError) in
            if call.operation == .open, call.name == "b" { throw FileError(.open, "b", code: 13) }
        }
        let findings = try scan(
            folder.path, try Scanner.listing(of: folder.path, failing), nil, failing, cache,
            try failing.time(), from: "b/x.yaml")
        #expect(findings.ignored.filter { $0.path == "b" }.count == 1)
        #expect(!FileScan(findings, include: nil).wouldSee("b/x.yaml"))
    }

    @Test func `without a cache, two threads meet in the middle of the listed folder`() throws {
        let folder = try TemporaryFolder()
        let fileSystem = FailingFileSystem()
        for path in Self.paths { try folder.write("id: \(Self.id(of: path))\ntext: x\n", to: path) }
        try folder.write("id: hidden\ntext: x\n", to: ".a/hidden.yaml")
        try folder.write("b.yaml\n", to: ".todosyncignore")
        let alone = try scan(
            root: folder.path, include: [], fileSystem: fileSystem, cache: nil, minimumOfTwo: .max)
        let listing = try Scanner.listing(of: folder.path, fileSystem)
        for boundary in Self.paths + ["a", "a.d", "b", "", "zz", ".a"] {
            let findings = try scan(
                folder.path, listing, nil, fileSystem, nil, try fileSystem.time(), from: boundary)
            let shared = FileScan(findings, include: nil)
            #expect(shared.files.map(\.path) == alone.files.map(\.path), "\(boundary)")
            #expect(shared.ignored == alone.ignored, "\(boundary)")
        }
        #expect(Scanner.middle(of: listing, ofAtLeast: 1) == "a0.yaml")
        let shared = try scan(
            root: folder.path, include: [], fileSystem: fileSystem, cache: nil, minimumOfTwo: 1)
        #expect(shared.files.map(\.path) == alone.files.map(\.path))
        #expect(shared.files.map(\.content) == alone.files.map(\.content))
    }

    @Test func `one thread walks a folder with little content`() throws {
        let folder = try TemporaryFolder()
        func middle(ofAtLeast count: Int) throws -> String? {
            Scanner.middle(of: try Scanner.listing(of: folder.path, POSIXFileSystem()), ofAtLeast: count)
        }
        #expect(try middle(ofAtLeast: 1) == nil)
        for name in ["a.yaml", "b/c.yaml", ".d/c.yaml"] { try folder.write("text: x\n", to: name) }
        #expect(try middle(ofAtLeast: 3) == nil)
        #expect(try middle(ofAtLeast: 2) == "b")
        // Eight folders could contain any number of files.
        for number in 1...6 { try folder.write("text: x\n", to: "e\(number)/c.yaml") }
        #expect(try middle(ofAtLeast: 100) == nil)
        try folder.write("text: x\n", to: "e7/c.yaml")
        #expect(try middle(ofAtLeast: 100) == "e3")
    }

    // MARK: -

    private static func paths(in scan: FileScan) -> [String] {
        (scan.files.map(\.path) + scan.unchanged.paths).sorted()
    }

    private static func id(of path: String) -> String {
        String(decoding: path.utf8.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: ".") : $0 }, as: UTF8.self)
    }

    /// Returns a cache with the stamps of all files in a folder.
    private func cache(of directory: WorkingDirectory, in folder: TemporaryFolder) throws -> Cache {
        let transaction = try directory.begin(
            operation: "o", time: "2026-12-01T09:30:00Z", command: "pull", timeout: .seconds(10))
        var files: [TodoID: StampedFile] = [:]
        for path in Self.paths {
            let id = try #require(TodoID(Self.id(of: path)))
            let bytes = try #require(folder.read(path)).bytes
            let remote = RemoteTodo(version: Version("1"), path: path, bytes: bytes)
            try transaction.record([.confirmed(id: id, .todo(remote), localPath: path)])
            let (parent, name) = FolderTree.split(path[...])
            let parentFolder = try #require(
                try directory.fileSystem.openFolder(at: folder.path + "/" + parent))
            let status = try #require(try directory.fileSystem.status(of: name, in: parentFolder))
            files[id] = StampedFile(id: id, path: path, bytes: bytes, stamp: status.stamp)
        }
        try transaction.end("o", [])
        transaction.saveCache { [files] in files[$0] }
        return try #require(try directory.state().todos.cache)
    }
}
