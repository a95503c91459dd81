import Foundation
import LosslessYAML
import TestSupport
import Testing
import TodoModel
import Values

@testable import WorkingCopy

/// The journal's lines: written ones are read back, and damaged ones are never trusted.
@Suite struct JournalTests {
    @Test(arguments: UInt64(0)..<200)
    func `a written record is read back unchanged`(_ seed: UInt64) {
        var generator = RecordGenerator(seed: seed)
        for record in generator.oneOfEach() {
            var bytes: [UInt8] = []
            record.write(to: &bytes)
            #expect(!bytes.contains(UInt8(ascii: "\n")))
            let value = try? JSON.read(bytes, maximumSize: .max)
            #expect(value.flatMap(JournalRecord.init) == record)
            #expect(value.map { JSON.write($0) } == bytes)
        }
    }

    @Test(arguments: UInt64(0)..<8)
    func `a truncated journal is read up to its last complete line`(_ seed: UInt64) throws {
        var generator = RecordGenerator(seed: seed)
        let records = [.format(WorkingDirectory.format)] + generator.history(count: 8)
        let (bytes, ends) = try journal(of: records)
        for length in 0...bytes.count {
            let contents = Journal.contents(of: Array(bytes[..<length]))
            let whole = ends.filter { $0 <= length }
            #expect(contents.goodLength == whole.last ?? 0)
            #expect(contents.isDamaged == (contents.goodLength < length))
        }
        #expect(Journal.contents(of: bytes).state.todos == State(records).todos)
    }

