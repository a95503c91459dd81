internal import SyncEngine
internal import Synchronization
internal import TodoModel
internal import Values
internal import WorkingCopy

/// Syncs a working directory whenever its folder or its remote changes, until it is cancelled.
struct Watcher: Sendable {
    let session: Session
    let workspace: Workspace
    let options: SyncOptions
    let isJSON: Bool
    private let bell = Bell()
    private let pace = RemotePace()

    /// A sync begins when no file has been saved for this long.
    private static let quietTime = Duration.milliseconds(200)
    /// The time that a single save takes, with the reports of all its changes.
    private static let saveTime = Duration.milliseconds(10)
    /// The number of quiet times that continual saves can delay a sync: half a minute.
    private static let mostQuietTimes = 150
    /// The longest time that one request waits for the remote's changes.
    private static let longestWait = Duration.seconds(50)
    /// The time between two checks of a folder or remote that can't report changes.
    private static let pollTime = Duration.seconds(30)
    /// The time between two checks while git is in the middle of an operation.
    private static let gitPollTime = Duration.seconds(3)

    init(session: Session, workspace: Workspace, options: SyncOptions, isJSON: Bool) {
        (self.session, self.workspace) = (session, workspace)
        (self.options, self.isJSON) = (options, isJSON)
    }

    /// What is remembered from one sync to the next.
    private struct Memory {
        /// The warnings that were printed for the last sync, which aren't repeated.
        var warnings: Set<String> = []
        /// The message of the error that the last sync failed with; nil if it succeeded.
        var problem: String?
        /// The number of attempts in a row that failed.
        var failures = 0
        var isPolledRemotely = false
        var isPolledLocally = false
    }

    /// Syncs until the task is cancelled.
    ///
    /// - Throws: An error that a retry wouldn't fix, or `CancellationError`.
    func run() async throws {
        let folder = FolderWatch(root: workspace.root) { [bell] in bell.ring(.folder) }
        var memory = Memory()
        while true {
            // The sync reads everything, so earlier rings don't need another one.
            bell.silence()
            let isInGit: Bool
            session.progress?.beginRound()
            do {
                isInGit = try await sync(&memory)
                session.progress?.pause(true)
            } catch {
                session.progress?.pause(true)
                try await pause(after: error, &memory)
                continue
            }
            if !folder.isComplete, !memory.isPolledLocally {
                memory.isPolledLocally = true
                session.remark(
                    "note: the system can't report all changes in this folder; todosync checks it every "
                        + "\(Self.pollTime.components.seconds) seconds")
            }
            let reasons = try await waitForChange(
                pollTime: isInGit
                    ? Self.gitPollTime
                    : !folder.isComplete || memory.isPolledRemotely ? Self.pollTime : nil,
                asksRemote: !memory.isPolledRemotely)
            if reasons.contains(.remoteIsSilent) {
                memory.isPolledRemotely = true
                session.remark(
                    "note: the remote can't report changes; todosync asks for them every "
                        + "\(Self.pollTime.components.seconds) seconds")
            }
        }
    }

