internal import GRDB
internal import GRDBSQLite
internal import TodoModel

/// What SQLite cannot do by itself and queries need: letters beyond ASCII without regard to case, times, and
/// arithmetic.
///
/// The functions are registered with SQLite directly, so that a text with a zero byte is not cut off.
enum SQLFunctions {
    /// A collation that compares texts by their ``CollatedText``.
    static let caseInsensitive = "todosync_case_insensitive"
    static let lower = "todosync_lower"
    static let upper = "todosync_upper"
    /// Whether a text (first) ends with another one (second), in their bytes.
    static let endsWith = "todosync_ends_with"
    /// The ``InstantText`` of a text or of a number of milliseconds, null for what is no time.
    static let instant = "todosync_instant"
    /// A part of an ``InstantText``, by the number of a ``InstantText/CalendarPart``.
    static let calendarPart = "todosync_calendar_part"
    /// The remainder of a division, with the dividend's sign; null for one by zero.
    static let remainder = "todosync_remainder"
    static let floor = "todosync_floor"
    static let ceiling = "todosync_ceiling"
    /// The nearest integer; a half away from zero.
    static let round = "todosync_round"
    /// The text of a ``RecordVersion``.
    static let version = "todosync_version"

    static func register(in database: Database) throws {
        guard let connection = database.sqliteConnection else { return }
        sqlite3_create_collation_v2(connection, caseInsensitive, SQLITE_UTF8, nil, compare, nil)
        let functions: [(String, CInt, SQLFunction)] = [
            (lower, 1, { context, _, arguments in context.give(arguments.text(0)?.lowercased()) }),
            (upper, 1, { context, _, arguments in context.give(arguments.text(0)?.uppercased()) }),
            (
                endsWith, 2,
                { context, _, arguments in
                    guard let text = arguments.text(0), let end = arguments.text(1) else {
                        return sqlite3_result_null(context)
                    }
                    let isEnd = text.utf8.reversed().starts(with: end.utf8.reversed())
                    sqlite3_result_int(context, isEnd ? 1 : 0)
                }
            ),
            (
                instant, 1,
                { context, _, arguments in
                    if let milliseconds = arguments.integer(0) {
                        context.give(InstantText(milliseconds: milliseconds).string)
                    } else {
                        context.give(arguments.text(0).flatMap(InstantText.init)?.string)
                    }
                }
            ),
            (
                calendarPart, 2,
                { context, _, arguments in
                    guard let text = arguments.text(0),
                        let part = arguments.integer(1).flatMap({
                            InstantText.CalendarPart(rawValue: Int($0))
                        }),
                        let value = InstantText.part(part, of: text)
                    else { return sqlite3_result_null(context) }
                    sqlite3_result_int64(context, Int64(value))
                }
            ),
            (remainder, 2, { context, _, arguments in context.giveRemainder(arguments) }),
            (floor, 1, { context, _, arguments in context.give(arguments, rounded: .down) }),
            (ceiling, 1, { context, _, arguments in context.give(arguments, rounded: .up) }),
            (
                round, 1,
                { context, _, arguments in context.give(arguments, rounded: .toNearestOrAwayFromZero) }
            ),
            (
                version, 1,
                { context, _, arguments in
                    context.give(arguments.integer(0).map { RecordVersion(bits: $0).version.string })
                }
            ),
        ]
        for (name, count, function) in functions {
            sqlite3_create_function_v2(
                connection, name, count, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil, function, nil, nil, nil)
        }
    }

    private typealias SQLFunction =
        @convention(c) (OpaquePointer?, CInt, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    private static let compare:
        @convention(c) (
            UnsafeMutableRawPointer?, CInt, UnsafeRawPointer?, CInt, UnsafeRawPointer?
        ) -> CInt = { _, leftCount, left, rightCount, right in
            let left = UnsafeRawBufferPointer(start: left, count: Int(leftCount))
            let right = UnsafeRawBufferPointer(start: right, count: Int(rightCount))
            return compareIgnoringCase(left, right)
        }

    /// Returns a negative number, zero or a positive one for two texts in or out of their order.
    private static func compareIgnoringCase(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> CInt {
        for index in 0..<min(left.count, right.count) {
            let (first, second) = (left[index], right[index])
            // From here on letters beyond ASCII have a say; they need not be as long in lower case.
            guard first < 0x80, second < 0x80 else {
                return CollatedText(left[index...]).order(CollatedText(right[index...]))
            }
            let difference = CInt(first.lowercasedASCII) - CInt(second.lowercasedASCII)
            if difference != 0 { return difference }
        }
        return left.count < right.count ? -1 : left.count > right.count ? 1 : 0
    }
}

extension UInt8 {
    fileprivate var lowercasedASCII: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}

// MARK: - Arguments and results

extension UnsafeMutablePointer<OpaquePointer?>? {
    /// A text, nil for what is none.
    fileprivate func text(_ index: Int) -> String? {
        guard let value = self?[index], sqlite3_value_type(value) == SQLITE_TEXT else { return nil }
        let start = sqlite3_value_text(value)
        let count = Int(sqlite3_value_bytes(value))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// An integer, nil for what is none.
    fileprivate func integer(_ index: Int) -> Int64? {
        guard let value = self?[index], sqlite3_value_type(value) == SQLITE_INTEGER else { return nil }
        return sqlite3_value_int64(value)
    }

    /// A number, nil for what is none.
    fileprivate func number(_ index: Int) -> Double? {
        guard let value = self?[index] else { return nil }
        let type = sqlite3_value_type(value)
        return type == SQLITE_FLOAT || type == SQLITE_INTEGER ? sqlite3_value_double(value) : nil
    }
}

extension OpaquePointer? {
    fileprivate func give(_ text: String?) {
        guard var text else { return sqlite3_result_null(self) }
        // SQLite copies the text.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        text.withUTF8 { bytes in
            guard !bytes.isEmpty else { return sqlite3_result_text(self, "", 0, copied) }
            bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_result_text64(self, $0.baseAddress, UInt64($0.count), copied, UInt8(SQLITE_UTF8))
            }
        }
    }

    fileprivate func give(
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?, rounded rule: FloatingPointRoundingRule
    ) {
        if let integer = arguments.integer(0) {
            sqlite3_result_int64(self, integer)
        } else if let number = arguments.number(0) {
            sqlite3_result_double(self, number.rounded(rule))
        } else {
            sqlite3_result_null(self)
        }
    }

    fileprivate func giveRemainder(_ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        if let left = arguments.integer(0), let right = arguments.integer(1) {
            // -1 divides everything, also the integer whose quotient overflows.
            if right == 0 { return sqlite3_result_null(self) }
            sqlite3_result_int64(self, right == -1 ? 0 : left % right)
        } else if let left = arguments.number(0), let right = arguments.number(1) {
            // What is no number is null to SQLite.
            sqlite3_result_double(self, left.truncatingRemainder(dividingBy: right))
        } else {
            sqlite3_result_null(self)
        }
    }
}
