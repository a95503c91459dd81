import CSystemCalls
import Platform

// Extended attributes, and the access control lists among them.
extension POSIXFileSystem {
    #if os(Linux)
        package func copyAttributes(
            of model: OpenFile, to file: OpenFile, permissions: UInt16, hasSameGroup: Bool
        ) throws(FileError) -> UInt16 {
            for name in try attributes(of: model) where isCopied(name, hasSameGroup: hasSameGroup) {
                guard let value = try attribute(name, of: model), try attribute(name, of: file) != value
                else {
                    continue
                }
                _ = try setAttribute(name, value, of: file)
            }
            // Set the list last, because it can remove the owner's write permission.
            let name = Array(AccessList.attribute.utf8CString)
            let list = try attribute(name, of: model)
            var access = FileAccess(permissions: permissions, list: try list.map(accessList))
            if !hasSameGroup { access.changeGroup() }
            if let list = access.list, try setAttribute(name, list.bytes, of: file) {
                return access.permissions
            }
            access.removeList()
            // The file might have inherited a list from its folder.
            if try attribute(name, of: file) != nil {
                let code = repeating { csystem_remove_attribute(file.descriptor, name) }
                if code < 0 { throw failure(.copyAttributes, "") }
            }
            return access.permissions
        }

        /// Returns whether to copy an attribute: a user's attribute, or an attribute that controls access.
        ///
        /// All other attributes belong to the content, a program's rights, or the file system.
        private func isCopied(_ name: [CChar], hasSameGroup: Bool) -> Bool {
            let name = name.lazy.map(UInt8.init(bitPattern:))
            func begins(_ text: String) -> Bool { name.starts(with: text.utf8) }
            if begins("security.") {
                return !["security.capability", "security.evm", "security.ima"].contains(where: begins)
            }
            // An NFSv4 list has its own format, and can give the group any permission.
            return begins("user.") || begins("system.nfs4_acl") && hasSameGroup
        }

        private func accessList(_ bytes: [UInt8]) throws(FileError) -> AccessList {
            guard let list = AccessList(bytes) else { throw FileError(.copyAttributes, "", code: EINVAL) }
            return list
        }

        /// Returns the names of a file's attributes, each with a trailing NUL.
        private func attributes(of file: OpenFile) throws(FileError) -> [[CChar]] {
            let names = try bytes { csystem_list_attributes(file.descriptor, $0, $1) } ?? []
            return names.split(separator: 0).map { $0.map(CChar.init(bitPattern:)) + [0] }
        }

        /// Returns an attribute's value; nil if the file doesn't have it, or if the user can't read it.
        private func attribute(_ name: [CChar], of file: OpenFile) throws(FileError) -> [UInt8]? {
            try bytes { csystem_read_attribute(file.descriptor, name, $0, $1) }
        }

        /// Returns the bytes that a call writes to a buffer; nil if there aren't any or the user can't read
        /// them.
        private func bytes(
            _ call: (UnsafeMutablePointer<CChar>?, Int) -> Int
        ) throws(FileError) -> [UInt8]? {
            // Most files have no attributes, and most attributes are short.
            var size = 256
            while true {
                var count = 0
                let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
                    buffer.withMemoryRebound(to: CChar.self) { count = call($0.baseAddress, size) }
                    filled = max(0, count)
                }
                if count >= 0 { return bytes }
                switch errno {
                case ENODATA, ENOTSUP, ENOSYS, EPERM, EACCES: return nil
                case EINTR: break
                case ERANGE where size < Self.largestAttribute: size = Self.largestAttribute
                default: throw failure(.copyAttributes, "")
                }
            }
        }

        /// The limit on Linux for an attribute's value and for the list of names.
        private static let largestAttribute = 1 << 16

        /// Sets an attribute; returns false if the file system doesn't support it or the user isn't allowed
        /// to set it.
        private func setAttribute(
            _ name: [CChar], _ value: [UInt8], of file: OpenFile
        ) throws(FileError) -> Bool {
            let code = repeating {
                csystem_write_attribute(file.descriptor, name, value, value.count)
            }
            if code == 0 { return true }
            switch errno {
            // Lists and policy labels can refer to users or policies that this machine doesn't have.
            case ENOTSUP, ENOSYS, EPERM, EACCES, EINVAL, E2BIG: return false
            default: throw failure(.copyAttributes, "")
            }
        }
    #else
        package func copyAttributes(
            of model: OpenFile, to file: OpenFile, permissions: UInt16, hasSameGroup: Bool
        ) throws(FileError) -> UInt16 {
            let code = repeating {
                fcopyfile(
                    model.descriptor, file.descriptor, nil, copyfile_flags_t(COPYFILE_ACL | COPYFILE_XATTR))
            }
            if code < 0, ![ENOTSUP, EPERM, EACCES].contains(errno) { throw failure(.copyAttributes, "") }
            var access = FileAccess(permissions: permissions)
            if !hasSameGroup { access.changeGroup() }
            return access.permissions
        }
    #endif
}

