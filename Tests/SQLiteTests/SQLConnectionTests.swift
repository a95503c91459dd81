import Foundation
import SQLite
import Synchronization
import TestSupport
import Testing

@Suite struct SQLConnectionTests {
    private let folder: TemporaryFolder
    private let path: String
    private let connection: SQLConnection

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "notes.sqlite")
        connection = try SQLConnection(path, for: .creating)
        try connection.useLog()
        try connection.execute(
            """
            CREATE TABLE note (key INTEGER PRIMARY KEY, value UNIQUE);
            CREATE TABLE tag (note INTEGER NOT NULL REFERENCES note, name TEXT) STRICT;
            """)
    }

    private func insert(_ value: SQLParameter, in connection: SQLConnection? = nil) throws {
        try SQLStatement("INSERT INTO note (value) VALUES (?)", in: connection ?? self.connection).run(value)
    }

    private func values(in connection: SQLConnection? = nil) throws -> [String] {
        try SQLStatement("SELECT value FROM note ORDER BY key", in: connection ?? self.connection)
            .all { $0.string(0) }
    }

    private func error(of work: () throws -> Void) -> SQLError? {
        #expect(throws: SQLError.self, performing: work)
    }

    // MARK: - Statements

    private static let everyByte: [UInt8] = Array(0...255)

    @Test(arguments: [
        ("integer", SQLParameter.integer(.min), "-9223372036854775808"),
        ("integer", .integer(.max), "9223372036854775807"), ("real", .real(0.5), "0.5"),
        ("text", .string(""), ""), ("text", .text([]), ""), ("text", .string("a\u{0}ö"), "a\u{0}ö"),
        ("text", .text(Array("ö'\u{0}".utf8)), "ö'\u{0}"), ("null", .null, ""), ("blob", .blob([]), ""),
        ("blob", .blob(Array("a\u{0}".utf8)), "a\u{0}"),
    ])
    func `a value keeps its type and its bytes`(
        _ type: String, _ parameter: SQLParameter, _ text: String
    ) throws {
        try insert(parameter)
        let found = try SQLStatement("SELECT typeof(value), value FROM note", in: connection).first { row in
            #expect(row.bytes(1) == Array(text.utf8))
            #expect(row.withBytes(1) { $0.count } == text.utf8.count)
            #expect(row.isNull(1) == (type == "null"))
            return [row.string(0), row.string(1)]
        }
        #expect(found == [type, text])
    }

    @Test func `a statement returns no, the first or all rows, or those until its caller has enough`() throws
    {
        let statement = try SQLStatement("SELECT value FROM note WHERE value >= ? ORDER BY 1", in: connection)
        #expect(try statement.first(.integer(0)) { $0.integer(0) } == nil)
        for value in 1...5 { try insert(.integer(Int64(value))) }
        #expect(connection.lastInsertedKey == 5 && connection.changeCount == 1)
        #expect(try statement.first(.integer(2)) { $0.integer(0) } == 2)
        #expect(try statement.all(.integer(3)) { $0.integer(0) } == [3, 4, 5])
        var seen: [Int64] = []
        try statement.forEach([.integer(1)]) { row in
            seen.append(row.integer(0))
            return seen.count < 2
        }
        #expect(seen == [1, 2])
        try connection.execute("DELETE FROM note WHERE value > 3")
        #expect(connection.changeCount == 2)
    }

    @Test func `a statement that ended early, or whose caller failed, keeps no lock`() throws {
        struct Failure: Error {}
        for value in 1...3 { try insert(.integer(Int64(value))) }
        let statement = try SQLStatement("SELECT value FROM note", in: connection)
        _ = try statement.first { $0.integer(0) }
        try statement.forEach([]) { _ in false }
        #expect(throws: Failure.self) { try statement.forEach([]) { _ in throw Failure() } }
        #expect(throws: Failure.self) { try statement.first { _ in throw Failure() } }
        // Tables can't be removed while a statement reads them.
        try connection.execute("DROP TABLE tag; DROP TABLE note")
    }

    @Test func `a statement is prepared again if another connection has changed the schema`() throws {
        try insert(.integer(1))
        #expect(try values() == ["1"])
        try SQLConnection(path).execute("ALTER TABLE note ADD COLUMN other")
        try insert(.integer(2))
        #expect(try values() == ["1", "2"])
    }

    @Test func `SQL that isn't valid is an error with SQLite's message`() throws {
        let found = error { _ = try SQLStatement("SELECT other FROM note", in: connection) }
        #expect(found?.code == .error && found?.message == "no such column: other")
        #expect(error { _ = try SQLStatement(uncached: "SELECT", in: connection) }?.code == .error)
        #expect(error { try connection.execute("CREATE TABLE note (a)") }?.code == .error)
        #expect(error { try SQLStatement("SELECT 1", in: connection).run(.null) }?.message != nil)
    }

    // MARK: - Transactions

    @Test func `a transaction is written as a whole, or not at all`() throws {
        struct Failure: Error {}
        let result = try connection.transaction(.writing) {
            try insert(.integer(1))
            try insert(.integer(2))
            return "done"
        }
        #expect(result == "done")
        #expect(throws: Failure.self) {
            try connection.transaction(.writing) {
                try insert(.integer(3))
                throw Failure()
            }
        }
        let duplicate = error {
            try connection.transaction(.writing) {
                try insert(.integer(4))
                try insert(.integer(1))
            }
        }
        #expect(duplicate?.code == .constraint)
        let stray = error {
            try connection.transaction(.writing) {
                try insert(.integer(5))
                try connection.execute("INSERT INTO tag VALUES (77, 'a')")
            }
        }
        #expect(stray?.code == .constraint)
        #expect(try values(in: SQLConnection(path, for: .reading)) == ["1", "2"])
    }

    @Test func `nothing is committed after an error for which SQLite ended the transaction`() throws {
        try connection.execute("PRAGMA max_page_count = 8")
        let large = [UInt8](repeating: 120, count: 100_000)
        let found = error {
            try connection.transaction(.writing) {
                try insert(.integer(1))
                let full = error { try insert(.blob(large)) }
                #expect(full?.code == .full)
                try insert(.integer(2))
            }
        }
        #expect(found != nil)
        #expect(try values().contains("1") == false)
        try connection.execute("PRAGMA max_page_count = 1000000")
        try connection.transaction(.writing) { try insert(.blob(large)) }
    }

    @Test func `a read sees a single state while another connection writes`() throws {
        try insert(.integer(1))
        let reader = try SQLConnection(path, for: .reading)
        try reader.transaction(.reading) {
            #expect(try values(in: reader) == ["1"])
            try insert(.integer(2))
            #expect(try values(in: reader) == ["1"])
        }
        #expect(try values(in: reader) == ["1", "2"])
    }

    // MARK: - Cancellation

    private static let endless = """
        WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number) SELECT count(*) FROM number
        """

    @Test func `a cancelled task ends its statement, and writes nothing`() async throws {
        let path = path
        let (hasBegun, continuation) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            // The statement would block one of the tests' threads.
            try await SQLSession { try SQLConnection(path) }.run { connection in
                let found = #expect(throws: SQLError.self) {
                    try connection.transaction(.writing) {
                        try connection.execute("INSERT INTO note (value) VALUES (1)")
                        continuation.finish()
                        try SQLStatement(Self.endless, in: connection).run()
                    }
                }
                #expect(found?.code == .interrupted)
                // Short statements still run, so a caller can clean up.
                try connection.execute("INSERT INTO note (value) VALUES (2)")
                #expect(throws: CancellationError.self) {
                    try connection.transaction(.writing) {
                        try connection.execute("INSERT INTO note (value) VALUES (3)")
                    }
                }
            }
        }
        for await _ in hasBegun {}
        task.cancel()
        try await task.value
        #expect(try values() == ["2"])
    }

    // MARK: - Locks

    @Test func `a locked database is an error, at once or after its retries`() throws {
        let other = try SQLConnection(path)
        try connection.transaction(.writing) {
            #expect(error { try insert(.integer(1), in: other) }?.code == .busy)
            let tries = Mutex<[Int]>([])
            other.retryLock { number in
                tries.withLock { $0.append(number) }
                return number < 3
            }
            #expect(error { try insert(.integer(1), in: other) }?.code == .busy)
            #expect(tries.withLock { $0 } == [0, 1, 2, 3])
            other.retryLock(seconds: 0.01)
            #expect(error { try insert(.integer(1), in: other) }?.code == .busy)
            // A reader doesn't wait.
            let found = try values(in: other)
            #expect(found == [])
        }
        try insert(.integer(1), in: other)
    }

    @Test func `a write that waited for a lock is done`() async throws {
        let path = path
        let (isLocked, continuation) = AsyncStream.makeStream(of: Void.self)
        try connection.execute("BEGIN IMMEDIATE; INSERT INTO note (value) VALUES (1)")
        // The wait would block one of the tests' threads.
        async let write: Void = SQLSession { try SQLConnection(path) }.run { other in
            other.retryLock { number in
                if number == 5 { continuation.finish() }
                return true
            }
            try SQLStatement("INSERT INTO note (value) VALUES (2)", in: other).run()
        }
        for await _ in isLocked {}
        try connection.execute("COMMIT")
        try await write
        #expect(try values() == ["1", "2"])
    }

    // MARK: - Files

    @Test func `an error of a file names its kind`() throws {
        #expect(error { _ = try SQLConnection(folder.path(of: "none")) }?.code == .cannotOpen)
        #expect(!FileManager.default.fileExists(atPath: folder.path(of: "none")))
        try folder.write(String(repeating: "not a database ", count: 100), to: "text")
        let text = try SQLConnection(folder.path(of: "text"))
        let found = error { _ = try SQLStatement("SELECT * FROM sqlite_schema", in: text).first { _ in } }
        #expect(found?.code == .notADatabase && found?.message == "file is not a database")
        let reader = try SQLConnection(path, for: .reading)
        #expect(error { try insert(.null, in: reader) }?.code == .readOnly)
        // With a write-ahead log, SQLite doesn't look.
        let plain = folder.path(of: "plain.sqlite")
        let open = try SQLConnection(plain, for: .creating)
        try open.execute("CREATE TABLE a (b)")
        try FileManager.default.moveItem(atPath: plain, toPath: plain + ".old")
        let moved = error { try open.execute("INSERT INTO a VALUES (1)") }
        #expect(moved?.extendedCode == .moved && moved?.code == .readOnly)
    }

    @Test(arguments: [true, false])
    func `the log stays or goes when the last connection is closed`(keeps: Bool) throws {
        let other = folder.path(of: "other.sqlite")
        do {
            let connection = try SQLConnection(other, for: .creating)
            try connection.useLog()
            connection.keepLog(keeps)
            try connection.execute("CREATE TABLE a (b)")
            #expect(FileManager.default.fileExists(atPath: other + "-wal"))
        }
        #expect(FileManager.default.fileExists(atPath: other + "-wal") == keeps)
    }

    @Test func `a URI opens a database without locks`() throws {
        try insert(.integer(1))
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        try connection.execute("BEGIN EXCLUSIVE")
        #expect(try values(in: SQLConnection("file:\(path)?immutable=1", for: .reading)) == ["1"])
    }

    @Test func `a backup has the state of a single moment, and a log of its own`() throws {
        for value in 1...3 { try insert(.integer(Int64(value))) }
        let writer = try SQLConnection(path)
        try writer.execute("BEGIN IMMEDIATE; DELETE FROM note")
        let target = folder.path(of: "copy.sqlite")
        try connection.backUp(to: target)
        try writer.execute("COMMIT")
        let copy = try SQLConnection(target, for: .reading)
        #expect(try values(in: copy) == ["1", "2", "3"])
        #expect(try SQLStatement("PRAGMA journal_mode", in: copy).first { $0.string(0) } == "wal")
        #expect(try SQLStatement("PRAGMA integrity_check", in: copy).all { $0.string(0) } == ["ok"])
        #expect(try values() == [])
        #expect(error { try connection.backUp(to: target) }?.code == .error)
        #expect(try values(in: copy) == ["1", "2", "3"])
    }
}
