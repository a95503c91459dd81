internal import Platform
internal import SyncEngine
internal import Synchronization
internal import Values

/// The program that `merge.handler` names, which reads each conflict as JSON and answers with a decision.
///
/// It runs in the working directory's folder. The user has to approve it on this machine, because a folder
/// from somebody else can name any program.
final class MergeHandler: Sendable {
    /// The time that the program may take for one conflict.
    static let timeLimit = Duration.seconds(10)
    /// The maximum size of an answer in bytes.
    static let answerLimit = 1 << 20

    private let root: String
    private let session: Session
    /// Whether the program's standard error is discarded.
    private let isSilent: Bool
    /// The reason why this command doesn't run the program again; nil if it does.
    private let end = Mutex<HandlerProblem?>(nil)

    init(in workspace: Workspace, _ session: Session, isSilent: Bool) {
        root = workspace.root
        self.session = session
        self.isSilent = isSilent
    }

    /// Asks the program about a conflict.
    ///
    /// - Throws: `HandlerProblem` if there is no valid answer, a ``Failure`` if the list of approved handlers
    ///   can't be read, or `CancellationError`.
    @Sendable func decide(_ command: String, _ conflict: Conflict) throws -> ConflictAnswer {
        if let problem = end.withLock(\.self) { throw problem }
        let changed = try ApprovedHandlers(session.process).changedFiles(of: command, in: root)
        guard changed == [] else {
            let reason =
                changed.map { paths in
                    "was not run, because \(paths.map(visible).joined(separator: ", ")) "
                        + "\(paths.count == 1 ? "has" : "have") changed since you approved it"
                } ?? "is not approved on this machine and was not run"
            session.warn([
                "warning: merge.handler \(reason): \(visible(command))",
                "hint: run \"todosync trust --handler\" to approve it; to let it decide then, run "
                    + "\"todosync resolve --abort\" and \"todosync sync\"",
            ])
            throw end(with: reason, isReported: true)
        }
        return try ConflictAnswer(answer: run(command, JSON.write(json(conflict)) + [UInt8(ascii: "\n")]))
    }

    /// Runs the program and returns its output.
    private func run(_ command: String, _ input: [UInt8]) throws -> [UInt8] {
        // The command begins on its own line, so that it can be any shell command.
        let start = "cd \"$1\" || exit 126\nset --\n" + (isSilent ? "exec 2> /dev/null\n" : "")
        let program = ChildProcess(
            arguments: ["/bin/sh", "-c", start + command, "todosync", root], name: "merge.handler")
        do {
            let (status, output) = try program.filter(
                input, limit: Self.answerLimit, time: Self.timeLimit)
            switch status {
            case 0: break
            case -1: throw HandlerProblem("was killed by a signal")
            case 126, 127:
                throw end(with: "can't be run (exit status \(status)) and is not tried again")
            default: throw HandlerProblem("exited with status \(status)")
            }
            if output.isEmpty { throw HandlerProblem("gave no answer") }
            return output
        } catch ChildProgram.Problem.gaveTooMuch {
            throw HandlerProblem("gave an answer of more than 1 MiB")
        } catch ChildProgram.Problem.timedOut {
            // Each further conflict could take just as long.
            let seconds = Self.timeLimit.components.seconds
            throw end(with: "did not respond within \(seconds) seconds and is not run again")
        }
    }

    /// Returns the problem and records it for all further conflicts, which aren't reported separately.
    private func end(with reason: String, isReported: Bool = false) -> HandlerProblem {
        end.withLock { $0 = HandlerProblem(reason, isReported: true) }
        return HandlerProblem(reason, isReported: isReported)
    }
}
