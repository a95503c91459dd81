import Foundation
import Testing

/// Texts that once broke a law, or that led the fuzzer to new code.
@Suite struct CorpusTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let target: FuzzTarget
        let file: URL
        var testDescription: String { "\(target)/\(file.lastPathComponent)" }
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")

    static let samples = FuzzTarget.allCases.flatMap { target in
        let files = try? FileManager.default.contentsOfDirectory(
            at: folder.appending(path: target.rawValue), includingPropertiesForKeys: nil)
        return (files ?? []).sorted { $0.path < $1.path }.map { Sample(target: target, file: $0) }
    }

    @Test(arguments: samples)
    func `every law holds for every sample`(_ sample: Sample) throws {
        #expect(sample.target.problem(with: [UInt8](try Data(contentsOf: sample.file))) == nil)
    }

    @Test(arguments: FuzzTarget.allCases)
    func `every reader has samples that it can read`(_ target: FuzzTarget) throws {
        let samples = Self.samples.filter { $0.target == target }
        let read = try samples.count { target.canRead([UInt8](try Data(contentsOf: $0.file))) }
        #expect(read >= 5, "\(target): \(read) of \(samples.count)")
    }

    @Test func `a broken law is reported`() {
        #expect(throws: FuzzTarget.BrokenLaw.self) { try FuzzTarget.require(false, "no") }
        #expect(throws: FuzzTarget.BrokenLaw.self) { _ = try FuzzTarget.require(nil as Int?, "no") }
    }
}
