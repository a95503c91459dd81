import Foundation

/// The environment that programs under test run in: nothing of the tester's own, nothing that changes.
struct TestedEnvironment: Sendable {
    var home: String
    /// Makes what is random repeat, and differ between the commands of a test.
    var seed = 1
    var more: [String: String] = [:]

    var variables: [String: String] {
        [
            "PATH": "\(TestedBinary.folder.path):/usr/bin:/bin", "HOME": home, "TMPDIR": "/tmp", "TZ": "UTC",
            "LC_ALL": "C.UTF-8", "COLUMNS": "100", "TODOSYNC_NOW": "2026-11-21T07:00:00Z",
            "TODOSYNC_SEED": String(seed),
        ].merging(more) { $1 }
    }
}