/// The permissions of a file: its permission bits and, if it has one, its access control list.
struct FileAccess: Equatable {
    /// The permission bits; with a list, the group's bits are the list's mask.
    private(set) var permissions: UInt16
    private(set) var list: AccessList?

    init(permissions: UInt16, list: AccessList? = nil) {
        self.permissions = permissions
        self.list = list
        setPermissions()
    }

    /// Reduces the permissions so that nobody gains access when the file's group changes.
    ///
    /// Before the change, members of the new group have the permissions of others. Afterward, members of the
    /// old group have them.
    mutating func changeGroup() {
        permissions &= ~0o2000
        guard var list else {
            let common = permissions >> 3 & permissions & 0o7
            permissions = permissions & ~0o077 | common << 3 | common
            return
        }
        let common = list.group & list.others
        // A member of a named group can also be in the old or the new group, so the group gets only the
        // permissions that all of them have.
        list.group = list.groups.reduce(common, &)
        list.others = common
        self.list = list
        setPermissions()
    }

    /// Reduces the permissions so that nobody gains access when the file loses its list.
    ///
    /// The users and groups in the list can be in the file's group or among the others.
    mutating func removeList() {
        guard let list else { return }
        self.list = nil
        let named = (list.users + list.groups).reduce(0o7, &)
        permissions = permissions & ~0o077 | (list.group & named) << 3 | list.others & named
    }

    private mutating func setPermissions() {
        guard let list else { return }
        permissions = permissions & ~0o777 | list.permissions
    }
}

/// A POSIX access control list.
///
/// The permissions that its properties return have three bits and are limited by the mask.
struct AccessList: Equatable {
    private enum Tag {
        static let owner: UInt16 = 0x01
        static let user: UInt16 = 0x02
        static let group: UInt16 = 0x04
        static let namedGroup: UInt16 = 0x08
        static let mask: UInt16 = 0x10
        static let others: UInt16 = 0x20
    }

    /// The extended attribute that Linux stores the list in.
    static let attribute = "system.posix_acl_access"

    /// The encoded list.
    ///
    /// The list has a version in four bytes and then the entries: a tag and permissions in two bytes each,
    /// and an id in four bytes. The lowest byte comes first.
    private(set) var bytes: [UInt8]

    /// Creates a list from its encoded form; nil if the bytes aren't valid.
    init?(_ bytes: [UInt8]) {
        guard bytes.count % 8 == 4, bytes.starts(with: [2, 0, 0, 0]) else { return nil }
        self.bytes = bytes
        for tag in [Tag.owner, Tag.group, Tag.others] where entries(tag).isEmpty { return nil }
    }

    private func entries(_ tag: UInt16) -> [Int] {
        stride(from: 4, to: bytes.count, by: 8).filter {
            UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 == tag
        }
    }

    private func bits(_ tag: UInt16) -> [UInt16] { entries(tag).map { UInt16(bytes[$0 + 2]) & 0o7 } }

    private mutating func setBits(_ tag: UInt16, _ bits: UInt16) {
        for entry in entries(tag) { bytes[entry + 2] = UInt8(bits) }
    }

    private var mask: UInt16 { bits(Tag.mask).first ?? 0o7 }

    /// The permissions of the file's group.
    var group: UInt16 {
        get { bits(Tag.group).reduce(mask, &) }
        set { setBits(Tag.group, newValue) }
    }

    /// The permissions of everybody else.
    var others: UInt16 {
        get { bits(Tag.others).reduce(0o7, &) }
        set { setBits(Tag.others, newValue) }
    }

    /// The permissions of each user in the list.
    var users: [UInt16] { bits(Tag.user).map { $0 & mask } }

    /// The permissions of each group in the list.
    var groups: [UInt16] { bits(Tag.namedGroup).map { $0 & mask } }

    /// The permission bits of a file with this list.
    var permissions: UInt16 {
        let owner = bits(Tag.owner).reduce(0o7, &)
        return owner << 6 | (bits(Tag.mask).first ?? group) << 3 | others
    }
}
