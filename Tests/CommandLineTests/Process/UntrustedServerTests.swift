import Foundation
import Synchronization
import TestSupport
import Testing
import WorkingCopy

/// A folder whose remote is on a server that the user has not trusted.
@Suite(.ownThreads) struct UntrustedServerTests {
    private static let mark = "the list of trusted servers decides\n"

    /// A server that counts connections, and never answers.
    private final class Counter: Sendable {
        private let connections = Mutex(0)
        var count: Int { connections.withLock { $0 } }
        func add() { connections.withLock { $0 += 1 } }
    }

    private func withSilentServer(
        _ body: (_ folder: ThrowAwayFolder, _ origin: String, _ counter: Counter) throws -> Void
    ) throws {
        let counter = Counter()
        let server = try LoopbackServer { _ in counter.add() }
        let folder = try ThrowAwayFolder()
        let origin = "http://127.0.0.1:\(server.port)"
        // A stranger's repository, and a helper that records whether it was asked.
        let made = try Program.shell(
            """
            set -e
            todosync init --quiet todos
            echo 'remote: \(origin)/tables/todoitem' > todos/.todosync/config.yaml
            printf 'id: a\\ntext: secret plans\\n' > todos/a.yaml
            mkdir -p .config/todosync
            echo 'helper touch "$HOME/asked"; false' > .config/todosync/credentials
            chmod 600 .config/todosync/credentials
            """, in: folder.path, environment: TestedEnvironment(home: folder.path))
        try #require(made.status == 0, "\(made.output)")
        try body(folder, origin, counter)
    }

    @Test(arguments: [
        ["sync"], ["push"], ["pull"], ["push", "a.yaml"], ["sync", "--dry-run"], ["push", "--dry-run"],
        ["pull", "--dry-run"], ["sync", "--json"],
    ])
    func `it gets no connection, and no helper is asked for its key`(words: [String]) throws {
        try withSilentServer { folder, origin, counter in
            let result = try Program.todosync(
                words, in: folder.path + "/todos",
                environment: ["HOME": folder.path, "TODOSYNC_KEY": "secret", "http_proxy": origin])
            #expect(result.status == 78)
            let isJSON = words.contains("--json")
            #expect(
                isJSON
                    ? result.errors.hasPrefix(
                        #"{"error":{"code":"untrusted","status":78,"message":"\#(origin) is not "#)
                    : result.errors == """
                        error: \(origin) is not a server that you trust; nothing was sent to it
                        hint: if you know who runs it, run "todosync trust \(origin)" to push and pull there

                        """)
            #expect(result.output.isEmpty != isJSON)
            #expect(counter.count == 0)
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/asked"))
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/.config/todosync/trusted"))
        }
    }

    @Test(arguments: [
        "todosync trust $origin", "TODOSYNC_TRUST=$origin; export TODOSYNC_TRUST",
        "todosync remote set-url origin $url",
        "todosync remote remove origin; todosync remote add origin $url",
        "echo key | todosync remote login $url", "echo key | todosync remote login $origin",
    ])
    func `whoever names it trusts it`(command: String) throws {
        try withSilentServer { folder, origin, counter in
            let result = try Program.shell(
                """
                rm ../.config/todosync/credentials
                origin=\(origin); url=$origin/tables/todoitem
                (\(command)) > /dev/null 2>&1; \(command.contains("export") ? command : "true")
                todosync sync
                """, in: folder.path + "/todos", environment: TestedEnvironment(home: folder.path))
            #expect(result.status == 69, "\(result.output)")
            #expect(counter.count > 0)
        }
    }

    @Test func `trust in one server doesn't extend to its neighbors`() throws {
        try withSilentServer { folder, origin, counter in
            let port = origin.split(separator: ":")[2]
            let result = try Program.shell(
                """
                for other in https://127.0.0.1:\(port) http://127.0.0.1:1 http://localhost:\(port) \
                    http://127.0.0.1 http://[::1]:\(port); do todosync trust $other || exit; done
                todosync -C todos sync
                """, in: folder.path, environment: TestedEnvironment(home: folder.path))
            #expect(result.status == 78, "\(result.output)")
            #expect(counter.count == 0)
        }
    }

    @Test(arguments: ["y\n", "\n", "n\n", "\u{4}"])
    func `at a terminal it asks, and only a yes is one`(answer: String) throws {
        try withSilentServer { folder, origin, counter in
            try? FileManager.default.removeItem(atPath: folder.path + "/.config/todosync/credentials")
            let session = try TerminalSession(
                ["sync"], in: folder.path + "/todos", environment: ["HOME": folder.path])
            try session.expect("trust \(origin)? [y/N] ")
            #expect(counter.count == 0)
            session.type(answer)
            let isTrusted = answer == "y\n"
            #expect(try session.end() == (isTrusted ? 69 : 78))
            #expect((counter.count > 0) == isTrusted)
            let list = try Program.todosync("trust", in: folder.path).output
            #expect(list == (isTrusted ? origin + "\n" : ""))
        }
    }

    // MARK: - Folders from version 0.1.0

