import Foundation
import TestSupport
import Testing

/// The pages of `Transcripts` show what the program does.
///
/// They are the tutorial and the reference by example.
/// `UPDATE_TRANSCRIPTS=1 swift test --filter TranscriptTests` rewrites them.
@Suite(.ownThreads) struct TranscriptTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Transcripts")

    static let transcripts =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?
        .filter { $0.hasSuffix(".md") }.sorted() ?? []

    /// The transcripts, README.md, and the pages of the documentation that have commands.
    static let pages = transcripts + ["../../../README.md"] + documentation

    private static let documentation =
        ((try? FileManager.default.subpathsOfDirectory(atPath: sources)) ?? [])
        .filter { path in
            path.hasSuffix(".md") && path.contains(".docc/")
                && (try? String(contentsOfFile: sources + path, encoding: .utf8))?.contains("```console\n")
                    == true
        }
        .sorted().map { "../../../Sources/" + $0 }
    private static let sources = folder.path + "/../../../Sources/"

    @Test func `there are transcripts`() {
        #expect(!Self.transcripts.isEmpty)
    }

    @Test(arguments: pages)
    func `a page shows what the program does`(page: String) throws {
        let url = Self.folder.appendingPathComponent(page)
        let expected = try String(contentsOf: url, encoding: .utf8)
        let actual = try Transcript(expected).run()
        if ProcessInfo.processInfo.environment["UPDATE_TRANSCRIPTS"] != nil {
            if actual != expected { try actual.write(to: url, atomically: true, encoding: .utf8) }
            return
        }
        for (number, pair) in zip(
            expected.components(separatedBy: "\n"), actual.components(separatedBy: "\n")
        ).enumerated()
        where pair.0 != pair.1 {
            Issue.record(
                "\(page):\(number + 1): expected \(pair.0.debugDescription), got \(pair.1.debugDescription)")
            return
        }
        #expect(actual == expected)
    }
}
