internal import Git
internal import Platform
internal import SyncEngine
internal import Values

/// The changes that `git-setup` makes to `.gitattributes` in the todos' folder and to the repository's
/// configuration.
struct GitSetup {
    enum Change {
        /// The lines to add to the file or remove from it, and its new text; nil to remove the file.
        case attributes(lines: [String], text: [UInt8]?)
        /// A key of the repository's own configuration and its new value; nil to remove the key.
        case setting(String, value: String?)
    }

    private(set) var changes: [Change] = []
    /// The configured merge command, if it isn't todosync's; neither setup nor undo replaces it.
    private(set) var foreignCommand: String?
    /// The absolute path of `.gitattributes`.
    let attributesPath: String
    private let git: GitProcess

    /// Creates the changes that are still needed.
    ///
    /// - Parameter program: The program's name or path, as a shell reads it; nil to undo an earlier setup.
    init(_ use: MergeDriverUse, folder: String, program: String?) throws {
        attributesPath = (folder == "/" ? "" : folder) + "/.gitattributes"
        git = use.git
        let text = try attributesText()
        let commands = try configured(MergeDriver.commandKey)
        let titles = try configured(MergeDriver.nameKey)
        foreignCommand = commands.first { !MergeDriver.isOwn($0) }
        if let program {
            if foreignCommand != nil { return }
            let attributes = MergeAttributes(include: use.include)
            let added = attributes.added(to: text ?? [])
            if added != text ?? [] {
                let lines = MergeAttributes.ownLines(in: added)
                changes.append(.attributes(lines: lines, text: added))
            }
            if titles.isEmpty { changes.append(.setting(MergeDriver.nameKey, value: MergeDriver.title)) }
            let command = MergeDriver(program: program).command
            if commands != [command] { changes.append(.setting(MergeDriver.commandKey, value: command)) }
        } else {
            let lines = text.map(MergeAttributes.ownLines(in:)) ?? []
            if let text, !lines.isEmpty {
                let rest = MergeAttributes.removed(from: text)
                changes.append(.attributes(lines: lines, text: rest.isEmpty ? nil : rest))
            }
            if foreignCommand != nil { return }
            if titles == [MergeDriver.title] {
                changes.append(.setting(MergeDriver.nameKey, value: nil))
            }
            if !commands.isEmpty { changes.append(.setting(MergeDriver.commandKey, value: nil)) }
        }
    }

    /// Makes the changes; after an error, running the same command again makes the rest.
    func apply() throws {
        for change in changes {
            switch change {
            case .attributes(_, let text?): try replaceFile(attributesPath, with: text)
            case .attributes(_, nil):
                guard unlink(attributesPath) == 0 || errno == ENOENT else {
                    throw Failure(
                        .cannotReadOrWrite, "can't remove \(visible(attributesPath))", code: errno)
                }
            case .setting(let key, let value):
                do throws(GitProcess.Failure) { try git.configure(key, as: value) } catch {
                    throw Failure(error, doing: "change its configuration", in: git.repository)
                }
            }
        }
    }

    private func attributesText() throws -> [UInt8]? {
        var status = stat()
        guard lstat(attributesPath, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw Failure(.cannotReadOrWrite, "can't read \(visible(attributesPath))", code: errno)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(
                .cannotReadOrWrite, "\(visible(attributesPath)) is not a regular file, so git ignores it",
                hint: "replace it with a regular file, and try again")
        }
        return try readFile(attributesPath)
    }

    private func configured(_ key: String) throws -> [String] {
        do throws(GitProcess.Failure) { return try git.configured(key, isLocal: true) } catch {
            throw Failure(error, doing: "read its configuration", in: git.repository)
        }
    }
}

extension GitSetup {
    /// Returns the name or path that git uses to run this program, quoted for a shell.
    ///
    /// This prefers the name, if the shell finds this program by it, because the program can move.
    static func program(_ process: ProcessSurroundings) -> String {
        guard let own = process.programPath() else { return "todosync" }
        // Git doesn't run in the same folder as this command, so relative folders don't count.
        let programs = (process.environment("PATH") ?? "").split(separator: ":")
            .filter { $0.hasPrefix("/") }.map { "\($0)/todosync" }
        let found = programs.first { access($0, X_OK) == 0 }
        return found.map { isSameFile($0, own) } ?? false ? "todosync" : shellQuoted(own)
    }

    private static func isSameFile(_ left: String, _ right: String) -> Bool {
        var (first, second) = (stat(), stat())
        return stat(left, &first) == 0 && stat(right, &second) == 0 && first.st_ino == second.st_ino
            && first.st_dev == second.st_dev
    }
}

extension Failure {
    /// Creates a failure for something that git couldn't do.
    fileprivate init(_ failure: GitProcess.Failure, doing what: String, in repository: Repository) {
        switch failure {
        case .notInstalled:
            self.init(.configuration, "git is not installed", hint: "install git, and try again")
        case .timedOut:
            self.init(.cannotReadOrWrite, "git did not \(what) in time", hint: "try again")
        case .failed where failure.isOfOwnership:
            let top = shellQuoted(visible(repository.top))
            self.init(
                .cannotReadOrWrite,
                "git does not accept this repository; it seems to belong to somebody else",
                hint: "if you trust it, run \"git config --global --add safe.directory \(top)\"")
        case .failed(let line):
            self.init(
                .cannotReadOrWrite, "git could not \(what): \(visible(line))",
                hint: "run the same command again to do the rest")
        }
    }
}
