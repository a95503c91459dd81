import Foundation
import TestSupport
import Testing

/// A third-party fuzzer for the server: schemathesis (from PyPI) reads `/openapi.json`, and sends requests
/// that it allows and others that it doesn't.
@Suite(.ownThreads) struct FuzzerTests {
    /// The number of cases to generate for each operation; `TODOSYNC_PROPERTY_SEEDS` can raise it.
    private static var examples: Int {
        max(10, ProcessInfo.processInfo.environment["TODOSYNC_PROPERTY_SEEDS"].flatMap { Int($0) } ?? 10)
    }

    /// The checks that don't fit the protocol.
    ///
    /// A request that matches the description can still have an invalid filter or version. An unknown
    /// protocol version gets 400 before all other checks. A client that asks for deleted records can read
    /// them.
    private static let leftOut = ["positive_data_acceptance", "unsupported_method", "use_after_free"]

    @Test(.enabled(if: installedFuzzer != nil, "schemathesis is not installed"))
    func `a fuzzer that reads the server's description finds nothing that contradicts it`() async throws {
        let fuzzer = try #require(installedFuzzer)
        try await withServer(keys: false) { server in
            let result = try Program.shell(
                """
                '\(fuzzer)' run '\(server.url)/openapi.json' --max-examples \(Self.examples) --seed 1 \
                --phases examples,coverage,fuzzing --exclude-checks \(Self.leftOut.joined(separator: ",")) \
                --no-color
                """, in: server.folder, environment: TestedEnvironment(home: server.folder))
            #expect(result.status == 0, "\(result.output)")
            #expect(result.output.contains("Tested: "), "\(result.output)")
        }
    }
}

/// The path of schemathesis; nil if it isn't in the tester's `PATH`.
private let installedFuzzer: String? = {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { $0 + "/schemathesis" }.first(where: FileManager.default.isExecutableFile(atPath:))
}()
