import Foundation
import TestSupport
import Testing

/// A fuzzer that others wrote, at the server: schemathesis (from PyPI) reads `/openapi.json` and sends what
/// that allows, and what it does not.
@Suite(.ownThreads) struct FuzzerTests {
    /// How many cases of each operation are made up; `TODOSYNC_PROPERTY_SEEDS` asks for more.
    private static var examples: Int {
        max(10, ProcessInfo.processInfo.environment["TODOSYNC_PROPERTY_SEEDS"].flatMap { Int($0) } ?? 10)
    }

    /// What its checks expect and the protocol does not do: a request that fits the description may still
    /// name a filter or a version that is none; a request of an unknown version is 400 before anything else;
    /// a deleted record can be read by who asks for deleted ones.
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

/// Where schemathesis is; nil where the tester's `PATH` does not lead to it.
private let installedFuzzer: String? = {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { $0 + "/schemathesis" }.first(where: FileManager.default.isExecutableFile(atPath:))
}()
