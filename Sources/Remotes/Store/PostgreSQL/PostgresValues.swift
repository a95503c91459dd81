#if PostgreSQL
    internal import CLibPQ

    /// The rows that a command returned, in binary form.
    final class PostgresResult {
        private let pointer: OpaquePointer

        /// Takes ownership of a result without checking whether the command failed.
        init(unchecked pointer: OpaquePointer) { self.pointer = pointer }

        /// Takes ownership of the result of a command.
        ///
        /// - Throws: ``PostgresError`` if the command failed.
        convenience init(_ pointer: OpaquePointer, on connection: OpaquePointer) throws {
            self.init(unchecked: pointer)
            try check(on: connection)
        }

        deinit { PQclear(pointer) }

        /// Calls `body` with libpq's result, which is valid only during the call.
        func withPointer<Value>(_ body: (OpaquePointer) throws -> Value) rethrows -> Value {
            try withExtendedLifetime(self) { try body(pointer) }
        }

        var status: ExecStatusType { withPointer { PQresultStatus($0) } }

        func check(on connection: OpaquePointer) throws {
            switch status {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK: break
            case PGRES_PIPELINE_ABORTED: throw PostgresError.aborted
            default: throw withPointer { PostgresError($0, on: connection) }
            }
        }

        /// The number of rows that the command changed.
        var changedCount: Int { withPointer { Int(String(cString: PQcmdTuples($0))) } ?? 0 }
    }

    extension PostgresResult: RandomAccessCollection {
        var startIndex: Int { 0 }
        var endIndex: Int { withPointer { Int(PQntuples($0)) } }

        subscript(index: Int) -> PostgresRow { PostgresRow(result: self, index: CInt(index)) }
    }

    /// A row of a result.
    struct PostgresRow {
        let result: PostgresResult
        let index: CInt

        func isNull(_ column: Int32) -> Bool { result.withPointer { PQgetisnull($0, index, column) == 1 } }

        /// Returns an integer, or 1 for true and 0 for false.
        func integer(_ column: Int32) -> Int64 {
            withBytes(column) { bytes in
                var value: Int64 = bytes.first.map { $0 < 0x80 || bytes.count == 1 } ?? true ? 0 : -1
                for byte in bytes { value = value << 8 | Int64(byte) }
                return value
            }
        }

        func bool(_ column: Int32) -> Bool { integer(column) != 0 }
        func bytes(_ column: Int32) -> [UInt8] { withBytes(column) { Array($0) } }
        func string(_ column: Int32) -> String { withBytes(column) { String(decoding: $0, as: UTF8.self) } }

        /// Calls `body` with a value's bytes, which are valid only during the call.
        func withBytes<Result>(_ column: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
            result.withPointer { pointer in
                let count = Int(PQgetlength(pointer, index, column))
                guard let start = PQgetvalue(pointer, index, column) else {
                    return body(UnsafeBufferPointer(start: nil, count: 0))
                }
                return start.withMemoryRebound(to: UInt8.self, capacity: count) {
                    body(UnsafeBufferPointer(start: $0, count: count))
                }
            }
        }
    }

    extension PostgresRow: RecordColumns {
        func integer(_ column: RecordColumn) -> Int64 { integer(column.rawValue) }

        func isNull(_ column: RecordColumn) -> Bool { isNull(column.rawValue) }

        func withBytes<Result>(_ column: RecordColumn, _ body: (UnsafeBufferPointer<UInt8>) -> Result)
            -> Result
        {
            withBytes(column.rawValue, body)
        }
    }

    /// A value for a statement, in PostgreSQL's binary form.
    struct PostgresParameter {
        /// The object identifier of the value's type, from PostgreSQL's table `pg_type`.
        let type: Oid
        /// The value; nil for null.
        let bytes: [UInt8]?

        static func integer(_ value: Int64) -> PostgresParameter {
            PostgresParameter(type: Kind.integer.rawValue, bytes: value.bigEndianBytes)
        }

        static func bytes(_ value: [UInt8]?) -> PostgresParameter {
            PostgresParameter(type: Kind.bytes.rawValue, bytes: value)
        }

        static func text(_ value: String?) -> PostgresParameter {
            PostgresParameter(type: Kind.text.rawValue, bytes: value.map { Array($0.utf8) })
        }

        static func integers(_ values: [Int64]) -> PostgresParameter {
            PostgresParameter(arrayOf: .integer, values.map(\.bigEndianBytes))
        }

        static func booleans(_ values: [Bool]) -> PostgresParameter {
            PostgresParameter(arrayOf: .boolean, values.map { [$0 ? 1 : 0] })
        }

        static func byteStrings(_ values: [[UInt8]?]) -> PostgresParameter {
            PostgresParameter(arrayOf: .bytes, values)
        }

        static func texts(_ values: [[UInt8]?]) -> PostgresParameter {
            PostgresParameter(arrayOf: .text, values)
        }

        private enum Kind: Oid {
            case boolean = 16
            case bytes = 17
            case integer = 20
            case text = 25

            var arrayType: Oid {
                switch self {
                case .boolean: 1000
                case .bytes: 1001
                case .integer: 1016
                case .text: 1009
                }
            }
        }

        private init(type: Oid, bytes: [UInt8]?) {
            self.type = type
            self.bytes = bytes
        }

        /// Creates an array, in the form that `array_recv` in PostgreSQL's `arrayfuncs.c` reads.
        private init(arrayOf type: Kind, _ values: [[UInt8]?]) {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(values.reduce(20) { $0 + 4 + ($1?.count ?? 0) })
            func append(_ number: Int) { bytes += Int32(number).bigEndianBytes }
            // The number of dimensions, the presence of nulls, and the type; then the size and the first
            // index.
            append(values.isEmpty ? 0 : 1)
            append(values.contains { $0 == nil } ? 1 : 0)
            append(Int(type.rawValue))
            if !values.isEmpty {
                append(values.count)
                append(1)
            }
            for value in values {
                append(value?.count ?? -1)
                if let value { bytes += value }
            }
            self.init(type: type.arrayType, bytes: bytes)
        }
    }

    extension FixedWidthInteger {
        fileprivate var bigEndianBytes: [UInt8] {
            (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> (Self.bitWidth - 8 - 8 * $0)) }
        }
    }
#endif
