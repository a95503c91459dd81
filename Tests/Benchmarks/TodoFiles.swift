internal import Foundation

/// The todos for the jobs: always the same files of about 300 bytes each, spread over some folders.
///
/// They have ids, because otherwise todosync would write an id into each file, and git wouldn't.
struct TodoFiles {
    let count: Int

    private static let todosPerFolder = 100
    private static let words = [
        "ask", "bread", "call", "desk", "early", "form", "garden", "house", "invoice", "june", "key",
        "letter",
        "milk", "next", "order", "paint", "quiet", "river", "shelf", "train", "urgent", "visit", "write",
        "year",
    ]

    /// Writes all files to a folder.
    func write(to folder: String) throws {
        for number in 0..<count {
            if number % Self.todosPerFolder == 0 { try makeFolder(folder + "/" + folderName(of: number)) }
            try writeText(text(of: number), to: folder + "/" + path(of: number))
        }
    }

    /// The files, sorted by folder.
    var all: [(folder: String, name: String, text: [UInt8])] {
        (0..<count).map { (folderName(of: $0), fileName(of: $0), Array(text(of: $0).utf8)) }
    }

    /// Changes a field of some todos in a folder to a new value.
    ///
    /// The seed alone determines the todos, which are spread evenly over all folders.
    func edit(_ field: String, to value: String, of edits: Edits, seed: Int, in folder: String) throws {
        let edited = edits.count(of: count)
        let first = Int(mixed(UInt64(seed)) % UInt64(count))
        for index in 0..<edited {
            let file = folder + "/" + path(of: (first + index * (count / edited)) % count)
            let lines = try readText(file).split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.hasPrefix(field + ": ") ? "\(field): \(value)" : $0 }
            try writeText(lines.joined(separator: "\n"), to: file)
        }
    }

    /// The total size of the todos, in bytes.
    var size: Int { (0..<count).reduce(0) { $0 + text(of: $1).utf8.count } }

    private func path(of number: Int) -> String { folderName(of: number) + "/" + fileName(of: number) }

    private func fileName(of number: Int) -> String { "todo-\(number).yaml" }

    private func folderName(of number: Int) -> String { "list-\(number / Self.todosPerFolder)" }

    private func text(of number: Int) -> String {
        let content = content(of: number)
        return """
            # made for a measurement
            id: \(content.id)
            text: \(content.text)
            complete: \(number % 3 == 0)
            due: \(content.due)
            priority: \(["high", "medium", "low"][number % 3])
            tags: [\(content.tag), home]
            edits: 0
            notes: |
            \(content.notes.map { "  " + $0 }.joined(separator: "\n"))

            """
    }

    /// A todo's content, for programs with other formats.
    struct Content {
        let id: String
        let text: String
        /// The date in the form `2026-12-01`.
        let due: String
        let tag: String
        let notes: [String]
    }

    func content(of number: Int) -> Content {
        var random = mixed(UInt64(number))
        func words(_ count: Int) -> String {
            (0..<count).map { _ in
                random = mixed(random)
                return Self.words[Int(random % UInt64(Self.words.count))]
            }.joined(separator: " ")
        }
        return Content(
            id: id(of: number), text: words(5),
            due: "2026-\(twoDigits(number % 12 + 1))-\(twoDigits(number % 28 + 1))", tag: words(1),
            notes: [words(8), words(8), words(6)])
    }

    /// Returns an id that looks random, because ascending ids would be easier for a database.
    private func id(of number: Int) -> String {
        let digits = [mixed(UInt64(number)), mixed(~UInt64(number))]
            .map { String(repeating: "0", count: $0.leadingZeroBitCount / 4) + String($0, radix: 16) }
            .joined()
        let hyphens = [8, 12, 16, 20]
        return digits.enumerated().map { (hyphens.contains($0.offset) ? "-" : "") + String($0.element) }
            .joined()
    }
}

private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

/// Returns a number whose bits each depend on every bit of the given one.
///
/// This is a step of SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators"). The
/// generator in TestSupport can't be used, because it links `Testing`, which a release build lacks.
private func mixed(_ number: UInt64) -> UInt64 {
    var mixed = number &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
}