    /// Creates a folder that has pushed to a server, as version 0.1.0 leaves it, and runs commands in it.
    ///
    /// - Parameter commands: Run in the folder, with the server's origin in `$origin`.
    private func run(_ commands: String, cloningOnly: Bool = false) async throws -> (Program.Result, String) {
        var results: (Program.Result, String)?
        try await withServer(keys: false) { server in
            let folder = try ThrowAwayFolder()
            results = (
                try Program.shell(
                    """
                    unset TODOSYNC_SEED
                    export GIT_CONFIG_GLOBAL=/dev/null
                    git() { command git -c user.name=U -c user.email=u@example.com "$@"; }
                    origin=\(server.url)
                    todosync clone --quiet $origin/tables/todoitem todos || exit
                    cd todos
                    \(cloningOnly ? "" : "todosync add --quiet one; todosync push --quiet || exit")
                    rm -f .todosync/told ../.config/todosync/trusted
                    \(commands)
                    """, in: folder.path, environment: TestedEnvironment(home: folder.path)), server.url
            )
        }
        return try #require(results)
    }

    private func note(_ origin: String) -> String {
        "note: todosync trusts \(origin) from now on, because this folder has pushed to it before; "
            + "run \"todosync trust --remove \(origin)\" to undo that\n"
    }

    @Test func `a folder that has pushed goes on, and says so once`() async throws {
        let (result, origin) = try await run(
            "todosync sync --quiet; todosync sync --quiet; cat ../.config/todosync/trusted .todosync/told")
        #expect(result.output == note(origin) + "\(origin)\n" + Self.mark)
    }

    @Test func `what was taken back stays so`() async throws {
        let (result, _) = try await run(
            "todosync sync --quiet; todosync trust --remove $origin; todosync sync > ../output 2>&1; echo $?")
        #expect(result.output.hasSuffix("\n78\n"), "\(result.output)")
        // A folder that needed no exception for its first sync gets none later.
        let (second, _) = try await run(
            """
            TODOSYNC_TRUST=$origin todosync sync --quiet
            todosync sync > ../output 2>&1; echo $?
            """)
        #expect(second.output == "78\n")
    }

    @Test(arguments: [
        // The same server, under a name that the folder hasn't pushed to.
        #"sed -i 's/127.0.0.1/localhost/' .todosync/config.yaml"#,
        "rm .todosync/journal",
        "git init --quiet; git add --force .todosync/config.yaml",
        "git init --quiet; git add --force .; git commit --quiet -m all; git rm --quiet --cached -r .todosync/journal",
        "mkdir ../outer; cd ..; mv todos outer; cd outer; git init --quiet; git add --force .; cd todos",
        // A folder that looks like a bare repository to git, and that was committed to another repository.
        """
        echo 'ref: refs/heads/main' > HEAD; mkdir objects refs; touch objects/.keep refs/.keep
        printf '[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n\\tworktree = ..\\n' > config
        mkdir ../outer; cd ..; mv todos outer; cd outer
        git init --quiet; git -c safe.bareRepository=explicit add --force .; cd todos
        """,
        // Repositories that git can't read.
        "mkdir .git", "echo 'gitdir: /nowhere' > .git",
        "git init --quiet; echo broken > .git/index",
    ])
    func `a folder that came with a repository, or has not pushed there, is no exception`(
        preparation: String
    ) async throws {
        let (result, _) = try await run(
            "(\(preparation)) > ../output 2>&1; cd ../outer/todos 2> ../output; todosync sync")
        #expect(result.status == 78, "\(result.output)")
        #expect(result.output.contains("is not a server that you trust"))
    }

    @Test func `a folder that has only pulled is no exception`() async throws {
        #expect(try await run("todosync sync", cloningOnly: true).0.status == 78)
    }

    @Test(
        .enabled(if: getuid() == 0, "only root can give a folder to somebody else"),
        arguments: [".", ".todosync", ".todosync/journal", ".todosync/config.yaml"])
    func `a folder of another user's is no exception`(path: String) async throws {
        let (result, _) = try await run("chown 12345 \(path); todosync sync")
        #expect(result.status == 78, "\(result.output)")
    }

    @Test func `a repository whose git leaves .todosync alone is no obstacle`() async throws {
        let (result, origin) = try await run(
            "git init --quiet; git add .; git commit --quiet -m todos; todosync sync --quiet")
        #expect(result.status == 0 && result.output == note(origin))
    }

    @Test func `nothing that a repository names is run, nor is another one asked`() async throws {
        let (result, _) = try await run(
            """
            git init --quiet; git add --force .; git commit --quiet -m all
            git init --quiet ../empty
            for key in core.fsmonitor core.hooksPath core.pager core.sshCommand core.askPass \
                filter.x.clean filter.x.smudge filter.x.process diff.x.textconv alias.ls-files; do
                git config $key "touch $HOME/$key;"
            done
            echo '* filter=x diff=x' > .git/info/attributes
            printf '#!/bin/sh\\ntouch "$HOME/trap"\\n' > trap; chmod +x trap
            GIT_DIR=$HOME/empty/.git GIT_INDEX_FILE=$HOME/none GIT_EXTERNAL_DIFF=$PWD/trap GIT_PAGER=$PWD/trap \
                GIT_CEILING_DIRECTORIES=$HOME todosync sync > ../output 2>&1
            echo $?; ls -A ..
            """)
        #expect(result.output == "78\n.config\nempty\noutput\ntodos\n")
    }

    @Test func `a list that can't be written stops no folder that has pushed`() async throws {
        let (result, origin) = try await run(
            """
            rm -r ../.config; echo 'not a folder' > ../.config
            XDG_CONFIG_HOME= todosync sync --quiet; echo $?
            rm ../.config; todosync sync --quiet; echo $?
            """)
        #expect(
            result.output.hasPrefix("warning: todosync trusts \(origin) this time only, "), "\(result.output)"
        )
        #expect(result.output.hasSuffix("\n0\n" + note(origin) + "0\n"), "\(result.output)")
    }
}
