/// Reads and writes JSON (RFC 8259) without losing a digit, and with bounds on what it takes.
public enum JSON {
    /// Why a text is no JSON, and at which byte.
    public struct Problem: Error, Sendable, Hashable {
        public let message: String
        public let offset: Int
    }
}
