import LosslessYAML
import TodoModel
import Values

@testable import SyncEngine
@testable import WorkingCopy

extension FuzzTarget {
    /// Checks that a journal is read up to its first bad line, and that the records can be written again.
    static func checkJournal(_ bytes: [UInt8]) throws {
        try checkRecords(bytes)
        let lines = linesWithChecksums(bytes)
        try checkRecords(Array(lines.joined()))
        try checkRecords(lines.filter { JournalLines($0).contains { _ in true } }.flatMap(\.self))
    }

    static func hasRecords(_ bytes: [UInt8]) -> Bool {
        ([bytes] + linesWithChecksums(bytes)).contains { JournalLines($0).contains { _ in true } }
    }

    /// Returns the lines with valid checksums, which a fuzzer can't find by chance.
    private static func linesWithChecksums(_ bytes: [UInt8]) -> [[UInt8]] {
        bytes.split(separator: UInt8(ascii: "\n")).map { line in
            let checksum = String(Checksum.of(Array(line)), radix: 16)
            return Array((String(repeating: "0", count: 8 - checksum.utf8.count) + checksum + " ").utf8)
                + line + [UInt8(ascii: "\n")]
        }
    }

    static func isJSON(_ bytes: [UInt8]) -> Bool { (try? JSON.read(bytes)) != nil }

    private static func checkRecords(_ bytes: [UInt8]) throws {
        let contents = Journal.contents(of: bytes)
        try require(contents.goodLength <= contents.length, "the good part is longer than the journal")
        try require(contents.isDamaged == (contents.goodLength < bytes.count), "a bad line is not reported")
        let good = Journal.contents(of: Array(bytes[..<contents.goodLength]))
        try require(
            good.state.todos.all == contents.state.todos.all && !good.isDamaged,
            "the good part alone is read differently")
        var history = History()
        var records: [JournalRecord] = []
        for line in JournalLines(bytes) {
            let written = JournalLines.line(line.record)
            var again = JournalLines(written)
            try require(again.next()?.record == line.record, "written: \(text(written))")
            records.append(line.record)
            history.apply(line.record)
        }
        for id in contents.state.todos.all.keys {
            for index in -1...history.operations.count {
                _ = history.text(of: id, before: index)
                if index < history.operations.count { _ = history.text(of: id, after: index) }
            }
        }
    }

    /// Checks that parsed JSON can be written and parsed again, and that a record becomes a valid todo or
    /// none.
    static func checkJSON(_ bytes: [UInt8]) throws {
        let value: Value
        do throws(JSON.Problem) {
            value = try JSON.read(bytes)
        } catch {
            try require((0...bytes.count).contains(error.offset), "no place: \(error)")
            return
        }
        let written = JSON.write(value)
        let again = try require(try? JSON.read(written), "written: \(text(written))")
        try require(again == value && JSON.write(again) == written, "written: \(text(written))")
        guard case .mapping(var fields) = value else { return }
        var layout: Layout?
        if case .mapping(let property)? = fields["todosync"] {
            layout = Layout(
                path: string(property["path"]), yaml: string(property["yaml"]),
                device: string(property["device"]))
        }
        fields["todosync"] = nil
        let record = RemoteRecord(
            id: string(fields["id"]) ?? "a", version: Version("1"), fields: fields.without("id"),
            layout: layout)
        guard case .usable(let id, .todo(let remote), _) = incomingTodo(record, base: nil, local: nil) else {
            return
        }
        let todo = try require(try? Todo(parsing: remote.bytes), "brought in: \(text(remote.bytes))")
        try require(todo.id == id && CanonicalField.areEqual(todo.fields, record.fields), "other fields")
    }

    private static func string(_ value: Value?) -> String? {
        if case .string(let string)? = value { string } else { nil }
    }
}

extension Mapping {
    fileprivate func without(_ key: String) -> Mapping {
        var mapping = self
        mapping[key] = nil
        return mapping
    }
}
