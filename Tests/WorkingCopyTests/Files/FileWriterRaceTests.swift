import Foundation
import Synchronization
import TestSupport
import Testing

@testable import WorkingCopy

/// Another program changes files, or the file system fails, at every call that the writer makes.
@Suite struct FileWriterRaceTests {
    /// A batch, and the file that another program changes meanwhile.
    struct Scenario: Sendable, CustomTestStringConvertible {
        let name: String
        let files: [String: String]
        let changes: [FileChange]
        let edited: String
        var missing: Set<FailingFileSystem.MissingCall> = []

        var testDescription: String { missing.isEmpty ? name : "\(name), without \(missing)" }
    }

    static let scenarios: [Scenario] = {
        func bytes(_ string: String) -> [UInt8] { Array(string.utf8) }
        let create = FileChange.create(path: "x/n.yaml", bytes: bytes("n"))
        let replace = FileChange.replace(path: "a.yaml", expecting: bytes("a"), with: bytes("A"))
        let other = FileChange.replace(path: "b.yaml", expecting: bytes("b"), with: bytes("B"))
        let remove = FileChange.remove(path: "a.yaml", expecting: bytes("a"))
        let rename = FileChange.move(from: "a.yaml", to: "c.yaml", expecting: bytes("a"), with: bytes("a"))
        let move = FileChange.move(from: "a.yaml", to: "x/c.yaml", expecting: bytes("a"), with: bytes("A"))
        let there = FileChange.move(from: "a.yaml", to: "b.yaml", expecting: bytes("a"), with: bytes("a"))
        let back = FileChange.move(from: "b.yaml", to: "a.yaml", expecting: bytes("b"), with: bytes("B"))
        let files = ["a.yaml": "a", "b.yaml": "b"]
        func scenario(_ name: String, _ changes: [FileChange], _ edited: String = "a.yaml") -> Scenario {
            Scenario(name: name, files: files, changes: changes, edited: edited)
        }
        let rich = [
            scenario("create", [create], "x/n.yaml"), scenario("replace", [replace]),
            scenario("replace two", [replace, other]), scenario("replace two", [replace, other], "b.yaml"),
            scenario("remove", [remove]),
            scenario("rename", [rename]), scenario("rename, new path", [rename], "c.yaml"),
            scenario("move", [move]),
            scenario("move, new path", [move], "x/c.yaml"), scenario("swap", [there, back]),
            scenario("swap, other file", [there, back], "b.yaml"),
        ]
        let poor = FileWriterTests.poorFileSystems.dropLast().flatMap { missing in
            rich.map { scenario in
                var scenario = scenario
                scenario.missing = missing
                return scenario
            }
        }
        return rich + poor
    }()

    /// Testing all of them takes two minutes, so only long runs do that.
    static let scenariosForPairs =
        PropertySeeds.isLongRun
        ? scenarios
        : scenarios.filter { $0.missing.isEmpty && ["replace", "remove", "move", "swap"].contains($0.name) }

    /// What the other program does.
    enum Edit: CaseIterable, Sendable {
        case overwriting, byRename, removal, throughOpenFile

        func perform(_ path: String, in folder: TemporaryFolder, open: FileHandle?, _ text: String = "edit") {
            switch self {
            case .overwriting: try? folder.write(text, to: path)
            case .byRename: try? folder.save(text, to: path)
            case .removal: try? folder.remove(path)
            case .throughOpenFile:
                try? open?.truncate(atOffset: 0)
                try? open?.write(contentsOf: Data(text.utf8))
            }
        }
    }

    @Test(arguments: scenarios, Edit.allCases)
    func `a save at any moment is not lost`(scenario: Scenario, edit: Edit) throws {
        for isOld in [false, true] {
            let calls = try saveAtEveryCall(scenario, edit, isOld: isOld)
            #expect(calls > 5)
        }
    }

