import Foundation
import TestSupport
import Testing

/// The files of a store and of a working directory: who may write them, and what is done where one may not.
@Suite(.ownThreads) struct StoreFilesTests {
    private let folder: ThrowAwayFolder

    init() throws { folder = try ThrowAwayFolder() }

    /// Runs a script in which `user COMMAND…` is nobody privileged.
    private func run(_ script: String) throws -> Program.Result {
        let definitions = """
            unset TODOSYNC_SEED
            user() {
                if [ "$(id -u)" = 0 ]; then
                    setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
                else
                    "$@"
                fi
            }

            """
        let result = try Program.shell(
            definitions + script, in: folder.path, environment: TestedEnvironment(home: folder.path))
        return Program.Result(
            status: result.status, output: result.output.replacing(folder.path, with: "~"), errors: "")
    }

    // MARK: Masks

    @Test(arguments: [
        ("000", "u=rwx", ""), ("002", "u=rwx", "g"), ("022", "u=rwx", ""), ("000", "g+s", "g"),
        ("002", "g+s", "g"), ("022", "g+s", ""), ("027", "u=rwx", ""),
    ])
    func `nothing is writable by all, and by the group only as the mask or the folder has it`(
        _ mask: String, _ mode: String, _ writers: String
    ) throws {
        let result = try run(
            """
            chmod \(mode) .; umask \(mask)
            todosync init --quiet --bare store
            todosync clone --quiet store a
            cd a; todosync add --quiet Milk; todosync push --quiet; todosync set --quiet milk.yaml k=1
            todosync sync --quiet
            cd ..
            find store a -perm /002
            find a/.todosync -perm /020 | sort | head -n 1
            find a/.todosync ! -perm /020 | sort | head -n 1
            """)
        #expect(result.output == "a/.todosync\n", "\(result.output)")
        let group = try run("find a/.todosync -perm /020").output
        #expect(group.isEmpty == writers.isEmpty)
        // A store lets nobody but its owner write, until the owner says otherwise.
        #expect(try run("find store -type f -perm /022").output.isEmpty)
    }
}
