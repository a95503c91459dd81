import Testing

/// What the compiler and the formatter let through and we do not.
@Suite struct TidinessTests {
    /// Words that stand in one place only, or nowhere.
    struct Rule: Sendable, CustomTestStringConvertible {
        let patterns: [String]
        /// The paths of the files where it may stand.
        var allowedIn: [String] = []
        let reason: String

        var testDescription: String { patterns.joined(separator: ", ") }
    }

    static let processSurroundings = "Sources/todosync/Session/ProcessSurroundings.swift"

    static let rules = [
        Rule(
            patterns: ["print(", "debugPrint(", "dump(", "puts(", "printf(", "NSLog("],
            reason: "what is printed goes through Session, which knows --quiet and a closed pipe"),
        Rule(
            patterns: ["exit(", "_exit(", "abort("],
            allowedIn: ["Sources/todosync/main.swift"],
            reason: "a command returns its exit status"),
        Rule(
            patterns: ["fatalError(", "try!", "as!"],
            reason: "an error is thrown, so that it can be told in words; a defect is a precondition"),
        Rule(
            patterns: ["@unchecked", "nonisolated(unsafe)", "@preconcurrency"],
            reason: "the compiler checks what is shared between threads"),
        Rule(
            patterns: ["time(", "gettimeofday(", "clock_gettime(", "Date(", "Date.now", "ContinuousClock"],
            // The file system's own time is compared with the times of files.
            allowedIn: [processSurroundings, "Sources/WorkingCopy/Files/POSIXFileSystem.swift"],
            reason: "no decision rests on a clock; the time is passed in"),
        Rule(
            patterns: [
                "UUID(", ".random(", ".randomElement(", ".shuffled(", "SystemRandomNumberGenerator",
                "arc4random",
                "getrandom(",
            ],
            allowedIn: [processSurroundings], reason: "randomness is passed in, so that tests can repeat it"),
        Rule(
            patterns: ["getenv(", "secure_getenv(", "setenv(", "ProcessInfo"],
            allowedIn: [processSurroundings],
            reason: "the environment is passed in"),
        Rule(
            patterns: ["environ"], allowedIn: ["Sources/todosync/Terminal/ChildProcess.swift"],
            reason: "only the programs that the user names inherit the environment"),
    ]

    @Test(arguments: rules)
    func `code stands only where it may`(rule: Rule) {
        for file in Repository.swiftFiles(in: "Sources") where !rule.allowedIn.contains(file.path) {
            for pattern in rule.patterns {
                for line in linesWithOccurrences(of: pattern, in: file.code.bytes) {
                    Issue.record("\(file.path):\(line): \(pattern) – \(rule.reason)")
                }
            }
        }
    }

    @Test(arguments: rules + strangeWords)
    func `an exception names a file that is there`(rule: Rule) {
        for path in rule.allowedIn { #expect(Repository.exists(path), "\(path)") }
    }

    @Test func `tests leave checks to the compiler, too`() {
        for file in Repository.swiftFiles(in: "Tests") {
            for pattern in ["try!", "@unchecked", "nonisolated(unsafe)"] {
                #expect(
                    linesWithOccurrences(of: pattern, in: file.code.bytes) == [], "\(file.path): \(pattern)")
            }
        }
    }

    /// Files that may be longer than ``longestFile`` lines, each with the reason.
    static let longFiles = [
        "Tests/ThreeWayMergeTests/MergedTextTests.swift": "two tables of examples, of merges and of conflicts"
    ]
    static let longestFile = 400
    static let widestComment = 110

    @Test func `files are short`() {
        for file in Repository.swiftFiles where Self.longFiles[file.path] == nil {
            let count = file.lines.count
            #expect(
                count <= Self.longestFile, "\(file.path) has \(count) lines: which second noun hides in it?")
        }
        for path in Self.longFiles.keys { #expect(Repository.exists(path), "\(path)") }
    }

    /// Of code, the formatter sees to the width; comments it leaves as they are.
    @Test func `comments are narrow, and lines end where their text ends`() {
        for file in Repository.swiftFiles {
            for (number, line) in zip(1..., file.lines) {
                if line.drop(while: { $0 == " " }).hasPrefix("//") {
                    #expect(line.count <= Self.widestComment, "\(file.path):\(number)")
                }
                #expect(line.last?.isWhitespace != true, "\(file.path):\(number)")
            }
            #expect(file.lines.last == "", "\(file.path) lacks its last line break")
        }
    }

    /// Words that tell of the desk at which a line was written, not of todosync.
    static let strangeWords = [
        Rule(
            patterns: ["TODO:", "TODO(", "FIXME", "XXX", "HACK", "WIP"],
            reason: "what is to be done is an issue"),
        Rule(
            patterns: ["/work/", "/root/", "/tmp/"],
            // An absolute path that a remote must not name.
            allowedIn: ["Tests/WorkingCopyTests/Files/FileWriterTests.swift"],
            reason: "no path is one of a single machine"),
        Rule(
            patterns: ["AI", "LLM", "session transcript", "session transcripts"],
            reason: "the text speaks of todos, not of who wrote it or how"),
    ]
    static let fileThatNamesThem = "Tests/RepositoryTests/TidinessTests.swift"

    @Test(arguments: strangeWords)
    func `nothing is left over from the writing`(rule: Rule) {
        for file in Repository.files where !(rule.allowedIn + [Self.fileThatNamesThem]).contains(file.path) {
            for pattern in rule.patterns {
                for line in linesWithOccurrences(of: pattern, in: file.bytes) {
                    Issue.record("\(file.path):\(line): \(pattern) – \(rule.reason)")
                }
            }
        }
    }
}
