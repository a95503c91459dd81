internal import Foundation

func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
}

func removeFolder(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

func writeText(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
}

func readText(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
}

/// Returns the path of a program in the environment's `PATH`.
func installedProgram(_ name: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return folders.split(separator: ":").map { $0 + "/" + name }
        .first(where: FileManager.default.isExecutableFile(atPath:))
}

/// Prints progress on standard error, because standard output contains only the tables.
func report(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
}
