import Foundation

/// The program under test: the `todosync` that was built together with these tests, or the one that
/// `TODOSYNC_BINARY` names, which can be a release build.
enum TestedBinary {
    private static let named = ProcessInfo.processInfo.environment["TODOSYNC_BINARY"]

    /// Whether it is another build, which is probably optimized, so that the same work takes less time.
    static let isNamed = named != nil

    /// The folder that the program was built into.
    static let folder = named.map { URL(fileURLWithPath: $0).deletingLastPathComponent() } ?? testsFolder

    /// The folder that these tests and their helper programs were built into.
    static let testsFolder: URL = {
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
