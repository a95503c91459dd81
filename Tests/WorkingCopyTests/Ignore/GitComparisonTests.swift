import Foundation
import TestSupport
import Testing
import WorkingCopy

/// Compares scans with random ignore files to git's results for the same files.
@Suite(.enabled(if: Git.isInstalled, "git is not installed")) struct GitComparisonTests {
    @Test(
        .covers(["an ignored file": 43, "a file that is not ignored": 45]),
        arguments: PropertySeeds.range(default: 20))
    func `the scan ignores the same files as git`(seed: UInt64) throws {
        var generator = IgnoreGenerator(random: SplitMix64(seed: seed))
        let folder = try TemporaryFolder([:])
        let paths = generator.paths()
        for path in paths { try folder.write("text: a\n", to: path) }
        for (path, content) in generator.ignoreFiles(paths) { try folder.write(content, to: path) }

        let expected = try Git.unignoredFiles(in: folder).filter { $0.hasSuffix(".yaml") }
        let found = try scan(root: folder.path, include: []).files.map(\.path)
        #expect(found.sorted() == expected.sorted())
        cover("an ignored file", found.count < paths.count)
        cover("a file that is not ignored", !found.isEmpty)
        let all = try scan(root: folder.path, include: [])
        for path in paths { #expect(all.wouldSee(path) == found.contains(path), "\(path)") }
    }
}

enum Git {
    static let isInstalled = (try? run(["--version"], in: "/")) != nil

    static func unignoredFiles(in folder: TemporaryFolder) throws -> [String] {
        _ = try run(["init", "--quiet"], in: folder.path)
        let output = try run(
            ["ls-files", "--others", "-z", "--exclude-per-directory=.todosyncignore"], in: folder.path)
        return output.split(separator: "\0").map(String.init)
    }

    private static func run(_ arguments: [String], in directory: String) throws -> String {
        var environment = ProcessInfo.processInfo.environment
        environment["GIT_CONFIG_GLOBAL"] = "/dev/null"
        environment["GIT_CONFIG_NOSYSTEM"] = "1"
        let ended = try ChildProcess.run(["git"] + arguments, in: directory, environment: environment)
        guard ended.status == 0 else { throw CocoaError(.executableLoad) }
        return String(decoding: ended.output, as: UTF8.self)
    }
}

/// Creates folders of files, and patterns that often match them.
private struct IgnoreGenerator {
    var random: SplitMix64
    private static let words = [
        "a", "b", "ab", "aab", "x1", "a b", "b ", "-", "]", "[a]", "!a", "#b", "ä", "a\\b",
    ]

    init(random: SplitMix64) { self.random = random }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    mutating func paths() -> [String] {
        var paths: Set<String> = []
        for _ in 0..<40 {
            let depth = Int.random(in: 0...3, using: &random)
            let folders = (0..<depth).map { _ in pick(Self.words) + "/" }
            paths.insert(folders.joined() + pick(Self.words) + ".yaml")
        }
        return paths.sorted()
    }

    mutating func ignoreFiles(_ paths: [String]) -> [(path: String, content: String)] {
        var folders: Set<String> = [""]
        for path in paths where random.chance(0.1) {
            folders.insert(path.contains("/") ? path.prefix { $0 != "/" } + "/" : "")
        }
        return folders.sorted().map { folder in
            let lines = (0..<Int.random(in: 1...5, using: &random)).map { _ in line(paths) }
            return (folder + ".todosyncignore", lines.joined(separator: random.chance(0.1) ? "\r\n" : "\n"))
        }
    }

    private mutating func line(_ paths: [String]) -> String {
        var pattern = random.chance(0.75) ? blurred(pick(paths)) : noise()
        if random.chance(0.2) { pattern = "!" + pattern }
        if random.chance(0.15) { pattern += "/" }
        if random.chance(0.05) { pattern += pick([" ", "  ", "\\ ", "\\", "\t"]) }
        return pattern
    }

    /// Returns a path, or a part of one, with some characters replaced by special ones.
    private mutating func blurred(_ path: String) -> String {
        var components = path.split(separator: "/").map(String.init)
        if random.chance(0.3) { components.removeLast() }
        if random.chance(0.3), !components.isEmpty { components.removeFirst() }
        if components.isEmpty { components = [pick(Self.words)] }
        let result = components.map { component -> String in
            if random.chance(0.15) { return "**" }
            return component.map { character -> String in
                if random.chance(0.8) {
                    return "\\*?[]".contains(character) ? "\\\(character)" : "\(character)"
                }
                return pick([
                    "*", "?", "**", "[a-c]", "[!a]", "[[:alpha:]]", "[\(character)]", "\\\(character)", "*?",
                ])
            }.joined()
        }
        return (random.chance(0.3) ? "/" : "") + result.joined(separator: "/")
    }

    private mutating func noise() -> String {
        let parts = [
            "a", "b", "/", "*", "**", "?", "[", "]", "[^b]", "[]a]", "[b-", "\\", ".yaml", "!", "#", " ",
            "**/", "/**",
            "[[:space:]]", "[[:", "-", "x1",
        ]
        return (0..<Int.random(in: 1...6, using: &random)).map { _ in pick(parts) }.joined()
    }
}
