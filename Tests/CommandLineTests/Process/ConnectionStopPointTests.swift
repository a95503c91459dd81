import Foundation
import Synchronization
import TestSupport
import Testing

/// Kills the program, or cuts its connection, at each piece of data that it sends to a server or receives, in
/// one run each.
@Suite(.serialized, .ownThreads) struct ConnectionStopPointTests {
    enum Manner: String, CaseIterable {
        case kill, cut
    }

    enum Moment: CaseIterable {
        /// The other end hasn't received the piece.
        case before
        case after
    }

    @Test(arguments: [("sync", "cd a; todosync sync"), ("clone", "todosync clone $url c")], Manner.allCases)
    func `the next run finishes what a broken connection stopped, and nothing is lost or done twice`(
        _ scene: (name: String, command: String), _ manner: Manner
    ) throws {
        let line = Line()
        let folders = try ServedFolders(line, scene.command)
        let expected = try folders.undisturbed()
        let pieces = expected.pieces
        try #require(pieces > 3)
        var count = 0
        for number in 1...pieces {
            for moment in Moment.allCases {
                try folders.putBack()
                line.disturb(at: number, moment, manner)
                let status = try folders.run()
                count += 1
                // A cut is reported, or a retry succeeds.
                #expect([0, 1, 69, 137].contains(status), "\(manner) \(moment) piece \(number): \(status)")
                line.disturb(at: nil, moment, manner)
                let again = try folders.run()
                #expect([0, 1, 73].contains(again), "\(manner) \(moment) piece \(number): \(again)")
                let outcome = try folders.outcome()
                #expect(outcome == expected.outcome, "\(manner) \(moment) piece \(number)")
            }
        }
        print("\(scene.name), \(manner): \(pieces) pieces, \(count) runs stopped")
    }
}

/// Forwards the data of connections piece by piece, and disturbs them at one of the pieces.
final class Line: Sendable {
    private struct State {
        var target: UInt16 = 0
        var count = 0
        var stop:
            (number: Int, moment: ConnectionStopPointTests.Moment, manner: ConnectionStopPointTests.Manner)?
        var processFile = ""
    }

    private let state = Mutex(State())

    /// The number of pieces since ``lead(to:killing:)``.
    var count: Int { state.withLock(\.count) }

    /// Forwards later connections to another server.
    func lead(to port: UInt16, killing processFile: String) {
        state.withLock {
            $0.target = port
            $0.count = 0
            $0.processFile = processFile
        }
    }

    func disturb(
        at number: Int?, _ moment: ConnectionStopPointTests.Moment, _ manner: ConnectionStopPointTests.Manner
    ) {
        state.withLock { state in state.stop = number.map { ($0, moment, manner) } }
    }

    /// Forwards the data of a connection to the server and back.
    func carry(_ client: LoopbackConnection) {
        guard let server = try? LoopbackConnection(port: state.withLock(\.target)) else { return }
        Thread.detachNewThread { [self] in pass(from: server, to: client) }
        pass(from: client, to: server)
    }

    private func pass(from source: LoopbackConnection, to target: LoopbackConnection) {
        while let piece = source.read() {
            let stop = state.withLock { state in
                state.count += 1
                return state.stop?.number == state.count ? state.stop : nil
            }
            if let stop, stop.moment == .before {
                perform(stop.manner)
                break
            }
            guard target.write(piece) else { break }
            if let stop {
                perform(stop.manner)
                break
            }
        }
        source.end()
        target.end()
    }

    private func perform(_ manner: ConnectionStopPointTests.Manner) {
        guard manner == .kill else { return }
        let file = state.withLock(\.processFile)
        guard let text = try? String(contentsOfFile: file, encoding: .utf8),
            let process = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines))
        else { return }
        kill(process, SIGKILL)
    }
}

/// Two working directories of a served table with changes of every kind to sync, restored for each run.
private final class ServedFolders {
    private let folder: ThrowAwayFolder
    private let environment: TestedEnvironment
    private let line: Line
    private let server: ServedStore
    private let command: String

    init(_ line: Line, _ command: String) throws {
        folder = try ThrowAwayFolder()
        environment = TestedEnvironment(home: folder.path)
        self.line = line
        server = try ServedStore(line)
        self.command = command
        try shell("mkdir work; cd work; todosync init --quiet --bare store")
        try serve()
        try shell("set -e; cd work; url=\(server.url)\n" + SceneFolders.making(remote: "$url"))
        server.end()
        try shell("cp -a work template")
    }

    func putBack() throws {
        server.end()
        try shell("rm -rf work; cp -a template work")
        try serve()
    }

    /// Runs the command and returns its exit status.
    func run() throws -> Int32 {
        // The process's id is in the file before the program sends anything.
        let exec = command.replacing("todosync", with: "exec todosync")
        return try Program.shell(
            "unset TODOSYNC_SEED; cd work; sh -c 'echo $$ > ../process; url=\(server.url); \(exec)' > /dev/null 2>&1",
            in: folder.path, environment: environment
        ).status
    }

    /// Returns the state after both sides have synced.
    func outcome() throws -> String {
        try shell(
            "cd work; (cd a; todosync sync --quiet); (cd b; todosync sync --quiet); "
                + "find . -name '*.yaml' -not -path '*/.todosync/*' | sort | xargs tail -n +1; true"
        ).output
    }

    /// Returns the number of pieces in an undisturbed run, and the run's outcome.
    func undisturbed() throws -> (pieces: Int, outcome: String) {
        try putBack()
        _ = try run()
        return (line.count, try outcome())
    }

    private func serve() throws {
        try server.start(in: folder.path + "/work", processFile: folder.path + "/process")
    }

    @discardableResult
    private func shell(_ command: String) throws -> Program.Result {
        try Program.shell("unset TODOSYNC_SEED\n" + command, in: folder.path, environment: environment)
    }
}
