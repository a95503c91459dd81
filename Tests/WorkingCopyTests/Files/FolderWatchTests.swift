#if os(Linux)
    import Foundation
    import Synchronization
    import TestSupport
    import Testing
    import WorkingCopy

    /// Which changes to a folder are noticed.
    @Suite(.timeLimit(.minutes(10))) struct FolderWatchTests {
        private final class Rings: Sendable {
            private let count = Mutex(0)
            func ring() { count.withLock { $0 += 1 } }

            /// Returns whether there was a ring since the last call.
            func take() -> Bool {
                count.withLock { count in
                    defer { count = 0 }
                    return count > 0
                }
            }

            /// Waits for a ring, and records an issue if it doesn't come for a long time.
            func wait(for change: String = "") async throws {
                let deadline = ContinuousClock.now + .seconds(60)
                while !take() {
                    guard ContinuousClock.now < deadline else {
                        Issue.record("not noticed: \(change)")
                        return
                    }
                    try await Task.sleep(for: .milliseconds(1))
                }
            }
        }

        private let folder: TemporaryFolder
        private let rings = Rings()

        init() throws {
            folder = try TemporaryFolder()
            try folder.write("text: a\n", to: "sub/a.yaml")
        }

        private func watch() -> FolderWatch { FolderWatch(root: folder.path) { [rings] in rings.ring() } }

        @Test func `changes to todo files are noticed, however they are made`() async throws {
            let watch = watch()
            #expect(watch.isComplete)
            let files = FileManager.default
            let changes: [(String, () throws -> Void)] = [
                ("write in place", { try folder.write("text: b\n", to: "sub/a.yaml") }),
                ("replace", { try folder.save("text: c\n", to: "sub/a.yaml") }),
                ("create", { try folder.write("text: d\n", to: "d.YML") }),
                (
                    "rename",
                    { try files.moveItem(atPath: folder.path + "/d.YML", toPath: folder.path + "/e.yaml") }
                ),
                ("remove", { try folder.remove("e.yaml") }),
                ("patterns", { try folder.write("x\n", to: ".todosyncignore") }),
                ("create a folder", { try folder.makeFolder("new") }),
                ("create in a new folder", { try folder.write("text: f\n", to: "new/f.yaml") }),
                (
                    "move a folder",
                    { try files.moveItem(atPath: folder.path + "/new", toPath: folder.path + "/moved") }
                ),
                ("write in a moved folder", { try folder.write("text: g\n", to: "moved/f.yaml") }),
                ("remove a folder", { try files.removeItem(atPath: folder.path + "/moved") }),
            ]
            for (name, change) in changes {
                _ = rings.take()
                try change()
                try await rings.wait(for: name)
                // A new folder's own folder is watched before its files are written.
                try await Task.sleep(for: .milliseconds(20))
            }
        }

        @Test func `a folder that appears with folders in it is watched to its end`() async throws {
            let watch = watch()
            try folder.makeFolder("x/y/z")
            try await rings.wait()
            try await Task.sleep(for: .milliseconds(50))
            _ = rings.take()
            try folder.write("text: a\n", to: "x/y/z/a.yaml")
            try await rings.wait()
            #expect(watch.isComplete)
        }

        @Test func `other files and hidden folders are not noticed`() async throws {
            try folder.makeFolder(".todosync/tmp")
            let watch = watch()
            try folder.write("x", to: "notes.txt")
            try folder.write("text: x\n", to: ".a.yaml.swp")
            try folder.write("text: x\n", to: ".a.yaml")
            try folder.write("{}", to: ".todosync/tmp/a.yaml")
            try folder.makeFolder(".git")
            try await Task.sleep(for: .milliseconds(100))
            #expect(!rings.take())
            try folder.write("text: b\n", to: "a.yaml")
            try await rings.wait()
            #expect(watch.isComplete)
        }

        @Test func `nothing is noticed after the end`() async throws {
            var watch: FolderWatch? = watch()
            #expect(watch?.isComplete == true)
            watch = nil
            try folder.write("text: b\n", to: "a.yaml")
            try await Task.sleep(for: .milliseconds(50))
            #expect(!rings.take())
        }
    }
#endif
