import Foundation
import TestSupport
import Testing

/// Tests that the reference pages match the code.
@Suite(.ownThreads) struct ReferenceTests {
    /// Returns the rows, without titles, of a page's tables that have the given first title.
    private func rows(of page: String, _ title: String) throws -> [[Substring]] {
        let page = Markdown(SourceFile(path: "Sources/todosync/todosync.docc/\(page).md").text)
        let tables = page.tables.filter { $0.rows[0][0] == title }
        try #require(!tables.isEmpty, "\(title)")
        return tables.flatMap { $0.rows.dropFirst() }
    }

    private func codeSpans(ofColumn column: Int, _ rows: [[Substring]]) -> Set<String> {
        Set(rows.flatMap { Markdown.codeSpans(in: $0[column]) }.map(String.init))
    }

    // MARK: Commands

    private func help(_ arguments: [String]) throws -> [Substring] {
        let words = arguments.isEmpty ? ["help", "--all"] : arguments + ["--help"]
        // Wide enough for every usage.
        let program = ["COLUMNS=120", buildFolder.appending(path: "todosync").path]
        let result = try run(URL(filePath: "/usr/bin/env"), program + words)
        try #require(result.status == 0, "\(arguments)")
        return result.output.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Returns each command's summary in the help.
    private func summaries() throws -> [String: String] {
        // The overview lists commands as "   name   What it does".
        let lines = try help([]).filter { $0.hasPrefix("   ") && !$0.hasPrefix("    ") }
            .map { $0.drop { $0 == " " } }
        return Dictionary(
            uniqueKeysWithValues: lines.map { line in
                let name = line.prefix { $0 != " " }
                return (String(name), String(line.dropFirst(name.count).drop { $0 == " " }))
            })
    }

    @Test func `each command has a row that begins like its help`() throws {
        let rows = try rows(of: "Commands", "command")
        let described = rows.map { row in
            (
                String(Markdown.codeSpans(in: row[0]).first?.prefix { $0 != " " } ?? ""),
                row[1].replacing("`", with: "")
            )
        }
        let summaries = try summaries()
        #expect(!summaries.isEmpty)
        #expect(Set(described.map(\.0)) == Set(summaries.keys))
        for (name, description) in described {
            #expect(description.hasPrefix(summaries[name] ?? "?"), "\(name)")
        }
    }

    @Test func `each command's usage is the same as in its help`() throws {
        for row in try rows(of: "Commands", "command") {
            let usages = Markdown.codeSpans(in: row[0])
            let name = try #require(usages.first).prefix { $0 != " " }
            let lines = try help([String(name)])
            let start = try #require(lines.firstIndex { $0.hasPrefix("USAGE: ") })
            let documented = lines[start...].prefix { !$0.isEmpty }.map {
                $0.dropFirst("USAGE: todosync ".count)
            }
            for usage in usages { #expect(documented.contains(usage), "\(usage)") }
        }
    }

    @Test func `an argument has the same name in a command's usage and in the list of its arguments`() throws
    {
        for command in try summaries().keys {
            let lines = try help([command])
            let start = try #require(lines.firstIndex { $0.hasPrefix("USAGE: ") })
            let usage = lines[start...].prefix { !$0.isEmpty }.joined().replacing(">=<", with: "=")
            for line in lines where line.hasPrefix("  <") {
                let name = line.drop { $0 == " " }.prefix { $0 != " " }
                #expect(usage.contains(name), "\(command): \(name)")
            }
        }
    }

    // MARK: Tables of names

    /// Returns the matches of a pattern's first group in the files' code; there must be at least one.
    private func names(
        matching pattern: Regex<(Substring, Substring)>, inFiles isMeant: (SwiftFile) -> Bool
    ) throws -> Set<String> {
        let files = Repository.swiftFiles(in: "Sources").filter(isMeant)
        let names = files.flatMap { file in
            file.lines.flatMap { $0.matches(of: pattern) }.map { String($0.output.1) }
        }
        try #require(!names.isEmpty)
        return Set(names)
    }

    @Test func `the tables of settings contain each one that the code reads`() throws {
        let settings = try names(matching: #/case \(\u{22}([a-zA-Z.]+)\u{22}, /#) {
            $0.path.hasSuffix("Configuration.swift")
        }
        #expect(settings.isSuperset(of: ["remote", "merge.labels", "device.name"]))
        #expect(codeSpans(ofColumn: 0, try rows(of: "Configuration", "key")) == settings)
    }

    @Test func `the table of variables contains each one that the code reads`() throws {
        let variables = try names(matching: #/\u{22}([A-Z]{2,}(?:_[A-Z]+)*|[a-z]+_proxy)\u{22}/#) { file in
            // git's documentation covers git's own variables, and the help has a topic with that name.
            !["Git", "todosync/Help"].contains { file.path.hasPrefix("Sources/\($0)/") }
                && file.lines.contains { $0.contains("environment") }
        }
        #expect(variables.isSuperset(of: ["EDITOR", "NO_COLOR", "TODOSYNC_KEY", "https_proxy"]))
        #expect(codeSpans(ofColumn: 0, try rows(of: "Environment", "variable")) == variables)
    }

    @Test func `the table of exit statuses is complete`() throws {
        let statuses = try names(matching: #/case [a-zA-Z]+ = ([0-9]+)/#) {
            $0.path.hasSuffix("Failure/Failure.swift")
        }
        let documented = try rows(of: "ExitStatuses", "status")
            .flatMap { $0[0].split(separator: ", ") }.map(String.init)
        #expect(documented.sorted() == statuses.sorted())
    }

    @Test func `the table of JSON keys is complete`() throws {
        let keys = try names(matching: #/[\[ (]\u{22}([a-z][a-zA-Z]*)\u{22}(?:\] = |: )/#) { file in
            ["JSON", "Commands"].contains { file.path.hasPrefix("Sources/todosync/\($0)/") }
        }
        #expect(keys.isSuperset(of: ["id", "keptBy", "origin", "createdAt"]))
        let rows = try rows(of: "JSON", "command")
        let documented = codeSpans(ofColumn: 1, rows)
        #expect(documented.subtracting(keys) == [])
        #expect(keys.subtracting(documented.union(codeSpans(ofColumn: 2, rows))) == [])
    }

    // MARK: Measurements

    @Test func `the figures are some of the benchmarks' page`() throws {
        let all = SourceFile(path: "Tests/Benchmarks/README.md").text.split(separator: "\n")
        let figures = Markdown(SourceFile(path: "README.md").text).prose.filter {
            $0.hasPrefix("|") && $0.contains(" ms |")
        }
        #expect(figures.count == 5)
        for figure in figures { #expect(all.contains(figure), "\(figure)") }
    }
}
