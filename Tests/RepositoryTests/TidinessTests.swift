import Testing

/// Rules beyond those of the compiler and the formatter.
@Suite struct TidinessTests {
    /// Patterns that can occur only in some files, or nowhere.
    struct Rule: Sendable, CustomTestStringConvertible {
        let patterns: [String]
        /// The paths of the files that can contain the patterns.
        var allowedIn: [String] = []
        let reason: String

        var testDescription: String { patterns.joined(separator: ", ") }
    }

    static let processSurroundings = "Sources/todosync/Session/ProcessSurroundings.swift"
    static let kitSurroundings = "Sources/TodosyncKit/Settings.swift"
    static let systemSources = "Sources/Platform/SystemSources.swift"

    static let rules = [
        Rule(
            patterns: ["print(", "debugPrint(", "dump(", "puts(", "printf(", "NSLog("],
            reason: "output goes through Session, which handles --quiet and closed pipes"),
        Rule(
            patterns: ["exit(", "_exit(", "abort("],
            allowedIn: ["Sources/todosync/main.swift"],
            reason: "a command returns its exit status"),
        Rule(
            patterns: ["fatalError(", "try!", "as!"],
            reason: "throw errors, so that they are reported in words; use a precondition for defects"),
        Rule(
            patterns: ["@unchecked", "nonisolated(unsafe)", "@preconcurrency"],
            reason: "the compiler checks data that threads share"),
        Rule(
            patterns: [
                "time(", "gettimeofday(", "clock_gettime(", "Date(", "Date.now", "ContinuousClock",
                "internetTimeNow", "millisecondsNow",
            ],
            // The file system compares its own time with the times of files; git, filters, queries, and
            // waits for changes and for a database's lock have a time limit; a remote that answers at once
            // is asked less often.
            allowedIn: [
                systemSources, processSurroundings, kitSurroundings,
                "Sources/WorkingCopy/Files/POSIXFileSystem.swift",
                "Sources/Platform/ChildProgram.swift",
                "Sources/todosync/Watching/Watcher.swift",
                "Sources/Git/Repository.swift",
                "Sources/Remotes/Store/StoreTable+Query.swift", "Sources/Remotes/Store/TableWatch.swift",
                "Sources/SQLite/SQLTurns.swift",
            ],
            reason: "no decision depends on a clock; the time is passed in"),
        Rule(
            patterns: [
                "UUID(", ".random(", ".randomElement(", ".shuffled(", "SystemRandomNumberGenerator",
                "arc4random",
                "getrandom(", "systemRandomBytes",
            ],
            allowedIn: [systemSources, processSurroundings, kitSurroundings],
            reason: "randomness is passed in, so that tests can repeat it"),
        Rule(
            patterns: ["getenv(", "secure_getenv(", "setenv(", "ProcessInfo"],
            allowedIn: [processSurroundings, kitSurroundings],
            reason: "the environment is passed in"),
        Rule(
            patterns: ["environ"], allowedIn: ["Sources/Platform/ChildProgram.swift"],
            reason: "only the programs that the user names inherit the environment"),
        Rule(
            patterns: ["ChildProgram("],
            allowedIn: ["Sources/Git/GitProcess.swift", "Sources/todosync/Terminal/ChildProcess.swift"],
            reason: "these choose what a program inherits"),
    ]

    @Test(arguments: rules)
    func `restricted code is only in the allowed files`(rule: Rule) {
        for file in Repository.swiftFiles(in: "Sources") where !rule.allowedIn.contains(file.path) {
            for pattern in rule.patterns {
                for line in linesWithOccurrences(of: pattern, in: file.code.bytes) {
                    Issue.record("\(file.path):\(line): \(pattern) – \(rule.reason)")
                }
            }
        }
    }

    @Test(arguments: rules + strangeWords)
    func `each exception names a file that needs it`(rule: Rule) {
        for path in rule.allowedIn {
            let isNeeded = rule.patterns.contains {
                !linesWithOccurrences(of: $0, in: SourceFile(path: path).bytes).isEmpty
            }
            #expect(isNeeded, "\(path)")
        }
    }

