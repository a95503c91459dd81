internal import ArgumentParser
internal import LosslessYAML
internal import Remotes
internal import TodoModel

/// The command `todosync serve store copy`.
struct ServeStoreCopyCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Move a store to a database or a folder, even while it is in use.",
        usage: """
            todosync serve store copy --from <store> --to <store> [--json]
            todosync serve store copy --from <store> [--to <store>] --reopen
            """,
        discussion: """
            Example: todosync serve store copy --from store --to postgresql:///todos

            Copies the todos, their history and the keys while servers and clients use the old store. At the end, \
            the old store accepts no writes for a moment: servers answer 503, and clients try again. Once the copy \
            has everything, the old store is closed for good. Then start the servers with the new store: clients \
            continue as if nothing had happened.

            The new store must be an empty folder or a database without tables. If the copy is interrupted, run \
            the same command again to continue. To give up a copy and use the old store again, add --reopen: an \
            incomplete copy is removed if --to names it, and a complete one is closed unless it has changed.
            """)

    @Option(
        help: ArgumentHelp("The store to copy: a folder or a database.", valueName: "store"),
        completion: .directory)
    var from: String

    @Option(
        help: ArgumentHelp(
            "The new store: a folder or a database. With --reopen, by default the one that the store moved to.",
            valueName: "store"),
        completion: .directory)
    var to: String?

    @Flag(help: "Give up the copy, and use the old store again.")
    var reopen = false

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if to == nil, !reopen { throw ValidationError("the option --to is missing") }
    }

    func run(in session: Session) throws -> ExitStatus {
        let source = try StoreLocation(typed: from, in: session)
        let target = try to.map { try StoreLocation(typed: $0, in: session) }
        if source == target {
            throw Failure(
                .usage, "--from and --to are the same store",
                hint: "copy the store to a different folder or database")
        }
        let surroundings = session.process.forStore
        // A signal must not leave the old store closed for writes.
        Interruption.hold()
        do {
            if reopen {
                let isReopened = try waiting(showing: session.progress) {
                    try await StoreCopy.giveUp(from: source, to: target, surroundings: surroundings)
                }
                try reportReopened(source, isReopened, session)
            } else if let target {
                let summary = try waiting(showing: session.progress) {
                    [progress = session.progress?.report] in
                    try await StoreCopy(from: source, to: target, surroundings: surroundings)
                        .run(reporting: progress)
                }
                try report(summary, source, target, session)
            }
        } catch RemoteError.store(let error) {
            throw error
        } catch is CancellationError where !reopen {
            throw Failure(
                interrupted: "the copy is not complete",
                hint: "run the same command again to continue, or add --reopen to remove the copy")
        } catch let problem as StoreCopyProblem {
            throw Failure(problem)
        }
        return .done
    }

    private func reportReopened(_ source: StoreLocation, _ isReopened: Bool, _ session: Session) throws {
        if json.isWanted {
            try session.show(json: .mapping(["store": .string(source.description)]))
        } else {
            let store = visible(source.description)
            try session.say("the store \(store) is \(isReopened ? "open again" : "already open")\n")
            if !isReopened { session.remark("to remove an incomplete copy, name it with --to") }
        }
    }

    private func report(
        _ summary: StoreCopy.Summary, _ source: StoreLocation, _ target: StoreLocation, _ session: Session
    ) throws {
        if json.isWanted {
            let places: [(key: String, value: Value)] = [
                (key: "from", value: .string(source.description)),
                (key: "to", value: .string(target.description)),
            ]
            try session.show(json: .mapping(Mapping(places + summary.members)))
            return
        }
        try session.say(
            """
            moved the store to \(visible(target.description)): \(summary.words)
            \(visible(source.description)) is closed; now start the servers with the new store

            """)
    }
}

extension Failure {
    fileprivate init(_ problem: StoreCopyProblem) {
        switch problem {
        case .otherStore(let path):
            self.init(
                .cannotCreate, "\(visible(path)): another store is already there",
                hint: "choose an empty folder or a database without tables")
        case .inUse(let path):
            self.init(
                .cannotCreate,
                "\(visible(path)): a complete copy of the store, or a store that it was copied from, is already there",
                hint: "remove it, or choose an empty folder or a database without tables")
        case .changed(let path):
            self.init(
                .configuration, "\(visible(path)): the copy was changed since it was made",
                hint: "keep using it, or copy it to a different folder or database")
        case .differs(let part):
            self.init(
                .invalidData, "the copy differs from the store: \(visible(part)); the store is open again",
                hint: "run \"todosync fsck --store\" on both, and try again")
        }
    }
}
