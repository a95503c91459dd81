import Foundation
import Synchronization
import TestSupport
import Testing

@testable import WorkingCopy

/// New files in new folders.
@Suite struct NewFolderTests {
    private static let files = [
        "list/a.yaml": "a", "list/b.yaml": "b", "list/inner/deep/c.yaml": "c", "list/inner/d.yaml": "d",
        "other/e.yaml": "e", "top.yaml": "t",
    ]

    private static var changes: [FileChange] {
        files.sorted { $0.key < $1.key }.map { .create(path: $0.key, bytes: $0.value.bytes) }
    }

    @Test func `a new folder appears with all of its files or not at all`() throws {
        let folder = try TemporaryFolder(["kept.yaml": "k"])
        let fileSystem = FailingFileSystem { _ in
            for name in ["list/", "other/"] {
                let seen = folder.visibleContents().filter { $0.key.hasPrefix(name) }
                #expect(seen.isEmpty || seen == Self.files.filter { $0.key.hasPrefix(name) })
            }
        }
        let writer = try FileWriter(root: folder.path, operation: "1", fileSystem: fileSystem)
        #expect(try writer.apply(Self.changes).allSatisfy { $0 == .done })
        #expect(try writer.finish().isEmpty)
        #expect(folder.visibleContents() == Self.files.merging(["kept.yaml": "k"]) { $1 })
        #expect(folder.contents() == folder.visibleContents())
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/.todosync/tmp").isEmpty)
    }

    @Test func `a folder that another program creates meanwhile is not touched`() throws {
        let folder = try TemporaryFolder([:])
        let fileSystem = FailingFileSystem { call in
            guard call.operation == .rename, call.manner == .keeping, !folder.exists("list") else { return }
            try? folder.makeFolder("list")
            try? Data("theirs".utf8).write(to: URL(filePath: folder.path(of: "list/b.yaml")))
        }
        let writer = try FileWriter(root: folder.path, operation: "1", fileSystem: fileSystem)
        #expect(try writer.apply(Self.changes) == [.done, .occupied, .done, .done, .done, .done])
        #expect(folder.contents() == Self.files.merging(["list/b.yaml": "theirs"]) { $1 })
        #expect(writer.stamp(ofFileAt: "list/b.yaml") == nil)
    }

    @Test func `without renames that don't replace, files are moved one by one`() throws {
        let folder = try TemporaryFolder([:])
        var fileSystem = FailingFileSystem()
        fileSystem.missing = [.renameKeeping]
        let writer = try FileWriter(root: folder.path, operation: "1", fileSystem: fileSystem)
        #expect(try writer.apply(Self.changes).allSatisfy { $0 == .done })
        #expect(folder.contents() == Self.files)
    }

    @Test(arguments: [true, false])
    func `whichever call fails, each file is complete or absent, and leftovers are found`(
        isCrash: Bool
    ) throws {
        var number = 0
        var isDone = false
        while !isDone {
            number += 1
            let folder = try TemporaryFolder([:])
            let failing = FailingFileSystem(failingAt: number, andAfter: isCrash, code: ENOSPC)
            let writer = try? FileWriter(root: folder.path, operation: "1", fileSystem: failing)
            let outcomes = try? writer?.apply(Self.changes)
            isDone = failing.calls < number
            let seen = folder.visibleContents()
            #expect(seen.allSatisfy { Self.files[$0.key] == $0.value }, "at call \(number)")
            if !isCrash, let outcomes {
                #expect(outcomes.count { $0 == .done } == seen.count, "at call \(number)")
            }
            let next = try FileWriter(root: folder.path, operation: "2", fileSystem: FailingFileSystem())
            try next.leftoverFiles.removeUnmoved()
            let leftovers = try next.leftovers()
            for leftover in leftovers {
                #expect([[], "t".bytes].contains(leftover.bytes), "at call \(number)")
            }
            try next.leftoverFiles.discard(leftovers)
            #expect(folder.contents() == seen, "at call \(number)")
            let temporary = folder.path + "/.todosync/tmp"
            #expect(
                (try? FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty) != false,
                "at call \(number)")
        }
        #expect(number > 30)
    }

    @Test func `many new files have reliable stamps`() throws {
        let folder = try TemporaryFolder([:])
        let writer = try FileWriter(root: folder.path, operation: "1", isDurable: false)
        let paths = (0..<600).map { "list-\($0 % 40)/\($0).yaml" }
        #expect(
            try writer.apply(paths.map { .create(path: $0, bytes: "b".bytes) }).allSatisfy { $0 == .done })
        for (path, file) in zip(paths, try lookAtFiles(paths, root: folder.path)) {
            #expect(file?.stamp == writer.stamp(ofFileAt: path))
        }
    }

    @Test func `new folders and files inherit the same attributes as ones that are created directly`() throws
    {
        let folder = try TemporaryFolder([:])
        try folder.makeFolder("shared")
        try folder.makeFolder("listed")
        // Only the administrator may give a folder to any group.
        let group = geteuid() == 0 ? gid_t(4242) : getegid()
        #expect(chown(folder.path(of: "shared"), geteuid(), group) == 0)
        try folder.setPermissions(0o2775, of: "shared")
        let hasList = folder.setAttribute("system.posix_acl_default", defaultAccessList, of: "listed")
        let writer = try FileWriter(root: folder.path, operation: "1")
        let paths = ["shared/d.yaml", "shared/new/a.yaml", "shared/new/inner/b.yaml", "listed/new/c.yaml"]
        #expect(
            try writer.apply(paths.map { .create(path: $0, bytes: "b".bytes) }).allSatisfy { $0 == .done })
        for path in ["shared/new", "shared/new/inner"] {
            #expect(try folder.permissions(of: path).map { $0 & 0o2000 } == 0o2000)
        }
        for path in ["shared/new", "shared/new/inner"] + paths.dropLast() {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(of: path))
            #expect(attributes[.groupOwnerAccountID] as? UInt32 == UInt32(group))
        }
        // The list gives the group write permission, regardless of the process's mask.
        if hasList { #expect(try folder.permissions(of: "listed/new").map { $0 & 0o070 } == 0o070) }
    }

    @Test func `folders are opened once for many files`() throws {
        let names = (0..<20).map { "list/\($0).yaml" }
        let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: names.map { ($0, "a") }))
        let opened = Mutex(0)
        let fileSystem = FailingFileSystem { call in
            if call.operation == .open, call.name == "list" { opened.withLock { $0 += 1 } }
        }
        let writer = try FileWriter(root: folder.path, operation: "1", fileSystem: fileSystem)
        let changes = names.map { FileChange.replace(path: $0, expecting: "a".bytes, with: "b".bytes) }
        #expect(try writer.apply(changes).allSatisfy { $0 == .done })
        #expect(opened.withLock(\.self) == 1)
    }
}

/// Gives the group write permission for files that are created in a folder: version 2, then tag, permissions
/// and id of the owner, the group, and others.
private let defaultAccessList: [UInt8] =
    [2, 0, 0, 0]
    + [(0x01, 7), (0x04, 7), (0x20, 5)].flatMap { [$0, 0, $1, 0, 0xFF, 0xFF, 0xFF, 0xFF] as [UInt8] }
