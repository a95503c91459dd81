import Foundation
import TestSupport
import Testing

/// Conflicts that git leaves in todos' files, without the merge driver; ``GitConflictShapeTests`` has more of
/// them.
@Suite(.ownThreads) struct GitConflictTests {
    static let preparation = preparation(
        writing: #"printf 'id: m\ntext: %s\npriority: low\n' "$1" > milk.yaml"#)

    /// Returns the commands that make a repository with two branches whose todos differ.
    ///
    /// - Parameter writing: The commands that write the version of the todos that `$1` names.
    static func preparation(writing: String) -> String {
        """
        set -e
        unset TODOSYNC_SEED
        export GIT_CONFIG_GLOBAL=$HOME/gitconfig GIT_CONFIG_NOSYSTEM=1 GIT_EDITOR=true
        git config --global user.name U
        git config --global user.email u@example.com
        git config --global init.defaultBranch main
        git config --global commit.gpgsign false
        todosync init --quiet --bare store
        todosync clone --quiet store a
        cd a
        git init --quiet
        write() { \(writing); }
        commit() { git add --all; git commit --quiet --allow-empty -m "$1"; }
        write base; commit base; todosync sync --quiet
        git switch --quiet -c topic; write topic; commit 'topic: text'
        git switch --quiet main; write main; commit main
        todosync sync --quiet
        # A commit's name differs in each run.
        labels() { sed -E 's/[0-9a-f]{7,}/COMMIT/g'; }
        set +e

        """
    }

    private func run(_ commands: String, after more: String = "") throws -> String {
        let folder = try ThrowAwayFolder()
        return try Program.shell(
            Self.preparation + more + commands, in: folder.path,
            environment: TestedEnvironment(home: folder.path)
        ).output
    }

    struct Operation: Sendable, CustomTestStringConvertible {
        var command: String
        var local: String
        var remote: String
        var labels: String
        /// The command that ends the operation after its conflicts are resolved.
        var end = "git commit --quiet --no-edit"
        var testDescription: String { command }

        static let all = [
            Operation(
                command: "git merge --quiet topic", local: "main", remote: "topic",
                labels: "local (HEAD, COMMIT) and remote (topic, COMMIT)"),
            Operation(
                command: "git switch --quiet topic; git rebase --quiet main", local: "main", remote: "topic",
                labels: "local (HEAD, COMMIT) and remote (COMMIT (topic: text))",
                end: "git rebase --continue"),
            Operation(
                command: "git cherry-pick topic", local: "main", remote: "topic",
                labels: "local (HEAD, COMMIT) and remote (COMMIT (topic: text))",
                end: "git cherry-pick --continue"),
            Operation(
                command: "write later; commit later; git revert --no-edit HEAD~1", local: "later",
                remote: "base",
                labels: "local (HEAD, COMMIT) and remote (parent of COMMIT (main))",
                end: "git revert --continue"),
            Operation(
                command: "write stash; git stash --quiet; write new; commit new; git stash pop --quiet",
                local: "new", remote: "stash",
                labels: "local (Updated upstream, COMMIT) and remote (Stashed changes, COMMIT)",
                end: "git commit --quiet -m popped"),
        ]
    }

    @Test(arguments: Operation.all, ["merge", "diff3", "zdiff3"])
    func `a side resolves what git left, and git goes on`(_ operation: Operation, _ style: String) throws {
        for (side, text) in [("local", operation.local), ("remote", operation.remote)] {
            let output = try run(
                """
                git config --global merge.conflictStyle \(style)
                (\(operation.command)) > /dev/null 2>&1
                todosync status | grep '^  m ' | labels
                todosync list
                todosync sync --quiet > /dev/null 2>&1; echo "sync $?"
                todosync resolve --use \(side); echo "resolve $?"
                grep text milk.yaml
                git add milk.yaml
                # Nothing may be left to commit.
                (\(operation.end)) > /dev/null 2>&1 || git rebase --skip > /dev/null 2>&1
                todosync status | grep -c 'Conflicts\\|Invalid'
                todosync fsck
                """)
            #expect(
                output == """
                      m  \(operation.local)  milk.yaml  \(operation.labels) have different text
                    m\t\(operation.local)\t\tlow\t\topen,pending,conflict\tmilk.yaml
                    sync 1
                    resolved  m  \(text)  milk.yaml  with the \(side) side
                      (run "git add milk.yaml")
                    resolve 0
                    text: \(text)
                    0
                    all is well

                    """, "\(side)")
        }
    }

