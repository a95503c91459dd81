import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import TodoModel
import WorkingCopy

extension Workspace {
    /// Runs a push, pull or sync.
    func perform(_ verb: Verb, _ options: SyncOptions) async throws -> SyncReport {
        switch verb {
        case .push: try await push(options)
        case .pull: try await pull(options)
        case .sync: try await sync(options)
        }
    }

    /// Runs a push, pull or sync after a dry run, and checks that the dry run's report is the same.
    func run(_ verb: Verb, _ options: SyncOptions) async throws -> SyncReport {
        let forecast = await Forecast(of: verb, options, in: self)
        let report = try await perform(verb, options)
        let difference = forecast.difference(from: report, options)
        #expect(difference == nil, "\(verb): a dry run gives a different report")
        return report
    }
}

/// The report of a dry run, which the same command is then compared with.
struct Forecast {
    private let outcome: Result<SyncReport, any Error>

    /// Runs a dry run.
    ///
    /// - Parameter fileSystem: Reads the files; it differs from the command's, which a test can make fail.
    init(
        of verb: Verb, _ options: SyncOptions, in workspace: Workspace,
        _ fileSystem: any FileSystem = POSIXFileSystem()
    ) async {
        var options = options
        options.isDryRun = true
        var surroundings = workspace.surroundings
        (surroundings.notice, surroundings.progress) = ({ _ in }, nil)
        // The command's own random numbers must stay the same.
        surroundings.randomBytes = { count in (0..<count).map { _ in UInt8.random(in: 0...255) } }
        surroundings.connect = { [connect = surroundings.connect] url in
            let remote = try connect(url)
            if remote is MisbehavingRemote { throw Unforeseeable.misbehavior }
            return ReadOnlyRemote(remote)
        }
        let dry = Workspace(
            directory: WorkingDirectory(root: workspace.directory.root, fileSystem: fileSystem),
            surroundings: surroundings)
        let isUnanswered =
            (try? dry.directory.state())?.todos.loaded.values.contains { $0.sent != nil } ?? false
        if isUnanswered {
            outcome = .failure(Unforeseeable.unanswered)
            return
        }
        do {
            outcome = .success(try await dry.perform(verb, options))
        } catch {
            outcome = .failure(error)
        }
    }

    /// Returns how a command's report differs; nil if it doesn't, or if a dry run can't foresee it.
    func difference(from report: SyncReport, _ options: SyncOptions) -> String? {
        guard Unforeseeable(report, options) == nil else { return nil }
        let dry: SyncReport
        switch outcome {
        case .success(let report): dry = report
        case .failure(is Unforeseeable): return nil
        case .failure(let error): return "the dry run failed: \(error)"
        }
        // A new file has no id before it is pushed.
        let new = Set(dry.pushed.filter { $0.id == nil }.map(\.path))
        // Which of two todos keeps a path depends on their ids.
        let moved = [dry, report].flatMap { $0.pulled + $0.merged }
        let arePathsCertain = moved.allSatisfy { !new.contains($0.pathWithoutID) }
        guard arePathsCertain else { return nil }
        let (foreseen, happened) = (dry.lines(new), report.lines(new))
        let (missing, more) = (Set(foreseen).subtracting(happened), Set(happened).subtracting(foreseen))
        // A new file whose path is taken is pushed again with its next name, which counts as the same line.
        return missing.isEmpty && more.isEmpty
            ? nil : "foreseen: \(missing.sorted()), happened: \(more.sorted())"
    }
}

/// Why a dry run can't give the report of a command.
private enum Unforeseeable: Error {
    /// A dry run asks neither the user nor a handler.
    case answers
    /// Only the remote knows which operations it refuses.
    case refusal
    /// The remote gave no answer, a file couldn't be changed, or the command failed or was stopped.
    case failure
    /// The remote answers the same request differently each time.
    case misbehavior
    /// An operation of an earlier command has no answer, and only the remote knows whether it was applied.
    case unanswered

    init?(_ report: SyncReport, _ options: SyncOptions) {
        let asks = if case .ask = options.policy { true } else { false }
        let isLost = report.held.waiting.contains {
            [.fileError, .unanswered, .keepsChanging, .invalidRecord].contains($0.reason)
        }
        if asks || options.handler != nil || options.askAboutHeld != nil {
            self = .answers
        } else if !report.refused.isEmpty {
            self = .refusal
        } else if report.stop != nil || isLost {
            self = .failure
        } else {
            return nil
        }
    }
}

extension SyncReport {
    /// What the report says, in lines.
    ///
    /// - Parameter new: The paths of files whose ids are left out.
    fileprivate func lines(_ new: Set<String>) -> [String] {
        var lines = pushed.map { todo in
            let path = todo.pathWithoutID
            return
                "pushed \(todo.operation?.rawValue ?? "") \(path) \(new.contains(path) ? "" : todo.id?.string ?? "")"
        }
        lines += pulled.map {
            "pulled \($0.operation?.rawValue ?? "") \($0.path) \($0.id?.string ?? "") \($0.fields)"
        }
        lines += merged.map {
            "merged \($0.path) \($0.id?.string ?? "") \($0.fields) \($0.notes) \($0.isDelete)"
        }
        lines += recalled.map { "recalled \($0.path) \($0.id?.string ?? "") \($0.fields)" }
        lines += conflicts.map {
            "conflict \($0.path) \($0.id) \($0.kind) \($0.fields) \($0.obstacle ?? "") \($0.remembered)"
        }
        lines += held.withheld.map { "withheld \($0)" }
        lines += held.map { todo in
            let path = todo.path
            let id = new.contains(path) ? "" : todo.id?.string ?? ""
            return "held \(path) \(id) \(todo.message) \(todo.isElsewhere) \(todo.isAbsent)"
        }
        lines += invalid.map { "invalid \($0.path)" } + duplicates.map { "duplicate \($0.path)" }
        lines += copies.map { "copy \($0.path)" } + unusableRecords.map { "unusable \($0.id) \($0.reason)" }
        lines.append("pending \(pending.map(String.init) ?? "unknown"), \(todoCount) todos")
        lines.append("needs the user: \(needsUser)")
        if let stop { lines.append("stopped by \(stop)") }
        return lines
    }
}

/// A remote that mustn't get any operations.
private struct ReadOnlyRemote: Remote {
    private let inner: any Remote

    init(_ inner: any Remote) { self.inner = inner }

    func meet(_ recorded: RecordedHistory?, wantsNews: Bool) async throws -> RemoteIdentity {
        try await inner.meet(recorded, wantsNews: wantsNews)
    }

    func changes(after cursor: Cursor?) async throws -> ChangePage { try await inner.changes(after: cursor) }

    func push(_ operations: [PushOperation]) async throws -> PushReply {
        Issue.record("a dry run sends nothing")
        return PushReply(answers: operations.map { _ in .refused(status: 500, message: nil) })
    }
}

extension ReportRow {
    /// The path without the beginning of the id that a name contains if another todo has the path.
    fileprivate var pathWithoutID: String {
        id.map { path.replacing("-\($0.string.prefix(8)).", with: ".") } ?? path
    }
}
