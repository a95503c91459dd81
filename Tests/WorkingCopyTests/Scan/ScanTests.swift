import Foundation
import TestSupport
import Testing
import WorkingCopy

@Suite struct ScanTests {
    @Test func `every YAML file is found, sorted by the bytes of its path`() throws {
        let paths = [
            "a.yaml", "a/b.yaml", "a/b/c.yml", "a-b.yaml", "a.yml", "Z.yaml", "ä.yaml", "a b/c.yaml",
            "long-names/a.yaml", "long-names!.yaml", "long-names.yaml", "long-names0.yaml", "long-name.yaml",
            "long-names-/a.yaml", "long-name/long-names.yaml", "long-name/long-names0.yaml",
            "long-name/long-names/a.yaml", "long-name/long-names!.yaml",
        ]
        let folder = try TemporaryFolder(
            Dictionary(uniqueKeysWithValues: paths.map { ($0, "text: \($0)\n") }))
        try folder.write("", to: "README.md")
        try folder.write("", to: "A.YAML")
        let result = try scan(root: folder.path, include: [])
        #expect(
            result.files.map(\.path.bytes) == paths.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) })
        for file in result.files { #expect(file.content == .read("text: \(file.path)\n".bytes)) }
        #expect(result.ignored.map(\.reason) == [.unsuitable(.notYAML)])
        #expect(result.unsuitable.map(\.file.path) == ["A.YAML"])
    }

    @Test func `a folder that takes many calls to list is listed completely, and again`() throws {
        let names = (0..<1000).map { "\($0)" + String(repeating: "n", count: 240) + ".yaml" }
        let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: names.map { ("many/" + $0, "") }))
        let fileSystem = POSIXFileSystem()
        let many = try #require(try fileSystem.openFolder(at: folder.path(of: "many")))
        for _ in 0..<2 {
            let listing = try fileSystem.list(many)
            let areAll =
                (0..<listing.count).map { listing.name(at: $0).description }.sorted() == names.sorted()
            #expect(areAll)
            #expect((0..<listing.count).allSatisfy { listing.kind(at: $0) == .file } == true)
        }
    }

    @Test func `skipped files have a reason`() throws {
        let folder = try TemporaryFolder([
            "a.yaml": "", ".hidden.yaml": "", ".git/x.yaml": "", "nested/.todosync/config.yaml": "",
            "nested/x.yaml": "", "drafts/x.yaml": "", "drafts/keep/y.yaml": "",
            ".todosyncignore": "# not yet\n\ndrafts/\n!a.yaml\n",
            "line\nbreak.yaml": "", "folder.yaml/x.yaml": "",
        ])
        try folder.link("linked.yaml", to: "a.yaml")
        try folder.link("elsewhere", to: "/tmp")
        mkfifo(folder.path(of: "pipe.yaml"), 0o600)
        let result = try scan(root: folder.path, include: [])
        #expect(result.files.map(\.path) == ["a.yaml", "folder.yaml/x.yaml"])
        let reasons = Dictionary(uniqueKeysWithValues: result.ignored.map { ($0.path, $0.reason) })
        #expect(
            reasons == [
                ".hidden.yaml": .hidden, ".git": .hidden, "nested": .nestedWorkingDirectory,
                "drafts": .ignored(pattern: "drafts/", file: ".todosyncignore", line: 3),
                "linked.yaml": .symbolicLink, "elsewhere": .symbolicLink, "pipe.yaml": .notRegular,
                "line\nbreak.yaml": .unsuitable(.controlCharacter),
            ])
    }

    @Test func `a name that is not UTF-8 is skipped`() throws {
        let folder = try TemporaryFolder([:])
        let descriptor = open(folder.path + "/\u{1}", O_CREAT, 0o600)
        close(descriptor)
        let name: [CChar] = Array((folder.path + "/").utf8CString.dropLast()) + [-1, 46, 121, 109, 108, 0]
        rename(folder.path + "/\u{1}", name)
        let result = try scan(root: folder.path, include: [])
        #expect(result.ignored.map(\.reason) == [.unsuitable(.notUTF8)])
        #expect(result.ignored.map(\.path) == ["\u{FFFD}.yml"])
    }

    struct Absence: Sendable, CustomTestStringConvertible {
        let path: String
        let wouldBeSeen: Bool
        var testDescription: String { path }
    }

    @Test(arguments: [
        Absence(path: "gone.yaml", wouldBeSeen: true),
        Absence(path: "gone/gone.yaml", wouldBeSeen: true),
        Absence(path: ".gone.yaml", wouldBeSeen: false),
        Absence(path: ".hidden/gone.yaml", wouldBeSeen: false),
        Absence(path: "drafts/gone.yaml", wouldBeSeen: false),
        Absence(path: "drafts/deep/gone.yaml", wouldBeSeen: false),
        Absence(path: "x/drafts/gone.yaml", wouldBeSeen: false),
        Absence(path: "x/only.yaml", wouldBeSeen: false),
        Absence(path: "only.yaml", wouldBeSeen: true),
        Absence(path: "linked/gone.yaml", wouldBeSeen: false),
        Absence(path: "linked.yaml", wouldBeSeen: false),
        Absence(path: "nested/gone.yaml", wouldBeSeen: false),
        Absence(path: "nested/x/gone.yaml", wouldBeSeen: false),
        Absence(path: "excluded/gone.yml", wouldBeSeen: false),
        Absence(path: "../gone.yaml", wouldBeSeen: false),
        Absence(path: "gone.txt", wouldBeSeen: false),
    ]) func `a missing file counts as deleted only if the scan would have found it`(row: Absence) throws {
        let folder = try TemporaryFolder([
            "x/a.yaml": "", "drafts/a.yaml": "", ".todosyncignore": "drafts",
            "x/.todosyncignore": "/only.yaml",
            "nested/.todosync/lock": "",
        ])
        try folder.link("linked", to: "x")
        try folder.link("linked.yaml", to: "x/a.yaml")
        let result = try scan(root: folder.path, include: ["*.yaml"])
        #expect(result.wouldSee(row.path) == row.wouldBeSeen)
    }

    @Test func `an unreadable folder is skipped with everything below it`() throws {
        let folder = try TemporaryFolder(["locked/a.yaml": "", "open/b.yaml": ""])
        let fileSystem = FailingFileSystem { call throws(FileError) in
            if call.operation == .open, call.name == "locked" {
                throw FileError(.open, call.name, code: EACCES)
            }
        }
        let result = try scan(root: folder.path, include: [], fileSystem: fileSystem)
        #expect(result.files.map(\.path) == ["open/b.yaml"])
        #expect(result.ignored.map(\.path) == ["locked"])
        #expect(result.ignored.map(\.reason) == [.unreadable(FileError(.open, "locked", code: EACCES))])
        #expect(!result.wouldSee("locked/a.yaml"))
    }

    @Test func `a folder with an unreadable ignore file is skipped`() throws {
        let folder = try TemporaryFolder(["x/a.yaml": "", "x/.todosyncignore": "a.yaml"])
        let fileSystem = FailingFileSystem { call throws(FileError) in
            if call.operation == .open, call.name == ".todosyncignore" {
                throw FileError(.open, call.name, code: EIO)
            }
        }
        let result = try scan(root: folder.path, include: [], fileSystem: fileSystem)
        #expect(result.files.isEmpty)
        #expect(!result.wouldSee("x/gone.yaml"))
    }

    @Test func `a file larger than any todo or conflict is reported`() throws {
        let folder = try TemporaryFolder([
            "large.yaml": "text: " + String(repeating: "a", count: TodoFile.maximumSize - 5),
            "largest.yaml": "text: " + String(repeating: "a", count: TodoFile.maximumSize - 6),
        ])
        let files = try scan(root: folder.path, include: []).files
        guard case .tooLarge(let beginning) = files[0].content, case .read(let bytes) = files[1].content
        else {
            Issue.record("\(files.map(\.path))")
            return
        }
        #expect(beginning.starts(with: "text: a".bytes))
        #expect(bytes.count == TodoFile.maximumSize)
    }

    @Test func `folders can be nested as deeply as a path allows, but no deeper`() throws {
        let deepest = String(repeating: "d/", count: PathRules.maximumDepth)
        let folder = try TemporaryFolder([deepest + "a.yaml": "", deepest + "d/b.yaml": ""])
        let result = try scan(root: folder.path, include: [])
        #expect(result.files.map(\.path) == [deepest + "a.yaml"])
        #expect(result.ignored.map(\.reason) == [.unsuitable(.tooDeep)])
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/shm")))
    func `a mounted file system is recognized by its device`() throws {
        let result = try scan(root: "/dev", include: ["/shm/todosync-nothing/"])
        #expect(result.mountPoints.contains("shm"))
    }

    @Test func `single files can be read without a scan`() throws {
        let folder = try TemporaryFolder(["a.yaml": "a", "x/b.yaml": "b", "folder.yaml/c.yaml": "c"])
        try folder.link("link.yaml", to: "a.yaml")
        try folder.link("linked", to: "x")
        let paths = [
            "x/b.yaml", "gone.yaml", "a.yaml", "folder.yaml", "link.yaml", "linked/b.yaml", "../a.yaml",
        ]
        let files = try lookAtFiles(paths, root: folder.path)
        #expect(files.map { $0?.content } == [.read("b".bytes), nil, .read("a".bytes), nil, nil, nil, nil])
        let failing = FailingFileSystem { call throws(FileError) in
            if call.operation == .open, call.name == "b.yaml" {
                throw FileError(.open, call.name, code: EACCES)
            }
        }
        let error = #expect(throws: FileError.self) {
            try lookAtFiles(["a.yaml", "x/b.yaml"], root: folder.path, fileSystem: failing)
        }
        #expect(error == FileError(.open, "x/b.yaml", code: EACCES))
    }

    // MARK: Faults

    @Test func `whichever call fails, no missing file is treated as deleted`() throws {
        let folder = try TemporaryFolder([
            "a.yaml": "a", "x/b.yaml": "b", "x/y/c.yaml": "c", "z/.todosyncignore": "d*", "z/e.yaml": "e",
        ])
        let undisturbed = FailingFileSystem()
        let files = try scan(root: folder.path, include: [], fileSystem: undisturbed).files
        #expect(files.count == 4)
        var unseen = 0
        for number in 1...undisturbed.calls {
            let failing = FailingFileSystem(failingAt: number, code: EIO)
            guard let result = try? scan(root: folder.path, include: [], fileSystem: failing) else {
                continue
            }
            for file in files where !result.files.contains(where: { $0.path == file.path }) {
                unseen += 1
                #expect(!result.wouldSee(file.path), "call \(number), \(file.path)")
            }
            #expect(!result.files.contains { $0.path == "z/d.yaml" })
        }
        #expect(unseen > 13)
    }
}

@Suite struct RootTests {
    @Test func `the root is the nearest folder with a folder .todosync`() throws {
        let folder = try TemporaryFolder(["a/b/x.yaml": "", "a/file/.todosync": "not a folder"])
        let root = try #require(try findRoot(from: folder.path))
        #expect(root.hasSuffix(folder.path))
        #expect(try findRoot(from: folder.path(of: "a/b")) == root)
        #expect(try findRoot(from: folder.path(of: "a/file")) == root)
        try folder.makeFolder("a/.todosync")
        #expect(try findRoot(from: folder.path(of: "a/b")) == root + "/a")
        #expect(try findRoot(from: "/") == nil)
        #expect(try findRoot(from: folder.path(of: "nowhere")) == nil)
    }
}
