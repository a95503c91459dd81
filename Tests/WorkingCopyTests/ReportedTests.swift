import Foundation
import TestSupport
import Testing
import WorkingCopy

/// Notes that are shown only once in a folder.
@Suite struct ReportedTests {
    @Test func `a recorded line counts as reported from then on`() throws {
        let folder = try TemporaryFolder()
        let directory = WorkingDirectory(root: folder.path)
        try directory.create(Configuration())
        #expect(try !directory.wasReported("a"))
        try directory.noteReported("a")
        try directory.noteReported("b c")
        try directory.noteReported("a")
        #expect(try directory.wasReported("a") && directory.wasReported("b c"))
        #expect(try !directory.wasReported("b"))
        #expect(folder.read(".todosync/told") == "a\nb c\n")
        #expect(try StateCheck(directory, timeout: .zero).problems() == [])
    }

    @Test func `links and pipes instead of the file are neither followed nor waited for`() throws {
        let folder = try TemporaryFolder(["victim": "keep"])
        let directory = WorkingDirectory(root: folder.path)
        _ = try StateFolder(root: folder.path, making: true)
        let path = folder.path + "/.todosync/told"
        for make in [{ symlink("../victim", path) }, { mkfifo(path, 0o600) }, { mkdir(path, 0o700) }] {
            #expect(make() == 0)
            #expect(throws: FileError.self) { try directory.wasReported("a") }
            #expect(throws: FileError.self) { try directory.noteReported("a") }
            try FileManager.default.removeItem(atPath: path)
        }
        #expect(folder.read("victim") == "keep")
        // This is larger than any recorded content.
        try folder.write(String(repeating: "a", count: 1 << 17), to: ".todosync/told")
        #expect(throws: FileError.self) { try directory.noteReported("a") }
    }
}
