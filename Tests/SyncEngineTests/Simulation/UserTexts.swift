import Foundation
import Synchronization

/// The texts that users wrote and haven't knowingly removed; each is a number between two marks.
final class UserTexts: Sendable {
    private struct Content {
        var count = 0
        var live: Set<Int> = []
        /// The texts that a user replaced.
        var replaced: Set<Int> = []
        /// The texts that may come back anyway.
        var unclear: Set<Int> = []
    }

    private let content = Mutex(Content())
    private static let mark = UInt8(ascii: "Q")

    /// The texts that must exist somewhere.
    var live: Set<Int> { content.withLock(\.live) }

    /// Returns a text that nobody wrote before; it counts once ``wrote(_:over:)`` notes it in a file.
    func new() -> String {
        let number = content.withLock { content in
            content.count += 1
            return content.count
        }
        return "Q\(number)Q"
    }

    /// Notes that somebody replaced a content with a new one.
    func wrote(_ new: [UInt8], over old: [UInt8]) {
        let (written, replaced) = (Self.all(in: new), Self.all(in: old))
        content.withLock { content in
            content.live.subtract(replaced.subtracting(written))
            content.live.formUnion(written.subtracting(replaced))
            // A deleted file can come back with its former texts if somebody else has edited it.
            if !new.isEmpty { content.replaced.formUnion(replaced.subtracting(written)) }
            content.replaced.subtract(written.subtracting(replaced))
        }
    }

    /// Notes that a command replaced texts.
    func replaced(_ texts: Set<Int>) { content.withLock { $0.replaced.formUnion(texts) } }

    /// Notes that some texts may exist more than once, or come back.
    func allowReturn(of texts: Set<Int>) { content.withLock { $0.unclear.formUnion(texts) } }

    /// Returns the texts that users had replaced and that may not come back.
    func revived(_ texts: Set<Int>) -> Set<Int> {
        content.withLock { texts.intersection($0.replaced).subtracting($0.unclear) }
    }

    /// Notes that nobody can expect some texts any more.
    func giveUp(_ texts: Set<Int>) { content.withLock { $0.live.subtract(texts) } }

    /// Returns the texts in some bytes.
    static func all(in bytes: [UInt8]) -> Set<Int> {
        var found: Set<Int> = []
        bytes.withUnsafeBytes { buffer in
            var start = 0
            while start < buffer.count, let base = buffer.baseAddress,
                let match = memchr(base + start, Int32(mark), buffer.count - start)
            {
                var next = UnsafeRawPointer(match) - base + 1
                var number = 0
                while next < buffer.count, case let digit = Int(buffer[next]) - 48, (0...9).contains(digit) {
                    number = number * 10 + digit
                    next += 1
                }
                if next < buffer.count, buffer[next] == mark, number > 0 {
                    found.insert(number)
                    next += 1
                }
                start = next
            }
        }
        return found
    }
}
