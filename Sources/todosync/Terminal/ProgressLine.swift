internal import CSystemCalls
internal import Synchronization
internal import TodoModel

/// The line at a terminal that shows how far a command has come.
///
/// It appears after half a second, and disappears before anything else is printed.
final class ProgressLine: Sendable {
    private let terminal: Stream
    private let now: @Sendable () -> Int64
    private let state: Mutex<State>

    private struct State {
        let start: Int64
        /// The newest report, unless something was printed since.
        var progress: Progress?
        /// When the work in the newest report began.
        var beginning: Int64
        /// When the newest report came.
        var reportTime: Int64
        var drawTime: Int64?
        var isDrawn = false
        /// Whether the command has printed anything, so that a wait needs no line.
        var hasPrinted = false
        /// Whether the user is asked, so that the line would be in the way.
        var isPaused = false
    }

    /// How long a command runs before the line appears, and how long the line stays the same, in
    /// milliseconds.
    private static let (delay, pause): (Int64, Int64) = (500, 100)
    private static let erasure = "\r\u{1B}[K"

    init(_ terminal: Stream, now: @escaping @Sendable () -> Int64) {
        self.terminal = terminal
        self.now = now
        let start = now()
        state = Mutex(State(start: start, beginning: start, reportTime: start))
    }

    /// Creates the line of a process; nil if its standard error isn't a terminal that can erase lines.
    convenience init?(_ process: ProcessSurroundings) {
        guard process.standardError.isTerminal, process.environment("TERM") != "dumb" else { return nil }
        self.init(process.standardError, now: process.milliseconds)
    }

    /// Takes a report, and draws it if it is time.
    @Sendable func report(_ progress: Progress) {
        state.withLock { state in
            let now = now()
            let last = state.progress
            if last?.work != progress.work || last?.unit != progress.unit || (last?.done ?? 0) > progress.done
            {
                state.beginning = last == nil ? state.start : state.reportTime
            }
            (state.progress, state.reportTime) = (progress, now)
            draw(&state, at: now)
        }
    }

    /// Draws the line if it is time, although nothing was reported.
    func tick() { state.withLock { draw(&$0, at: now()) } }

    /// Prints something else, without the line.
    func interrupt(_ body: () throws -> Void) rethrows {
        try state.withLock { state in
            erase(&state)
            (state.progress, state.hasPrinted) = (nil, true)
            try body()
        }
    }

    /// Keeps the line away while the user is asked.
    func pause(_ isPaused: Bool) {
        state.withLock { state in
            erase(&state)
            state.isPaused = isPaused
        }
    }

    /// Erases the line, at the end of the command.
    func end() { pause(true) }

    private func draw(_ state: inout State, at now: Int64) {
        guard !state.isPaused, now - state.start >= Self.delay else { return }
        if let drawTime = state.drawTime, state.isDrawn, now - drawTime < Self.pause { return }
        let width = terminal.terminalWidth ?? 80
        let line: String
        if let progress = state.progress {
            line = render(progress, after: now - state.beginning, width: width)
        } else if state.hasPrinted {
            return
        } else {
            line = width > 1 ? shortened("waiting", toWidth: width - 1) : ""
        }
        (state.drawTime, state.isDrawn) = (now, true)
        csystem_set_passing_line(1)
        terminal.writeIgnoringErrors(Self.erasure + line)
    }

    private func erase(_ state: inout State) {
        guard state.isDrawn else { return }
        terminal.writeIgnoringErrors(Self.erasure)
        csystem_set_passing_line(0)
        state.isDrawn = false
    }
}