    @Test(arguments: ["--use remote --field text", "--union"])
    func `the base of markers that lack it is in git's index`(_ options: String) throws {
        let output = try run(
            """
            git merge --quiet topic > /dev/null 2>&1
            grep -c '^|||' milk.yaml
            todosync resolve --quiet \(options) milk > ../log 2>&1; echo "resolve $?"
            grep -c 'no base' ../log; grep '^text' milk.yaml
            """,
            after: options == "--union"
                ? "for name in main topic; do git switch --quiet $name; write $name; "
                    + "echo \"tags: [base, $name]\" >> milk.yaml; commit tags; done; git switch --quiet main\n"
                : "")
        #expect(output.contains("0\nresolve \(options == "--union" ? 1 : 0)\n0\n"))
        if options != "--union" { #expect(output.hasSuffix("text: topic\n")) }
    }

    @Test func `the answer is the user's edit, even in the middle of a rebase`() throws {
        let output = try run(
            """
            git switch --quiet topic; git rebase --quiet main > /dev/null 2>&1
            todosync resolve --quiet --use remote; echo "resolve $?"
            todosync sync; echo "sync $?"
            """)
        #expect(
            output == """
                resolve 0
                pushed  changed  m  topic  milk.yaml
                1 pushed
                sync 0

                """)
    }

