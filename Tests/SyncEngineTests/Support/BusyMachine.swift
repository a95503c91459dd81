import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import TodoModel

extension World {
    /// Makes a machine with pending changes of every kind, and a remote with changes.
    ///
    /// - Parameter note: Called at a time when nothing is pending.
    func busyMachine(noting note: (Machine) throws -> Void = { _ in }) async throws -> Machine {
        var files = ["a", "b", "c", "d", "e"].map { ("\($0).yaml", "id: \($0)\ntext: base-\($0)\n") }
        files += (0..<15).map { ("many/\($0).yaml", "id: many\($0)\ntext: many-\($0)\n") }
        let machines = try await machines(2, Dictionary(uniqueKeysWithValues: files))
        let (here, there) = (machines[0], machines[1])
        // Changes the text and changes it back, so that an earlier base version in the journal equals the
        // file's later text.
        here.edit("e.yaml", "base-e", "pushed")
        try await here.push()
        try note(here)
        try await there.pull()
        there.edit("e.yaml", "pushed", "later")
        try await there.push()
        try await here.pull()
        here.edit("e.yaml", "later", "pushed")
        there.edit("c.yaml", "base-c", "there")
        there.edit("d.yaml", "base-d", "there-d")
        try await there.push()
        here.edit("c.yaml", "base-c", "here")
        try await here.pull()
        here.edit("a.yaml", "base-a", "edited-a")
        here["new.yaml"] = "id: new\ntext: new\n"
        try here.set("b.yaml", "priority", "high")
        return here
    }
}

/// Expects that every edit of the user is in a file, and that what nobody deleted is on the remote.
func expectNothingLost(
    _ machine: Machine, _ expected: [String: String], _ world: World, _ label: String
) async {
    let texts = machine.files.values.joined(separator: "\n")
    for (path, content) in expected {
        for line in content.split(separator: "\n") where line.hasPrefix("text:") {
            #expect(texts.contains(line), "\(label): \(path): \(line)")
        }
    }
    let records = await world.remote.liveRecords()
    for number in 0..<15 {
        #expect(records.contains { $0.id == "many\(number)" }, "\(label): many\(number) was deleted")
    }
    // The other machine's edit and the edit back to an older text still exist.
    for text in ["there", "pushed"] {
        let isThere = records.contains { record in record.fields["text"] == .string(text) }
        #expect(isThere || texts.contains("text: \(text)"), "\(label): \(text)")
    }
}