    /// - Parameter isOld: Whether the files are old, so that their stamps reveal every change. Nothing else
    ///   does, because the saved content has the same size.
    private func saveAtEveryCall(_ scenario: Scenario, _ edit: Edit, isOld: Bool) throws -> Int {
        let saved = isOld ? "e" : "edit"
        var number = 0
        while true {
            number += 1
            let folder = try TemporaryFolder(scenario.files)
            if isOld { for path in scenario.files.keys { try folder.makeOld(path) } }
            let open = FileHandle(forUpdatingAtPath: folder.path(of: scenario.edited))
            if edit == .throughOpenFile, open == nil { return .max }
            var fileSystem = FailingFileSystem { [number] call in
                if call.number == number {
                    edit.perform(scenario.edited, in: folder, open: open, saved)
                }
            }
            fileSystem.missing = scenario.missing
            let writer = try FileWriter(
                root: folder.path, operation: "1", isDurable: false, fileSystem: fileSystem)
            let outcomes = try writer.apply(scenario.changes)
            if fileSystem.calls < number { return number }
            let lateWrites = try writer.finish()
            let kept = Array(folder.visibleContents().values) + lateWrites.map { text($0.bytes) }
            if edit != .removal { #expect(kept.contains(saved), "call \(number): \(outcomes), \(kept)") }
            // Other files, and all changes that weren't reported as done, are unchanged.
            for (path, content) in scenario.files where path != scenario.edited {
                let isTouched = scenario.changes.contains { $0.paths.contains(path) }
                #expect(isTouched || folder.read(path) == content)
            }
            for (change, outcome) in zip(scenario.changes, outcomes) where outcome != .done {
                expectNothingLost(
                    change, outcome, kept, edited: scenario.edited, "call \(number), \(outcome)")
            }
            #expect(try FileWriter(root: folder.path, operation: "1").leftovers().count == lateWrites.count)
        }
    }

    private func expectNothingLost(
        _ change: FileChange, _ outcome: FileChangeOutcome, _ kept: [String], edited: String,
        _ comment: Comment
    ) {
        guard let expecting = change.expecting, outcome != .withoutPath, !change.paths.contains(edited)
        else { return }
        #expect(kept.contains(text(expecting)), comment)
    }

    @Test(arguments: scenarios, [EIO, ENOSPC])
    func `whichever call fails, files are in their old or their new state`(scenario: Scenario, code: Int32)
        throws
    {
        for isLasting in [false, true] {
            var number = 0
            while true {
                number += 1
                let folder = try TemporaryFolder(scenario.files)
                var fileSystem = FailingFileSystem(failingAt: number, andAfter: isLasting, code: code)
                fileSystem.missing = scenario.missing
                let outcomes = try? FileWriter(root: folder.path, operation: "1", fileSystem: fileSystem)
                    .apply(
                        scenario.changes)
                if fileSystem.calls < number { break }
                let all = folder.contents().values
                for change in scenario.changes {
                    let contents = [change.expecting, change.newContent].compactMap { $0.map(text) }
                    let isThere = contents.isEmpty || contents.contains { all.contains($0) }
                    #expect(isThere || change.isRemoval, "call \(number): \(all)")
                }
                for (change, outcome) in zip(scenario.changes, outcomes ?? []) where outcome == .done {
                    #expect(change.isApplied(in: folder), "call \(number): \(change)")
                }
            }
        }
    }

    @Test(arguments: scenariosForPairs, [Edit.overwriting, .byRename])
    func `a save is kept, whichever call fails after it`(scenario: Scenario, edit: Edit)
        throws
    {
        var edited = 0
        var isAtEnd = false
        while !isAtEnd {
            edited += 1
            var failed = edited - 1
            while true {
                failed += 1
                let folder = try TemporaryFolder(scenario.files)
                var fileSystem = FailingFileSystem { [edited, failed] call throws(FileError) in
                    if call.number == edited { edit.perform(scenario.edited, in: folder, open: nil) }
                    if call.number >= failed { throw FileError(call.operation, call.name, code: EIO) }
                }
                fileSystem.missing = scenario.missing
                let writer = try? FileWriter(
                    root: folder.path, operation: "1", isDurable: false, fileSystem: fileSystem)
                _ = try? writer?.apply(scenario.changes)
                isAtEnd = fileSystem.calls < edited
                if fileSystem.calls < failed { break }
                // The save is visible, or among the files that the crash left in the folder for temporary
                // files.
                #expect(folder.contents().values.contains("edit"), "edited at \(edited), failed at \(failed)")
            }
        }
    }

    @Test(arguments: scenarios.filter { ["replace", "remove", "rename", "move"].contains($0.name) })
    func `a save just before the file is taken away is restored`(scenario: Scenario) throws {
        let folder = try TemporaryFolder(scenario.files)
        let moments = Atomic(0)
        var fileSystem = FailingFileSystem { call in
            // The check for another file system is a rename, too.
            guard call.operation == .rename, call.name != ".todosync-absent" else { return }
            if moments.add(1, ordering: .relaxed).newValue == 1 { try? folder.save("edit", to: "a.yaml") }
        }
        fileSystem.missing = scenario.missing
        let writer = try FileWriter(
            root: folder.path, operation: "1", isDurable: false, fileSystem: fileSystem)
        #expect(try writer.apply(scenario.changes) == [.changedMeanwhile("edit".bytes)])
        #expect(try writer.finish().isEmpty)
        #expect(folder.contents() == ["a.yaml": "edit", "b.yaml": "b"])
    }

    @Test func `of two saves at the worst moments, the later one stays, and the earlier is a late write`()
        throws
    {
        let folder = try TemporaryFolder(["a.yaml": "a"])
        let saves = Atomic(0)
        let fileSystem = FailingFileSystem { call in
            guard call.manner == .exchanging else { return }
            let number = saves.add(1, ordering: .relaxed).newValue
            if number <= 2 { try? folder.save("edit \(number)", to: "a.yaml") }
        }
        let writer = try FileWriter(
            root: folder.path, operation: "1", isDurable: false, fileSystem: fileSystem)
        let outcomes = try writer.apply([.replace(path: "a.yaml", expecting: "a".bytes, with: "A".bytes)])
        #expect(outcomes == [.changedMeanwhile("edit 2".bytes)])
        #expect(folder.read("a.yaml") == "edit 2")
        #expect(try writer.finish().map(\.bytes) == ["edit 1".bytes])
    }

    @Test func `a file that is removed just before its exchange stays removed`() throws {
        let folder = try TemporaryFolder(["a.yaml": "a"])
        let fileSystem = FailingFileSystem { call in
            if call.manner == .exchanging { try? folder.remove("a.yaml") }
        }
        let writer = try FileWriter(
            root: folder.path, operation: "1", isDurable: false, fileSystem: fileSystem)
        let outcomes = try writer.apply([.replace(path: "a.yaml", expecting: "a".bytes, with: "A".bytes)])
        #expect(outcomes == [.changedMeanwhile(nil)])
        #expect(try writer.finish().isEmpty)
        #expect(folder.contents().isEmpty)
    }

    @Test func `a file whose swap fails midway, and whose old path is taken, is reported as having no path`()
        throws
    {
        let folder = try TemporaryFolder(["a.yaml": "a", "b.yaml": "b"])
        let moves = Atomic(0)
        let fileSystem = FailingFileSystem { call in
            // The first move puts one file in its new place, and the second one moves the temporary file.
            guard call.manner == .keeping, moves.add(1, ordering: .relaxed).newValue == 2 else { return }
            try? folder.save("new", to: "a.yaml")
            try? folder.save("new", to: "b.yaml")
        }
        let writer = try FileWriter(
            root: folder.path, operation: "1", isDurable: false, fileSystem: fileSystem)
        let outcomes = try writer.apply([
            .move(from: "a.yaml", to: "b.yaml", expecting: "a".bytes, with: "a".bytes),
            .move(from: "b.yaml", to: "a.yaml", expecting: "b".bytes, with: "b".bytes),
        ])
        #expect(outcomes.contains(.withoutPath))
        #expect(folder.read("a.yaml") == "new" && folder.read("b.yaml") == "new")
    }

    @Test func `leftovers name their operation and change, and can be removed`() throws {
        let folder = try TemporaryFolder(["a.yaml": "a", "b.yaml": "b"])
        let writer = try FileWriter(root: folder.path, operation: "7f", isDurable: false)
        let changes = ["a", "b"].map {
            FileChange.replace(path: "\($0).yaml", expecting: $0.bytes, with: "new".bytes)
        }
        #expect(try writer.apply(changes) == [.done, .done])
        // This simulates a crash: the writer doesn't finish, and the operation starts again.
        let second = try FileWriter(root: folder.path, operation: "7f", isDurable: false)
        #expect(
            try second.apply([
                .create(path: "c.yaml", bytes: "c".bytes), .remove(path: "c.yaml", expecting: []),
            ])
                == [.done, .changedMeanwhile(nil)])
        let leftovers = try second.leftovers()
        #expect(leftovers.map(\.operation) == ["7f", "7f"])
        #expect(leftovers.map(\.index) == [0, 1])
        #expect(leftovers.map(\.bytes) == ["a".bytes, "b".bytes])
        try second.leftoverFiles.discard(leftovers)
        #expect(folder.contents().count == 3)
    }

