package import TodoModel
internal import Values
internal import WorkingCopy

/// What the engine needs of the world outside, passed in by whoever runs it.
package struct Surroundings: Sendable {
    /// The time as an RFC 3339 string in UTC; for people to read only, nothing is decided by it.
    package var now: @Sendable () -> String
    /// Returns that many random bytes.
    package var randomBytes: @Sendable (Int) -> [UInt8]
    /// Opens the remote that a URL leads to.
    package var connect: @Sendable (_ url: String) throws -> any Remote
    /// Takes a line that the user should see besides the command's result.
    package var notice: @Sendable (String) -> Void
    /// Waits, for an editor that may be about to put a file back.
    package var pause: @Sendable (Duration) async throws -> Void
    /// How long a command waits while another one writes in the same working directory.
    package var lockTimeout: Duration
    /// The command as the user typed it, for the operation log.
    package var commandLine: String
    /// The name by which other devices know this one, fit to be shown; nil if they are not to know it.
    package let deviceName: String?
    /// Whether the command is to end as soon as it can, as after Ctrl-C; asynchronous work is cancelled
    /// besides.
    package var isAskedToEnd: @Sendable () -> Bool

    package init(
        now: @escaping @Sendable () -> String,
        randomBytes: @escaping @Sendable (Int) -> [UInt8],
        connect: @escaping @Sendable (_ url: String) throws -> any Remote,
        notice: @escaping @Sendable (String) -> Void,
        pause: @escaping @Sendable (Duration) async throws -> Void,
        lockTimeout: Duration,
        commandLine: String,
        deviceName: String? = nil,
        isAskedToEnd: @escaping @Sendable () -> Bool = { false }
    ) {
        self.now = now
        self.randomBytes = randomBytes
        self.connect = connect
        self.notice = notice
        self.pause = pause
        self.lockTimeout = lockTimeout
        self.commandLine = commandLine
        self.deviceName = deviceName.flatMap(DeviceName.cleaned)
        self.isAskedToEnd = isAskedToEnd
    }

    /// Stops a command that is to end, where it can be continued later.
    ///
    /// - Throws: `CancellationError`.
    func checkGoesOn() throws {
        if isAskedToEnd() { throw CancellationError() }
    }

    /// Returns a random identifier of 32 lower-case hexadecimal digits.
    func newIdentifier() -> String { randomBytes(16).hexadecimal }

    /// Returns a random UUID (version 4).
    func newTodoID() -> TodoID { TodoID(BinaryUUID(random: randomBytes(16))) }
}

extension Surroundings {
    /// Tells the user of todos whose files can't be read: what was edited there is not pending.
    ///
    /// - Parameter errors: see ``Folder/unreadablePlaces(_:)``.
    func tellUnreadable(_ errors: [FileError]) {
        for error in errors {
            notice("warning: \(error); it is left alone")
        }
    }
}

/// The ids of the operations that one command sends.
///
/// They are a random beginning and a count: in a store, which has them in an index, those of a push lie side
/// by side.
struct OperationIDs {
    private let beginning: String
    private var count = 0

    init(_ surroundings: Surroundings) { beginning = String(surroundings.newIdentifier().prefix(24)) }

    mutating func next() -> String {
        count += 1
        let digits = String(count, radix: 16)
        return beginning + String(repeating: "0", count: max(0, 8 - digits.utf8.count)) + digits
    }
}
