import Foundation
import TestSupport
import Testing

/// Kills or interrupts the program at each system call that changes something or talks to a remote, or makes
/// that call fail, in one run each; after a kill, interrupts the next command, too.
///
/// `TODOSYNC_PROPERTY_SEEDS` tries all of them instead of some.
@Suite(.serialized, .ownThreads, .enabled(if: StopTracer.isUsable, StopTracer.whyNot))
struct StopPointTests {
    struct Scene: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var isServed = false
        /// The commands that prepare the two working directories.
        var preparation = ""
        var command: String
        /// The working directory that the command changes.
        var folder: String { command.hasPrefix("cd a;") ? "a" : "c" }
        /// The exit statuses of the command if nothing goes wrong.
        var statuses: Set<Int32> = [0]
        /// The exit statuses of the command when it runs again.
        var statusesAgain: Set<Int32>?

        static let all = [
            // A conflict waits for the user.
            Scene(testDescription: "sync", command: "cd a; todosync sync", statuses: [1]),
            Scene(
                testDescription: "sync over HTTP", isServed: true, command: "cd a; todosync sync",
                statuses: [1]),
            // A complete clone isn't repeated.
            Scene(
                testDescription: "clone", command: "todosync clone $remote c", statusesAgain: [0, 73]),
            Scene(
                testDescription: "clone over HTTP", isServed: true, command: "todosync clone $remote c",
                statusesAgain: [0, 73]),
            Scene(
                testDescription: "clone that goes on",
                preparation: """
                    todosync clone --quiet store c
                    rm -r c
                    \(StopTracer.command("report", .none)) todosync clone --quiet store c
                    rm -r c
                    number=$(grep -n 'renameat2 merged.yaml' report | cut -d : -f 1)
                    \(StopTracer.path) report $number kill todosync clone --quiet store c || [ $? = 137 ]
                    rm report
                    """,
                command: "todosync clone store c", statusesAgain: [0, 73]),
            Scene(
                testDescription: "resolve", preparation: "(cd a; todosync sync --quiet) || [ $? = 1 ]",
                command: "cd a; todosync resolve --use local"),
            Scene(
                testDescription: "resolve --adopt",
                preparation: """
                    sed 's/$/ too/; s/^id:.*/id: kept/' a/kept.yaml > 'a/kept 2.yaml'
                    """,
                command: "cd a; todosync resolve --adopt"),
            Scene(
                testDescription: "set", command: "cd a; todosync set kept.yaml priority=high tags=home,shop"),
            Scene(
                testDescription: "undo",
                preparation: """
                    (cd a; todosync sync --quiet) || [ $? = 1 ]
                    (cd a; todosync log --json) | sed -n 's/.*"operation": "\\(.*\\)".*/\\1/p' | head -n 1 > operation
                    """,
                // A todo with a conflict stays unchanged.
                command: #"cd a; todosync undo "$(cat ../operation)""#, statuses: [1]),
            Scene(
                testDescription: "discard of a new file for a deleted todo",
                preparation: """
                    cd a; cp kept.yaml ../again; rm kept.yaml; todosync push --quiet kept.yaml
                    mv ../again kept.yaml; cd ..
                    """,
                command: "cd a; todosync discard kept.yaml", statusesAgain: [0, 66]),
            Scene(testDescription: "gc", command: "cd a; todosync gc --keep 0d"),
        ]
    }

    /// The number of points of a scene to try in a short run, for each way to stop.
    private static let pointCount = 2
    /// The same for the interruptions after a kill.
    private static let interruptionCount = 4

    @Test(arguments: Scene.all)
    func `the next run finishes what was stopped at any call, and nothing is lost or done twice`(
        _ scene: Scene
    ) throws {
        let folders = try SceneFolders(scene)
        let undisturbed = try folders.run(.none)
        try #require(scene.statuses.contains(undisturbed.status) && undisturbed.difference == "")
        let ways = StopTracer.Way.allCases
        for (index, way) in ways.enumerated() {
            let calls = undisturbed.report.calls
            let numbers = calls.indices.filter { way != .interruptedCall || calls[$0].isInterruptible }
            let stride = PropertySeeds.isLongRun ? 1 : (numbers.count + Self.pointCount - 1) / Self.pointCount
            // In a short run, each way gets different points.
            let tried = Array(
                Swift.stride(from: stride * index / ways.count, to: numbers.count, by: stride))
            var stopped = 0
            for number in tried {
                let stop = StopTracer.Stop(number: numbers[number] + 1, way: way)
                if try check(scene, stop, folders, undisturbed) { stopped += 1 }
            }
            let points = "\(numbers.count) points, \(stopped) of \(tried.count) runs stopped"
            print("\(scene.testDescription), \(way.rawValue): \(points)")
            // Because of threads, the number of calls can differ by a few between runs.
            #expect(stopped > 0 && tried.count - stopped <= max(1, tried.count / 20))
        }
    }

