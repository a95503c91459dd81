import Foundation
import TestSupport
import Testing

/// Conflicts of git in todos that aren't tracked yet, and those without markers.
@Suite(.ownThreads) struct UnmergedByGitTests {
    private static let preparation = """
        unset TODOSYNC_SEED
        export GIT_CONFIG_GLOBAL=$HOME/gitconfig GIT_CONFIG_NOSYSTEM=1
        git config --global user.name U
        git config --global user.email u@example.com
        git config --global init.defaultBranch main
        todosync init --quiet --bare store
        git init --quiet site
        todosync clone --quiet store site/todos
        cd site/todos
        commit() { git add --all; git commit --quiet -m "$1"; }
        printf 'id: m\\ntext: Milk\\n' > milk.yaml; todosync push --quiet; commit base
        git switch --quiet -c side

        """

    private func run(_ commands: String) throws -> String {
        let folder = try ThrowAwayFolder()
        let command = "{ " + Self.preparation + commands + "\n} 2>&1"
        return try Program.shell(
            command, in: folder.path, environment: TestedEnvironment(home: folder.path)
        ).output
    }

    static let forms = [
        // HEAD's version, the other one, and the side to take.
        ("text: Eggs\\ndue: 2026-12-01\\n", "text: Eggs\\ndue: 2026-12-02\\n", "local"),
        ("text: Eggs\\ndue: 2026-12-01\\n", "text: Eggs\\ndue: 2026-12-02\\n", "remote"),
        ("id: e\\ntext: Eggs\\ndue: 2026-12-01\\n", "text: Eggs\\ndue: 2026-12-02\\n", "remote"),
        ("id: e\\ntext: Eggs\\ndue: 2026-12-01\\n", "id: e\\ntext: Eggs\\ndue: 2026-12-02\\n", "local"),
    ]

