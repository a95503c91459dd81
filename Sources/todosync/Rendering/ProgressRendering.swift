internal import SyncEngine
internal import TodoModel

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
    private var knownTotal: Int? { total.flatMap { $0 > 0 && $0 >= done ? $0 : nil } }

    fileprivate var amount: String {
        guard let noun = unit.noun else {
            let percentage = knownTotal.map { "\(Int(Double(done) / Double($0) * 100)) %" }
            return percentage ?? "\((done >> 20).grouped) MB"
        }
        return knownTotal.map { "\(done.grouped) of \(counted($0, noun))" } ?? counted(done, noun)
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
        guard let total = knownTotal, done >= total / 50 else { return nil }
        let seconds = (Double(total - done) / rate).rounded(.up)
        switch seconds {
        case ..<100: return "\(Int(seconds)) s left"
        case ..<6000: return "\(Int((seconds / 60).rounded(.up))) min left"
        case ..<1e6: return "\(Int((seconds / 3600).rounded(.up))) h left"
        default: return nil
        }
    }
}
