import Foundation
import TestSupport
import Testing

/// What `TODOSYNC_LOG` prints.
@Suite(.ownThreads) struct DecisionLogTests {
    /// Returns the log's lines that commands in a repository print, with the names of commits instead of ids.
    private func decisions(_ commands: String) throws -> String {
        try GitShell.run(
            """
            logged() {
                TODOSYNC_LOG=info todosync "$@" 2>&1 | grep '^todosync: ' > "$home/log"
                for name in empty main main~1 HEAD; do
                    sed -i "s/$(git rev-parse $name | cut -c 1-10)/$name/" "$home/log"
                done
                sed 's/^todosync: info: //; s/version [A-Za-z0-9+/]*=/version V/' "$home/log"
            }
            site; \(commands)
            """)
    }

    @Test func `the log explains why a todo is held`() throws {
        let output = try decisions(
            "git checkout --quiet main~1; logged sync; echo; git checkout --quiet empty; logged status")
        #expect(
            output == """
                git: HEAD is detached at main~1; at the last push, pull or sync, it was refs/heads/main at main
                held t1.yaml (olderVersion): HEAD main~1 has this synced text, which isn't the newest; \
                on this branch, nothing needs to be decided

                git: HEAD is refs/heads/empty at empty; at the last push, pull or sync, it was detached at main~1
                held t1.yaml (removedByGit): HEAD lacks it, and no commit made here deletes it; \
                on this branch, nothing needs to be decided
                held t2.yaml (removedByGit): HEAD lacks it, and no commit made here deletes it; \
                on this branch, nothing needs to be decided
                held t3.yaml (removedByGit): HEAD lacks it, and no commit made here deletes it; \
                on this branch, nothing needs to be decided

                """)
    }

    @Test func `the log explains why a change is the user's`() throws {
        let output = try decisions(
            """
            git rm --quiet t1.yaml; git commit --quiet -m delete; rm t2.yaml; edit t3 editor
            printf 'text: new\\n' > t4.yaml; printf 'id: t5\\ntext: [\\n' > t5.yaml; todosync add --quiet x
            logged status
            """)
        #expect(
            output == """
                git: HEAD is refs/heads/main at main; at the last push, pull or sync, it was refs/heads/main at main~1
                pending t1.yaml (delete): its file is gone; HEAD main, made here, deletes it
                pending t2.yaml (delete): its file is gone; git still has it, and so had every commit where HEAD has been
                pending t3.yaml (update): it differs from version V in text; it is an edit of the newest version, and has \
                no older value of git's
                pending t4.yaml (insert): the file has no id yet
                invalid t5.yaml: 3:1: did not find expected node content
                pending x.yaml (insert): the remote doesn't have it; a todosync command made the change

                """)
    }

    @Test func `the log has the rule that merged each field`() throws {
        let folder = try ThrowAwayFolder()
        let output = try Program.shell(
            """
            unset TODOSYNC_SEED
            todosync init --quiet --bare store; todosync clone --quiet store a
            printf 'id: t1\\ntext: t1\\npriority: low\\ntags: [x]\\n' > a/t1.yaml; todosync -C a sync --quiet
            todosync clone --quiet store b
            todosync -C a set --quiet t1.yaml text=a priority=high tags=x,a; todosync -C a sync --quiet
            todosync -C b set --quiet t1.yaml text=b notes=n tags=x,b
            TODOSYNC_LOG=info todosync -C b sync --quiet --on-conflict local 2>&1 |
                sed 's/version [A-Za-z0-9+/]*=/version V/g'
            """, in: folder.path, environment: TestedEnvironment(home: folder.path)
        ).output
        #expect(
            output == """
                todosync: info: pending t1.yaml (update): it differs from version V in text, tags, notes; \
                a todosync command made the change
                todosync: info: merge t1.yaml: both sides changed it, the remote to version V
                todosync: info: merge t1.yaml text: both sides changed it, and no rule can choose; option chose
                todosync: info: merge t1.yaml priority: only the remote changed it
                todosync: info: merge t1.yaml tags: merged as a set: each side's additions and removals were applied
                todosync: info: merge t1.yaml notes: only the local side changed it
                todosync: info: push t1.yaml (update of version V): accepted as version V

                """)
    }

    @Test func `the log shows git's answers, records and requests, but no key`() async throws {
        try await withServer { server in
            let result = try Program.shell(
                """
                unset TODOSYNC_SEED
                export GIT_CONFIG_GLOBAL=/dev/null TODOSYNC_KEY=\(server.key)
                git() { command git -c user.name=U -c user.email=u@example.com "$@"; }
                git init --quiet work
                todosync clone --quiet \(server.url)/tables/todoitem work/todos; cd work/todos
                printf 'id: t1\\ntext: a\\n' > t1.yaml; printf 'id: t2\\ntext: a\\n' > t2.yaml
                git add .; git commit --quiet -m todos; todosync sync --quiet
                printf 'id: t1\\ntext: b\\n' > t1.yaml; rm t2.yaml
                TODOSYNC_LOG=debug todosync sync --quiet
                """, in: server.folder, environment: TestedEnvironment(home: server.folder))
            #expect(result.status == 0)
            let lines = result.output.split(separator: "\n")
            #expect(
                lines.allSatisfy { $0.hasPrefix("todosync: debug: ") || $0.hasPrefix("todosync: info: ") })
            for expected in [
                "debug: git -C todos/ cat-file --batch-check (input: ",
                // git separates a path with a tab.
                "debug: git --literal-pathspecs ls-files -z -t -s --full-name -- todos/: status 0, ",
                "debug: journal {\"record\":\"sent\",\"id\":\"t1\",",
                "debug: request GET /tables/todoitem, 0 bytes",
                "debug: response to GET /tables/todoitem: status 200, ",
                "debug: request POST /$batch, ", "debug: response to POST /$batch: status 200, ",
                "info: push t1.yaml (update of version ",
            ] {
                #expect(
                    lines.contains { $0.dropFirst("todosync: ".count).hasPrefix(expected) }, "\(expected)")
            }
            #expect(!result.output.contains(server.key))
            #expect(result.output.contains("0\\ttodos/t1.yaml"))
            #expect(!result.output.contains { $0.isASCII && $0 != "\n" && ($0.asciiValue ?? 0) < 0x20 })
        }
    }

    @Test func `the log is only printed if it is requested`() throws {
        let folder = try ThrowAwayFolder()
        try folder.write("id: a\ntext: a\n", to: "a.yaml")
        _ = try Program.todosync("init", in: folder.path)
        func status(_ level: String?, _ options: String...) throws -> Program.Result {
            try Program.todosync(
                ["status"] + options, in: folder.path, environment: level.map { ["TODOSYNC_LOG": $0] } ?? [:])
        }
        let silent = try status(nil)
        #expect(silent.errors.isEmpty)
        #expect(try status("").errors.isEmpty)
        #expect(try status("info").output == silent.output)
        let line = "todosync: info: pending a.yaml (insert): the remote doesn't have it\n"
        #expect(try status("info").errors == line)
        #expect(try status("info", "--json").errors == line)
        #expect(try status("info", "--json").output == status(nil, "--json").output)
        let wrong = try status("loud")
        #expect(wrong.status == 0 && wrong.output == silent.output)
        #expect(wrong.errors == "warning: TODOSYNC_LOG is not info or debug: loud\n")
        #expect(try status("loud", "--json").errors.isEmpty)
    }
}
