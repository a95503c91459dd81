import Foundation
import Synchronization
import TestSupport
import Testing

@testable import WorkingCopy

/// What a file keeps besides its content when todosync replaces it.
@Suite(
    .enabled(
        if: TemporaryFolder.hasAttributes,
        "files in folders for tests have no extended attributes or access control lists here"))
struct FileAttributesTests {
    private let list = TemporaryFolder.accessList(named: 6)

    /// How a file with different content replaces a file.
    enum Way: CaseIterable {
        case exchange, withoutExchange, move, moveBetweenFileSystems, otherFileSystem, many

        func fileSystem(for folder: TemporaryFolder) throws -> FailingFileSystem {
            var fileSystem = FailingFileSystem()
            if self == .withoutExchange { fileSystem.missing = [.exchange, .renameKeeping] }
            if self == .otherFileSystem || self == .moveBetweenFileSystems {
                let status = try FileManager.default.attributesOfItem(atPath: folder.path(of: "sub"))
                fileSystem.foreignFolders = [try #require(status[.systemFileNumber] as? UInt64)]
            }
            return fileSystem
        }

        func change(of path: String) -> FileChange {
            switch self {
            case .exchange, .withoutExchange, .otherFileSystem, .many:
                .replace(path: path, expecting: "a".bytes, with: "b".bytes)
            case .move: .move(from: path, to: "sub/moved.yaml", expecting: "a".bytes, with: "b".bytes)
            case .moveBetweenFileSystems:
                .move(from: path, to: "moved.yaml", expecting: "a".bytes, with: "a".bytes)
            }
        }

        var newPath: String? {
            switch self {
            case .move: "sub/moved.yaml"
            case .moveBetweenFileSystems: "moved.yaml"
            default: nil
            }
        }
    }

    @Test(arguments: Way.allCases)
    func `a replaced file keeps its attributes and its access control list`(way: Way) throws {
        let paths = (0..<(way == .many ? 600 : 1)).map { "sub/\($0).yaml" }
        let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: paths.map { ($0, "a") }))
        let long = [UInt8](repeating: 7, count: 1500)
        for path in paths {
            #expect(folder.setAttribute("user.empty", [], of: path))
            #expect(folder.setAttribute("user.long", long, of: path))
            #expect(folder.setAttribute(TemporaryFolder.accessListAttribute, list, of: path))
        }
        let writer = try FileWriter(
            root: folder.path, operation: "1", isDurable: false, fileSystem: way.fileSystem(for: folder))
        #expect(try writer.apply(paths.map(way.change)).allSatisfy { $0 == .done })
        #expect(try writer.finish().isEmpty)
        for path in paths.map({ way.newPath ?? $0 }) {
            #expect(folder.read(path) == (way == .moveBetweenFileSystems ? "a" : "b"))
            #expect(folder.attribute("user.empty", of: path) == [])
            #expect(folder.attribute("user.long", of: path) == long)
            #expect(folder.attribute(TemporaryFolder.accessListAttribute, of: path) == list)
            #expect(try folder.permissions(of: path) == 0o664)
        }
    }

    @Test func `a file without a list doesn't inherit one from the folder for temporary files`() throws {
        let folder = try TemporaryFolder(["a.yaml": "a"])
        try folder.setPermissions(0o640, of: "a.yaml")
        try folder.makeFolder(".todosync/tmp")
        #expect(folder.setAttribute("system.posix_acl_default", list, of: ".todosync/tmp"))
        try replace("a.yaml", in: folder)
        #expect(folder.attribute(TemporaryFolder.accessListAttribute, of: "a.yaml") == nil)
        #expect(try folder.permissions(of: "a.yaml") == 0o640)
    }

    @Test(arguments: [nil, TemporaryFolder.accessList(named: 6, mask: 4, others: 0)] as [[UInt8]?])
    func `a new file never permits more than the old one`(list: [UInt8]?) throws {
        let folder = try TemporaryFolder(["a.yaml": "a"])
        try folder.setPermissions(0o600, of: "a.yaml")
        if let list { #expect(folder.setAttribute(TemporaryFolder.accessListAttribute, list, of: "a.yaml")) }
        try folder.makeFolder(".todosync/tmp")
        let inherited = TemporaryFolder.accessList(named: 7, group: 7, mask: 7, others: 7)
        #expect(folder.setAttribute("system.posix_acl_default", inherited, of: ".todosync/tmp"))
        let seen = Mutex(0)
        try replace(
            "a.yaml", in: folder,
            FailingFileSystem { _ in
                for path in folder.contents().keys where path.hasPrefix(".todosync/tmp/") {
                    seen.withLock { $0 += 1 }
                    let permissions = try? folder.permissions(of: path)
                    let found = folder.attribute(TemporaryFolder.accessListAttribute, of: path)
                    let isLikeOld = found == list && permissions == (list == nil ? 0o600 : 0o640)
                    #expect(permissions == 0o600 || isLikeOld)
                }
            })
        #expect(seen.withLock(\.self) > 3)
        #expect(folder.attribute(TemporaryFolder.accessListAttribute, of: "a.yaml") == list)
    }

    @Test func `a file whose attributes can't be kept is not replaced`() throws {
        let folder = try TemporaryFolder(["a.yaml": "a"])
        let fileSystem = FailingFileSystem { call throws(FileError) in
            if call.operation == .copyAttributes { throw FileError(call.operation, "", code: ENOSPC) }
        }
        let writer = try FileWriter(root: folder.path, operation: "1", fileSystem: fileSystem)
        let change = FileChange.replace(path: "a.yaml", expecting: "a".bytes, with: "b".bytes)
        let error = FileError(.copyAttributes, "a.yaml", code: ENOSPC)
        #expect(try writer.apply([change]) == [.failed(error)])
        #expect("\(error)" == "can't copy the extended attributes of a.yaml: no space left on device")
        #expect(folder.contents() == ["a.yaml": "a"])
    }

    @Test func `the configuration keeps its attributes and its list`() throws {
        let folder = try TemporaryFolder([".todosync/config.yaml": "a"])
        let path = ".todosync/config.yaml"
        #expect(folder.setAttribute("user.test", [1], of: path))
        #expect(folder.setAttribute(TemporaryFolder.accessListAttribute, list, of: path))
        try StateFolder(root: folder.path).replaceWhole("config.yaml", with: "b".bytes)
        #expect(folder.read(path) == "b")
        #expect(folder.attribute("user.test", of: path) == [1])
        #expect(folder.attribute(TemporaryFolder.accessListAttribute, of: path) == list)
    }

    // MARK: A group that can't be kept

    private static let isAdministrator = geteuid() == 0

    @Test(
        .enabled(if: isAdministrator, "only the administrator may give a file to any group"),
        arguments: [
            (0o664, 0o644), (0o640, 0o600), (0o660, 0o600), (0o604, 0o600), (0o2775, 0o755), (0o646, 0o644),
        ])
    func `a new group gets at most the permissions of others`(old: Int, new: Int) throws {
        let folder = try folderOfOtherGroup()
        try folder.setPermissions(old, of: "a.yaml")
        try replace("a.yaml", in: folder, withoutOwners)
        #expect(try folder.permissions(of: "a.yaml") == new)
    }

    @Test(.enabled(if: isAdministrator, "only the administrator may give a file to any group"))
    func `with a list, too, a new group gets at most the permissions of others`() throws {
        let folder = try folderOfOtherGroup()
        let list = TemporaryFolder.accessList(named: 6, group: 6, others: 4)
        #expect(folder.setAttribute(TemporaryFolder.accessListAttribute, list, of: "a.yaml"))
        try replace("a.yaml", in: folder, withoutOwners)
        #expect(
            folder.attribute(TemporaryFolder.accessListAttribute, of: "a.yaml")
                == TemporaryFolder.accessList(named: 6, group: 4, others: 4))
    }

    private func folderOfOtherGroup() throws -> TemporaryFolder {
        let folder = try TemporaryFolder(["a.yaml": "a"])
        #expect(chown(folder.path(of: "a.yaml"), geteuid(), 4242) == 0)
        return folder
    }

    private var withoutOwners: FailingFileSystem {
        FailingFileSystem { call throws(FileError) in
            if call.operation == .setOwner { throw FileError(call.operation, "", code: EPERM) }
        }
    }

    private func replace(
        _ path: String, in folder: TemporaryFolder, _ fileSystem: FailingFileSystem = FailingFileSystem()
    ) throws {
        let writer = try FileWriter(root: folder.path, operation: "1", fileSystem: fileSystem)
        let change = FileChange.replace(path: path, expecting: "a".bytes, with: "b".bytes)
        #expect(try writer.apply([change]) == [.done])
        #expect(try writer.finish().isEmpty)
    }
}

