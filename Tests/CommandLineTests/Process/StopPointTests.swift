import Foundation
import Testing

/// The program killed at, or refused, each of the calls by which it changes something, one run each.
///
/// `TODOSYNC_STOP_POINTS=all` has all of them tried, instead of some all over a run.
@Suite(.serialized) struct StopPointTests {
    struct Scene: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// What leads from the two working directories to where the command is given.
        var preparation = ""
        var command: String
        /// The exit statuses of the command given again.
        var statuses: Set<Int32> = [0]

        static let all = [
            // A conflict waits for the user.
            Scene(testDescription: "sync", command: "cd a; todosync sync", statuses: [1]),
            // A clone that was complete is not made again.
            Scene(testDescription: "clone", command: "todosync clone store c", statuses: [0, 73]),
            Scene(
                testDescription: "resolve", preparation: "(cd a; todosync sync --quiet) || [ $? = 1 ]",
                command: "cd a; todosync resolve --use local"),
        ]
    }

    enum Manner: String, CaseIterable {
        case signal = "signal=SIGKILL"
        case inputOutputError = "error=EIO"
        case diskFull = "error=ENOSPC"
    }

    private static let calls = [
        "write", "pwrite64", "rename", "renameat", "renameat2", "unlink", "unlinkat", "mkdir", "mkdirat",
        "ftruncate", "fsync", "fdatasync", "syncfs",
    ]
    private static let isLongRun = ProcessInfo.processInfo.environment["TODOSYNC_STOP_POINTS"] == "all"
    private static let pointCount = 6

    @Test(
        .enabled(if: Strace.isUsable, "strace is not installed, or may not trace"), arguments: Scene.all,
        Manner.allCases)
    func `the next run finishes what was stopped at any call, and nothing is lost or done twice`(
        _ scene: Scene, _ manner: Manner
    ) throws {
        let place = try Place(scene)
        let points = try place.points(Self.calls)
        try #require(points.count > 10)
        let stride = Self.isLongRun ? 1 : max(1, points.count / Self.pointCount)
        var count = 0
        for index in Swift.stride(from: manner == .signal ? 0 : stride / 2, to: points.count, by: stride) {
            let point = points[index]
            let status = try place.run(stoppedAt: point, manner.rawValue)
            if status == 137 { count += 1 }
            if manner != .signal {
                #expect([0, 1, 69, 73, 74].contains(status), "\(manner) at \(point): \(status)")
            }
            let left = try place.finish()
            #expect(scene.statuses.contains(left.status), "\(manner) at \(point): \(left.output)")
            let difference = try place.difference()
            #expect(difference == "", "\(manner) at \(point)")
        }
        print("\(scene.testDescription), \(manner.rawValue): \(points.count) points, \(count) runs killed")
        #expect(manner != .signal || count > 0)
    }
}

private enum Strace {
    static let isUsable: Bool = {
        guard let folder = try? ThrowAwayFolder() else { return false }
        let environment = TestedEnvironment(home: folder.path)
        return (try? Program.shell("strace -f -o trace true", in: folder.path, environment: environment))?
            .status
            == 0
    }()
}

/// Two working directories with a bit of everything to sync, which are put back for each run.
final class Place {
    private let folder: ThrowAwayFolder
    private let environment: TestedEnvironment
    private let scene: StopPointTests.Scene

    /// A call, and which one it is of its kind.
    struct Point: CustomStringConvertible {
        var call: String
        var number: Int
        var description: String { "\(call) \(number)" }
    }

    init(_ scene: StopPointTests.Scene) throws {
        folder = try ThrowAwayFolder()
        environment = TestedEnvironment(home: folder.path)
        self.scene = scene
        try shell(
            """
            set -e
            mkdir work; cd work
            todosync init --quiet --bare store
            \(Self.making(remote: "store"))
            cd ..
            \(scene.preparation)
            cd ..; cp -a work template
            """)
        try shell("cd work; (\(scene.command)); \(Self.settling); cd ..; mv work expected")
    }

    /// Returns the commands that make the two working directories, and leave one in the second.
    static func making(remote: String) -> String {
        """
        todosync clone --quiet \(remote) a
        for name in kept edited merged conflict gone-here gone-there moved; do
            printf 'id: %s\\ntext: %s\\npriority: low\\n' $name $name > a/$name.yaml
        done
        (cd a; todosync push --quiet)
        todosync clone --quiet \(remote) b
        cd b
        sed -i s/low/high/ merged.yaml
        sed -i 's/text: conflict/text: there/' conflict.yaml
        rm gone-there.yaml
        mkdir folder; mv moved.yaml folder
        printf 'id: new-there\\ntext: new\\n' > new-there.yaml
        todosync push --quiet
        cd ../a
        sed -i s/low/high/ edited.yaml
        sed -i 's/text: merged/text: here/' merged.yaml
        sed -i 's/text: conflict/text: here/' conflict.yaml
        rm gone-here.yaml
        printf 'id: new-here\\ntext: new\\n' > new-here.yaml
        """
    }

    private static let settling = "(cd a; todosync sync --quiet); (cd b; todosync sync --quiet); true"

    /// Returns where the command can be stopped, call by call.
    func points(_ calls: [String]) throws -> [Point] {
        try putBack()
        _ = try status(
            "set -e; cd work; trace -o \(folder.path)/trace -e trace=\(calls.joined(separator: ","))")
        var points: [Point] = []
        var counts: [Substring: Int] = [:]
        for line in try folder.read("trace").split(separator: "\n") {
            // As `1234  write(1, …`; what goes on with a call is `1234  <... write resumed>`.
            let words = line.split(separator: " ", maxSplits: 1).map { $0.drop { $0 == " " } }
            guard words.count == 2, let end = words[1].firstIndex(of: "("), !words[1].hasPrefix("<") else {
                continue
            }
            let call = words[1][..<end]
            counts[call, default: 0] += 1
            points.append(Point(call: String(call), number: counts[call] ?? 1))
        }
        return points
    }

    /// Runs the command with one call going wrong, and returns how it ended.
    func run(stoppedAt point: Point, _ injection: String) throws -> Int32 {
        try putBack()
        return try status(
            "cd work; trace -o /dev/null -e trace=\(point.call) "
                + "-e inject=\(point.call):\(injection):when=\(point.number)")
    }

    /// Gives the command again, and has both sides sync.
    func finish() throws -> Program.Result {
        let result = try Program.shell(
            "unset TODOSYNC_SEED; cd work; \(scene.command)", in: folder.path, environment: environment)
        try shell("cd work; \(Self.settling)")
        return result
    }

    /// Returns how the folders differ from what they are when nothing goes wrong.
    func difference() throws -> String {
        try shell("diff -r --exclude=.todosync --exclude=store expected work || true").output
    }

    private func putBack() throws { try shell("rm -rf work; cp -a template work") }

    private func status(_ command: String) throws -> Int32 {
        // The command itself is what is traced, not the shell around it.
        let traced = scene.command.replacing("todosync", with: "strace -f $options todosync")
        let function = "trace() { options=\"$*\"; \(traced); }"
        return try Program.shell(
            "unset TODOSYNC_SEED; \(function); \(command)", in: folder.path, environment: environment
        ).status
    }

    @discardableResult
    private func shell(_ command: String) throws -> Program.Result {
        try Program.shell("unset TODOSYNC_SEED\n" + command, in: folder.path, environment: environment)
    }
}
