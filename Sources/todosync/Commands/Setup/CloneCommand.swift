internal import ArgumentParser
internal import SyncEngine
internal import TodoModel
internal import Values
internal import WorkingCopy

/// The command `todosync clone URL [DIR]`.
struct CloneCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "clone",
        abstract: "Create a working directory with a remote's todos.",
        usage: "todosync clone [<options>] <url> [<dir>]",
        discussion: """
            Example: todosync clone ~/store laptop

            To resume an interrupted clone, run the same command again. A clone inside a working directory \
            needs --force, because its files belong to that directory already.

            Exit status: 0 done, 1 something needs your attention, 64 the argument is not a remote's URL, 69 \
            the remote can't be reached, 73 the folder is not empty or can't be created, 74 a file can't be \
            read or written, 77 the key is missing or wrong, 78 there is no such table, or the URL can't be \
            used.
            """)

    @Argument(help: RemoteAddress.help, completion: .directory)
    var url: String

    @Argument(help: "The folder to create; named after the remote by default.", completion: .directory)
    var dir: String?

    @Flag(help: "Create it even inside a working directory.")
    var force = false

    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let address = try RemoteAddress(url, currentDirectory: session.currentDirectory)
        let folder = TypedPath(typed: dir ?? address.folderName, currentDirectory: session.currentDirectory)
            .absolute
        let directory = WorkingDirectory(root: folder)
        try checkIsOutsideStores(folder, folder)
        if !force {
            try checkIsOutsideWorkingDirectories(
                folder, session.surroundings(),
                hint: "choose a folder outside of it; --force creates another working directory in it")
        }
        let surroundings = try session.surroundings(lock, for: directory, naming: address.server)
        let trust = Trust(session.process)
        try trust.prepareGrant(address.server)
        var report = try waiting(showing: session.progress) {
            try await Workspace.clone(address.url, into: folder, surroundings) {
                try createFolders(folder)
                return try isEmptyFolder(folder)
            } made: {
                try trust.grant(address.server)
            }
        }
        if json.isWanted {
            try session.show(json: todosync.json(report))
        } else if !report.hasDoneNothing {
            let count = counted(report.todoCount, "todo")
            try session.print("cloned \(count) into \(visible(dir ?? address.folderName))\n")
        }
        if let stop = report.stop {
            let made = Workspace(directory: directory, surroundings: surroundings)
            let isMade = (try? made.remoteURL) == address.url
            report.stop = failure(stop, isMade: isMade, dir ?? address.folderName)
        }
        if report.stop == nil { session.warn([try remoteNote(address, session.process)].compactMap(\.self)) }
        return try session.finish(report, style: session.style())
    }

    /// Returns the error to report, with a hint about the folder if the remote can't be used.
    private func failure(_ error: any Error, isMade: Bool, _ folder: String) -> any Error {
        let advice: String
        switch error as? RemoteError {
        case .store(.notFound(let path)) where !isMade:
            advice =
                "check the path, or run \"todosync init --bare \(shellQuoted(visible(path)))\" to create a store"
        case .unreachable, .unanswered, .overloaded, .refused, .redirected, .badResponse, .badURL,
            .noSuchTable, .store(.notFound), .store(.busy), .store(.notAStore):
            advice = "check the URL, or run the same command again"
        default: return error
        }
        let failure = Failure(error)
        return Failure(
            failure.code, failure.message,
            hint: isMade
                ? "\(visible(folder)) has what was cloned so far; run the same command again for the rest"
                : "no folder was created; \(advice)")
    }
}
