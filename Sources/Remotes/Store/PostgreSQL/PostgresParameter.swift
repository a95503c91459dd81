#if PostgreSQL
    internal import CLibPQ

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
