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
        _ ours: String, _ theirs: String, _ side: String
    ) throws {
        let output = try run(
            """
            printf '\(theirs)' > eggs.yaml; commit side; git switch --quiet main
            printf '\(ours)' > eggs.yaml; commit main
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

    @Test func `a file that git left without markers is not resolved before somebody says so`() throws {
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
                  milk.yaml: it is as HEAD has it; the other side deleted it
                unresolved: milk.yaml: git has not merged it, and it is as HEAD has it; run "todosync \
                resolve milk.yaml" to take it as it is
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
                [{'path': 'milk.yaml', 'side': 'local', 'deleted': False}]
                status 1

                """)
    }
}
