import Foundation
import Testing

@testable import WorkingCopy

@Suite struct IgnorePatternTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let line: String
        let matching: [String]
        let other: [String]
        var testDescription: String { line.debugDescription }
        init(_ line: String, _ matching: [String], not other: [String] = []) {
            (self.line, self.matching, self.other) = (line, matching, other)
        }
    }

    static let rows: [Row] = [
        Row("a.yaml", ["a.yaml", "x/a.yaml"], not: ["ba.yaml", "a.yamlx"]),
        Row("/a.yaml", ["a.yaml"], not: ["x/a.yaml"]),
        Row("x/a.yaml", ["x/a.yaml"], not: ["y/x/a.yaml"]),
        Row("*.yaml", ["a.yaml", "x/a.yaml"], not: ["a.yml"]),
        Row("x/*", ["x/a.yaml"], not: ["x/y/a.yaml", "y/x/a.yaml"]),
        Row("x/**", ["x/a.yaml", "x/y/a.yaml"], not: ["x"]),
        Row("**/a", ["a", "x/a", "x/y/a"], not: ["xa"]),
        Row("x/**/a", ["x/a", "x/y/a", "x/y/z/a"], not: ["xa", "x/ya"]),
        Row("x**a", ["xa", "xya"], not: ["x/a"]),
        Row("x/y**/a", ["x/y/a", "x/yz/a", "x/yz/w/a"], not: ["x/a"]),
        Row("?.yaml", ["a.yaml"], not: ["ab.yaml", "ä.yaml"]),
        Row("[ab].yaml", ["a.yaml", "b.yaml"], not: ["c.yaml"]),
        Row("[!ab].yaml", ["c.yaml"], not: ["a.yaml"]),
        Row("[^ab].yaml", ["c.yaml"], not: ["a.yaml"]),
        Row("[a-c]", ["b"], not: ["d", "-"]),
        Row("[a-]", ["a", "-"], not: ["b"]),
        Row("[]-a]", ["]", "_", "a"], not: ["b"]),
        Row("[[:digit:]x]", ["7", "x"], not: ["a"]),
        Row("[[:nonsense:]]", [], not: [":", "n"]),
        Row("[[:]", ["[", ":"], not: ["a"]),
        Row("[\\]]", ["]"], not: ["\\"]),
        Row("[ab", [], not: ["a", "[ab"]),
        Row("\\*.yaml", ["*.yaml"], not: ["a.yaml"]),
        Row("\\#a", ["#a"], not: ["a"]),
        Row("\\!a", ["!a"]),
        Row("a\\", [], not: ["a", "a\\"]),
        Row("a  ", ["a"], not: ["a  "]),
        Row("a\\ ", ["a "], not: ["a"]),
        Row("a\t", ["a\t"], not: ["a"]),
        Row("a b", ["a b"]),
    ]

    @Test(arguments: rows) func `a line matches the same files as in gitignore`(row: Row) throws {
        let pattern = try #require(IgnorePattern(line: row.line.bytes[...]))
        for path in row.matching { #expect(matches(pattern, path), "\(path)") }
        for path in row.other { #expect(!matches(pattern, path), "\(path)") }
    }

    private func matches(_ pattern: IgnorePattern, _ path: String) -> Bool {
        let bytes = path.bytes
        let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        return pattern.matches(path: bytes[...], name: bytes[start...], isFolder: false)
    }

    @Test(arguments: ["", "#", "# a", "   "]) func `an empty line or a comment is not a pattern`(line: String)
    {
        #expect(IgnorePattern(line: line.bytes[...]) == nil)
    }

    @Test func `a byte order mark and CRLF are not part of a pattern`() {
        let patterns = IgnorePatterns(file: "\u{FEFF}a\r\nb/\r\n".bytes)
        #expect(patterns.patterns.map(\.text) == ["a", "b/"])
        #expect(patterns.patterns.map(\.isForFolders) == [false, true])
    }

    @Test func `matching a hostile pattern takes time proportional to its length times the path's`() throws {
        let pattern = String(repeating: "*a", count: 2000) + "b*"
        let glob = try #require(Glob(pattern.bytes[...], isPath: true))
        #expect(!glob.matches(Array(repeating: UInt8(ascii: "a"), count: 4000)[...]))
        let folders = String(repeating: "**/a*/", count: 500) + "b*"
        let other = try #require(Glob(folders.bytes[...], isPath: true))
        #expect(!other.matches(String(repeating: "a/", count: 2000).bytes[...]))
    }

    @Test(arguments: [
        (0..<10_000).map { "*\($0)*x*" },
        (0..<3000).map { String(repeating: "*?", count: 8 + $0 % 8) + "[A-Z]" },
        (0..<3000).map { String(repeating: "?", count: 40 + $0 % 60) + "*" },
    ])
    func `a path that lacks what many patterns need takes little time`(lines: [String]) {
        let patterns = IgnorePatterns(lines)
        let path = "todos/milk-7.yaml".bytes[...]
        let start = Self.secondsOfThread
        for _ in 0..<100 {
            #expect(patterns.lastMatch(path: path, name: path[6...], isFolder: false) == nil)
            #expect(!patterns.includes(path: path))
        }
        #expect(Self.secondsOfThread - start < 8)
    }

    /// The processor time that the thread has used.
    private static var secondsOfThread: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test func `a pattern matches the same, however many tokens it has`() throws {
        for count in [1, 62, 63, 64, 65, 200] {
            let word = String(repeating: "?", count: count)
            let glob = try #require(Glob("*\(word)/**/b*".bytes[...], isPath: true))
            for path in ["/b", "/c/b", "/c/d/bb"] {
                let name = String(repeating: "a", count: count)
                #expect(glob.matches((name + path).bytes[...]), "\(count)")
                #expect(glob.matches(("aa" + name + path).bytes[...]))
                #expect(!glob.matches((name.dropLast() + path).bytes[...]))
                #expect(!glob.matches((name + path + "/x").bytes[...]))
            }
        }
    }

    struct Inclusion: Sendable, CustomTestStringConvertible {
        let include: [String]
        let path: String
        let isIncluded: Bool
        var testDescription: String { "\(include) \(path)" }
    }

    @Test(arguments: [
        Inclusion(include: ["todos/"], path: "todos/a.yaml", isIncluded: true),
        Inclusion(include: ["todos/"], path: "x/todos/y/a.yaml", isIncluded: true),
        Inclusion(include: ["/todos/"], path: "x/todos/a.yaml", isIncluded: false),
        Inclusion(include: ["todos"], path: "todos/y/a.yaml", isIncluded: true),
        Inclusion(include: ["*.yml"], path: "x/a.yml", isIncluded: true),
        Inclusion(include: ["*.yml"], path: "x/a.yaml", isIncluded: false),
        Inclusion(include: ["*.yaml", "!private/"], path: "private/a.yaml", isIncluded: false),
        Inclusion(include: ["work/", "!work/secret.yaml"], path: "work/secret.yaml", isIncluded: false),
        Inclusion(include: ["work/", "!work/secret.yaml"], path: "work/a.yaml", isIncluded: true),
    ]) func `the last glob that matches a file or a folder above it decides whether it is included`(
        row: Inclusion
    ) {
        #expect(IgnorePatterns(row.include).includes(path: row.path.bytes[...]) == row.isIncluded)
    }
}
