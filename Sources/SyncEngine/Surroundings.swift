package import Logging
internal import LosslessYAML
package import TodoModel
package import Values
internal import WorkingCopy

/// The engine's access to the outside world, provided by its caller.
package struct Surroundings: Sendable {
    /// Returns the time as an RFC 3339 string in UTC.
    ///
    /// It is for display and for the due days of recurring todos; nothing else that is sent or written to a
    /// todo depends on it.
    package var now: @Sendable () -> String
    /// The user's time zone, for the due days of recurring todos.
    package var zone = LocalZone.utc
    /// Returns the given number of random bytes.
    package var randomBytes: @Sendable (Int) -> [UInt8]
    /// Opens the remote at a URL.
    package var connect: @Sendable (_ url: String) throws -> any Remote
    /// Prints a line that the user should see in addition to the command's result.
    package var notice: @Sendable (String) -> Void
    /// Waits for an editor that might be about to put a file back.
    package var pause: @Sendable (Duration) async throws -> Void
    /// How long a command waits for another one that writes to the same working directory.
    package var lockTimeout: Duration
    /// The command as the user typed it, for the operation log.
    package var commandLine: String
    /// The environment variables to run git with.
    package var environment: [String: String]
    /// This device's name for other devices, safe to print; nil to send none.
    package let deviceName: String?
    /// Returns whether the command should end as soon as possible, for example after Ctrl-C.
    ///
    /// Asynchronous work is cancelled as well.
    package var isAskedToEnd: @Sendable () -> Bool
    /// Receives progress reports of long work; nil to send none.
    package var progress: Progress.Reporter?
    /// Receives what is decided and why; nil to log nothing.
    package var logger: Logger?
    /// Whether people type the names of todos; names can then also be prefixes of files' names, or words of
    /// texts.
    package var searchesTexts: Bool

    package init(
        now: @escaping @Sendable () -> String,
        randomBytes: @escaping @Sendable (Int) -> [UInt8],
        connect: @escaping @Sendable (_ url: String) throws -> any Remote,
        notice: @escaping @Sendable (String) -> Void,
        pause: @escaping @Sendable (Duration) async throws -> Void,
        lockTimeout: Duration,
        commandLine: String,
        deviceName: String? = nil,
        environment: [String: String] = [:],
        isAskedToEnd: @escaping @Sendable () -> Bool = { false },
        searchesTexts: Bool = false
    ) {
        self.now = now
        self.randomBytes = randomBytes
        self.connect = connect
        self.notice = notice
        self.pause = pause
        self.lockTimeout = lockTimeout
        self.commandLine = commandLine
        self.environment = environment
        self.deviceName = deviceName.flatMap(DeviceName.cleaned)
        self.isAskedToEnd = isAskedToEnd
        self.searchesTexts = searchesTexts
    }

    /// Ends a command that was asked to end, at a point where a later command can continue.
    ///
    /// - Throws: `CancellationError` if the command was asked to end.
    func checkGoesOn() throws {
        if isAskedToEnd() { throw CancellationError() }
    }

    /// Returns a random identifier of 32 lowercase hexadecimal digits.
    func newIdentifier() -> String { randomBytes(16).hexadecimal }

    /// Returns a new todo's id: a random UUID of version 4 (RFC 9562).
    func newTodoID() -> TodoID { TodoID(BinaryUUID(random: randomBytes(16))) }
}

extension Surroundings {
    /// Warns the user about unreadable files, whose edits aren't pending.
    ///
    /// - Parameter errors: See ``Snapshot/unreadableFiles()``.
    func reportUnreadable(_ errors: [FileError]) {
        for error in errors {
            notice("warning: \(error); todosync ignores it")
        }
    }

    /// Prints a notice that no command in a working directory has printed before.
    func noticeOnce(_ line: String, in directory: WorkingDirectory) {
        guard (try? directory.wasReported(line)) != true else { return }
        notice(line)
        // If this can't be recorded, the notice is repeated.
        try? directory.noteReported(line)
    }
}

/// Creates the ids of the operations that a command sends.
///
/// An id has a random prefix and a count, so that the ids of a push are adjacent in a store's index.
struct OperationIDs {
    private let beginning: String
    private var count = 0

    init(_ surroundings: Surroundings) { beginning = String(surroundings.newIdentifier().prefix(24)) }

    mutating func next() -> String {
        count += 1
        return beginning + count.hexadecimal(width: 8)
    }
}
