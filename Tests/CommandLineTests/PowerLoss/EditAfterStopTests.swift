import Foundation
import TestSupport
import Testing

/// Edits to the files that a killed command left, before the next command.
///
/// `TODOSYNC_PROPERTY_SEEDS` kills the command at all of its calls instead of some.
@Suite(.ownThreads, .enabled(if: StopTracer.isUsable, StopTracer.whyNot))
struct EditAfterStopTests {
    /// The changes that reach the working directory `b`, and the command that applies them.
    struct Scene: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Whether `b` already has the todos.
        var isOnBoth = true
        /// The commands that run in `a`, and in `b` before the command.
        var there: String
        var here = ""
        var command: String
        /// The todos if nothing goes wrong.
        var final: String

        var merges: Bool { !here.isEmpty }

        static let all = [
            Scene(
                testDescription: "a pull of edits", there: "sed -i s/false/true/ *.yaml",
                command: "pull", final: "text: T\ncomplete: true\nown: old\nnotes: old\n"),
            Scene(
                testDescription: "a sync that merges", there: "sed -i s/false/true/ *.yaml",
                here: "sed -i 's/own: old/own: mine/' *.yaml", command: "sync",
                final: "text: T\ncomplete: true\nown: mine\nnotes: old\n"),
            Scene(
                testDescription: "a pull of new todos", isOnBoth: false,
                there: EditAfterStopTests.writing("true"), command: "pull",
                final: "text: T\ncomplete: true\nown: old\nnotes: old\n"),
            Scene(
                testDescription: "a pull of renames with edits",
                there: "sed -i s/false/true/ *.yaml; for i in 1 2 3; do mv t$i.yaml n$i.yaml; done",
                command: "pull", final: "text: T\ncomplete: true\nown: old\nnotes: old\n"),
        ]
    }

    /// What the user does with each existing file.
    enum Act: String, Sendable, CaseIterable {
        case reverts = "reverts what arrived"
        case edits = "edits another field"
        case recreates = "deletes and re-creates it, with an edit"

        /// Shell commands that change the file `$file`.
        var script: String {
            switch self {
            case .reverts: "sed -i s/true/false/ $file"
            case .edits: "sed -i 's/notes: old/notes: late/' $file"
            case .recreates:
                "text=$(cat $file); rm $file; printf '%s\\n' \"$text\" | sed 's/notes: old/notes: late/' > $file"
            }
        }

        /// Returns a todo's expected final text, depending on whether it had arrived before the user acted.
        func result(of final: String, arrived: Bool) -> String {
            switch self {
            case .reverts: arrived ? final.replacing("true", with: "false") : final
            case .edits, .recreates: final.replacing("notes: old", with: "notes: late")
            }
        }
    }

    /// The number of points to try in a short run, besides the one after the first file.
    private static let pointCount = 1
    private static let names = ["1", "2", "3"]

    private static func writing(_ complete: String) -> String {
        """
        for i in 1 2 3; do
            printf 'id: t%s\\ntext: T\\ncomplete: \(complete)\\nown: old\\nnotes: old\\n' $i > t$i.yaml
        done
        """
    }

    @Test(arguments: Scene.all, Act.allCases)
    func `no edit of what a killed command left is reverted, and none conflicts with itself`(
        _ scene: Scene, _ act: Act
    ) throws {
        let folder = try ThrowAwayFolder()
        try shell(
            """
            set -e
            # The store's path stays the same.
            mkdir work; cd work
            todosync init --quiet --bare store
            todosync clone --quiet store a
            \(scene.isOnBoth ? "(cd a; \(Self.writing("false")); todosync push --quiet)" : "")
            todosync clone --quiet store b
            (cd a; \(scene.there); todosync push --quiet)
            (cd b; \(scene.here))
            cp -a ../work ../template
            """, in: folder)
        let calls = try run(scene, .none, in: folder).calls
        let first = try #require(calls.firstIndex { $0.name == "renameat2" })
        let isFound = calls.dropFirst(first + 1).contains { $0.name == "renameat2" }
        try #require(isFound, "the files are to be replaced one by one")
        // Once everything has arrived, a merge can be sent. The text before the merge then counts as never
        // written.
        let last = calls.lastIndex { $0.name == "renameat2" } ?? first
        let end = scene.merges && act == .reverts ? last + 1 : calls.count
        let stride = PropertySeeds.isLongRun ? 1 : (end - first - 2) / Self.pointCount
        var (tried, stops) = (0, 0)
        // The first point is the one after the first file.
        for index in Swift.stride(from: first + 1, to: end, by: max(stride, 1)) {
            let stop = StopTracer.Stop(number: index + 1, way: .kill)
            let report = try run(scene, stop, in: folder)
            tried += 1
            guard let stopped = report.stopped.first else { continue }
            stops += 1
            let comment: Comment = "killed at \(report.calls[stopped])"
            try check(scene, act, in: folder, comment)
        }
        // Because of threads, the number of calls can differ by a few between runs.
        #expect(stops > 0 && stops * 2 >= tried)
    }

    /// Lets the user act and both sides sync, and checks the result.
    private func check(_ scene: Scene, _ act: Act, in folder: ThrowAwayFolder, _ comment: Comment) throws {
        var before: [String: String] = [:]
        for name in Self.names { before[name] = try todo(name, in: "b", folder) }
        try shell("cd work/b; for file in $(ls *.yaml); do \(act.script); done", in: folder)
        let end = try shell(
            """
            cd work
            (cd b; todosync sync) && (cd a; todosync sync) && (cd b; todosync sync; todosync fsck)
            """, in: folder, status: nil)
        #expect(end.status == 0, "\(comment): \(end.output)")
        #expect(end.output.hasSuffix("all is well\n"), "\(comment): \(end.output)")
        for name in Self.names {
            let id = "id: t\(name)\n"
            let seen = before[name] ?? nil
            let result =
                seen == nil
                ? scene.final
                : act.result(of: scene.final, arrived: seen?.contains("complete: true") == true)
            for side in ["a", "b"] {
                let found = try todo(name, in: side, folder)
                #expect(
                    found == id + result,
                    "\(comment): \(side), which was \(seen ?? "not there")\n\(end.output)")
            }
        }
    }

    /// Returns a todo's text, regardless of its file's name.
    private func todo(_ name: String, in side: String, _ folder: ThrowAwayFolder) throws -> String? {
        let found = try shell(
            "cd work/\(side); cat $(grep -lx 'id: t\(name)' *.yaml) < /dev/null", in: folder, status: nil)
        return found.output.isEmpty || found.output.hasPrefix("grep:") ? nil : found.output
    }

    private func run(_ scene: Scene, _ stop: StopTracer.Stop, in folder: ThrowAwayFolder) throws
        -> StopTracer.Report
    {
        try shell(
            """
            rm -rf work; cp -a template work; cd work/b
            \(StopTracer.command("\(folder.path)/report", stop)) todosync \(scene.command) > ../output 2>&1
            """, in: folder, status: stop.number == 0 ? 0 : nil)
        return StopTracer.Report(try folder.read("report"))
    }

    @discardableResult
    private func shell(_ command: String, in folder: ThrowAwayFolder, status: Int32? = 0) throws
        -> Program.Result
    {
        let result = try Program.shell(
            "unset TODOSYNC_SEED\n" + command, in: folder.path,
            environment: TestedEnvironment(home: folder.path))
        if let status { try #require(result.status == status, "\(result.output)") }
        return result
    }
}
