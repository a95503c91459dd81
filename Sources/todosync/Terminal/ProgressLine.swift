internal import CSystemCalls
internal import SyncEngine
internal import Synchronization
internal import TodoModel

/// The line that shows a command's progress on the terminal.
///
/// It appears after half a second and disappears before anything else is printed.
final class ProgressLine: Sendable {
    private let terminal: Stream
    private let now: @Sendable () -> Int64
    private let state: Mutex<State>

    private struct State {
        /// The time when the command, or its newest round, began.
        var start: Int64
        /// The newest report; nil before the first one, and after other output.
        var progress: Progress?
        /// The time when the work in the newest report began.
        var beginning: Int64
        /// The time of the newest report.
        var reportTime: Int64
        var drawTime: Int64?
        var isDrawn = false
        /// Whether the command has printed anything, so that waiting needs no line.
        var hasPrinted = false
        /// Whether the line must not appear, because of a prompt.
        var isPaused = false
    }

    /// The delay before the line appears and the pause between its updates, in milliseconds.
    private static let (delay, pause): (Int64, Int64) = (500, 100)
    private static let erasure = "\r\u{1B}[K"

    init(_ terminal: Stream, now: @escaping @Sendable () -> Int64) {
        self.terminal = terminal
        self.now = now
        let start = now()
        state = Mutex(State(start: start, beginning: start, reportTime: start))
    }

    /// Creates the line of a process; nil if standard error isn't a terminal that can erase lines.
    convenience init?(_ process: ProcessSurroundings) {
        guard process.standardError.isTerminal, process.environment("TERM") != "dumb" else { return nil }
        self.init(process.standardError, now: process.milliseconds)
    }

    /// Records a report and draws the line if it is due.
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

    /// Draws the line if it is due, without a new report.
    func tick() { state.withLock { draw(&$0, at: now()) } }

    /// Erases the line while something else is printed.
    func interrupt(_ body: () throws -> Void) rethrows {
        try state.withLock { state in
            erase(&state)
            (state.progress, state.hasPrinted) = (nil, true)
            try body()
        }
    }

    /// Erases the line and keeps it away during a prompt, or lets it appear again.
    func pause(_ isPaused: Bool) {
        state.withLock { state in
            erase(&state)
            state.isPaused = isPaused
        }
    }

    /// Begins a new round of a command that waits between its rounds, after ``pause(_:)``.
    ///
    /// The line appears half a second later.
    func beginRound() {
        state.withLock { state in
            (state.start, state.progress, state.isPaused) = (now(), nil, false)
        }
    }

    /// Erases the line at the end of the command.
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

/// Returns the line that shows a command's progress, narrower than the terminal.
///
/// If the line doesn't fit, it omits the rate first, then also the time left.
///
/// - Parameter elapsed: The time since the work began, in milliseconds.
func render(_ progress: Progress, after elapsed: Int64, width: Int) -> String {
    let rate = progress.rate(after: elapsed)
    let speed = rate.flatMap { progress.words(forRate: $0) }
    let left = rate.flatMap { progress.wordsForTimeLeft(atRate: $0) }
    let start = "\(progress.work.word) \(progress.amount)"
    let lines = [[start, speed, left], [start, left], [start]].map {
        $0.compactMap(\.self).joined(separator: ", ")
    }
    // A terminal can wrap a line that ends in its last column.
    if let line = lines.first(where: { displayWidth($0) < width }) { return line }
    return width > 1 ? shortened(start, toWidth: width - 1) : ""
}

extension Progress.Work {
    fileprivate var word: String {
        switch self {
        case .reading: "reading"
        case .pulling: "pulling"
        case .pushing: "pushing"
        case .checking: "checking"
        case .compacting: "compacting the log"
        case .copying: "copying"
        case .forgetting: "removing old operations"
        }
    }
}

extension Progress.Unit {
    /// The noun for one counted item; nil for bytes.
    fileprivate var noun: String? {
        switch self {
        case .files: "file"
        case .todos: "todo"
        case .tables: "table"
        case .bytes: nil
        }
    }
}

extension Progress {
    /// The total; nil if it is unknown or obviously wrong.
    private var validTotal: Int? { total.flatMap { $0 > 0 && $0 >= done ? $0 : nil } }

    fileprivate var amount: String {
        guard let noun = unit.noun else {
            let percentage = validTotal.map { "\(Int(Double(done) / Double($0) * 100)) %" }
            return percentage ?? "\((done >> 20).grouped) MB"
        }
        return validTotal.map { "\(done.grouped) of \(counted($0, noun))" } ?? counted(done, noun)
    }

    /// Returns the amount of work done per second; nil if it isn't known yet.
    fileprivate func rate(after elapsed: Int64) -> Double? {
        elapsed > 0 && done > 0 ? Double(done) * 1000 / Double(elapsed) : nil
    }

    fileprivate func words(forRate rate: Double) -> String? {
        guard unit.noun == nil else { return rate < 1 ? nil : "\(Int(rate).grouped)/s" }
        return rate < 1e6 ? nil : "\(Int(rate / 1e6).grouped) MB/s"
    }

    fileprivate func wordsForTimeLeft(atRate rate: Double) -> String? {
        // At the very beginning, the rate is unreliable.
        guard let total = validTotal, done >= total / 50 else { return nil }
        let seconds = (Double(total - done) / rate).rounded(.up)
        switch seconds {
        case ..<100: return "\(Int(seconds)) s left"
        case ..<6000: return "\(Int((seconds / 60).rounded(.up))) min left"
        case ..<1e6: return "\(Int((seconds / 3600).rounded(.up))) h left"
        default: return nil
        }
    }
}