    @Test func `what is edited by hand is resolved, and still unmerged in git`() throws {
        let output = try run(
            """
            git merge --quiet topic > /dev/null 2>&1
            todosync resolve; echo "resolve $?"
            write both
            todosync resolve; echo "resolve $?"
            todosync resolve milk; echo "resolve $?"
            todosync resolve --use local milk; echo "resolve $?"
            git add milk.yaml
            todosync resolve; echo "resolve $?"
            git commit --quiet --all --no-edit
            todosync sync; echo "sync $?"
            """)
        #expect(
            output == """
                unresolved: milk.yaml:2:1: there are still conflict markers; remove them, or use --use local or \
                remote
                resolve 1
                resolved  m  both  milk.yaml  as it is in the file
                  (run "git add milk.yaml")
                resolve 0
                resolved  m  both  milk.yaml  as it is in the file
                  (run "git add milk.yaml")
                resolve 0
                error: milk.yaml has no conflict
                hint: run "todosync status" to list the conflicts
                resolve 1
                no conflicts
                resolve 0
                pushed  changed  m  both  milk.yaml
                1 pushed
                sync 0

                """)
    }

    @Test(arguments: ["git stash pop", "git stash apply", "git merge --autostash topic"])
    func `the sides of a stash are the commits that git has`(_ command: String) throws {
        let output = try run(
            """
            write stash
            # The merge with the commit is clean, and the stash conflicts with the result.
            case '\(command)' in *autostash*) git reset --quiet --hard main~1; write stash ;;
            *) git stash --quiet; write new; commit new ;; esac
            \(command) > /dev/null 2>&1
            for name in HEAD 'stash@{0}'; do git rev-parse "$name" | cut -c1-7; done > ../names
            todosync status | grep -o 'local (.*)'
            printf 'local (Updated upstream, %s) and remote (Stashed changes, %s)\\n' $(cat ../names)
            git stash drop --quiet
            todosync status | grep -o 'local (.*)' | labels
            """)
        let lines = output.split(separator: "\n")
        try #require(lines.count == 3, "\(output)")
        #expect(lines[0] == lines[1])
        #expect(lines[2] == "local (Updated upstream, COMMIT) and remote (Stashed changes)")
    }

    @Test(arguments: ["stash@{0}", "stash@{1}"])
    func `one of several stashes is not named, because git doesn't report which it was`(_ stash: String)
        throws
    {
        let output = try run(
            """
            for text in one two; do write $text; git stash --quiet; done
            write new; commit new
            git stash apply '\(stash)' > /dev/null 2>&1
            todosync status | grep -o 'local (.*)' | labels
            """)
        #expect(
            output == "local (Updated upstream, COMMIT) and remote (Stashed changes)\n", "\(output)")
    }

    @Test(arguments: [Operation.all[0], Operation.all[4]])
    func `a todo that is removed in a conflict of git's is deleted once that is confirmed`(
        _ operation: Operation
    ) throws {
        let output = try run(
            """
            (\(operation.command)) > /dev/null 2>&1
            todosync rm --yes milk.yaml; echo "rm $?"
            todosync status | grep '^  milk'
            todosync sync --quiet > /dev/null 2>&1; echo "sync $?"
            todosync resolve milk.yaml; echo "resolve $?"
            git rm --quiet milk.yaml
            (\(operation.end)) > /dev/null 2>&1
            todosync sync
            """)
        #expect(
            output == """
                deleted  \(operation.local)
                conflict: milk.yaml is not resolved yet
                hint: run "todosync resolve milk.yaml" to delete the todo, or "todosync resolve --abort milk.yaml" to \
                restore it
                rm 1
                  milk.yaml  it had conflict markers; its file is gone
                sync 1
                resolved  m  main  milk.yaml  deleted
                  (run "git rm milk.yaml")
                resolve 0
                pushed  deleted  m  main  milk.yaml
                1 pushed

                """)
    }

    @Test func `what is removed with rm is deleted once it is named, and still unmerged in git`() throws {
        let output = try run(
            """
            git merge --quiet topic > /dev/null 2>&1
            rm milk.yaml
            todosync resolve; echo "resolve $?"
            todosync resolve milk.yaml; echo "resolve $?"
            todosync resolve --json milk.yaml | grep gitCommand
            git rm --quiet milk.yaml; git commit --quiet --all --no-edit
            todosync sync
            """)
        #expect(
            output == """
                unresolved: milk.yaml: its file is gone; run "todosync resolve milk.yaml" to delete the todo
                resolve 1
                resolved  m  main  milk.yaml  deleted
                  (run "git rm milk.yaml")
                resolve 0
                      "gitCommand": "rm"
                pushed  deleted  m  main  milk.yaml
                1 pushed

                """)
    }

    @Test func `an editor resolves it, and it is still unmerged in git`() throws {
        let output = try run(
            """
            git merge --quiet topic > /dev/null 2>&1
            todosync done milk; echo "done $?"
            git show main:milk.yaml | sed 's/^text: .*/text: both/' > ../answer
            EDITOR='cp ../answer' todosync edit milk; echo "edit $?"
            todosync resolve --json | grep gitCommand
            git add milk.yaml
            todosync resolve --json | grep gitCommand
            """)
        #expect(
            output == """
                error: milk.yaml has a conflict
                hint: run "todosync resolve -i milk.yaml" to choose, or remove the markers; then "git add" \
                the file
                done 1
                changed  both
                  (run "git add milk.yaml")
                edit 0
                      "gitCommand": "add"

                """)
    }

    @Test func `the JSON names the sides`() throws {
        let output = try run(
            """
            git merge --quiet topic > /dev/null 2>&1
            todosync status --json | tr -d ' \\n' | grep -o '"conflicts":[^]]*][^]]*]' | labels
            """)
        #expect(
            output == """
                "conflicts":[{"id":"m","path":"milk.yaml","handle":"m","fields":["text"],"kind":"git","markers":true,\
                "sides":{"local":"HEAD,COMMIT","remote":"topic,COMMIT"}}]

                """)
    }
}
