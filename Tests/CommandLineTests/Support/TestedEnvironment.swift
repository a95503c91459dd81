import Foundation

/// The environment of programs under test, without the tester's own settings or anything that changes.
struct TestedEnvironment: Sendable {
    var home: String
    /// The seed that makes random values repeatable; a test can change it for each command.
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
