/// Decides whether so much would be deleted that the user should say so first.
struct DeleteGuard {
    /// Up to this many todos are deleted without asking.
    static let harmlessCount = 10
    let withholds: Bool
    /// How many deletes there would be, those carried out included.
    let count: Int
    /// How many todos there were before the first of them.
    let total: Int

    /// - Parameters:
    ///   - deletes: the paths of the todos that would be deleted.
    ///   - carriedOut: the paths of those that this run, and runs before it that did not end, have deleted.
    ///   - others: the paths of all todos that there are, those to be deleted included.
    ///   - allowed: the number of deletes that the user allowed.
    init(deletes: [String], carriedOut: [String], others: [String], allowed: Int?) {
        let deletes = deletes + carriedOut
        let all = others + carriedOut
        count = deletes.count
        total = all.count
        guard deletes.count > Self.harmlessCount, (allowed ?? 0) < deletes.count else {
            withholds = false
            return
        }
        if deletes.count * 2 > all.count {
            withholds = true
            return
        }
        let totals = Self.countsByFolder(all)
        withholds = Self.countsByFolder(deletes).contains { folder, count in
            count > Self.harmlessCount && count >= totals[folder] ?? 0
        }
    }

    /// Counts the paths in each top-level folder.
    private static func countsByFolder(_ paths: [String]) -> [Substring: Int] {
        var counts: [Substring: Int] = [:]
        for path in paths {
            if let slash = path.utf8.firstIndex(of: UInt8(ascii: "/")) {
                counts[path[..<slash], default: 0] += 1
            }
        }
        return counts
    }
}