    @Test(arguments: UInt64(0)..<8)
    func `a damaged journal is read up to the line with the changed byte`(_ seed: UInt64) throws {
        var generator = RecordGenerator(seed: seed)
        let (bytes, ends) = try journal(of: [.format(WorkingDirectory.format)] + generator.history(count: 8))
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 1 << generator.number(below: 8)
            let contents = Journal.contents(of: damaged)
            let intact = ends.filter { $0 <= index }
            // Letters in a checksum can be in either case.
            let isLetterCase = damaged[index] ^ bytes[index] == 0x20 && isLetter(bytes[index])
            let isInChecksum = index - (intact.last ?? 0) < 8
            guard !(isLetterCase && isInChecksum) else { continue }
            #expect(contents.goodLength == intact.last ?? 0, "byte \(index)")
        }
    }

    @Test func `the next writer removes an incomplete last line for good`() throws {
        let folder = try workingDirectory()
        let good = try #require(folder.read(".todosync/journal"))
        try folder.write(good + "0bad", to: ".todosync/journal")
        try record(.cursor(Cursor("1")), in: folder)
        #expect(folder.read(".todosync/journal")?.hasPrefix(good) == true)
        #expect(try directory(folder).state().cursor == Cursor("1"))
        #expect(!folder.contents().keys.contains { $0.contains("damaged") })
    }

    @Test func `a journal that is larger than any memory is read up to its last good line`() throws {
        let folder = try workingDirectory()
        try record(.cursor(Cursor("1")), in: folder)
        let journal = folder.path(of: ".todosync/journal")
        try #require(truncate(journal, 1 << 42) == 0)
        #expect(try directory(folder).state().cursor == Cursor("1"))
        let problems = try StateCheck(directory(folder), timeout: .zero).problems()
        #expect(problems.contains { if case .damagedJournal(_, isTorn: true) = $0 { true } else { false } })
        try record(.cursor(Cursor("2")), in: folder)
        #expect(try directory(folder).state().cursor == Cursor("2"))
        #expect(try #require(try FileHandle(forReadingAtPath: journal)?.seekToEnd()) < 10_000)
    }

    @Test func `lines after a bad one in the middle are removed, and saved in another file`() throws {
        let folder = try workingDirectory()
        try record(.cursor(Cursor("1")), in: folder)
        let good = try #require(folder.read(".todosync/journal"))
        let rest = "00000000 {\"record\":\"cursor\",\"cursor\":\"2\"}\nmore\n"
        try folder.write(good + rest, to: ".todosync/journal")
        #expect(try directory(folder).state().cursor == Cursor("1"), "a reader sees the good part")
        try record(.cursor(Cursor("3")), in: folder)
        #expect(try directory(folder).state().cursor == Cursor("3"))
        #expect(folder.read(".todosync/damaged-1/journal") == rest)
    }

    @Test func `a lost journal is replaced by an empty one in the current format`() throws {
        let folder = try workingDirectory()
        try record(.cursor(Cursor("1")), in: folder)
        try folder.remove(".todosync/journal")
        #expect(try directory(folder).state().cursor == nil)
        try record(.cursor(Cursor("2")), in: folder)
        #expect(try directory(folder).state().cursor == Cursor("2"))
        #expect(try directory(folder).state().format == WorkingDirectory.format)
    }

    @Test(arguments: [WorkingDirectory.format - 1, WorkingDirectory.format + 1])
    func `another format is refused by readers and writers, and stays as it is`(format: Int) throws {
        let folder = try workingDirectory()
        let (bytes, _) = try journal(of: [.format(format)])
        try folder.write(text(bytes), to: ".todosync/journal")
        let before = folder.contents()
        let refusal = WorkingDirectoryError.unsupportedFormat(
            root: directory(folder).root, found: format, supported: WorkingDirectory.format)
        #expect(throws: refusal) { try directory(folder).state() }
        #expect(throws: refusal) { try directory(folder).history() }
        #expect(throws: refusal) {
            try directory(folder).begin(operation: "o", time: "", command: "", timeout: .seconds(10))
        }
        #expect(folder.contents()[".todosync/journal"] == before[".todosync/journal"])
    }

    @Test func `nothing is appended to the journal after a failed write`() throws {
        let folder = try workingDirectory()
        let before = folder.read(".todosync/journal")
        let isFull = FailingFileSystem { call throws(FileError) in
            if call.operation == .write { throw FileError(.write, "journal", code: 28) }
        }
        let directory = WorkingDirectory(root: folder.path, fileSystem: isFull)
        let transaction = try directory.begin(operation: "o", time: "", command: "", timeout: .seconds(10))
        #expect(throws: FileError.self) { try transaction.record([.cursor(Cursor("1"))]) }
        #expect(throws: FileError.self) { try transaction.record([.cursor(Cursor("2"))]) }
        #expect(transaction.state.cursor == nil)
        #expect(folder.read(".todosync/journal") == before)
    }

    @Test func `nothing is appended to the journal after a failed sync`() throws {
        let folder = try workingDirectory()
        let failing = FailingFileSystem { call throws(FileError) in
            if call.operation == .synchronize { throw FileError(.synchronize, "", code: 5) }
        }
        let directory = WorkingDirectory(root: folder.path, fileSystem: failing)
        let transaction = try directory.begin(operation: "o", time: "", command: "", timeout: .seconds(10))
        try transaction.record([.cursor(Cursor("1"))])
        let written = folder.read(".todosync/journal")
        #expect(throws: FileError.self) { try transaction.synchronize() }
        #expect(throws: FileError.self) { try transaction.record([.cursor(Cursor("2"))]) }
        #expect(folder.read(".todosync/journal") == written)
    }

    @Test func `the checksum is zlib's`() {
        #expect(Checksum.of(Array("123456789".utf8)) == 0xCBF4_3926)
        #expect(Checksum.of([]) == 0)
        // Checks the definition bit by bit, for every length and at unaligned offsets.
        let bytes = (0..<700).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 3) }
        var wrong: [Range<Int>] = []
        for start in 0..<20 {
            var remainder: UInt32 = ~0
            for end in start..<bytes.count {
                let middle = start + (end - start) / 3
                let whole = bytes[start..<end].withUnsafeBytes { Checksum.of($0) }
                let first = bytes[start..<middle].withUnsafeBytes { Checksum.of($0) }
                let both = bytes[middle..<end].withUnsafeBytes { Checksum.of($0, behind: first) }
                if whole != ~remainder || both != ~remainder { wrong.append(start..<end) }
                remainder ^= UInt32(bytes[end])
                for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0) }
            }
        }
        #expect(wrong == [])
    }

    // MARK: -

    private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x66).contains(byte | 0x20) }

    private func workingDirectory() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try directory(folder).create(Configuration())
        return folder
    }

    private func directory(_ folder: TemporaryFolder) -> WorkingDirectory {
        WorkingDirectory(root: folder.path, fileSystem: FailingFileSystem())
    }

    private func record(_ record: JournalRecord, in folder: TemporaryFolder) throws {
        let transaction = try directory(folder).begin(
            operation: "o", time: "", command: "", timeout: .seconds(10))
        try transaction.record([record])
        try transaction.end("o", [])
    }

    /// Returns a journal's bytes and the ends of its lines.
    private func journal(of records: [JournalRecord]) throws -> ([UInt8], [Int]) {
        let folder = try TemporaryFolder([:])
        let stateFolder = try StateFolder(root: folder.path, fileSystem: FailingFileSystem())
        let journal = try Journal(in: stateFolder.folder, FailingFileSystem())
        for record in records { try journal.append([record]) }
        let bytes = try #require(folder.read(".todosync/journal")).bytes
        return (bytes, bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 })
    }
}
