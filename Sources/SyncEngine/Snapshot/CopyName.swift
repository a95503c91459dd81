internal import LosslessYAML

/// The name that another tool gives to a copy of a file after two devices have changed the file.
///
/// The naming schemes come from the tools' sources and help pages. For a copy of `milk.yaml`, they are:
///
/// - Syncthing: `milk.sync-conflict-20261122-101112-ABCDEFG.yaml`, in old versions without the device
/// - Nextcloud and ownCloud: `milk (conflicted copy Ann 2026-11-22 101112).yaml`, also without the user;
///   `milk_conflict-20261122-101112.yaml`; `milk (case clash from 2026-11-22 101112).yaml`
/// - Dropbox: `milk (Ann's conflicted copy 2026-11-22).yaml` and `milk (Case Conflict).yaml`, also in the
///   system's language
/// - Seafile: `milk (SFConflict ann@example.org 2026-11-22-10-11-12).yaml`
/// - OneDrive: `milk-LAPTOP-1A2B3C.yaml`, `milk-Anns-iPad.yaml`
/// - iCloud Drive: `milk 2.yaml`
/// - Google Drive: `milk (1).yaml`
/// - tools that name a branch, as git does for a file in the way of a folder: `milk~HEAD.yaml`
struct CopyName: Sendable, Hashable {
    /// The possible paths of the copied file: several if a hyphen can belong to its name or to the device's.
    let originals: [String]
    /// Whether only such tools give names like this one; people and other programs also give the others.
    let isCertain: Bool

    /// Creates the name of a copy; nil if no tool names a copy this way.
    init?(_ path: String) {
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) }
        let start = folder ?? path.startIndex
        let name = path[start...]
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        guard let stem = Stem(name[..<dot]) else { return nil }
        originals = stem.originals.map { path[..<start] + String($0) + path[dot...] }
        isCertain = stem.isCertain
    }

    /// Returns the path of the file that a copy was made from, even if it is a copy of a copy.
    static func original(of path: String) -> String {
        CopyName(path).flatMap(\.originals.first).map(original) ?? path
    }

    /// Returns whether a file's name alone makes it a copy, even if it is a copy of a copy.
    static func isCertain(_ path: String) -> Bool {
        guard let name = CopyName(path) else { return false }
        return name.isCertain || name.originals.contains(where: isCertain)
    }

    /// Returns whether a file at a path is a copy, or a copy of a copy, of a file at one of the given paths.
    static func isCopy(_ path: String, ofFileAt paths: [String]) -> Bool {
        guard let name = CopyName(path) else { return false }
        return name.originals.contains { original in
            paths.contains { $0.isSameBytes(as: original) } || isCopy(original, ofFileAt: paths)
        }
    }
}

/// A copy's file name without its extension.
private struct Stem {
    var originals: [Substring]
    var isCertain: Bool

    init?(_ stem: Substring) {
        if let original = Self.beforeTimestamp(stem) {
            (originals, isCertain) = ([original], true)
        } else if let (original, words) = Self.parentheses(in: stem) {
            guard let certain = Self.isCertain(words) else { return nil }
            (originals, isCertain) = ([original], certain)
        } else {
            originals = Self.beforeNumber(stem) + Self.beforeBranch(stem) + Self.beforeDevice(stem)
            isCertain = false
        }
        originals.removeAll(where: \.isEmpty)
        if originals.isEmpty { return nil }
    }

    // MARK: Timestamps

    /// Returns the part before `.sync-conflict-20261122-101112-ABCDEFG` or `_conflict-20261122-101112`.
    private static func beforeTimestamp(_ stem: Substring) -> Substring? {
        if let tag = stem.range(ofLast: ".sync-conflict-") {
            let parts = stem[tag.upperBound...].split(separator: "-", omittingEmptySubsequences: false)
            let hasDevice =
                parts.count == 3 && !parts[2].isEmpty && parts[2].allSatisfy(\.isASCIIAlphanumeric)
            if parts.count == 2 || hasDevice, isTimestamp(parts.prefix(2)) { return stem[..<tag.lowerBound] }
        }
        if let tag = stem.range(ofLast: "_conflict-") {
            // A user's name can be before the date.
            let parts = stem[tag.upperBound...].split(separator: "-", omittingEmptySubsequences: false)
            if isTimestamp(parts.suffix(2)) { return stem[..<tag.lowerBound] }
        }
        return nil
    }

