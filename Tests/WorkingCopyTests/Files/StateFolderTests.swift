import Foundation
import TestSupport
import Testing
import WorkingCopy

@Suite struct StateFolderTests {
    @Test func `a file is replaced as a whole and read back`() throws {
        let folder = try TemporaryFolder()
        let state = try StateFolder(root: folder.path, making: true)
        #expect(try state.read("config.yaml", limit: 100) == nil)
        try state.replaceWhole("config.yaml", with: "a: 1\n".bytes)
        try folder.setPermissions(0o600, of: ".todosync/config.yaml")
        try state.replaceWhole("config.yaml", with: "a: 2\n".bytes)
        #expect(try folder.permissions(of: ".todosync/config.yaml") == 0o600)
        #expect(try state.read("config.yaml", limit: 100) == "a: 2\n".bytes)
        #expect(folder.contents() == [".todosync/config.yaml": "a: 2\n"])
        let error = #expect(throws: FileError.self) { try state.read("config.yaml", limit: 4) }
        #expect(error?.path == ".todosync/config.yaml")
        #expect(error?.limit == 4)
    }

    @Test func `whichever call fails, the file has the old or the new content`() throws {
        let folder = try TemporaryFolder([".todosync/config.yaml": "old"])
        var number = 0
        while true {
            number += 1
            try folder.write("old", to: ".todosync/config.yaml")
            let failing = FailingFileSystem(failingAt: number, code: ENOSPC)
            let isDone =
                (try? StateFolder(root: folder.path, fileSystem: failing).replaceWhole(
                    "config.yaml", with: "new".bytes)) != nil
            let content = folder.read(".todosync/config.yaml")
            #expect(content == "new" || !isDone && content == "old", "call \(number)")
            if failing.calls < number { break }
        }
        #expect(number > 5)
    }

    @Test func `a temporary file that a crash left is harmless`() throws {
        let folder = try TemporaryFolder([".todosync/config.yaml.new": "half"])
        try StateFolder(root: folder.path).replaceWhole("config.yaml", with: "whole".bytes)
        #expect(folder.contents() == [".todosync/config.yaml": "whole"])
    }

    @Test func `an error names the action, the file and the reason`() {
        #expect(
            FileError(.read, "a.yaml", code: EACCES).description == "can't read a.yaml: permission denied")
        #expect(
            FileError(.makeFolder, "x", code: EIO).description
                == "can't create the folder x: input/output error")
        #expect(FileError(.write, "x", code: ENOSPC).isOutOfSpace)
    }
}
