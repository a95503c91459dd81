import Foundation
import TestSupport
import Testing

/// Tests what README.md promises.
@Suite(.ownThreads) struct ReadmeTests {
    let page = Markdown(SourceFile(path: "README.md").text)

    /// Returns the first two shell commands, which install a toolchain's packages, then run the demo and the
    /// tests.
    private func setUpCommands() throws -> (demo: Substring, tests: Substring) {
        let blocks = page.blocks.filter { $0.language == "sh" }.prefix(2).map(\.lines)
        try #require(blocks.map(\.count) == [1, 1], "each block must be a single line to paste")
        return (blocks[0][0], blocks[1][0])
    }

    @Test func `one command runs the demo, and another one runs the tests`() throws {
        let commands = try setUpCommands()
        #expect(commands.demo.hasSuffix(" && swift run --disable-default-traits todosync demo"))
        #expect(commands.tests.hasSuffix(" && swift test --traits PostgreSQL"))
    }

    @Test func `both commands install the packages that the build needs`() throws {
        let commands = try setUpCommands()
        let needed = try packages(namedIn: SourceFile(path: "Package.swift").text)
        // Only the tests' command uses the trait that needs PostgreSQL's client library.
        let ofDemo = needed.filter { $0 != "libpq-dev" }
        for (command, needed) in [(commands.demo, ofDemo), (commands.tests, needed)] {
            let words = Set(command.split(separator: " ").map(String.init))
            #expect(Set(needed).isSubset(of: words), "\(command)")
        }
        #expect(ofDemo != needed && !commands.demo.contains("libpq-dev"))
    }

    @Test func `CI runs the same commands`() throws {
        let commands = try setUpCommands()
        #expect(SourceFile(path: ".ci/run").text.split(separator: "\n").contains(commands.tests))
        // CI builds the demo in a folder of its own, because the traits differ.
        let parts = commands.demo.split(separator: " todosync ")
        let build = "swift run --disable-default-traits"
        #expect(parts.count == 2 && parts[0].hasSuffix(build))
        let long = SourceFile(path: ".ci/full").text.split(separator: "\n")
        #expect(long.contains { $0.hasPrefix(build) && $0.contains(" todosync demo ") })
    }

    @Test func `the map of the code contains every module`() {
        for layer in LayeringTests.layers {
            #expect(page.links.contains("Sources/\(layer.module)"[...]), "\(layer.module)")
        }
    }
}

/// Returns the Debian packages that a manifest names.
private func packages(namedIn manifest: String) throws -> [String] {
    let names = manifest.matches(of: /\.apt\(\["([^"]+)"\]\)/).map { String($0.output.1) }
    try #require(!names.isEmpty)
    return names
}
