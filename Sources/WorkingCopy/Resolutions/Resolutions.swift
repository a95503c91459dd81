internal import LosslessYAML
package import TodoModel
internal import Values

/// The remembered resolutions, oldest first, limited in number.
package struct Resolutions: Sendable, Hashable {
    package private(set) var all: [RememberedResolution] = []

    /// The maximum number of resolutions.
    package static let maximumCount = 1000
    /// The maximum size of the file in bytes.
    static let maximumSize = 1 << 20

    package init() {}

    /// Remembers a resolution, and replaces an earlier resolution of the same conflict.
    ///
    /// If the results are equal, the resolution keeps the earlier operation.
    package mutating func learn(_ resolution: RememberedResolution) {
        var resolution = resolution
        if let place = all.lastIndex(where: { $0.isAboutSame(as: resolution) }) {
            let earlier = all.remove(at: place)
            if earlier.result == resolution.result { resolution.operation = earlier.operation }
        }
        all.append(resolution)
        if all.count > Self.maximumCount { all.removeFirst(all.count - Self.maximumCount) }
    }

    /// Forgets matching resolutions, and returns their number.
    @discardableResult
    package mutating func forget(where isForgotten: (RememberedResolution) -> Bool) -> Int {
        let before = all.count
        all.removeAll(where: isForgotten)
        return before - all.count
    }

    /// Forgets resolutions that are as old as the operations that the log can drop, and resolutions of
    /// deleted todos; returns their number.
    package mutating func prune(_ retention: Retention, isGone: (TodoID) -> Bool) -> Int {
        forget { resolution in
            guard case .instant(let instant)? = Due(resolution.time) else { return true }
            return instant.seconds <= retention.since || isGone(resolution.id)
        }
    }

    // MARK: The file

    static let format = 1

    /// Parses the file; nil if it is damaged or has a different format.
    ///
    /// The file's lines have the same form as the journal's lines. The first line has the format's number.
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

    /// The file's bytes.
    ///
    /// The oldest resolutions are left out if all of them would exceed the maximum size.
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
            // Leave out a resolution that is too large on its own.
            if size + line.count > Self.maximumSize { continue }
            size += line.count
            lines.append(line)
        }
        return head + lines.reversed().joined()
    }
}
