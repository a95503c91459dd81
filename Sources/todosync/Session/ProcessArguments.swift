internal import CSystemCalls
internal import Platform

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
func programFolderOfThisProcess() -> @Sendable () -> String? {
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
