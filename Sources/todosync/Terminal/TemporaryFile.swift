internal import Platform

/// A new file in the temporary folder that only the user can read.
struct TemporaryFile {
    let path: String

    /// Creates the file.
    ///
    /// - Parameter label: A word in the file's name that describes it to people.
    init(_ content: [UInt8], label: String = "", environment: (String) -> String?) throws {
        let folder = environment("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        let suffix = label + ".yaml"
        var template = Array("\(folder)/todosync-XXXXXX\(suffix)".utf8CString)
        let descriptor = mkstemps(&template, Int32(suffix.utf8.count))
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard descriptor >= 0 else {
            throw Failure(.cannotCreate, "can't create a file in \(visible(folder))", code: errno)
        }
        defer { close(descriptor) }
        try Stream(descriptor: descriptor, name: visible(path)).write(content)
    }

    /// Returns the file's current bytes.
    func read() throws -> [UInt8] { try readFile(path) }

    func remove() { unlink(path) }
}
