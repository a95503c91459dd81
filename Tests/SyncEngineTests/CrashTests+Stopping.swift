import Foundation
import SyncEngine
import Synchronization
import TestSupport
import Testing
import WorkingCopy

/// A command that is asked to end, for example by Ctrl-C, while it recovers from a crash.
extension CrashTests {
    /// Every call in a long run, otherwise some.
    private static let (crashStride, stopStride) = PropertySeeds.isLongRun ? (1, 1) : (173, 61)

    @Test(arguments: Scene.all)
    func `wherever a recovery is asked to end, the next command does the rest`(_ scene: Scene) async throws {
        let world = World()
        let template = try await scene.prepare(world)
        let backup = await world.remote.backup()
        let expected = try await undisturbed(scene, world, template)
        var crash = Self.crashStride / 2
        var hasCrashed = true
        while hasCrashed {
            crash += Self.crashStride
            await world.remote.restore(backup)
            let failing = FailingFileSystem(failingAt: crash, andAfter: true, code: EIO)
            let crashed = try TemporaryFolder(copyOf: template)
            try? await scene.command(
                Machine(folder: crashed, workspace: world.workspace(at: crashed, failing)))
            hasCrashed = failing.calls >= crash
            let backupAfterCrash = await world.remote.backup()
            Machine(folder: crashed, workspace: world.workspace(at: crashed, failing)).saveMeanwhile()

            var stop = crash % Self.stopStride
            var hasStopped = true
            while hasStopped {
                stop += Self.stopStride
                await world.remote.restore(backupAfterCrash)
                let folder = try TemporaryFolder(copyOf: crashed)
                let counting = FailingFileSystem()
                let stopped = Machine(
                    folder: folder,
                    workspace: world.workspace(at: folder, counting).askedToEnd(at: stop, of: counting))
                do {
                    try await scene.repeatCommand(stopped)
                } catch {
                    #expect(error is CancellationError, "at calls \(crash) and \(stop): \(error)")
                }
                hasStopped = counting.calls >= stop

                let machine = Machine(
                    folder: folder, workspace: world.workspace(at: folder, FailingFileSystem()))
                try await scene.repeatCommand(machine)
                try await scene.repeatCommand(machine)
                let outcome = try await Outcome(machine, world)
                #expect(outcome == expected, "at calls \(crash) and \(stop)")
                if outcome != expected { return }
            }
        }
    }

    @Test func `wherever a recovery of a clone is asked to end, no half-written file stays`() async throws {
        let names = (1...3).map { "\($0).yaml" }
        let files = Dictionary(uniqueKeysWithValues: names.map { ($0, "id: t\($0.prefix(1))\ntext: new\n") })
        let world = World()
        _ = try await world.machines(1, files)
        var crash = 0
        var hasCrashed = true
        var halfWritten = 0
        while hasCrashed {
            crash += 1
            let crashed = try TemporaryFolder()
            let failing = FailingFileSystem(failingAt: crash, andAfter: true, code: EIO)
            _ = try? await clone(world, into: crashed, failing)
            hasCrashed = failing.calls >= crash
            // A file was created and not written.
            guard crashed.contents().contains(where: { $0.key.hasSuffix(".yaml") && $0.value == "" }) else {
                continue
            }
            halfWritten += 1
            var stop = 0
            var hasStopped = true
            while hasStopped {
                stop += 1
                let parent = try TemporaryFolder(copyOf: crashed)
                let folder = parent.path + "/clone"
                let counting = FailingFileSystem()
                let stopped = Workspace(
                    directory: WorkingDirectory(root: folder, fileSystem: counting),
                    surroundings: world.surroundings()
                ).askedToEnd(at: stop, of: counting)
                let report = try? await stopped.sync(SyncOptions())
                if let end = report?.stop { #expect(end is CancellationError) }
                hasStopped = counting.calls >= stop

                let next = Workspace(
                    directory: WorkingDirectory(root: folder), surroundings: world.surroundings())
                _ = try await next.sync(SyncOptions())
                let contents = parent.contents().filter { !$0.key.hasPrefix("clone/.todosync") }
                let expected = Dictionary(uniqueKeysWithValues: files.map { ("clone/" + $0, $1) })
                #expect(contents == expected, "at calls \(crash) and \(stop)")
                #expect(try next.status().isClean, "at calls \(crash) and \(stop)")
                if contents != expected { return }
            }
        }
        #expect(halfWritten > 0)
    }
}

extension Workspace {
    /// Returns the workspace with a command that is asked to end at a call to the file system.
    fileprivate func askedToEnd(at call: Int, of fileSystem: FailingFileSystem) -> Workspace {
        var surroundings = surroundings
        surroundings.isAskedToEnd = { fileSystem.calls >= call }
        return Workspace(directory: directory, surroundings: surroundings)
    }
}