    /// Waits until something has changed or might have changed.
    ///
    /// - Parameters:
    ///   - pollTime: The longest time to wait; nil to wait for a report.
    ///   - asksRemote: Whether to ask the remote to report its changes.
    private func waitForChange(pollTime: Duration?, asksRemote: Bool) async throws -> Set<Bell.Reason> {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            defer { tasks.cancelAll() }
            if asksRemote {
                tasks.addTask { bell.ring(try await isNewsReported() ? .remote : .remoteIsSilent) }
            }
            if let pollTime {
                tasks.addTask {
                    try await Task.sleep(for: pollTime)
                    bell.ring(.time)
                }
            }
            let reasons = try await bell.wait()
            if reasons.contains(.folder) { try await waitForQuiet() }
            return reasons
        }
    }

    /// Waits until nobody changes files.
    ///
    /// In the middle of a command that deletes many files, a sync would see too few deletes to withhold them,
    /// and send them.
    private func waitForQuiet() async throws {
        // A single save is reported as several changes: created, written, closed.
        try await Task.sleep(for: Self.saveTime)
        _ = bell.silence(.folder)
        var count = 0
        repeat {
            try await Task.sleep(for: Self.quietTime)
            count += 1
        } while bell.silence(.folder) && count < Self.mostQuietTimes
    }

    /// Waits until the remote reports changes; returns false if it can't.
    ///
    /// An error counts as a change after a pause: the next sync reports it.
    private func isNewsReported() async throws -> Bool {
        while true {
            if pace.failures > 0 { try await Task.sleep(for: delay(afterFailures: pace.failures)) }
            do {
                let isNew = try await pace.counting { try await workspace.awaitNews(for: Self.longestWait) }
                guard isNew == false else { return isNew != nil }
            } catch {
                try Task.checkCancellation()
                try await Task.sleep(for: delay(afterFailures: 1, requested: error))
                return true
            }
        }
    }

    /// Syncs once and prints what is new; returns whether todos wait for the end of a git operation.
    private func sync(_ memory: inout Memory) async throws -> Bool {
        let report = try await workspace.sync(options)
        let style = session.style(in: workspace)
        let lines = session.shownWarnings(report, style)
        var news = lines.filter { !memory.warnings.contains($0) }
        // A hint is about the lines before it.
        if news.allSatisfy({ $0.hasPrefix("hint: ") }) { news = [] }
        if report.stop == nil { reportRecovery(&memory) }
        if report.hasChanges { pace.noteNews() }
        if isJSON {
            if report.hasChanges || !news.isEmpty { try session.show(json: json(report), form: .compact) }
        } else {
            try session.print(renderRows(report, isDryRun: false, style))
        }
        session.warn(news)
        memory.warnings = Set(lines)
        if let stop = report.stop { throw stop }
        return report.gitProgress != nil
    }

    private func reportRecovery(_ memory: inout Memory) {
        if memory.problem != nil { session.remark("connected again") }
        (memory.problem, memory.failures) = (nil, 0)
    }

    /// Reports an error the first time it happens, and waits before the next attempt.
    ///
    /// - Throws: The error if a retry wouldn't fix it.
    private func pause(after error: any Error, _ memory: inout Memory) async throws {
        try Task.checkCancellation()
        let failure = Failure(error)
        guard [.remoteUnavailable, .busy].contains(failure.status) else { throw error }
        memory.failures += 1
        // Another todosync running here usually ends soon.
        if failure.status == .remoteUnavailable, memory.problem == nil {
            session.warn(["waiting: \(failure.message); todosync will try again"])
            memory.problem = failure.message
        }
        try await Task.sleep(for: delay(afterFailures: memory.failures, requested: error))
    }

    /// Returns a random delay of up to a second, doubled with each failure up to a minute, or the pause that
    /// the remote asks for.
    private func delay(afterFailures count: Int, requested error: (any Error)? = nil) -> Duration {
        let random = session.process.randomBytes(2).reduce(0) { $0 << 8 | Int64($1) }
        let longest: Int64 = min(60_000, 1000 << Int64(min(count - 1, 6)))
        // The delay is at least half of the longest, so that a server isn't asked again immediately.
        let delay = Duration.milliseconds(longest / 2 + longest / 2 * random / 65_536)
        return max(delay, (error as? RemoteError)?.requestedPause ?? .zero)
    }
}

extension SyncReport {
    /// Whether the sync changed anything.
    fileprivate var hasChanges: Bool {
        !(pushed.isEmpty && pulled.isEmpty && merged.isEmpty && recalled.isEmpty && handled.isEmpty)
    }
}

/// Counts the answers of a remote that come too early, so that it is asked less and less often.
///
/// A remote that is asked for news answers when it has some, or when the wait is over. A proxy can answer at
/// once instead, and a remote can always announce news that turns out to be none.
private final class RemotePace: Sendable {
    /// An answer before this time is early.
    private static let shortestWait = Duration.seconds(5)

    private let earlyAnswers = Mutex(0)

    /// The number of early answers in a row, except the first one, which can come from a server that stops.
    var failures: Int { max(0, earlyAnswers.withLock(\.self) - 1) }

    /// Waits for the remote's answer, and counts it if it is early or an error.
    func counting<Answer>(_ answer: () async throws -> Answer) async throws -> Answer {
        let start = ContinuousClock.now
        do {
            let answer = try await answer()
            note(isEarly: .now - start < Self.shortestWait)
            return answer
        } catch {
            // A wait that the watcher itself ended is no answer.
            if !Task.isCancelled { note(isEarly: true) }
            throw error
        }
    }

    private func note(isEarly: Bool) { earlyAnswers.withLock { $0 = isEarly ? $0 + 1 : 0 } }

    /// Notes that the last answer was right: the sync that followed changed something.
    func noteNews() { earlyAnswers.withLock { $0 = 0 } }
}

/// Wakes a task when something happens that it has to handle.
private final class Bell: Sendable {
    enum Reason: Sendable {
        case folder, remote, time
        /// The remote can't report its changes.
        case remoteIsSilent
    }

    private struct State {
        var reasons: Set<Reason> = []
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func ring(_ reason: Reason) {
        let waiting = state.withLock { state in
            state.reasons.insert(reason)
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    /// Forgets earlier rings.
    func silence() { state.withLock { $0.reasons = [] } }

    /// Forgets earlier rings for a reason, and returns whether there were any.
    func silence(_ reason: Reason) -> Bool { state.withLock { $0.reasons.remove(reason) != nil } }

    /// Waits for a ring, and returns the reasons of all rings since the last wait.
    ///
    /// - Throws: `CancellationError`.
    func wait() async throws -> Set<Reason> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard state.reasons.isEmpty, !Task.isCancelled else { return false }
                    state.waiting = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            state.withLock { state in
                defer { state.waiting = nil }
                return state.waiting
            }?.resume()
        }
        try Task.checkCancellation()
        return state.withLock { state in
            defer { state.reasons = [] }
            return state.reasons
        }
    }
}
