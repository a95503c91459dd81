import Foundation
import Synchronization
import TestSupport
import Testing

@testable import WorkingCopy

@Suite struct FileWriterTests {
    private func writer(_ folder: TemporaryFolder, _ fileSystem: any FileSystem = FailingFileSystem()) throws
        -> FileWriter
    {
        try FileWriter(root: folder.path, operation: "1", fileSystem: fileSystem)
    }

    /// Applies changes, and checks that only the users' files and an empty folder for temporary files remain.
    private func apply(_ changes: [FileChange], in folder: TemporaryFolder) throws -> [FileChangeOutcome] {
        let writer = try writer(folder)
        let outcomes = try writer.apply(changes)
        #expect(try writer.finish().isEmpty)
        #expect(folder.contents().count == folder.visibleContents().count)
        return outcomes
    }

    private func create(_ path: String, _ content: String, _ permissions: UInt16? = nil) -> FileChange {
        .create(path: path, bytes: content.bytes, permissions: permissions)
    }

    private func replace(_ path: String, _ old: String, _ new: String) -> FileChange {
        .replace(path: path, expecting: old.bytes, with: new.bytes)
    }

    private func move(_ from: String, _ to: String, _ old: String, _ new: String? = nil) -> FileChange {
        .move(from: from, to: to, expecting: old.bytes, with: (new ?? old).bytes)
    }

    private func remove(_ path: String, _ old: String) -> FileChange {
        .remove(path: path, expecting: old.bytes)
    }

    @Test func `a change that a folder doesn't permit names the folder`() throws {
        let folder = try TemporaryFolder(["sub/a.yaml": "a", "sub/b.yaml": "b"])
        let fileSystem = FailingFileSystem { call throws(FileError) in
            // The check whether two folders share a file system renames nothing.
            guard [.rename, .writeInFolder].contains(call.operation), call.name != ".todosync-absent" else {
                return
            }
            throw FileError(call.operation, call.name, code: EACCES)
        }
        let writer = try writer(folder, fileSystem)
        let changes = [
            replace("sub/a.yaml", "a", "A"), move("sub/b.yaml", "b.yaml", "b"),
            create("sub/new/c.yaml", "c"),
        ]
        let obstacle = FileError(.writeInFolder, "sub", code: EACCES)
        #expect(writer.obstacles(to: changes) == [obstacle, obstacle, obstacle])
        let outcomes = try writer.apply(Array(changes.prefix(2)))
        #expect(outcomes == [.failed(obstacle), .failed(obstacle)])
        #expect("\(obstacle)".hasPrefix("can't write to the folder sub: "))
    }

    // MARK: Kinds of changes