    @Test func `tests leave checks to the compiler, too`() {
        for file in Repository.swiftFiles(in: "Tests") {
            for pattern in ["try!", "@unchecked", "nonisolated(unsafe)"] {
                #expect(
                    linesWithOccurrences(of: pattern, in: file.code.bytes) == [], "\(file.path): \(pattern)")
            }
        }
    }

    @Test func `names have the terms of the style page`() {
        for file in Repository.swiftFiles {
            for (name, line) in file.code.names {
                if let term = ReplacedTerms.first(in: name) {
                    Issue.record("\(file.path):\(line): \(name) – Style.md replaces '\(term)'")
                }
            }
        }
    }

    @Test func `the style page lists the terms that names must not have`() throws {
        let page = Markdown(SourceFile(path: "Sources/todosync/todosync.docc/Style.md").text)
        let table = try #require(page.tables.first { $0.heading == "Terms" })
        let replaced = table.rows.dropFirst().flatMap { $0[1].split(separator: ", ") }
        #expect(Set(ReplacedTerms.forms.keys).isSubset(of: replaced.map(String.init)))
    }

    /// The module whose declarations other packages can use, and its maximum number of them.
    static let publicModule = (name: "TodosyncKit", limit: 110)

    @Test func `only the library is public, and it is small`() {
        var count = 0
        // Its code is inlined into other modules for speed, which requires public declarations.
        let exception = "Sources/LosslessYAML/EightBytes.swift"
        for file in Repository.swiftFiles(in: "Sources") where file.path != exception {
            let lines = linesWithOccurrences(of: "public", in: file.code.bytes).filter {
                !file.lines[$0 - 1].contains("import ")
            }
            if file.module == Self.publicModule.name {
                count += lines.count
            } else {
                #expect(lines == [], "\(file.path): use package, which other modules can see")
            }
        }
        #expect(count > 0 && count <= Self.publicModule.limit, "\(count)")
    }

    /// The maximum number of methods of a type; ``SyncEngine/Workspace`` has one for each command.
    static let mostMethods = 64
    static let widestComment = 110

    @Test(arguments: LayeringTests.layers.map(\.module)) func `types are small`(_ module: String) {
        for (type, count) in MethodCounts(Repository.swiftFiles(in: "Sources/\(module)")).counts {
            #expect(
                count <= Self.mostMethods, "\(type) has \(count) methods: which second type does it contain?")
        }
    }

    @Test func `methods are counted over all extensions, for the type that they belong to`() {
        let source = """
            struct A { init() {}; func f() { func local() {} }; struct B { func g() {} } }
            extension A { func h() {}; static func i() -> [A] { [.init()] } }
            extension A.B { subscript(i: Int) -> Int { i } }
            """
        let counts = MethodCounts(SwiftCode(Array(source.utf8))).counts
        #expect(counts == ["A": 4, "A.B": 2])
    }

    @Test func `comments are narrow, and lines have no trailing spaces`() {
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

    /// Words about how the code was written instead of about todosync.
    static let strangeWords = [
        Rule(
            patterns: ["TODO:", "TODO(", "FIXME", "XXX", "HACK", "WIP"],
            reason: "write an issue instead"),
        Rule(
            patterns: ["/work/", "/root/", "/tmp/"],
            // An absolute path that a remote must not name.
            allowedIn: ["Tests/WorkingCopyTests/Files/FileWriterTests.swift"],
            reason: "paths don't depend on one machine"),
        Rule(
            patterns: ["AI", "LLM", "session transcript", "session transcripts"],
            reason: "texts are about todos, not about their authors"),
        Rule(
            patterns: ["the contract", "The contract"],
            reason: "no such document is in the repository; name the rule, the function or the page"),
    ]
    static let fileThatNamesThem = "Tests/RepositoryTests/TidinessTests.swift"

    @Test(arguments: strangeWords)
    func `no traces of the writing process are left`(rule: Rule) {
        for file in Repository.files where !(rule.allowedIn + [Self.fileThatNamesThem]).contains(file.path) {
            for pattern in rule.patterns {
                for line in linesWithOccurrences(of: pattern, in: file.bytes) {
                    Issue.record("\(file.path):\(line): \(pattern) – \(rule.reason)")
                }
            }
        }
    }
}
