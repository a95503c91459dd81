import Foundation
import SyncEngine
import TestSupport
import WorkingCopy

/// A working directory in a history, with or without a git repository around it.
final class StoryMachine {
    let name: String
    let folder: TemporaryFolder
    /// The working directory's path in the repository, with a trailing slash; empty for the top folder.
    let prefix: String
    let habit: Habit
    let workspace: Workspace
    /// The values that somebody wrote into files, which the next sync has to send.
    var unsent: [String: StoryFields] = [:]
    /// The home branch's name.
    var home = StoryMachine.main
    /// The values that git took out of files since the last command, other than by checking out a commit.
    var taken: [String: StoryFields] = [:]
    /// The remote's todos when a command last read them.
    var newest: [String: StoryFields] = [:]
    /// Todos that `git clean` removed and no commit has.
    var cleaned: Set<String> = []
    private let clock: StoryClock

    /// How the machine's user works.
    enum Habit {
        /// With todosync only.
        case withoutGit
        /// With branches, amended commits, resets, stashes and all else that git has.
        case everyWay
        /// Commits, pulls, pushes, and then syncs, always on the home branch.
        case gitFirst
    }

    var hasGit: Bool { habit != .withoutGit }

    static let main = "main"
    static let fields = ["text", "owner", "place"]

    init(_ name: String, _ world: World, prefix: String, _ habit: Habit, clock: StoryClock) throws {
        self.name = name
        self.prefix = prefix
        self.habit = habit
        self.clock = clock
        folder = try TemporaryFolder()
        try folder.makeFolder(prefix + ".")
        let root = prefix.isEmpty ? folder.path : folder.path(of: String(prefix.dropLast()))
        var surroundings = world.surroundings()
        surroundings.environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": folder.path,
        ]
        workspace = Workspace(directory: WorkingDirectory(root: root), surroundings: surroundings)
    }

    /// Makes the folder a working directory.
    func setUp() throws { try workspace.directory.create(Configuration(remote: World.url)) }

    // MARK: Git

    /// Runs git like its user, and returns its exit status and output.
    @discardableResult
    func git(_ arguments: String..., editing script: String = "true") throws -> (
        status: Int32, output: String
    ) {
        try git(arguments, editing: script)
    }

    @discardableResult
    func git(_ arguments: [String], editing script: String = "true") throws -> (status: Int32, output: String)
    {
        let date = "\(1_700_000_000 + clock.next()) +0000"
        let environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": folder.path,
            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": name,
            "GIT_AUTHOR_EMAIL": "\(name)@example.com", "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_NAME": name,
            "GIT_COMMITTER_EMAIL": "\(name)@example.com", "GIT_COMMITTER_DATE": date, "GIT_EDITOR": "true",
            "GIT_SEQUENCE_EDITOR": script, "GIT_MERGE_AUTOEDIT": "no", "GIT_TERMINAL_PROMPT": "0",
            "LC_ALL": "C",
        ]
        let settings = ["-c", "commit.gpgsign=false", "-c", "gc.auto=0", "-c", "advice.detachedHead=false"]
        let result = try ChildProcess.run(
            ["git"] + settings + arguments, in: folder.path, environment: environment)
        return (result.status, String(decoding: result.output + result.errors, as: UTF8.self))
    }

    /// Returns the lines that git prints; none if it fails.
    func lines(_ arguments: String...) throws -> [String] { try lines(arguments) }

    private func lines(_ arguments: [String]) throws -> [String] {
        let (status, output) = try git(arguments)
        return status == 0 ? output.split(separator: "\n").map(String.init) : []
    }

    /// The branch that is checked out; nil if HEAD is detached.
    var branch: String? { get throws { try lines("symbolic-ref", "-q", "--short", "HEAD").first } }

    /// Whether git is in the middle of an operation.
    var isBusy: Bool {
        [
            "rebase-merge", "rebase-apply", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "SQUASH_MSG",
            "MERGE_AUTOSTASH",
        ].contains { folder.exists(".git/" + $0) }
    }

    /// Returns whether a commit of a branch, the reflog or a stash has one of the paths.
    func isInHistory(_ paths: String...) throws -> Bool {
        try !lines(["rev-list", "-1", "--all", "--reflog", "--full-history", "--"] + paths).isEmpty
    }

    /// Returns the todos' texts in a commit, by id.
    func committedTexts(_ commit: String = "HEAD") throws -> [String: String] {
        var texts: [String: String] = [:]
        for path in try lines("ls-tree", "-r", "--name-only", commit, prefix.isEmpty ? "." : prefix)
        where path.hasSuffix(".yaml") {
            let (status, text) = try git("show", "\(commit):\(path)")
            if status == 0, let id = Self.id(in: text) { texts[id] = text }
        }
        return texts
    }

    /// Returns the content of all objects in the repository, as text.
    func objects() throws -> String {
        guard hasGit else { return "" }
        return try git("cat-file", "--batch-all-objects", "--batch").output
    }

    // MARK: Files

    /// The todos' files by id: paths in the repository, and texts.
    var files: [String: (path: String, text: String)] {
        var files: [String: (path: String, text: String)] = [:]
        let root = workspace.root
        for name in (try? FileManager.default.contentsOfDirectory(atPath: root).sorted()) ?? []
        where name.hasSuffix(".yaml") {
            guard let text = folder.read(prefix + name), let id = Self.id(in: text) else { continue }
            if files[id] == nil { files[id] = (prefix + name, text) }
        }
        return files
    }

    /// The fields of the todos' files, except files with conflict markers.
    var fields: [String: StoryFields] {
        files.compactMapValues { $0.text.contains("<<<<<<<") ? nil : Self.fields(in: $0.text) }
    }

    /// Returns the values that the user of a command sees: those in the todos' files, on both sides of
    /// conflicts, and the newest ones.
    func shown() -> [String: [String: Set<String>]] {
        var shown = newest.mapValues { $0.mapValues { Set([$0]) } }
        for (todo, file) in files {
            for line in file.text.split(separator: "\n") {
                let words = line.split(separator: " ")
                guard words.count == 2, let field = Self.fields.first(where: { $0 + ":" == words[0] }) else {
                    continue
                }
                shown[todo, default: [:]][field, default: []].insert(String(words[1]))
            }
        }
        return shown
    }

    static func id(in text: String) -> String? {
        text.split(separator: "\n").first { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
    }

    static func fields(in text: String) -> StoryFields {
        var fields: StoryFields = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let key = words.first?.dropLast(), Self.fields.contains(String(key))
            else {
                continue
            }
            fields[String(key)] = String(words[1])
        }
        return fields
    }

    /// Returns a file's text, with lines between the fields so that changes to different fields don't
    /// conflict in git.
    static func text(_ id: String, _ fields: StoryFields) -> String {
        let lines = Self.fields.map { "\($0): \(fields[$0] ?? "")\n# 1\n# 2\n# 3\n" }
        return "id: \(id)\n# 1\n# 2\n# 3\n" + lines.joined()
    }
}

/// The time that git records, which advances by a second with each call.
final class StoryClock {
    private var time = 0

    func next() -> Int {
        time += 1
        return time
    }
}
