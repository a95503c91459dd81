import Foundation
import LosslessYAML
import TestSupport
import Testing

@testable import SyncEngine

/// Todos' files with several names.
@Suite struct HardLinkTests {
    @Test func `status lists a todo's file that has another name, which a change leaves as it is`()
        async throws
    {
        let machine = try World().machine(["a.yaml": "id: a\ntext: A\n", "other.yaml": "size: 1\n"])
        for (path, name) in [("a.yaml", "a.txt"), ("other.yaml", "other.txt")] {
            try FileManager.default.linkItem(
                atPath: machine.folder.path(of: path), toPath: machine.folder.path(of: name))
        }
        #expect(try machine.status.hardLinks == ["a.yaml"])
        try await machine.sync()
        #expect(try machine.status.hardLinks == ["a.yaml"] && machine.isClean)
        _ = try machine.workspace.change(["a"], set: [("priority", .string("high"))], unset: [])
        #expect(machine["a.txt"] == "id: a\ntext: A\n")
        #expect(try machine.status.hardLinks.isEmpty)
    }
}
