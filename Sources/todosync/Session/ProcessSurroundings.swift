internal import CSystemCalls
internal import Logging
internal import Platform
internal import Synchronization

/// The process's only access to the clock, randomness, the environment and the standard streams.
struct ProcessSurroundings: Sendable {
    /// The time as an RFC 3339 string in UTC.
    var now: @Sendable () -> String
    /// The time in milliseconds since 1970-01-01T00:00:00Z.
    var milliseconds: @Sendable () -> Int64
    /// Returns the user's offset from UTC in seconds, at an instant in seconds since 1970-01-01T00:00:00Z.
    var offsetFromUTC: @Sendable (Int) -> Int = systemOffset
    var randomBytes: @Sendable (Int) -> [UInt8]
    /// Returns the value of an environment variable.
    var environment: @Sendable (String) -> String?
    /// Returns the name of this machine; empty if it has no name.
    var hostName: @Sendable () -> String = systemHostName
    /// Returns the absolute path of this program's folder if the program was started by its path; nil if the
    /// shell found it by its name.
    var programFolder: @Sendable () -> String? = { nil }
    /// Returns the absolute path of this program's file; nil if the system doesn't report it.
    var programPath: @Sendable () -> String? = programPathOfThisProcess
    var standardInput = Stream(descriptor: STDIN_FILENO, name: "standard input")
    var standardOutput = Stream(descriptor: STDOUT_FILENO, name: "standard output")
    var standardError = Stream(descriptor: STDERR_FILENO, name: "standard error")
    /// Receives what the command decides and why; nil unless the user wants to see it.
    var logger: Logger?

    /// Returns the surroundings of this process.
    ///
    /// For tests, `TODOSYNC_NOW` replaces the time, and `TODOSYNC_SEED`, a number, makes random values
    /// repeatable for the same arguments.
    static func ofThisProcess(arguments: [String]) -> ProcessSurroundings {
        let environment: @Sendable (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
        let fixedTime = environment("TODOSYNC_NOW")
        let unpredictable: @Sendable (Int) -> [UInt8] = { systemRandomBytes($0) }
        let seed = environment("TODOSYNC_SEED").flatMap { UInt64($0) }.map { mixing(arguments, into: $0) }
        return ProcessSurroundings(
            now: { fixedTime ?? internetTimeNow() },
            milliseconds: millisecondsNow,
            randomBytes: seed.map(repeatingBytes) ?? unpredictable,
            environment: environment,
            programFolder: programFolderOfThisProcess())
    }
}

private let systemOffset: @Sendable (Int) -> Int = { systemOffsetFromUTC(at: $0) }

private let systemHostName: @Sendable () -> String = {
    var buffer = [CChar](repeating: 0, count: 256)
    // The last byte remains zero even if the name is cut.
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Returns a seed that depends on the arguments (Fowler, Noll and Vo's hash, FNV-1a).
private func mixing(_ arguments: [String], into seed: UInt64) -> UInt64 {
    arguments.joined(separator: "\u{0}").utf8.reduce(0xCBF2_9CE4_8422_2325 ^ seed) { hash, byte in
        (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
}

/// Returns a source of bytes that repeats for the same seed.
private func repeatingBytes(seed: UInt64) -> @Sendable (Int) -> [UInt8] {
    let generator = SeededGenerator(seed: seed)
    return { count in (0..<count).map { _ in generator.next() } }
}

/// A repeatable generator (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators").
private final class SeededGenerator: Sendable {
    private let state: Mutex<UInt64>

    init(seed: UInt64) { state = Mutex(seed) }

    func next() -> UInt8 {
        state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return UInt8(truncatingIfNeeded: mixed ^ (mixed >> 31))
        }
    }
}

/// Returns the words that the process was started with, without its own name.
func processArguments() -> [String] { Array(processWords.dropFirst()) }

/// The words that the process was started with.
private let processWords: [String] = {
    // On Linux the runtime finds no arguments if it can't read `/proc/self/maps`.
    guard let first = csystem_words() else { return CommandLine.arguments }
    return sequence(first: first) { $0 + 1 }.lazy.map(\.pointee).prefix { $0 != nil }
        .compactMap { $0.map { String(cString: $0) } }
}()

/// Returns a function that returns the absolute path of this program's folder, or nil if a shell found the
/// program by its name.
///
/// Only the current directory is looked up immediately, because it can change.
private func programFolderOfThisProcess() -> @Sendable () -> String? {
    guard let path = processWords.first, path.utf8.contains(UInt8(ascii: "/")) else {
        return { nil }
    }
    let folder = path.hasPrefix("/") ? "" : (try? currentDirectory()) ?? ""
    return { normalized(folder + "/" + path + "/..") }
}

/// Returns the absolute path of this program's file; nil if the system doesn't report it.
@Sendable func programPathOfThisProcess() -> String? {
    #if os(macOS)
        var size: UInt32 = 0
        _NSGetExecutablePath(nil, &size)
        var buffer = [CChar](repeating: 0, count: Int(size))
        guard size > 0, _NSGetExecutablePath(&buffer, &size) == 0 else { return nil }
        let path = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
        let path = "/proc/self/exe"
    #endif
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
}