    @Test func `a late write is kept until it is discarded`() throws {
        let folder = try TemporaryFolder(["a.yaml": "a"])
        let editor = try #require(FileHandle(forWritingAtPath: folder.path(of: "a.yaml")))
        let writer = try FileWriter(root: folder.path, operation: "1", isDurable: false)
        _ = try writer.apply([.replace(path: "a.yaml", expecting: "a".bytes, with: "A".bytes)])
        try editor.write(contentsOf: Data("edit".utf8))
        let lateWrites = try writer.finish()
        #expect(lateWrites.map(\.path) == ["a.yaml"])
        #expect(lateWrites.map(\.bytes) == ["edit".bytes])
        #expect(try writer.finish() == lateWrites)
        for lateWrite in lateWrites { try writer.exchanger.discard(lateWrite) }
        #expect(try writer.finish().isEmpty)
        #expect(folder.contents() == ["a.yaml": "A"])
    }

    @Test func `a write of the same size to an old file that was replaced is detected`() throws {
        let folder = try TemporaryFolder(["a.yaml": "a"])
        try folder.makeOld("a.yaml")
        let editor = try #require(FileHandle(forWritingAtPath: folder.path(of: "a.yaml")))
        let writer = try FileWriter(root: folder.path, operation: "1", isDurable: false)
        _ = try writer.apply([.replace(path: "a.yaml", expecting: "a".bytes, with: "A".bytes)])
        try editor.write(contentsOf: Data("b".utf8))
        #expect(try writer.finish().map(\.bytes) == ["b".bytes])
    }

