internal import ArgumentParser
internal import LosslessYAML
internal import Platform
internal import SyncEngine
internal import ThreeWayMerge
internal import TodoModel
internal import Values
internal import WorkingCopy

/// The command `todosync merge-file CURRENT BASE OTHER`.
struct MergeFileCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "merge-file",
        abstract: "Merge three versions of a file, as git's merge driver.",
        usage: "todosync merge-file [-L <label>]... [--path <path>] [--json] <current> <base> <other>",
        discussion: """
            Example: todosync merge-file milk.yaml base.yaml other.yaml

            Merges the changes from <base> to <other> into <current>, as pull merges a remote's changes into your \
            file. "todosync git-setup" makes git use this command for todos. In the markers of a conflict, local \
            is <current>, which is the checked-out side; in a rebase, that is the branch that you rebase onto.

            If the remote has confirmed both versions to this folder, and neither is older than <base>, the \
            result is the newer one. Files with different ids merge line by line. An empty <base> means that \
            both sides added the file.

            The settings (merge.conflictStyle, merge.fields, merge.identity, merge.labels) come from the working \
            directory that contains <path> or, without --path, the current folder.

            Exit status: 0 merged; 1 a conflict, with markers in <current>; 128 <current> is unchanged, because \
            a version is not a YAML mapping, is larger than 1 MiB, or can't be read or written, because no file has \
            room for both sides' changes, or because the command line is wrong.
            """)

    @Option(
        name: .customShort("L"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Label a version in the markers: first <current>, then <base>, then <other>.",
            valueName: "label"))
    var labels: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The path that the result will have.", valueName: "path"))
    var path: String?

    @Argument(help: "The file that the result is written to.", completion: .file())
    var current: String

    @Argument(help: "The version that both sides started from.", completion: .file())
    var base: String

    @Argument(help: "The version with the other side's changes.", completion: .file())
    var other: String

    @OptionGroup var json: JSONOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func validate() throws {
        if labels.count > 3 { throw ValidationError("-L can be given three times at most") }
    }

    func run(in session: Session) throws -> ExitStatus {
        do {
            let status = try merge(in: session)
            if json.isWanted { try session.show(json: mergeJSON(hasConflict: status == .needsUser)) }
            return status
        } catch {
            let failure = failure(error)
            throw Failure(
                failure.status.isInterruption ? failure.status : .cannotMerge,
                path.map { "\(visible($0)): \(failure.message)" } ?? failure.message, hint: hint)
        }
    }

    private func merge(in session: Session) throws -> ExitStatus {
        let current = try read(current, "current")
        // The base can be a conflict that git left when it merged several bases.
        let base = try read(base, "base", limit: TodoFile.maximumSize)
        let other = try read(other, "other")
        let outcome = try FileMerge(in: workspace(session)).merge(
            current: current, base: base, other: other, labels: markerLabels)
        switch outcome {
        case .merged(let text):
            if text != current { try replaceFile(self.current, with: text, isDurable: false) }
            return .done
        case .conflict(let text):
            try replaceFile(self.current, with: text, isDurable: false)
            return .needsUser
        }
    }

    private func read(
        _ path: String, _ version: String, limit: Int = Document.maximumSize
    ) throws -> [UInt8] {
        var status = stat()
        if stat(path, &status) == 0, status.st_size > limit {
            throw Failure(.invalidData, "the \(version) version is larger than \(limit >> 20) MiB")
        }
        return try readFile(path, limit: limit)
    }

    /// Returns the working directory that the merged file belongs to.
    private func workspace(_ session: Session) throws -> Workspace? {
        var folder = session.currentDirectory
        if let path {
            let file = TypedPath(typed: path, currentDirectory: session.currentDirectory)
            folder = normalized(file.absolute + "/..")
        }
        // A branch can contain a folder that doesn't exist here yet.
        while folder != "/", access(folder, F_OK) != 0 { folder = normalized(folder + "/..") }
        guard let root = try findRoot(from: folder) else { return nil }
        return Workspace(directory: WorkingDirectory(root: root), surroundings: try session.surroundings())
    }

    private var markerLabels: MarkerLabels {
        // git before 2.44 doesn't support these placeholders and passes them on unchanged.
        let cleaned =
            labels.map { ["%X", "%S", "%Y"].contains($0) ? nil : DeviceName.cleaned($0) } + [nil, nil, nil]
        return MarkerLabels(local: cleaned[0], base: cleaned[1], remote: cleaned[2])
    }

    private func failure(_ error: any Error) -> Failure {
        if let obstacle = error as? MergeObstacle { return Failure(.invalidData, obstacle.words) }
        guard let refusal = error as? FileMerge.Refusal else { return Failure(error) }
        let (version, problem) = (refusal.version.rawValue, refusal.problem)
        return Failure(
            .invalidData,
            "line \(problem.line) of the \(version) version is not valid: \(visible(problem.message))")
    }

    /// The next step for the user after git has reported the conflict.
    private var hint: String {
        guard let path else { return "nothing was changed" }
        let other = shellQuoted(visible(":3:" + path))
        return "the current version stays in the file; \"git show \(other)\" prints the other one"
    }
}
