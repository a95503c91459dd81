import TodosyncKit

/// Resolves every conflict in the same way, and prints the two sides.
struct Chooser: SyncDelegate {
    let answer: ConflictAnswer

    func resolve(_ conflict: Conflict) async throws -> ConflictAnswer {
        let local = conflict.local?.fields["text"]?.string ?? "(deleted)"
        let remote = conflict.remote?.fields["text"]?.string ?? "(deleted)"
        print("  conflict: \"\(local)\" here, \"\(remote)\" on the remote")
        return answer
    }

    func didComplete(_ report: SyncReport) async {
        print("  \(report.pushed.count) pushed, \(report.resolved.count) resolved, \(report.pending) pending")
    }
}

// Two devices that share a store. With a server's URL in place of the store's folder, they can be anywhere.
let folder = CommandLine.arguments[1]
try Store.create(at: folder + "/store")
let phone = try WorkingDirectory.create(at: folder + "/phone", remote: folder + "/store")
let laptop = try WorkingDirectory.create(at: folder + "/laptop", remote: folder + "/store")

// The phone adds a todo, and pushes it. The laptop pulls it.
let todo = try phone.add("Buy milk", fields: ["due": "2026-12-01", "tags": ["shop"]])
try await phone.push()
try await laptop.pull()

for (name, answer) in [("use local", ConflictAnswer.local), ("use remote", .remote), ("cancel", .cancel)] {
    // Both devices edit the todo offline. The laptop pushes first.
    try phone.set(todo.path, ["text": .string("Buy milk (phone, \(name))")])
    try laptop.set(todo.path, ["text": .string("Buy milk (laptop, \(name))")])
    try await laptop.sync()

    // The remote has a newer version and refuses the phone's change. So the delegate resolves the conflict.
    print("\(name):")
    try await phone.push(delegate: Chooser(answer: answer))
    print("  here now: \"\(try phone.todo(todo.path).text)\"")

    // The cancelled todo is still pending. This time, a value for each field resolves the conflict.
    if case .cancel = answer {
        let both = ConflictAnswer.fields(["text": .value("Buy milk, both of us")])
        try await phone.push(delegate: Chooser(answer: both))
        print("  here now: \"\(try phone.todo(todo.path).text)\"")
    }
    try await laptop.pull()
}
print("on both: \(try laptop.todo(todo.path).text == phone.todo(todo.path).text)")