    @Test func `a disk that is full while a store is opened takes nothing out of it`() throws {
        let folders = try SceneFolders(Scene.all[0])
        let undisturbed = try folders.run(.none)
        let index = undisturbed.report.calls.firstIndex {
            $0.name == "ftruncate" && $0.object.hasSuffix("-shm")
        }
        let stop = StopTracer.Stop(number: try #require(index) + 1, way: .fullDisk)
        #expect(try check(Scene.all[0], stop, folders, undisturbed))
    }

    @Test(arguments: Scene.all)
    func `the command after a kill is interrupted at any call, and the one after that does the rest`(
        _ scene: Scene
    ) throws {
        let folders = try SceneFolders(scene)
        let calls = try folders.run(.none).report.calls
        // A short run tries a kill that leaves a half-written file, if there is one.
        let isWrite = { (call: StopTracer.Call) in
            call.name == "write" && call.object.hasSuffix(".yaml") && !call.object.contains("/.todosync/")
        }
        let kills =
            PropertySeeds.isLongRun
            ? Array(1...calls.count) : [(calls.firstIndex(where: isWrite) ?? calls.count / 2) + 1]
        for kill in kills {
            let killed = try folders.run(StopTracer.Stop(number: kill, way: .kill))
            guard killed.status == 137 else { continue }
            try folders.keep(as: "killed")
            let count = try folders.run(.none, from: "killed").report.calls.count
            let stride = PropertySeeds.isLongRun ? 1 : max(1, count / Self.interruptionCount)
            for number in Swift.stride(from: 1, through: count, by: stride) {
                let stop = StopTracer.Stop(number: number, way: .interrupt)
                let outcome = try folders.run(stop, from: "killed")
                let comment: Comment = "killed at \(kill), interrupted at \(number): \(outcome)"
                let statuses = scene.statusesAgain ?? scene.statuses
                #expect(statuses.union([130]).contains(outcome.status), comment)
                let end = try folders.finish()
                #expect(statuses.contains(end.status), "\(comment) \(end)")
                #expect(end.difference == "", "\(comment) \(end)")
                #expect(end.check == "all is well\n", comment)
            }
            print("\(scene.testDescription), killed at \(kill) of \(calls.count): \(count) points")
        }
    }

    /// Stops a run, checks the outcome, and returns whether it was stopped.
    private func check(
        _ scene: Scene, _ stop: StopTracer.Stop, _ folders: SceneFolders, _ undisturbed: SceneFolders.Outcome
    ) throws -> Bool {
        let outcome = try folders.run(stop)
        guard let first = outcome.report.stopped.first else { return false }
        let call = outcome.report.calls[first]
        let comment: Comment = "\(stop.way) \(stop.number): \(call)"
        // A command that reports success has done its work.
        if scene.statuses.contains(outcome.status), outcome.errors == undisturbed.errors {
            #expect(outcome.difference == "", comment)
        }
        switch stop.way {
        case .kill: #expect(outcome.status == 137, comment)
        case .interrupt:
            #expect(scene.statuses.union([130]).contains(outcome.status), "\(comment): \(outcome)")
        case .interruptedCall:
            #expect(scene.statuses.contains(outcome.status), "\(comment): \(outcome)")
            #expect(outcome.errors == undisturbed.errors, comment)
        case .inputOutputError, .noSpace, .fullDisk:
            #expect(scene.statuses.union([69, 73, 74]).contains(outcome.status), "\(comment): \(outcome)")
            #expect(
                scene.statuses.contains(outcome.status) || outcome.hasClearError
                    || call.object.hasSuffix("/errors"), "\(comment): \(outcome)")
        }
        let end = try folders.finish()
        #expect((scene.statusesAgain ?? scene.statuses).contains(end.status), "\(comment): \(end)")
        #expect(end.difference == "", "\(comment): \(outcome) \(end)")
        #expect(end.check == "all is well\n", "\(comment): \(outcome)")
        let reported = end.output.split(separator: "\n").count { $0.contains("an interrupted command") }
        #expect(reported == (outcome.isUnfinished ? 1 : 0), "\(comment): \(outcome) \(end)")
        return true
    }
}
