import Testing

/// Tests that the scripts that no test runs name existing files and suites.
@Suite struct ToolTests {
    /// Returns the modules that a module needs, including itself.
    private func modules(of module: String) -> Set<String> {
        let imported = LayeringTests.layers.first { $0.module == module }?.mayImport ?? []
        let layers = Set(LayeringTests.layers.map(\.module))
        let needed = imported.intersection(layers).map(modules)
        return needed.reduce([module, "Platform"]) { $0.union($1) }
    }

    @Test(arguments: ["Tests/Mutation/run", "Tests/FuzzTests/run"])
    func `a script that builds the engine builds all modules that it needs`(path: String) {
        let text = SourceFile(path: path).text
        for module in modules(of: "SyncEngine") { #expect(text.contains("\"\(module)\""), "\(module)") }
    }

    @Test func `the mutants that change nothing are in existing files`() {
        var (path, lines, count) = ("", Set<Substring>(), 0)
        for line in SourceFile(path: "Tests/Mutation/equivalent").text.split(separator: "\n") {
            let indentation = line.prefix { $0 == " " }.count
            switch indentation {
            case 0 where !line.hasPrefix("#"):
                path = String(line)
                #expect(Repository.exists(path), "\(path)")
                let text = SourceFile(path: path).text
                lines = Set(text.split(separator: "\n").map { $0.drop { $0 == " " } })
            case 4:
                count += 1
                #expect(lines.contains(line.dropFirst(indentation)), "\(path): \(line)")
            default: break
            }
        }
        #expect(count > 0)
    }

    @Test func `the mutated files and the suites that are run exist`() throws {
        let text = SourceFile(path: "Tests/Mutation/run").text
        let folders = text.matches(of: /"(Sources\/[\w\/]+)\/(\*\*\/)?\*\.swift"/).map { String($0.output.1) }
        #expect(folders.count > 1)
        for folder in folders { #expect(!Repository.swiftFiles(in: folder).isEmpty, "\(folder)") }
        let tests = Repository.files.filter { $0.path.hasPrefix("Tests/") }.map(\.text)
        let suites = try #require(text.firstMatch(of: /SUITES = \{([^}]*)\}/)).output.1
        for suite in suites.matches(of: /\w+Tests/).map(\.output) where suite != "ThreeWayMergeTests" {
            #expect(tests.contains { $0.contains("struct \(suite)") }, "\(suite)")
        }
    }
}
