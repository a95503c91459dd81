import Foundation

// Extended attributes, which Foundation doesn't support. This uses system calls, not the code under test.
extension TemporaryFolder {
    /// Whether files in the tests' folders can have extended attributes and access control lists.
    package static let hasAttributes: Bool = {
        guard let folder = try? TemporaryFolder(["a.yaml": ""]) else { return false }
        return folder.setAttribute("user.test", [1], of: "a.yaml")
            && folder.setAttribute(accessListAttribute, accessList(named: 4), of: "a.yaml")
    }()

    package static let accessListAttribute = "system.posix_acl_access"

    /// Returns an access control list.
    ///
    /// The owner can read and write, the file's group and others can only read by default, and user 4243 and
    /// group 4244 have the given permissions. The mask limits all but the owner and others.
    package static func accessList(
        named: UInt8, group: UInt8 = 4, mask: UInt8 = 6, others: UInt8 = 4
    ) -> [UInt8] {
        let entries: [(tag: UInt8, permissions: UInt8, id: UInt32)] = [
            (0x01, 6, .max), (0x02, named, 4243), (0x04, group, .max), (0x08, named, 4244),
            (0x10, mask, .max),
            (0x20, others, .max),
        ]
        // The version, followed by tags, permissions and ids in little-endian order.
        return [2, 0, 0, 0]
            + entries.flatMap { entry in
                [entry.tag, 0, entry.permissions, 0]
                    + (0..<4).map { UInt8(truncatingIfNeeded: entry.id >> ($0 * 8)) }
            }
    }

    /// Sets an attribute; returns false if the file system or the operating system doesn't support it.
    package func setAttribute(_ name: String, _ value: [UInt8], of relative: String) -> Bool {
        #if os(Linux)
            typealias Call =
                @convention(c) (
                    UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32
                ) -> Int32
            guard let symbol = dlsym(nil, "setxattr") else { return false }
            return unsafeBitCast(symbol, to: Call.self)(path(of: relative), name, value, value.count, 0) == 0
        #else
            return setxattr(path(of: relative), name, value, value.count, 0, 0) == 0
        #endif
    }

    /// Returns an attribute's value; nil if there isn't one.
    package func attribute(_ name: String, of relative: String) -> [UInt8]? {
        var value = [UInt8](repeating: 0, count: 1 << 16)
        #if os(Linux)
            typealias Call =
                @convention(c) (
                    UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer, Int
                ) -> Int
            guard let symbol = dlsym(nil, "getxattr") else { return nil }
            let count = unsafeBitCast(symbol, to: Call.self)(path(of: relative), name, &value, value.count)
        #else
            let count = getxattr(path(of: relative), name, &value, value.count, 0, 0)
        #endif
        return count < 0 ? nil : Array(value.prefix(count))
    }
}
