import Foundation

/// The program under test: the `todosync` that was built together with these tests.
enum TestedBinary {
    /// The folder that the tests and the program were built into.
    static let folder: URL = {
        #if os(macOS)
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
            return bundle.bundleURL.deletingLastPathComponent()
        #else
            let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            return tests.deletingLastPathComponent()
        #endif
    }()

    static var path: String { folder.appendingPathComponent("todosync").path }
}