    private static func isTimestamp(_ parts: ArraySlice<Substring>) -> Bool {
        parts.map(\.count) == [8, 6] && parts.allSatisfy { $0.allSatisfy(\.isASCIIDigit) }
    }

    // MARK: Parentheses

    /// Returns the text in the parentheses at the end, and the part before them.
    private static func parentheses(in stem: Substring) -> (original: Substring, words: String)? {
        guard stem.last == ")" else { return nil }
        var depth = 0
        for index in stem.indices.reversed() {
            if stem[index] == ")" { depth += 1 }
            if stem[index] == "(" { depth -= 1 }
            guard depth == 0 else { continue }
            let original = stem[..<index]
            let words = stem[stem.index(after: index)...].dropLast()
            return (original.last == " " ? original.dropLast() : original, words.lowercased())
        }
        return nil
    }

    /// The tools' English phrases, with any text before or after them.
    private static let phrases = [
        "conflicted copy", "case conflict", "case clash from", "sfconflict", "encoding conflict",
        "white space conflict", "selective sync conflict",
    ]

    /// The word *conflict* in several languages, as in French *copie en conflit* and German *Konfliktkopie*.
    private static let conflictWords = [
        "conflict", "conflit", "konflikt", "конфликт", "конфлікт", "冲突", "衝突", "競合", "충돌",
    ]

    /// Returns whether words in parentheses are certainly from such a tool; nil if no tool writes them.
    private static func isCertain(_ words: String) -> Bool? {
        if phrases.contains(where: words.contains) { return true }
        let hasDate = words.hasDate
        if conflictWords.contains(where: words.contains) { return hasDate }
        let isNumber = !words.isEmpty && words.allSatisfy(\.isASCIIDigit)
        return hasDate || isNumber ? false : nil
    }

    // MARK: Names that people give, too

    /// Returns the part before a space and a number from 2 on.
    private static func beforeNumber(_ stem: Substring) -> [Substring] {
        guard let space = stem.lastIndex(of: " ") else { return [] }
        let digits = stem[stem.index(after: space)...]
        guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit), digits.first != "0", digits != "1" else {
            return []
        }
        return [stem[..<space]]
    }

    /// Returns the part before a tilde and a name.
    private static func beforeBranch(_ stem: Substring) -> [Substring] {
        guard let tilde = stem.lastIndex(of: "~"), stem.last != "~" else { return [] }
        return [stem[..<tilde]]
    }

    /// Returns the part before each hyphen that a device's name can follow: one with a capital letter.
    private static func beforeDevice(_ stem: Substring) -> [Substring] {
        stem.indices.filter { stem[$0] == "-" }.compactMap { hyphen in
            let device = stem[stem.index(after: hyphen)...]
            return device.contains(where: \.isUppercase) ? stem[..<hyphen] : nil
        }
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }

    fileprivate var isASCIIAlphanumeric: Bool { isASCII && (isLetter || isNumber) }
}

extension Substring {
    fileprivate func range(ofLast text: String) -> Range<Index>? {
        indices.reversed().lazy.filter { self[$0...].hasPrefix(text) }.first.map {
            $0..<index($0, offsetBy: text.count)
        }
    }
}

extension String {
    /// Whether the string contains a date of the form `2026-11-22`.
    fileprivate var hasDate: Bool {
        let pattern = Array("0000-00-00".utf8)
        let bytes = Array(utf8)
        guard bytes.count >= pattern.count else { return false }
        return (0...bytes.count - pattern.count).contains { start in
            zip(bytes[start...], pattern).allSatisfy { byte, wanted in
                wanted == UInt8(ascii: "-")
                    ? byte == wanted : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
        }
    }
}
