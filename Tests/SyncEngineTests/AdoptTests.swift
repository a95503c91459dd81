import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// Copies that other tools made, merged into their todos.
@Suite(.serialized) struct AdoptTests {
    private static let first = "milk.sync-conflict-20261122-101112-ABCDEFG.yaml"
    private static let second = "milk.sync-conflict-20261123-101112-ABCDEFG.yaml"
    private static let base = "id: milk\ntext: Milk\ndue: 2026-12-01\ntags: [shop]\n"

    /// Returns a machine whose todo was synced, and then edited.
    private static func machine(_ local: String = base) async throws -> Machine {
        let machine = try await World().machines(1, ["milk.yaml": base])[0]
        machine["milk.yaml"] = local
        return machine
    }

    @Test(arguments: CopyNameTests.certain + CopyNameTests.uncertain)
    func `a copy of any scheme is merged and removed, and an undo restores it`(_ name: String) async throws {
        let machine = try await Self.machine("id: milk\ntext: Milk\ndue: 2026-12-01\ntags: [shop, today]\n")
        let copy = "id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop, kitchen]\n"
        machine[name] = copy
        let before = machine.files
        let report = try machine.workspace.adopt([])
        #expect(report.adopted.map(\.outcome) == [.merged] && report.unresolved.isEmpty)
        #expect(report.adopted[0].fields == ["text", "tags"])
        #expect(
            machine.files == [
                "milk.yaml": "id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop, today, kitchen]\n"
            ])
        #expect(try machine.status.pendingLines == ["update milk.yaml: text tags"])
        let operation = try machine.workspace.log(nil)[0].operation
        #expect(try machine.workspace.pastText(name, "\(operation)^") == copy)
        _ = try machine.workspace.undo(nil)
        #expect(machine.files == before)
        // A copy whose merge was undone is merged again.
        _ = try machine.workspace.adopt([])
        #expect(machine["milk.yaml"]?.contains("Oat milk") == true && machine.files.count == 1)
    }

    @Test func `a label leaves out line breaks in the copy's name`() async throws {
        let world = World()
        let path = "mi\u{2028}lk.yaml"
        let machine = try world.machine([path: Self.base], device: "laptop", hasPlainLabels: false)
        try await machine.push()
        machine.edit(path, "Milk", "Oat milk")
        machine["mi\u{2028}lk.sync-conflict-20261122-101112-ABCDEFG.yaml"] =
            "id: milk\ntext: Soy milk\ndue: 2026-12-01\ntags: [shop]\n"
        #expect(try machine.workspace.adopt([]).adopted.map(\.outcome) == [.conflict])
        #expect(machine[path]?.contains(">>>>>>> remote (\(Self.first))\n") == true)
    }

    @Test func `a redo restores a todo that was adopted from its last copy`() async throws {
        let machine = try await Self.machine()
        machine["milk.yaml"] = nil
        machine[Self.first] = "id: milk\ntext: Oat milk\ntags: [shop]\n"
        let copied = machine.files
        _ = try machine.workspace.adopt([])
        let adopted = machine.files
        _ = try machine.workspace.undo(nil)
        #expect(machine.files == copied)
        #expect(try machine.workspace.redo().refused.isEmpty)
        #expect(machine.files == adopted)
        #expect(try await machine.sync().pushedLines == ["update milk.yaml"])
    }

    @Test func `a redo keeps a copy whose todo can't be changed again`() async throws {
        let machine = try await Self.machine()
        machine[Self.first] = "id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop]\n"
        _ = try machine.workspace.adopt([])
        _ = try machine.workspace.undo(nil)
        machine["milk.yaml"] = "id: milk\ntext: Rice milk\ndue: 2026-12-01\ntags: [shop]\n"
        let before = machine.files
        #expect(try Set(machine.workspace.redo().refused.map(\.path)) == ["milk.yaml", Self.first])
        #expect(machine.files == before)
    }

    @Test(arguments: [true, false])
    func `the folder is restored with its copies`(isGone: Bool) async throws {
        let machine = try await Self.machine()
        if isGone { machine["milk.yaml"] = nil }
        machine[Self.first] = "id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop]\n"
        let before = machine.files
        _ = try machine.workspace.adopt([])
        let operation = try machine.workspace.log(nil)[0].operation
        #expect(try machine.workspace.restoreAll(before: operation).refused.isEmpty)
        #expect(machine.files == before)
        #expect(try await machine.sync().pushed.isEmpty)
        #expect(try machine.workspace.restoreAll(before: operation).undone.isEmpty)
    }

    @Test(arguments: [true, false])
    func `several copies are merged in either order, at once or one by one`(isAtOnce: Bool) async throws {
        let texts = [
            "id: milk\ntext: Milk\ndue: 2026-11-28\ntags: [shop]\n",
            "id: milk\ntext: Milk\ndue: 2026-12-01\ntags: [shop, kitchen]\nnotes: two\n",
        ]
        for (one, other) in [(0, 1), (1, 0)] {
            let machine = try await Self.machine("id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop]\n")
            (machine[Self.first], machine[Self.second]) = (texts[one], texts[other])
            if isAtOnce {
                #expect(try machine.workspace.adopt(["milk"]).adopted.count == 2)
            } else {
                #expect(try machine.workspace.adopt([Self.second]).adopted.map(\.path) == [Self.second])
                #expect(try machine.workspace.adopt([Self.first]).adopted.map(\.path) == [Self.first])
            }
            #expect(
                machine.files == [
                    "milk.yaml":
                        "id: milk\ntext: Oat milk\ndue: 2026-11-28\ntags: [shop, kitchen]\nnotes: two\n"
                ])
        }
    }

    @Test(arguments: [Side.local, .remote])
    func `what only the user can choose gets markers with the copy's name`(_ side: Side) async throws {
        let world = World()
        let machine = try world.machine(["milk.yaml": Self.base], device: "laptop", hasPlainLabels: false)
        try await machine.push()
        machine.edit("milk.yaml", "Milk", "Oat milk")
        machine[Self.first] = "id: milk\ntext: Soy milk\ndue: 2026-11-28\ntags: [shop]\n"
        let report = try machine.workspace.adopt([])
        #expect(report.adopted.map(\.outcome) == [.conflict])
        #expect(report.adopted[0].conflictingFields == ["text"] && report.adopted[0].fields == ["due"])
        #expect(
            machine["milk.yaml"] == """
                id: milk
                <<<<<<< local (laptop)
                text: Oat milk
                =======
                text: Soy milk
                >>>>>>> remote (\(Self.first))
                due: 2026-11-28
                tags: [shop]

                """)
        #expect(try machine.status.conflicts.map(\.path) == ["milk.yaml"])
        #expect(try await machine.push().pushed.isEmpty)
        // The next copy isn't merged until the user has resolved the conflict.
        machine[Self.second] = "id: milk\ntext: Milk\ndue: 2026-12-01\ntags: [shop]\nnotes: two\n"
        #expect(try machine.workspace.adopt([]).unresolved.map(\.path) == [Self.second])
        try machine.resolve(by: .use(side))
        #expect(try machine.workspace.adopt([]).adopted.map(\.outcome) == [.merged])
        let text = side == .local ? "Oat milk" : "Soy milk"
        #expect(
            machine.files == [
                "milk.yaml": "id: milk\ntext: \(text)\ndue: 2026-11-28\ntags: [shop]\nnotes: two\n"
            ])
    }

    @Test func `a copy with the todo's text or an older one is removed`() async throws {
        let machine = try await Self.machine()
        machine.edit("milk.yaml", "12-01", "12-02")
        try await machine.push()
        machine.edit("milk.yaml", "Milk", "Oat milk")
        machine[Self.first] = Self.base
        machine[Self.second] = machine["milk.yaml"]
        machine["milk (1).yaml"] = "id: milk\r\ntext: Milk\r\ndue: 2026-12-02\r\ntags: [shop]\r\n"
        let local = machine["milk.yaml"]
        let report = try machine.workspace.adopt([])
        #expect(report.adopted.map(\.outcome) == [.removed, .removed, .removed])
        #expect(machine.files == ["milk.yaml": local])
    }

    struct Ancestor: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The versions that were pushed after the first one.
        var versions: [String]
        var local: String
        /// Whether a command wrote the local text's field `text`, so that the log has the text before.
        var isByCommand = false
        var copy: String
        var merged: String?
    }

    @Test(arguments: [
        Ancestor(
            testDescription: "the newest, whose change the copy has",
            versions: ["id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop]\n"],
            local: "id: milk\ntext: Rice milk\ndue: 2026-12-01\ntags: [shop]\n", isByCommand: true,
            copy: "id: milk\ntext: Oat milk\ndue: 2026-11-28\ntags: [shop]\n",
            merged: "id: milk\ntext: Rice milk\ndue: 2026-11-28\ntags: [shop]\n"),
        Ancestor(
            testDescription: "an older one, before a change that the copy lacks",
            versions: ["id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop]\n"],
            local: "id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop]\n",
            copy: "id: milk\ntext: Milk\ndue: 2026-11-28\ntags: [shop]\n",
            merged: "id: milk\ntext: Oat milk\ndue: 2026-11-28\ntags: [shop]\n"),
        Ancestor(
            testDescription: "either, where both changed the same field",
            versions: ["id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop]\n"],
            local: "id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop]\n",
            copy: "id: milk\ntext: Soy milk\ndue: 2026-12-01\ntags: [shop]\n"),
        Ancestor(
            testDescription: "one in the middle",
            versions: [
                "id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop]\n",
                "id: milk\ntext: Oat milk\ndue: 2026-12-24\ntags: [shop]\n",
            ],
            local: "id: milk\ntext: Rice milk\ndue: 2026-12-24\ntags: [shop]\n", isByCommand: true,
            copy: "id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop, home]\n",
            merged: "id: milk\ntext: Rice milk\ndue: 2026-12-24\ntags: [shop, home]\n"),
        Ancestor(
            testDescription: "the one before the newest, where the file was put there by the other tool",
            versions: ["id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop]\n"],
            local: "id: milk\ntext: Milk\ndue: 2026-11-28\ntags: [shop]\n",
            copy: "id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop]\n",
            merged: "id: milk\ntext: Oat milk\ndue: 2026-11-28\ntags: [shop]\n"),
        Ancestor(
            testDescription: "the one before the newest, which the file and the newest changed alike",
            versions: ["id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop]\n"],
            local: "id: milk\ntext: Soy milk\ndue: 2026-11-28\ntags: [shop]\n",
            copy: "id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop]\n"),
        Ancestor(
            testDescription: "either, where a value returned to what it was",
            versions: [
                "id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop]\n",
                "id: milk\ntext: Milk\ndue: 2026-12-01\ntags: [shop]\n",
            ],
            local: "id: milk\ntext: Milk\ndue: 2026-12-01\ntags: [shop]\n",
            copy: "id: milk\ntext: Soy milk\ndue: 2026-12-01\ntags: [shop]\n"),
        Ancestor(
            testDescription: "either, where the copy can have returned to what it was",
            versions: ["id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop]\n"],
            local: "id: milk\ntext: Rice milk\ndue: 2026-12-01\ntags: [shop]\n", isByCommand: true,
            copy: "id: milk\ntext: Milk\ndue: 2026-11-28\ntags: [shop]\n"),
        Ancestor(
            testDescription: "either, where the copy has what was taken back since",
            versions: [
                "id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop]\n",
                "id: milk\ntext: Milk\ndue: 2026-12-01\ntags: [shop]\n",
            ],
            local: "id: milk\ntext: Milk\ndue: 2026-12-01\ntags: [shop]\n",
            copy: "id: milk\ntext: Oat milk\ndue: 2026-11-28\ntags: [shop]\n"),
        Ancestor(
            testDescription: "one before a comment that the copy lacks",
            versions: ["id: milk\ntext: Milk\ndue: 2026-12-01\ntags: [shop]\n# from the market\n"],
            local: "id: milk\ntext: Milk\ndue: 2026-12-01\ntags: [shop]\n# from the market\n",
            copy: "id: milk\ntext: Milk\ndue: 2026-11-28\ntags: [shop]\n",
            merged: "id: milk\ntext: Milk\ndue: 2026-11-28\ntags: [shop]\n# from the market\n"),
    ])
    func `a copy is merged against the newest version that both can stem from`(
        _ row: Ancestor
    ) async throws {
        let machine = try await Self.machine()
        for version in row.versions {
            machine["milk.yaml"] = version
            try await machine.push()
        }
        if row.isByCommand {
            try machine.set("milk.yaml", "text", "Rice milk")
            #expect(machine["milk.yaml"] == row.local)
        }
        (machine["milk.yaml"], machine[Self.first]) = (row.local, row.copy)
        let report = try machine.workspace.adopt([])
        #expect(report.adopted.map(\.outcome) == [row.merged == nil ? .conflict : .merged])
        if let merged = row.merged { #expect(machine.files == ["milk.yaml": merged]) }
    }

    @Test(arguments: [true, false])
    func `markers that nobody edited go with an undo`(isGone: Bool) async throws {
        let machine = try await Self.machine(Self.base.replacing("12-01", with: "12-24"))
        if isGone {
            try await machine.push()
            machine["milk.yaml"] = nil
        }
        machine[Self.first] = Self.base.replacing("12-01", with: "11-28")
        let before = machine.files
        #expect(try machine.workspace.adopt([]).adopted.map(\.outcome) == [.conflict])
        #expect(try machine.workspace.undo(nil).refused.isEmpty)
        #expect(machine.files == before)
        #expect(try machine.status.copies.map(\.isOrphan) == [isGone])
    }

    @Test func `a change that was never sent is merged, if the other tool renamed its file`() async throws {
        for isPushed in [false, true] {
            let machine = try await Self.machine()
            try machine.set("milk.yaml", "text", "Oat milk")
            if isPushed { try await machine.push() }
            machine.rename("milk.yaml", to: Self.first)
            machine["milk.yaml"] = "id: milk\ntext: Milk\ndue: 2026-11-28\ntags: [shop]\n"
            // To a sync in between, the file is an edit.
            if isPushed { try await machine.push() }
            #expect(try machine.workspace.adopt([]).adopted.map(\.outcome) == [.merged])
            #expect(
                machine.files == ["milk.yaml": "id: milk\ntext: Oat milk\ndue: 2026-11-28\ntags: [shop]\n"])
        }
        let machine = try await Self.machine()
        try machine.set("milk.yaml", "text", "Oat milk")
        machine.rename("milk.yaml", to: Self.first)
        #expect(try machine.workspace.adopt([]).adopted.map(\.outcome) == [.restored])
        #expect(machine.files == ["milk.yaml": "id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop]\n"])
    }

    @Test func `a version that later ones were made from is removed`() async throws {
        let machine = try await Self.machine()
        for text in ["Oat milk", "Soy milk", "Rice milk"] {
            machine["milk.yaml"] = Self.base.replacing("Milk", with: text)
            try await machine.push()
        }
        try machine.set("milk.yaml", "text", "Almond milk")
        let local = machine["milk.yaml"]
        machine[Self.first] = Self.base.replacing("Milk", with: "Soy milk")
        #expect(try machine.workspace.adopt([]).adopted.map(\.outcome) == [.removed])
        #expect(machine.files == ["milk.yaml": local])
    }

    /// Why a folder lacks the first version of a todo.
    enum Gap: String, CaseIterable { case clone, gc, lost }

    /// Makes a machine that has only the second version of a todo.
    private static func machine(_ gap: Gap) async throws -> Machine {
        let world = World()
        let machine = try await world.machines(1, ["milk.yaml": base])[0]
        machine["milk.yaml"] = newer
        try await machine.push()
        switch gap {
        case .clone:
            let other = try world.machine([:])
            try await other.pull()
            return other
        case .gc: _ = try machine.workspace.compact(keeping: 0)
        case .lost:
            try machine.folder.remove(".todosync")
            try machine.workspace.directory.create(Configuration(remote: World.url))
            try await machine.pull()
        }
        return machine
    }

    private static let newer = "id: milk\ntext: Oat milk\ndue: 2026-12-24\ntags: [shop]\nplace: market\n"

    @Test(arguments: Gap.allCases)
    func `a copy of a version from before the log undoes nothing`(_ gap: Gap) async throws {
        for notes in ["", "notes: two\n"] {
            let machine = try await Self.machine(gap)
            machine[Self.first] = Self.base + notes
            let report = try machine.workspace.adopt([])
            #expect(report.adopted.map(\.outcome) == [.conflict])
            #expect(report.adopted.map(\.conflictingFields) == [["text", "due"]])
            let text = try #require(machine["milk.yaml"])
            #expect(text.contains("\nplace: market\n") && text.contains(notes))
        }
    }

    @Test(arguments: Gap.allCases)
    func `a copy of the oldest version in the log merges`(_ gap: Gap) async throws {
        let machine = try await Self.machine(gap)
        try machine.set("milk.yaml", "due", "2026-12-31")
        machine[Self.first] = Self.newer + "notes: two\n"
        #expect(try machine.workspace.adopt([]).adopted.map(\.outcome) == [.merged])
        #expect(machine.files == ["milk.yaml": Self.newer.replacing("12-24", with: "12-31") + "notes: two\n"])
    }

    @Test func `a comment from before the log stays`() async throws {
        let world = World()
        let machine = try await world.machines(1, ["milk.yaml": Self.base + "# from the market\n"])[0]
        let other = try world.machine([:])
        try await other.pull()
        other[Self.first] = Self.base + "notes: two\n"
        #expect(try other.workspace.adopt([]).adopted.map(\.outcome) == [.merged])
        #expect(other["milk.yaml"]?.contains("# from the market\n") == true)
        #expect(other["milk.yaml"]?.contains("notes: two\n") == true)
        _ = machine
    }

    @Test func `without a base version, fields that differ are in conflict`() throws {
        let machine = try World().machine(["milk.yaml": Self.base])
        machine[Self.first] = "id: milk\ntext: Milk\ndue: 2026-11-28\ntags: [shop]\nnotes: two\n"
        let report = try machine.workspace.adopt([])
        #expect(report.adopted.map(\.conflictingFields) == [["due"]])
        #expect(machine["milk.yaml"]?.contains("\nnotes: two\n") == true)
    }

    @Test(arguments: ["id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop]\n", base])
    func `a todo whose file is gone comes back, also with the newest version's text`(
        _ copy: String
    ) async throws {
        let machine = try await Self.machine()
        machine["milk.yaml"] = nil
        machine[Self.first] = copy
        #expect(try machine.workspace.adopt([]).adopted.map(\.outcome) == [.restored])
        #expect(machine.files == ["milk.yaml": copy])
        #expect(try machine.status.pendingLines == (copy == Self.base ? [] : ["update milk.yaml: text"]))
    }

    @Test func `what a todo whose file is gone got meanwhile stays`() async throws {
        let machine = try await Self.machine("id: milk\ntext: Milk\ndue: 2026-12-24\ntags: [shop]\n")
        try await machine.push()
        machine["milk.yaml"] = nil
        machine[Self.first] = "id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop]\n"
        machine[Self.second] = "id: milk\ntext: Milk\ndue: 2026-12-01\ntags: [home]\n"
        #expect(try machine.workspace.adopt([]).adopted.map(\.outcome) == [.restored, .merged])
        #expect(machine.files == ["milk.yaml": "id: milk\ntext: Oat milk\ndue: 2026-12-24\ntags: [home]\n"])
    }

    @Test(arguments: [(base, false), ("id: milk\ntext: Oat milk\n", true)])
    func `a copy of a deleted todo goes with it, unless it has something new`(
        _ copy: String, comesBack: Bool
    ) async throws {
        let machine = try await Self.machine()
        machine["milk.yaml"] = nil
        try await machine.push()
        machine[Self.first] = copy
        #expect(try machine.status.copies.map(\.isOrphan) == [true])
        let report = try machine.workspace.adopt([])
        #expect(report.adopted.map(\.outcome) == [comesBack ? .restored : .removed])
        #expect(machine.files == (comesBack ? ["milk.yaml": copy] : [:]))
        #expect(try await machine.push().pushedLines == (comesBack ? ["insert milk.yaml"] : []))
    }

    @Test func `a dry run reports the same, and changes nothing`() async throws {
        let machine = try await Self.machine()
        machine[Self.first] = "id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop]\n"
        machine[Self.second] = "id: milk\ntext: Soy milk\ndue: 2026-12-01\ntags: [shop]\n"
        let before = machine.files
        let foreseen = try machine.workspace.adopt([], AdoptOptions(isDryRun: true))
        #expect(machine.files == before)
        #expect(try machine.workspace.log(nil).count == 1)
        let report = try machine.workspace.adopt([])
        #expect(foreseen.adopted == report.adopted && foreseen.unresolved == report.unresolved)
        #expect(report.adopted.map(\.outcome) == [.merged, .conflict])
    }

    @Test func `the user can decline`() async throws {
        let machine = try await Self.machine()
        machine[Self.first] = "id: milk\ntext: Oat milk\n"
        let before = machine.files
        let report = try machine.workspace.adopt([], AdoptOptions(confirm: { $0.count != 1 }))
        #expect(report.isCancelled && report.adopted.isEmpty && machine.files == before)
    }

    @Test func `what can't be merged stays, with the reason`() async throws {
        let machine = try await Self.machine()
        machine[Self.first] = "id: milk\ntext: Oat milk\n"
        machine["milk.yaml"] = "id: milk\ntext: [\n"
        let before = machine.files
        #expect(
            try machine.workspace.adopt([]).unresolved.map(\.reason) == [
                "milk.yaml is not a valid todo; fix it first"
            ])
        #expect(machine.files == before)
        #expect(throws: EngineError.self) { try machine.workspace.adopt(["bread.yaml"]) }
        machine[Self.first] = nil
        machine["milk.yaml"] = Self.base
        #expect(throws: EngineError.self) { try machine.workspace.adopt(["milk.yaml"]) }
    }

    @Test func `a copy that is saved again in the meantime stays`() async throws {
        let template = try await Self.machine()
        template[Self.first] = "id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop]\n"
        let machine = template
        let options = AdoptOptions(confirm: { _ in
            machine[Self.first] = "id: milk\ntext: Milk\ndue: 2026-11-28\ntags: [shop]\n"
            return true
        })
        let report = try machine.workspace.adopt([], options)
        #expect(report.unresolved.map(\.path) == [Self.first] && report.adopted.isEmpty)
        #expect(machine[Self.first] != nil)
        #expect(try machine.workspace.adopt([]).adopted.map(\.outcome) == [.merged])
        #expect(
            machine.files == ["milk.yaml": "id: milk\ntext: Oat milk\ndue: 2026-11-28\ntags: [shop]\n"])
    }
}

extension Workspace {
    /// Returns what `show --at` prints.
    fileprivate func pastText(_ name: String, _ operation: String) throws -> String? {
        String(decoding: try show(name, at: operation).bytes, as: UTF8.self)
    }
}
