import Foundation
import TestSupport
import Testing

/// Power losses on real file systems: only what is on disk at some call of a command survives.
///
/// `TODOSYNC_POWER_LOSSES=200` tries that many on each file system, and `TODOSYNC_SEED=7` repeats one,
/// although a file system doesn't always write in the same order.
@Suite(.ownThreads) struct PowerLossTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seed = environment["TODOSYNC_SEED"].flatMap(UInt64.init)
    private static let count = environment["TODOSYNC_POWER_LOSSES"].flatMap(UInt64.init) ?? 3
    private static let whyNot: Comment =
        "only the simulator's orders were tested: \(LoopFileSystem.whyNoLoss ?? "no file system can be mounted")"

    @Test(.enabled(if: !LoopFileSystem.usable.isEmpty, whyNot), arguments: LoopFileSystem.usable)
    func `after a power loss no edit is lost, reverted, or in conflict with itself`(_ kind: LoopFileSystem)
        throws
    {
        let folders = try PowerLossFolders(kind)
        let seeds = Self.seed.map { $0..<$0 + 1 } ?? 0..<Self.count
        var events = PowerLossEvents()
        var failed: [UInt64] = []
        for seed in seeds {
            var round = try PowerLossRound(folders, seed: seed)
            defer { events.add(round.events) }
            do {
                try round.run()
            } catch {
                failed.append(seed)
                Issue.record("\(error)\nreplay it with TODOSYNC_SEED=\(seed)")
            }
        }
        print("\(kind): \(seeds.count) power losses, failed \(failed): \(events.description)")
        if seeds.count >= 100 { #expect(events.missing == []) }
    }

    @Test(.enabled(if: !LoopFileSystem.usable.isEmpty, whyNot), arguments: LoopFileSystem.usable)
    func `a power loss leaves what has reached the disk, and nothing else`(_ kind: LoopFileSystem) throws {
        let folder = try ThrowAwayFolder()
        let (point, options) = (folder.path + "/disk", kind.mountOptions[0])
        try FileManager.default.createDirectory(
            atPath: folder.path + "/now", withIntermediateDirectories: true)
        try kind.make(in: folder.path + "/now/image")
        let disk = try LoopDisk(kind, options, image: folder.path + "/now/image", at: point)
        let stop = StopTracer.Stop(number: 0, way: .kill, synchronized: 3)
        let tracer = StopTracer.command(folder.path + "/report", stop)
        let script = "cd \(point) && \(tracer) sh -c 'echo 1 > one; echo 2 > two'"
        let result = try disk.run(["/bin/sh", "-c", script], TestedEnvironment(home: folder.path))
        try #require(result.status == 0, "\(String(decoding: result.errors, as: UTF8.self))")
        try disk.copyImage(to: folder.path + "/lost")
        try disk.end()
        let left = try LoopDisk(kind, options, image: folder.path + "/lost/image", at: point)
        #expect(FileManager.default.contents(atPath: left.path(of: "one")) == Data("1\n".utf8))
        #expect(FileManager.default.contents(atPath: left.path(of: "two")) == nil)
        try left.end()
    }

    @Test(arguments: LoopFileSystem.allCases)
    func `the output names a file system that no power loss was tried on`(_ kind: LoopFileSystem) {
        if let reason = kind.whyNot {
            print("\(kind): only the simulator's orders were tested: \(reason)")
        }
        let isGuard = Self.environment["CI"] == "true" && LoopFileSystem.whyNoLoss == nil
        #expect(!isGuard || kind.isInstalled, "mkfs.\(kind) is needed where changes are guarded")
    }

    @Test(.enabled(if: !LoopFileSystem.usable.isEmpty, whyNot))
    func `a disk that was mounted leaves no loop device behind`() throws {
        let kind = try #require(LoopFileSystem.usable.first)
        let folder = try ThrowAwayFolder()
        let image = folder.path + "/image"
        try kind.make(in: image)
        let disk = try LoopDisk(kind, kind.mountOptions[0], image: image, at: folder.path + "/disk")
        let devices = { try LoopFileSystem.shell(#"losetup -j "$1""#, [image]).text }
        #expect(try devices().contains(image))
        try disk.end()
        // Another test's program can hold a file open until it ends.
        let clock = ContinuousClock()
        let end = clock.now + .seconds(60)
        while try devices() != "", clock.now < end { usleep(50_000) }
        #expect(try devices() == "")
    }
}