    @Test func `a file with different content of the same size is restored`() throws {
        let folder = try TemporaryFolder(["a.yaml": "b"])
        let writer = try FileWriter(root: folder.path, operation: "1", isDurable: false)
        let outcomes = try writer.apply([.replace(path: "a.yaml", expecting: "a".bytes, with: "A".bytes)])
        #expect(outcomes == [.changedMeanwhile("b".bytes)])
        #expect(try writer.finish().isEmpty)
        #expect(folder.contents() == ["a.yaml": "b"])
    }
}

extension FileChange {
    fileprivate var paths: [String] {
        switch self {
        case .create(let path, _, _), .replace(let path, _, _), .remove(let path, _): [path]
        case .move(let from, let to, _, _): [from, to]
        }
    }

    fileprivate var expecting: [UInt8]? {
        switch self {
        case .create: nil
        case .replace(_, let expecting, _), .remove(_, let expecting), .move(_, _, let expecting, _):
            expecting
        }
    }

    fileprivate var newContent: [UInt8]? {
        switch self {
        case .create, .remove: nil
        case .replace(_, _, let bytes), .move(_, _, _, let bytes): bytes
        }
    }

    fileprivate var isRemoval: Bool { if case .remove = self { true } else { false } }

    fileprivate func isApplied(in folder: TemporaryFolder) -> Bool {
        switch self {
        case .create(let path, let bytes, _), .replace(let path, _, let bytes),
            .move(_, let path, _, let bytes):
            folder.read(path) == text(bytes)
        case .remove(let path, _): !folder.exists(path)
        }
    }
}
