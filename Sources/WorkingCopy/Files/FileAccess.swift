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
