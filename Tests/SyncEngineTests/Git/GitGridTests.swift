import LosslessYAML
import TestSupport
import Testing
import TodoModel

/// Six positions of HEAD × synced there before or not × ten acts × three ways to commit.
///
/// In no cell is a value of somebody else's reverted, a todo deleted that nobody deleted, or a person's act
/// passed over in silence.
@Suite(.ownThreads) struct GitGridTests {
    /// How HEAD gets to where the act happens.
    static let positions: [(name: String, script: String)] = [
        ("home", ""),
        ("a new branch", "git checkout -q -b dev"),
        ("an old branch", "git checkout -q -b old HEAD~1"),
        ("an old commit", "git checkout -q --detach HEAD~1"),
        ("home after a reset", "git reset -q --hard HEAD~1"),
        (
            "a colleague's branch",
            """
            carol git checkout -q -b pr
            carol edit t0 place theirs
            carol git commit -q -a -m c
            carol git push -q origin pr
            git fetch -q
            git checkout -q pr
            """
        ),
    ]

    struct Act: Sendable {
        var name: String
        var script: String
        /// The todo that the act is about.
        var todo: String
        /// The field and value that the act sets; nil for a delete, or if the text shows it.
        var value: (field: String, value: String)?
        var text: String?
        var path: String?
    }

    static let acts = [
        Act(name: "edits a field", script: "edit t2 place p", todo: "t2", value: ("place", "p")),
        Act(
            name: "edits another's field", script: "edit t1 priority low", todo: "t1",
            value: ("priority", "low")),
        Act(
            name: "edits beside another's field", script: "edit t1 place p", todo: "t1", value: ("place", "p")
        ),
        Act(name: "adds a field", script: "edit t2 due 2027-01-01", todo: "t2", value: ("due", "2027-01-01")),
        Act(name: "adds a comment", script: "note t2 my words", todo: "t2", text: "# my words"),
        Act(name: "completes", script: "edit t3 complete true", todo: "t3", value: ("complete", "true")),
        Act(name: "creates a todo", script: "new n", todo: "n", value: ("place", "here")),
        Act(name: "deletes", script: "rm t3", todo: "t3"),
        Act(name: "deletes what another changed", script: "rm t1", todo: "t1"),
        Act(name: "moves a file", script: "move t2 moved.yaml", todo: "t2", path: "moved.yaml"),
    ]

    static let ways: [(name: String, script: String)] = [
        ("not committed", ""), ("committed", "git add -A\ngit commit -q -m act"),
        ("amended", "git add -A\ngit commit -q -m act\ngit commit -q --amend -m act2"),
    ]

    static let cells = positions.indices.flatMap { position in
        acts.indices.map { (position, $0) }
    }

    @Test(arguments: cells) func `a person's act is sent or named, and reverts nothing`(
        _ position: Int, _ act: Int
    ) async throws {
        for (number, way) in Self.ways.enumerated() {
            for isSynced in [false, true] {
                // A short run tries a third of the cells.
                let sum = position + act + number + (isSynced ? 2 : 0)
                guard PropertySeeds.isLongRun || sum.isMultiple(of: 11) else { continue }
                try await Self.check(position, Self.acts[act], way, isSynced)
            }
        }
    }

    private static func check(
        _ position: Int, _ act: Act, _ way: (name: String, script: String), _ isSynced: Bool
    ) async throws {
        let cell = "\(positions[position].name), \(isSynced ? "synced, " : "")\(act.name), \(way.name)"
        let script = try await GitScript()
        do {
            try await script.run(positions[position].script)
            if isSynced { try await script.run("sync") }
            let before = await script.remote()
            try await script.run(act.script + "\n" + way.script + "\nsync")
            let after = await script.remote()
            for (todo, fields) in before {
                guard let new = after[todo] else {
                    if todo != act.todo || act.value != nil || act.text != nil || act.path != nil {
                        throw StoryFailure("\(todo) was deleted")
                    }
                    continue
                }
                for (field, value) in fields.entries where new[field] != value {
                    if todo == act.todo, field == act.value?.field { continue }
                    throw StoryFailure(
                        "\(todo)'s \(field) was \(value) and is \(String(describing: new[field]))")
                }
            }
            if try await !isSent(act, script, after), !script.names(act.todo) {
                throw StoryFailure("the act was passed over")
            }
        } catch {
            Issue.record("\(cell): \(error)\n\(script.log.joined(separator: "\n"))")
        }
    }

    private static func isSent(_ act: Act, _ script: GitScript, _ remote: [String: Mapping]) async throws
        -> Bool
    {
        if let value = act.value {
            switch remote[act.todo]?[value.field] {
            case .string(let text)?: return text == value.value
            case .bool(let bool)?: return "\(bool)" == value.value
            default: return false
            }
        }
        if let text = act.text { return await script.layout(of: act.todo)?.yaml?.contains(text) == true }
        if let path = act.path { return await script.layout(of: act.todo)?.path == path }
        return remote[act.todo] == nil
    }
}