/// The permissions that remain if not all of them can be kept.
@Suite struct FileAccessTests {
    @Test func `a list's permissions are the file's`() throws {
        let list = try #require(
            AccessList(TemporaryFolder.accessList(named: 7, group: 4, mask: 6, others: 1)))
        #expect(FileAccess(permissions: 0o2600, list: list).permissions == 0o2661)
        #expect(list.users == [6] && list.groups == [6] && list.group == 4 && list.others == 1)
    }

    @Test(
        arguments: [
            // Without the list, each class gets the least of the permissions that its members had.
            (TemporaryFolder.accessList(named: 6, group: 4, mask: 6, others: 4), 0o644),
            (TemporaryFolder.accessList(named: 0, group: 6, mask: 6, others: 4), 0o600),
            (TemporaryFolder.accessList(named: 6, group: 6, mask: 4, others: 6), 0o644),
            (TemporaryFolder.accessList(named: 7, group: 7, mask: 0, others: 7), 0o600),
        ] as [([UInt8], UInt16)])
    func `without a list, the mask is not treated as the group's permissions`(list: [UInt8], bits: UInt16)
        throws
    {
        let list = try #require(AccessList(list))
        var access = FileAccess(permissions: 0o640, list: list)
        access.removeList()
        #expect(access == FileAccess(permissions: bits))
    }

    @Test(
        arguments: [
            (TemporaryFolder.accessList(named: 0, group: 6, others: 4), group: 0, others: 4),
            (TemporaryFolder.accessList(named: 6, group: 6, mask: 4, others: 6), group: 4, others: 4),
            (TemporaryFolder.accessList(named: 6, group: 0, others: 4), group: 0, others: 0),
        ] as [([UInt8], group: UInt16, others: UInt16)])
    func `another group gets at most the permissions of all classes that its members may belong to`(
        bytes: [UInt8], group: UInt16, others: UInt16
    ) throws {
        let list = try #require(AccessList(bytes))
        var access = FileAccess(permissions: 0o2660, list: list)
        access.changeGroup()
        #expect(access.list?.group == group && access.list?.others == others)
        #expect(access.list?.users == list.users && access.list?.groups == list.groups)
        #expect(access.permissions == 0o600 | (list.permissions & 0o070) | others)
    }

    @Test(arguments: [
        [], [1, 0, 0, 0], [2, 0, 0, 0], [2, 0, 0, 0, 1], [2, 0, 0, 0, 1, 0, 7, 0, 0, 0, 0, 0],
    ])
    func `other bytes are not a list`(bytes: [UInt8]) {
        #expect(AccessList(bytes) == nil)
    }
}
