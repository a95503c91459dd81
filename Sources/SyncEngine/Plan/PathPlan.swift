internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// Decides which todo gets which path, based on the state after the whole pull.
///
/// If two todos want the same path, the one with the smaller id keeps it, and the other gets a name made
/// unique by its id, the same on every machine. A todo that can't have its path in this folder gets such a
/// name in this folder only. If the folder can't hold any of these names, the todo gets no path.
struct PathPlan {
    /// A todo that needs a path.
    struct Wish {
        var id: TodoID
        var path: String
    }

    struct AssignedPath: Hashable {
        var path: String
        /// Whether the path applies to this folder only.
        var isPathLocalOnly: Bool
    }

    /// The holder of a path, if it isn't among the wishes.
    enum Holder {
        /// A todo that can be moved.
        case todo(TodoID)
        /// A file or folder that can't be moved.
        case fixed
    }

    /// The todo that this plan assigned to each path.
    private var takers: [ByteKey: TodoID] = [:]
    private let formerHolder: (String) -> Holder?
    private let isUsable: (String) -> Bool
    private(set) var assignedPaths: [TodoID: AssignedPath] = [:]

    /// Assigns paths to todos.
    ///
    /// - Parameters:
    ///   - isUsable: Whether this folder can hold a todo at a path, by the path's form and the scan.
    ///   - formerHolder: Returns the other holder of a path; nil if there isn't one.
    init(
        _ wishes: [Wish], isUsable: @escaping (String) -> Bool,
        formerHolder: @escaping (String) -> Holder?
    ) {
        self.formerHolder = formerHolder
        self.isUsable = isUsable
        takers.reserveCapacity(wishes.count)
        assignedPaths.reserveCapacity(wishes.count)
        // The smaller id comes first, so that no larger one has taken its path yet.
        for index in wishes.indices.sorted(by: { wishes[$0].id < wishes[$1].id }) {
            assign(wishes[index].id, at: wishes[index].path, isPathLocalOnly: false)
        }
    }

    private mutating func assign(_ id: TodoID, at path: String, isPathLocalOnly: Bool) {
        guard isUsable(path) else {
            assignAlternative(id, path, isPathLocalOnly: true)
            return
        }
        switch holder(of: path) {
        case nil:
            take(path, id, isPathLocalOnly)
        case .fixed:
            assignAlternative(id, path, isPathLocalOnly: true)
        case .todo(let holder) where holder < id:
            assignAlternative(id, path, isPathLocalOnly: isPathLocalOnly)
        case .todo(let holder):
            take(path, id, isPathLocalOnly)
            assignAlternative(holder, path, isPathLocalOnly: false)
        }
    }

    private func holder(of path: String) -> Holder? {
        takers[ByteKey(path)].map(Holder.todo) ?? formerHolder(path)
    }

    private mutating func take(_ path: String, _ id: TodoID, _ isPathLocalOnly: Bool) {
        takers[ByteKey(path)] = id
        assignedPaths[id] = AssignedPath(path: path, isPathLocalOnly: isPathLocalOnly)
    }

    /// Gives a todo the first free name that is made unique by its id.
    private mutating func assignAlternative(_ id: TodoID, _ path: String, isPathLocalOnly: Bool) {
        for candidate in Self.alternatives(to: path, id) where isUsable(candidate) {
            switch holder(of: candidate) {
            case nil: return take(candidate, id, isPathLocalOnly)
            case .todo(let holder) where holder == id: return take(candidate, id, isPathLocalOnly)
            default: continue
            }
        }
        // This folder can't hold any of the names, so the todo gets no file.
    }

    /// Returns the names for a todo that can't have its path: in the path's folder if possible, otherwise at
    /// the top level.
    ///
    /// The sequence is finite, because all names can be ignored.
    private static func alternatives(to path: String, _ id: TodoID) -> some Sequence<String> {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { String(path[...$0]) } ?? ""
        let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
        let dot = name.utf8.lastIndex(of: UInt8(ascii: "."))
        var stem = dot.map { String(name[..<$0]) } ?? name
        var suffix = dot.map { String(name[$0...]) } ?? ".yaml"
        if suffix != ".yaml" && suffix != ".yml" {
            stem = name
            suffix = ".yaml"
        }
        let plainStem = PathRules.slug(of: stem)
        let idSlug = PathRules.slug(of: id.string)
        let beginning = id.beginning
        let first = [
            folder + stem + "-" + beginning + suffix,
            folder + stem + "-" + id.string + suffix,
            folder + plainStem + "-" + idSlug + suffix,
            plainStem + "-" + PathRules.slug(of: beginning) + suffix,
            plainStem + "-" + idSlug + suffix,
        ]
        let numbered = (2..<1000).lazy.map {
            plainStem + "-" + PathRules.slug(of: beginning) + "-\($0)" + suffix
        }
        return Candidates(first: first, rest: AnySequence(numbered))
    }

    private struct Candidates: Sequence {
        var first: [String]
        var rest: AnySequence<String>

        func makeIterator() -> AnyIterator<String> {
            var first = first.makeIterator()
            let rest = rest.makeIterator()
            return AnyIterator { first.next() ?? rest.next() }
        }
    }
}