    @Test func `files are created with the folders that they need`() throws {
        let folder = try TemporaryFolder([:])
        #expect(
            try apply([create("a.yaml", "a"), create("x/y/b.yaml", "b", 0o600)], in: folder) == [
                .done, .done,
            ])
        #expect(folder.visibleContents() == ["a.yaml": "a", "x/y/b.yaml": "b"])
        #expect(try folder.permissions(of: "x/y/b.yaml") == 0o600)
    }

    @Test func `a replaced file keeps its permissions`() throws {
        let folder = try TemporaryFolder(["a.yaml": "a"])
        try folder.setPermissions(0o640, of: "a.yaml")
        #expect(try apply([replace("a.yaml", "a", "b")], in: folder) == [.done])
        #expect(folder.visibleContents() == ["a.yaml": "b"])
        #expect(try folder.permissions(of: "a.yaml") == 0o640)
    }

    @Test func `a file with unchanged content is not touched`() throws {
        let folder = try TemporaryFolder(["a.yaml": "a"])
        let before = try scan(root: folder.path, include: []).files[0]
        usleep(30_000)
        #expect(try apply([replace("a.yaml", "a", "a")], in: folder) == [.done])
        let status = try FileManager.default.attributesOfItem(atPath: folder.path(of: "a.yaml"))
        #expect(status[.modificationDate] as? Date ?? .now < .now.addingTimeInterval(-0.02))
        #expect(before.path == "a.yaml")
    }

    @Test func `folders are removed with their last file, and others are not`() throws {
        let folder = try TemporaryFolder([
            "x/y/a.yaml": "a", "z/b.yaml": "b", "z/c.yaml": "c", "w/d.yaml": "d",
        ])
        try folder.makeFolder("empty")
        let changes = [remove("x/y/a.yaml", "a"), remove("z/b.yaml", "b"), move("w/d.yaml", "v/d.yaml", "d")]
        #expect(try apply(changes, in: folder) == [.done, .done, .done])
        #expect(folder.visibleContents() == ["z/c.yaml": "c", "v/d.yaml": "d"])
        #expect(!folder.exists("x") && !folder.exists("w") && folder.exists("empty"))
    }

    @Test func `a moved file keeps its inode unless its content changes`() throws {
        let folder = try TemporaryFolder(["a.yaml": "a", "b.yaml": "b"])
        let before = try FileManager.default.attributesOfItem(atPath: folder.path(of: "a.yaml"))[
            .systemFileNumber]
        #expect(
            try apply([move("a.yaml", "x/c.yaml", "a"), move("b.yaml", "d.yaml", "b", "B")], in: folder) == [
                .done, .done,
            ])
        #expect(folder.visibleContents() == ["x/c.yaml": "a", "d.yaml": "B"])
        let after = try FileManager.default.attributesOfItem(atPath: folder.path(of: "x/c.yaml"))[
            .systemFileNumber]
        #expect(before as? Int == after as? Int)
    }

    // MARK: Obstacles

    @Test func `an unexpected file is not touched`() throws {
        let folder = try TemporaryFolder(["a.yaml": "edit", "b.yaml": "edit", "c.yaml": "edit"])
        let changes = [
            replace("a.yaml", "a", "A"), remove("b.yaml", "b"), move("c.yaml", "d.yaml", "c", "C"),
            replace("gone.yaml", "a", "A"), remove("gone/gone.yaml", "a"), move("gone.yaml", "e.yaml", "a"),
        ]
        let edit = FileChangeOutcome.changedMeanwhile("edit".bytes)
        #expect(
            try apply(changes, in: folder) == [
                edit, edit, edit, .changedMeanwhile(nil), .changedMeanwhile(nil), .changedMeanwhile(nil),
            ])
        #expect(folder.visibleContents() == ["a.yaml": "edit", "b.yaml": "edit", "c.yaml": "edit"])
        #expect(!folder.exists("gone"))
    }

    @Test func `an existing file is never overwritten by a new or moved one`() throws {
        let folder = try TemporaryFolder(["a.yaml": "a", "b.yaml": "b", "x.yaml/c.yaml": "c"])
        try folder.link("link.yaml", to: "nowhere")
        let changes = [
            create("a.yaml", "new"), move("b.yaml", "a.yaml", "b", "B"), create("x.yaml", "new"),
            create("link.yaml", "new"), create("a.yaml/d.yaml", "new"), create("link.yaml/d.yaml", "new"),
        ]
        #expect(try apply(changes, in: folder) == Array(repeating: .occupied, count: 6))
        #expect(folder.visibleContents() == ["a.yaml": "a", "b.yaml": "b", "x.yaml/c.yaml": "c"])
    }

    @Test func `a file that is not a regular file is not replaced, moved or removed`() throws {
        let folder = try TemporaryFolder(["a.yaml": "a", "x.yaml/b.yaml": "b"])
        try folder.link("link.yaml", to: "a.yaml")
        let changes = [
            replace("link.yaml", "a", "A"), remove("link.yaml", "a"), move("link.yaml", "c.yaml", "a"),
            replace("x.yaml", "a", "A"), remove("x.yaml", "a"), move("x.yaml", "d.yaml", "a"),
        ]
        #expect(try apply(changes, in: folder) == Array(repeating: .occupied, count: 6))
        #expect(folder.visibleContents() == ["a.yaml": "a", "x.yaml/b.yaml": "b", "link.yaml": "a"])
    }

    @Test func `symbolic links in paths are not followed`() throws {
        let outside = try TemporaryFolder(["b.yaml": "b"])
        let folder = try TemporaryFolder(["a.yaml": "a"])
        try folder.link("x", to: outside.path)
        let changes = [
            create("x/a.yaml", "new"), replace("x/b.yaml", "b", "B"), remove("x/b.yaml", "b"),
            move("a.yaml", "x/c.yaml", "a"),
        ]
        let outcomes = try apply(changes, in: folder)
        #expect(outcomes == [.occupied, .changedMeanwhile(nil), .changedMeanwhile(nil), .occupied])
        #expect(outside.visibleContents() == ["b.yaml": "b"])
        #expect(folder.read("a.yaml") == "a")
    }

    @Test(arguments: ["../a.yaml", "/tmp/a.yaml", ".todosync/a.yaml", "x/.git/a.yaml", "a.txt", "a\0.yaml"])
    func `a path that can't be a todo's is refused`(path: String) throws {
        let folder = try TemporaryFolder(["b.yaml": "b"])
        let problem = try #require(PathRules.problem(with: path))
        let changes = [
            create(path, "new"), move("b.yaml", path, "b"), remove(path, "b"), create("c.yaml", "c"),
        ]
        let refused = FileChangeOutcome.refused(problem)
        #expect(try apply(changes, in: folder) == [refused, refused, refused, .done])
        #expect(folder.visibleContents() == ["b.yaml": "b", "c.yaml": "c"])
    }

    // MARK: Batches

    @Test func `paths are freed before they are used, in any order`() throws {
        let folder = try TemporaryFolder(["a.yaml": "a", "b.yaml": "b", "c.yaml": "c"])
        let changes = [
            create("a.yaml", "new"), move("a.yaml", "b.yaml", "a"), move("b.yaml", "c.yaml", "b", "B"),
            remove("c.yaml", "c"),
        ]
        #expect(try apply(changes, in: folder) == [.done, .done, .done, .done])
        #expect(folder.visibleContents() == ["a.yaml": "new", "b.yaml": "a", "c.yaml": "B"])
    }

    @Test func `files can swap their paths or rotate them`() throws {
        let folder = try TemporaryFolder([
            "a.yaml": "a", "b.yaml": "b", "c.yaml": "c", "x/d.yaml": "d", "x/e.yaml": "e",
        ])
        let changes = [
            move("a.yaml", "b.yaml", "a"), move("b.yaml", "c.yaml", "b", "B"), move("c.yaml", "a.yaml", "c"),
            move("x/d.yaml", "x/e.yaml", "d"), move("x/e.yaml", "x/d.yaml", "e"),
        ]
        #expect(try apply(changes, in: folder) == Array(repeating: .done, count: 5))
        #expect(
            folder.visibleContents() == [
                "a.yaml": "c", "b.yaml": "a", "c.yaml": "B", "x/d.yaml": "e", "x/e.yaml": "d",
            ])
    }

    @Test func `a file can replace an emptied folder, and the other way round`() throws {
        let folder = try TemporaryFolder(["x.yaml/a.yaml": "a", "y.yaml": "y"])
        let changes = [
            remove("x.yaml/a.yaml", "a"), create("x.yaml", "x"), move("y.yaml", "z.yaml", "y"),
            create("y.yaml/b.yaml", "b"),
        ]
        #expect(try apply(changes, in: folder) == [.done, .done, .done, .done])
        #expect(folder.visibleContents() == ["x.yaml": "x", "z.yaml": "y", "y.yaml/b.yaml": "b"])
    }

    @Test func `no file in a chain moves if the last one can't`() throws {
        let folder = try TemporaryFolder(["a.yaml": "a", "b.yaml": "b", "c.yaml": "foreign"])
        let changes = [move("a.yaml", "b.yaml", "a"), move("b.yaml", "c.yaml", "b")]
        #expect(try apply(changes, in: folder) == [.occupied, .occupied])
        #expect(folder.visibleContents() == ["a.yaml": "a", "b.yaml": "b", "c.yaml": "foreign"])
    }

    /// This applies to a record about files that were changed earlier.
    @Test func `files that change after they were synced for the announcement are synced again`()
        throws
    {
        let folder = try TemporaryFolder(["replaced.yaml": "old"])
        let calls = Mutex<[String]>([])
        let fileSystem = FailingFileSystem { call in
            let isWanted = call.operation == .rename || call.name == FailingFileSystem.everything.description
            if isWanted { calls.withLock { $0.append("\(call.operation)") } }
        }
        let writer = try FileWriter(root: folder.path, operation: "1", fileSystem: fileSystem)
        let changes: [FileChange] = [
            .replace(path: "replaced.yaml", expecting: "old".bytes, with: "new".bytes),
            .create(path: "created.yaml", bytes: "c".bytes),
        ]
        let outcomes = try writer.apply(changes) { try writer.sync() }
        #expect(outcomes == [.done, .done])
        try writer.sync()
        #expect(calls.withLock(\.last) == "\(FileError.Operation.synchronize)")
    }

    @Test func `many changes are one batch`() throws {
        let folder = try TemporaryFolder([:])
        let writer = try writer(folder)
        let paths = (0..<500).map { "f\($0 % 7)/\($0).yaml" }
        #expect(try writer.apply(paths.map { create($0, $0) }).allSatisfy { $0 == .done })
        #expect(try writer.apply(paths.map { replace($0, $0, $0 + "!") }).allSatisfy { $0 == .done })
        let turned = paths.indices.map { move(paths[$0], paths[($0 + 1) % 500], paths[$0] + "!") }
        #expect(try writer.apply(turned).allSatisfy { $0 == .done })
        try writer.sync()
        #expect(try writer.finish().isEmpty)
        for index in paths.indices { #expect(folder.read(paths[(index + 1) % 500]) == paths[index] + "!") }
        #expect(folder.contents().count == 500)
    }

    @Test func `names that differ only in their Unicode form are different names`() throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        let folder = try TemporaryFolder(["\(composed)/a.yaml": "1"])
        try folder.write("2", to: "\(decomposed)/b.yaml")
        try #require(folder.contents().count == 2)
        let changes = [
            create("\(composed)/c.yaml", "1"), create("\(decomposed)/c.yaml", "2"),
            move("\(composed)/a.yaml", "\(decomposed)/a.yaml", "1"), remove("\(decomposed)/b.yaml", "2"),
        ]
        #expect(try apply(changes, in: folder) == [.done, .done, .done, .done])
        #expect(folder.read("\(composed)/c.yaml") == "1" && folder.read("\(decomposed)/c.yaml") == "2")
        #expect(folder.read("\(decomposed)/a.yaml") == "1" && !folder.exists("\(composed)/a.yaml"))
    }

    @Test func `a batch can use more folders than can be open at once`() throws {
        let folder = try TemporaryFolder([:])
        let writer = try writer(folder)
        let paths = (0..<1500).map { "f\($0)/a.yaml" }
        #expect(try writer.apply(paths.map { create($0, "a") }).allSatisfy { $0 == .done })
        #expect(try writer.apply(paths.map { move($0, "g/" + $0, "a", "A") }).allSatisfy { $0 == .done })
        #expect(try writer.apply(paths.map { remove("g/" + $0, "A") }).allSatisfy { $0 == .done })
        #expect(try writer.finish().isEmpty)
        #expect(folder.contents().isEmpty && !folder.exists("g"))
    }

    // MARK: Other file systems

    @Test(arguments: [("tmp", ".todosync/tmp"), ("new", "sub/new")])
    func `an error about a new folder names that folder`(_ name: String, _ path: String) throws {
        let folder = try TemporaryFolder(["sub/a.yaml": "a"])
        let fileSystem = FailingFileSystem { call throws(FileError) in
            // This also applies if a new folder is filled before it gets its name.
            if call.operation == .makeFolder, call.name == name || call.name.contains(".folder.") {
                throw FileError(.makeFolder, call.name, code: ENOSPC)
            }
        }
        let outcomes = try writer(folder, fileSystem).apply([create("sub/new/b.yaml", "b")])
        #expect(outcomes == [.failed(FileError(.makeFolder, path, code: ENOSPC))])
    }

    static let poorFileSystems: [Set<FailingFileSystem.MissingCall>] = [
        [.exchange], [.exchange, .renameKeeping], [.exchange, .renameKeeping, .link],
    ]

    @Test(arguments: poorFileSystems) func `files are written even without some system calls`(
        missing: Set<FailingFileSystem.MissingCall>
    ) throws {
        let folder = try TemporaryFolder(["a.yaml": "a", "b.yaml": "b", "c.yaml": "c", "d.yaml": "edit"])
        var fileSystem = FailingFileSystem()
        fileSystem.missing = missing
        let writer = try writer(folder, fileSystem)
        let changes = [
            replace("a.yaml", "a", "A"), move("b.yaml", "c.yaml", "b"), move("c.yaml", "b.yaml", "c", "C"),
            replace("d.yaml", "d", "D"), create("d.yaml", "new"), create("e.yaml", "e"),
        ]
        let outcomes = try writer.apply(changes)
        #expect(outcomes == [.done, .done, .done, .changedMeanwhile("edit".bytes), .occupied, .done])
        #expect(try writer.finish().isEmpty)
        let expected = ["a.yaml": "A", "b.yaml": "C", "c.yaml": "b", "d.yaml": "edit", "e.yaml": "e"]
        #expect(folder.contents() == expected)
    }

    /// There are enough files for two threads.
    @Test(arguments: [[]] + poorFileSystems)
    func `among many files, expected ones are replaced, and late writes are found`(
        missing: Set<FailingFileSystem.MissingCall>
    ) throws {
        let paths = (0..<600).map { "f\($0 / 9)/\($0).yaml" }
        let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: paths.map { ($0, "a") }))
        var expected: [String: FileChangeOutcome] = [:]
        for (index, path) in paths.enumerated() where index % 50 == 7 {
            try folder.write("b", to: path)
            expected[path] = .changedMeanwhile("b".bytes)
            try folder.write("longer", to: paths[index + 1])
            expected[paths[index + 1]] = .changedMeanwhile("longer".bytes)
            try folder.remove(paths[index + 2])
            expected[paths[index + 2]] = .changedMeanwhile(nil)
            try folder.remove(paths[index + 3])
            try folder.makeFolder(paths[index + 3])
            expected[paths[index + 3]] = .occupied
        }
        let late = paths.indices.filter { $0 % 50 == 3 }.map { paths[$0] }
        let handles = try late.map { try #require(FileHandle(forWritingAtPath: folder.path(of: $0))) }
        var fileSystem = FailingFileSystem()
        fileSystem.missing = missing
        let writer = try writer(folder, fileSystem)
        let outcomes = try writer.apply(paths.map { replace($0, "a", "A") })
        #expect(outcomes == paths.map { expected[$0] ?? .done })
        for handle in handles { try handle.write(contentsOf: Data("late".utf8)) }
        let lateWrites = try writer.finish()
        #expect(lateWrites.map(\.path) == late)
        #expect(lateWrites.allSatisfy { $0.bytes == "late".bytes })
        for lateWrite in lateWrites { try writer.exchanger.discard(lateWrite) }
        for path in paths where expected[path] == nil { #expect(folder.read(path) == "A") }
        #expect(folder.contents().count == folder.visibleContents().count)
        #expect(Set(folder.contents().values) == ["A", "b", "longer"])
    }

    @Test func `a folder on another file system has its own temporary files`() throws {
        let folder = try TemporaryFolder([
            "m/a.yaml": "a", "m/b.yaml": "b", "m/x/c.yaml": "c", "d.yaml": "d", "e.yaml": "e",
        ])
        var fileSystem = FailingFileSystem()
        for path in ["m", "m/x"] {
            let status = try FileManager.default.attributesOfItem(atPath: folder.path(of: path))
            fileSystem.foreignFolders.insert(try #require(status[.systemFileNumber] as? UInt64))
        }
        let writer = try writer(folder, fileSystem)
        let changes = [
            replace("m/a.yaml", "a", "A"), move("m/b.yaml", "f.yaml", "b"),
            move("m/x/c.yaml", "g.yaml", "c", "C"),
            move("d.yaml", "m/b.yaml", "d"), move("e.yaml", "m/h.yaml", "e", "E"), create("m/i.yaml", "i"),
        ]
        #expect(try writer.apply(changes) == Array(repeating: .done, count: 6))
        #expect(folder.contents().keys.contains { $0.hasPrefix("m/.todosync-") })
        #expect(try writer.leftovers(in: ["m"]).isEmpty)
        #expect(
            try self.writer(folder, fileSystem).leftovers(in: ["m"]).contains { $0.name.hasPrefix("m/.") })
        #expect(try writer.finish().isEmpty)
        #expect(
            folder.contents() == [
                "m/a.yaml": "A", "f.yaml": "b", "g.yaml": "C", "m/b.yaml": "d", "m/h.yaml": "E",
                "m/i.yaml": "i",
            ])
        #expect(!folder.exists("m/x"))
    }
}
