internal import LosslessYAML
package import TodoModel
internal import Values

/// The resolutions that are remembered, the oldest first: as many as there is room for.
package struct Resolutions: Sendable, Hashable {
    package private(set) var all: [RememberedResolution] = []

    /// The most that are remembered.
    package static let maximumCount = 1000
    /// The most bytes that the file has.
    static let maximumSize = 1 << 20

    package init() {}

    /// Remembers a resolution, in the place of an earlier one of the same conflict.
    ///
    /// Where both are the same, the operation stays that has taught it first.
    package mutating func learn(_ resolution: RememberedResolution) {
        var resolution = resolution
        if let place = all.lastIndex(where: { $0.isAboutSame(as: resolution) }) {
            let earlier = all.remove(at: place)
            if earlier.result == resolution.result { resolution.operation = earlier.operation }
        }
        all.append(resolution)
        if all.count > Self.maximumCount { all.removeFirst(all.count - Self.maximumCount) }
    }

    /// Forgets resolutions, and returns how many these were.
    @discardableResult
    package mutating func forget(where isForgotten: (RememberedResolution) -> Bool) -> Int {
        let before = all.count
        all.removeAll(where: isForgotten)
        return before - all.count
    }

    /// Forgets those that are as old as the log's operations that need not stay, and those of todos that are
    /// gone; returns how many these were.
    package mutating func prune(_ retention: Retention, isGone: (TodoID) -> Bool) -> Int {
        forget { resolution in
            guard case .instant(let instant)? = Due(resolution.time) else { return true }
            return instant.seconds <= retention.since || isGone(resolution.id)
        }
    }

    // MARK: As a file

    static let format = 1

    /// What the file's bytes say; nil where no command of this version wrote them.
    ///
    /// The lines are as the journal's. The first one has the format's number.
    init?(_ bytes: [UInt8]) {
        guard bytes.last == UInt8(ascii: "\n") else { return nil }
        var lines = bytes.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[
            ...]
        guard let first = lines.popFirst(), case .mapping(let head)? = JournalLines.value(in: first),
            case .number(let format)? = head["format"]
        else { return nil }
        guard format == Number(Self.format) else { return nil }
        for line in lines {
            guard let resolution = JournalLines.value(in: line).flatMap(RememberedResolution.init) else {
                return nil
            }
            all.append(resolution)
        }
    }

    /// The file's bytes, without the oldest resolutions where all would be too many.
    var bytes: [UInt8] {
        var head: [UInt8] = []
        JournalLines.append(to: &head) {
            JSON.write(.mapping(["format": .number(Number(Self.format))]), to: &$0)
        }
        var size = head.count
        var lines: [[UInt8]] = []
        for resolution in all.reversed() {
            var line: [UInt8] = []
            JournalLines.append(to: &line) { JSON.write(resolution.json, to: &$0) }
            // One that is too large alone goes without the others.
            if size + line.count > Self.maximumSize { continue }
            size += line.count
            lines.append(line)
        }
        return head + lines.reversed().joined()
    }
}
