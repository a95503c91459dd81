import Foundation
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// A pull that doesn't count pending changes and reads only the files that it needs.
@Suite(.serialized) struct NarrowPullTests {
    private static let files = [
        "home/a.yaml": "id: a\ntext: A\nnotes: n\n", "home/b.yaml": "id: b\ntext: B\n",
        "work/c.yaml": "id: c\ntext: C\n",
    ]

    enum News: CaseIterable {
        case edit, edits, move, moveAside, delete, insert, none

        fileprivate func make(_ machine: Machine) {
            switch self {
            case .edit: machine.edit("home/a.yaml", "text: A", "text: A2")
            case .edits:
                machine.edit("home/a.yaml", "text: A", "text: A2")
                machine.edit("work/c.yaml", "text: C", "text: C2")
            case .move: machine.rename("home/a.yaml", to: "work/a.yaml")
            case .moveAside: machine.rename("home/b.yaml", to: "home/new.yaml")
            case .delete: machine["home/a.yaml"] = nil
            case .insert: machine["home/new.yaml"] = "id: d\ntext: D\n"
            case .none: break
            }
        }
    }

    enum Here: CaseIterable {
        case nothing, otherField, sameField, moved, movedAndReplaced, absent, otherAbsent, allAbsent,
            otherEdited, new, copied
        case copiedFirst, lostID, otherID, empty, invalid, ignored, ignoredBelow, link, nested, linkedFolder
        case conflict

        fileprivate func make(_ machine: Machine) throws {
            switch self {
            case .nothing: break
            case .otherField: machine.edit("home/a.yaml", "notes: n", "notes: mine")
            case .sameField: machine.edit("home/a.yaml", "text: A", "text: mine")
            case .moved: machine.rename("home/a.yaml", to: "a.yaml")
            case .movedAndReplaced:
                machine.rename("home/a.yaml", to: "a.yaml")
                machine["home/a.yaml"] = "text: buy a boat\n"
            case .absent: machine["home/a.yaml"] = nil
            case .otherAbsent: machine["home/b.yaml"] = nil
            case .allAbsent: for path in files.keys { machine[path] = nil }
            case .otherEdited: machine.edit("home/b.yaml", "text: B", "text: mine")
            case .new: machine["home/new.yaml"] = "text: mine\n"
            case .copied: machine["work/a.yaml"] = machine["home/a.yaml"]
            case .copiedFirst: machine["a.yaml"] = machine["home/a.yaml"]
            case .lostID: machine.edit("home/a.yaml", "id: a\n", "")
            case .otherID: machine.edit("home/a.yaml", "id: a", "id: e")
            case .empty: machine["home/a.yaml"] = ""
            case .invalid: machine["home/a.yaml"] = "id: a\ntext: [\n"
            case .ignored: machine[".todosyncignore"] = "home/\n"
            case .ignoredBelow: machine["home/.todosyncignore"] = "a.yaml\n"
            case .link:
                machine.rename("home/a.yaml", to: "home/.a")
                try machine.folder.link("home/a.yaml", to: ".a")
            case .nested: try machine.folder.makeFolder("home/.todosync")
            case .linkedFolder:
                try FileManager.default.moveItem(
                    atPath: machine.folder.path(of: "home"), toPath: machine.folder.path(of: ".home"))
                try machine.folder.link("home", to: ".home")
            case .conflict: machine.edit("work/c.yaml", "text: C", "text: mine")
            }
        }
    }

    @Test(arguments: News.allCases, Here.allCases)
    func `it comes out as one that looks at all`(news: News, here: Here) async throws {
        let world = World()
        var machines = try await world.machines(3, Self.files)
        // The prompt doesn't look for the user's copy of a todo that the remote deleted.
        if news == .delete, [.copied, .copiedFirst].contains(here) { machines[1].isCompared = false }
        // After this, the files' stamps are reliable, and the status stores them in the cache.
        usleep(50_000)
        for machine in machines { _ = try machine.status }
        let both = machines.dropFirst()
        for machine in both { try here.make(machine) }
        if here == .conflict {
            machines[0].edit("work/c.yaml", "text: C", "text: theirs")
            try await machines[0].push()
            for machine in both { try await machine.pull() }
        }
        if !(here == .conflict && news == .edits) { news.make(machines[0]) }
        try await machines[0].push()
        let wide = try await machines[1].pull()
        let narrow = try await machines[2].workspace.pull(SyncOptions(countsPending: false))
        #expect(narrow.pending == nil && wide.pending != nil)
        #expect(narrow.pulledLines == wide.pulledLines)
        #expect(narrow.merged.map(\.path) == wide.merged.map(\.path))
        #expect(narrow.conflicts.map(\.path) == wide.conflicts.map(\.path))
        #expect(narrow.needsUser == wide.needsUser)
        #expect(machines[2].files == machines[1].files)
        #expect(try machines[2].status.pendingLines == machines[1].status.pendingLines)
        // Neither pull has recorded anything wrong, so the sides agree in the end.
        for machine in [machines[1], machines[2], machines[1]] {
            try await machine.sync(.use(.local), allowing: 9)
        }
        #expect(try machines[2].status.pendingLines == machines[1].status.pendingLines)
    }

    @Test func `it makes no more calls where there are more files besides`() async throws {
        var calls: [Int] = []
        for count in [20, 200] {
            let world = World()
            let files = Dictionary(
                uniqueKeysWithValues: (0..<count).map { ("\($0 % 10)/\($0).yaml", "id: t\($0)\ntext: T\n") })
            var machines = try await world.machines(2, files)
            usleep(50_000)
            _ = try machines[1].status
            machines[0].edit("1/1.yaml", "text: T", "text: U")
            try await machines[0].push()
            let fileSystem = FailingFileSystem()
            machines[1].workspace = world.workspace(at: machines[1].folder, fileSystem)
            let report = try await machines[1].workspace.pull(SyncOptions(countsPending: false))
            #expect(report.pulledLines == ["update 1/1.yaml"])
            calls.append(fileSystem.calls)
        }
        #expect(calls[0] == calls[1])
    }

    /// A push was interrupted while it sent a merge, which never reached the remote.
    @Test func `what is sent again is not undone by news that was read before`() async throws {
        for countsPending in [true, false] {
            let world = World()
            let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\nx: 1\ny: 1\n"])
            machines[0].edit("a.yaml", "x: 1", "x: 2")
            try await machines[0].push()
            machines[1].edit("a.yaml", "y: 1", "y: 2")
            // The first request is refused, and the second one, with the merge, is lost.
            world.put(
                InterposedRemote(world.remote) { number, operations, remote in
                    guard number == 1 else { throw RemoteError.unreachable(url: "u", reason: "cut off") }
                    return await remote.push(operations).answers
                })
            _ = try? await machines[1].push()
            world.put(world.remote)
            for pushes in [true, false] {
                let options = SyncOptions(countsPending: countsPending)
                let workspace = machines[1].workspace
                _ = try await pushes ? workspace.sync(options) : workspace.pull(options)
                #expect(machines[1]["a.yaml"] == "id: a\ntext: A\nx: 2\ny: 2\n")
            }
        }
    }
}
