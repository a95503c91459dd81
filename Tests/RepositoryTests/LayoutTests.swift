import Foundation
import Testing

/// Tests which files are in the repository, and where.
@Suite struct LayoutTests {
    @Test(.enabled(if: Repository.trackedPaths != nil))
    func `the top level is small`() throws {
        let names = Set(try #require(Repository.trackedPaths).compactMap { $0.split(separator: "/").first })
        let visible = names.filter { !$0.hasPrefix(".") }
        #expect(visible.subtracting(["Package.swift", "README.md", "Sources", "Tests", "completions"]) == [])
    }

    @Test(arguments: [".build", "Package.resolved"])
    func `build products stay out of commits`(name: String) {
        let ignored = SourceFile(path: ".gitignore").text.split(separator: "\n")
        #expect(ignored.contains { $0 == name || $0 == name + "/" })
        let tracked = Repository.trackedPaths ?? []
        #expect(!tracked.contains { $0 == name || $0.hasPrefix(name + "/") })
    }

    @Test(arguments: Repository.scripts) func `a script is executable`(path: String) {
        #expect(FileManager.default.isExecutableFile(atPath: Repository.root.appending(path: path).path))
    }
}
