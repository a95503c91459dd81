import Foundation

/// A folder for one test, removed with its last reference.
final class ThrowAwayFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "todosync-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        // The path as the program sees it, without symbolic links.
        path = url.resolvingSymlinksInPath().path
    }

    /// Creates a folder that is the home of a user whose configuration names the device.
    convenience init(device: String) throws {
        try self.init()
        let settings = path + "/.config/todosync"
        try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
        try write("device:\n  name: \(device)\n", to: ".config/todosync/config.yaml")
    }

    var name: String { URL(fileURLWithPath: path).lastPathComponent }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws {
        try text.write(toFile: path + "/" + name, atomically: false, encoding: .utf8)
    }

    func read(_ name: String) throws -> String {
        try String(contentsOfFile: path + "/" + name, encoding: .utf8)
    }
}
