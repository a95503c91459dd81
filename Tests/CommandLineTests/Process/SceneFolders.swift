import Foundation
import Testing

/// Two working directories with changes of every kind to sync, restored for each run.
final class SceneFolders {
    private let folder: ThrowAwayFolder
    private let environment: TestedEnvironment
    private let scene: StopPointTests.Scene
    private var server: ServedStore?

    /// The outcome of a run, stopped or not.
    struct Outcome: CustomStringConvertible {
        var status: Int32
        var errors: String
        var report: StopTracer.Report
        /// The difference between the files and those of a run where nothing goes wrong.
        var difference: String
        /// Whether the journal has an operation that did not end.
        var isUnfinished: Bool
        var description: String { "\(status) \(errors)" }

        /// Whether the command reported exactly one error, and not an unexpected one.
        var hasClearError: Bool {
            errors.split(separator: "\n").count { $0.hasPrefix("error: ") } == 1
                && !errors.contains("an unexpected error")
        }
    }

    /// The outcome of running the command again and then syncing both sides.
    struct End {
        var status: Int32
        var output: String
        var difference: String
        /// The output of `fsck`.
        var check: String
    }

    init(_ scene: StopPointTests.Scene) throws {
        folder = try ThrowAwayFolder()
        environment = TestedEnvironment(home: folder.path)
        self.scene = scene
        try shell("mkdir work; cd work; todosync init --quiet --bare store")
        if scene.isServed { server = try ServedStore(Line()) }
        try server?.start(in: folder.path + "/work")
        try shell(
            """
            set -e
            cd work
            \(Self.making(remote: "$remote"))
            cd ..
            \(scene.preparation)
            """)
        server?.end()
        try shell("cp -a work template")
        // The expected files: right after the command, and after both sides have synced.
        try putBack()
        try shell(
            "cd work; (\(scene.command)); cp -a ../work ../done; \(Self.syncing); cp -a ../work ../settled")
    }

    deinit { server?.end() }

    /// Returns the commands that create the two working directories, and end in `a`.
    static func making(remote: String) -> String {
        """
        todosync clone --quiet \(remote) a
        # A version is another one in each run.
        echo 'merge.labels: plain' >> a/.todosync/config.yaml
        for name in kept edited merged conflict gone-here gone-there moved; do
            printf 'id: %s\\ntext: %s\\npriority: low\\n' $name $name > a/$name.yaml
        done
        (cd a; todosync push --quiet)
        todosync clone --quiet \(remote) b
        echo 'merge.labels: plain' >> b/.todosync/config.yaml
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

    private static let syncing = "(cd a; todosync sync --quiet); (cd b; todosync sync --quiet); true"
    private static let comparison = "diff -r --exclude=.todosync --exclude=store"

    /// Runs the command, and stops it if a stop is given.
    ///
    /// - Parameter state: The state that the run begins with; see ``keep(as:)``.
    func run(_ stop: StopTracer.Stop, from state: String = "template") throws -> Outcome {
        try putBack(state)
        // Only the command itself is traced, not the shell around it.
        let traced = scene.command.replacing(
            "todosync ", with: StopTracer.command("\(folder.path)/report", stop) + " todosync ")
        let result = try shell(
            """
            cd work
            (\(traced)) > ../output 2> ../errors
            status=$?
            \(Self.comparison) ../done ../work
            grep -Eho '"record":"(begin|end)"' \(scene.folder)/.todosync/journal | tail -n 1 > ../last
            exit $status
            """)
        return Outcome(
            status: result.status, errors: try folder.read("errors"),
            report: StopTracer.Report(try folder.read("report")), difference: result.output,
            isUnfinished: try folder.read("last").contains("begin"))
    }

    /// Runs the command again, and lets both sides sync.
    func finish() throws -> End {
        let result = try shell(
            """
            cd work
            (\(scene.command)) > ../output 2>&1
            status=$?
            (\(Self.syncing)) > /dev/null 2>&1
            # A folder may stay that was emptied just before the program was killed.
            find ? -name .todosync -prune -o -type d -empty -exec rmdir {} +
            \(Self.comparison) ../settled ../work
            (cd a; todosync fsck) > ../check 2>&1
            exit $status
            """)
        return End(
            status: result.status, output: try folder.read("output"), difference: result.output,
            check: try folder.read("check"))
    }

    /// Keeps the state of both sides for later runs.
    func keep(as state: String) throws {
        server?.end()
        try shell("rm -rf \(state); cp -a work \(state)")
    }

    private func putBack(_ state: String = "template") throws {
        server?.end()
        try shell("rm -rf work; cp -a \(state) work")
        try server?.start(in: folder.path + "/work")
    }

    @discardableResult
    private func shell(_ command: String) throws -> Program.Result {
        try Program.shell(
            "unset TODOSYNC_SEED; remote=\(server?.url ?? "store")\n" + command, in: folder.path,
            environment: environment)
    }
}