    @Test(arguments: forms)
    func `an untracked todo that both branches added is in conflict`(
        _ mainText: String, _ sideText: String, _ side: String
    ) throws {
        let output = try run(
            """
            printf '\(sideText)' > eggs.yaml; commit side; git switch --quiet main
            printf '\(mainText)' > eggs.yaml; commit main
            git merge side > ../../log
            todosync status --json | grep -c '"eggs.yaml"'
            todosync conflicts | sed 's/^.*(conflict markers in the file)/conflict/'
            todosync resolve > ../../log 2>&1; echo "status $?"
            todosync resolve --use \(side) eggs.yaml | grep -o 'git add eggs.yaml'
            grep -v '^id' eggs.yaml; grep -c '^id: ' eggs.yaml
            git add eggs.yaml; git commit --quiet -m merge
            todosync push --quiet; echo "status $?"; todosync status | tail -1
            """)
        let due = side == "local" ? "2026-12-01" : "2026-12-02"
        #expect(
            output == """
                2
                conflict
                  due
                    base    (none)
                    local   "2026-12-01"
                    remote  "2026-12-02"
                status 1
                git add eggs.yaml
                text: Eggs
                due: \(due)
                1
                status 0
                nothing pending, no conflicts

                """)
    }

    @Test func `todos with different ids are not versions of one todo`() throws {
        let output = try run(
            """
            printf 'id: e\\ntext: Eggs\\n' > eggs.yaml; commit side; git switch --quiet main
            printf 'id: f\\ntext: Eggs\\n' > eggs.yaml; commit main
            git merge side > ../../log
            todosync conflicts
            todosync resolve --use local eggs.yaml; echo "status $?"
            """)
        #expect(
            output == """
                no conflicts
                error: eggs.yaml:1:1: conflict markers between todos with different ids; remove them
                hint: run "todosync edit eggs.yaml" to fix it
                status 65

                """)
    }

    @Test func `a file that git left without markers is not resolved before somebody confirms it`() throws {
        let output = try run(
            """
            git rm --quiet milk.yaml; commit side; git switch --quiet main
            printf 'due: 2026-12-02\\n' >> milk.yaml; commit main
            git merge side > ../../log
            todosync status | sed -n '/^Not/,$p'
            todosync resolve; echo "status $?"
            todosync resolve milk.yaml; echo "status $?"
            printf 'priority: high\\n' >> milk.yaml
            todosync status | grep -c '^Not'
            todosync resolve; echo "status $?"
            """)
        #expect(
            output == """
                Not merged by git:
                  (edit a file and run "git add" to keep the todo, or run "git rm" to delete it)
                  milk.yaml: it matches HEAD; the other side deleted it
                unresolved: milk.yaml: git has not merged it, and it matches HEAD; run "todosync \
                resolve milk.yaml" to accept it
                status 1
                resolved  m  Milk  milk.yaml  as it is in the file
                  (run "git add milk.yaml")
                status 0
                0
                resolved  m  Milk  milk.yaml  as it is in the file
                  (run "git add milk.yaml")
                status 0

                """)
    }

    @Test func `a failed merge driver leaves a file that is not resolved`() throws {
        let output = try run(
            """
            printf 'due: 2026-12-01\\n' >> milk.yaml; commit side; git switch --quiet main
            printf 'due: 2026-12-02\\n' >> milk.yaml; commit main
            echo '*.yaml merge=failing' > .gitattributes
            git config merge.failing.driver 'exit 129'
            git merge side > ../../log 2>&1
            todosync status --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["git"]["unmerged"])'
            todosync resolve > ../../log 2>&1; echo "status $?"
            """)
        #expect(
            output == """
                [{'path': 'milk.yaml', 'state': 'untouched', 'side': 'local', 'deleted': False}]
                status 1

                """)
    }

    @Test func `after a failed merge driver, an earlier resolution decides nothing`() throws {
        let output = try run(
            """
            unset TODOSYNC_NOW
            printf 'due: 2026-12-01\\n' >> milk.yaml; commit side; git switch --quiet main
            printf 'due: 2026-12-02\\n' >> milk.yaml; commit main
            git merge side > ../../log
            todosync resolve --quiet --use local; git add .; git commit --quiet -m merge
            git switch --quiet side; printf 'priority: high\\n' >> milk.yaml; commit more
            git switch --quiet main
            echo '*.yaml merge=failing' > .gitattributes
            git config merge.failing.driver 'exit 129'
            sleep 2.1
            git merge side > ../../log 2>&1
            todosync status | sed -n '/^Not/,$p'
            """)
        #expect(
            output == """
                Not merged by git:
                  (edit a file and run "git add" to keep the todo, or run "git rm" to delete it)
                  milk.yaml: it matches HEAD and lacks the changes of the other side

                """)
    }

    @Test func `a conflict that is resolved waits for git add, and no longer for the user`() throws {
        let output = try run(
            """
            git config merge.conflictStyle diff3
            printf 'id: m\\ntext: Oats\\ndue: 2026-12-01\\n' > milk.yaml; commit side; git switch --quiet main
            printf 'id: m\\ntext: Tea\\ndue: 2026-12-02\\n' > milk.yaml; commit main
            git merge side > ../../log
            todosync resolve --use local --field text > ../../log 2>&1
            todosync status | grep -A 1 '^Conflicts'
            todosync resolve --use local
            todosync status | sed -n '/^Resolved/,$p'
            printf 'id: m\\ntext: Tea\\ndue: 2026-12-03\\n' > milk.yaml
            todosync status --json | grep '"state"'
            todosync resolve; git add milk.yaml
            todosync status | grep -c '^Resolved'
            """)
        #expect(
            output == """
                Conflicts:
                  (run "todosync resolve -i milk.yaml" to choose, or remove the markers; then "git add" the file)
                resolved  m  Tea  milk.yaml  with the local side
                  (run "git add milk.yaml")
                Resolved, but still unmerged in git:
                  (run "git add" to mark them as resolved)
                  milk.yaml
                        "state": "resolved"
                resolved  m  Tea  milk.yaml  as it is in the file
                  (run "git add milk.yaml")
                0

                """)
    }

    @Test(arguments: ["id: e\\n", ""])
    func `a todo that was never sent and is removed in a conflict is deleted once it is named`(
        _ id: String
    ) throws {
        let output = try run(
            """
            printf '\(id)text: Oats\\n' > oats.yaml; commit side; git switch --quiet main
            printf '\(id)text: Tea\\n' > oats.yaml; commit main
            git merge side > ../../log
            rm oats.yaml
            todosync status | sed -n '/^Not/,$p'
            todosync resolve; echo "status $?"
            todosync resolve oats.yaml; echo "status $?"
            git rm --quiet oats.yaml; todosync status | tail -1
            """)
        #expect(
            output == """
                Not merged by git:
                  (edit a file and run "git add" to keep the todo, or run "git rm" to delete it)
                  oats.yaml: its file is gone
                unresolved: oats.yaml: its file is gone; run "todosync resolve oats.yaml" to delete the todo
                status 1
                resolved  oats.yaml  deleted
                  (run "git rm oats.yaml")
                status 0
                nothing pending, no conflicts

                """)
    }

    @Test func `git's driver labels nothing when a stash is popped, but the commits are named`() throws {
        let output = try run(
            """
            git switch --quiet main; todosync git-setup --quiet --yes
            printf 'id: m\\ntext: Oats\\n' > milk.yaml; git stash --quiet
            printf 'id: m\\ntext: Tea\\n' > milk.yaml; commit main
            git stash pop > ../../log 2>&1
            todosync status | sed -n '/^Conflicts/,$p' | sed -E 's/[0-9a-f]{7}/COMMIT/g'
            todosync resolve --use remote
            """)
        #expect(
            output == """
                Conflicts:
                  (run "todosync resolve -i milk.yaml" to choose, or remove the markers; then "git add" the file)
                  m  Tea  milk.yaml  local (COMMIT) and remote (COMMIT) have different text
                resolved  m  Oats  milk.yaml  with the remote side
                  (run "git add milk.yaml")

                """)
    }
}
