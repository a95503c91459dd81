import Foundation
import TestSupport
import Testing

/// A working directory with todos under version control, whose files git changes.
@Suite(.ownThreads) struct GitTests {
    private static let preparation = """
        set -e
        unset TODOSYNC_SEED
        export GIT_CONFIG_GLOBAL=/dev/null
        git() { command git -c user.name=U -c user.email=u@example.com -c commit.gpgsign=false "$@"; }
        todosync init --quiet --bare store
        todosync clone --quiet store a
        cd a
        git init --quiet -b main
        echo Todos > README
        git add README; git commit --quiet -m 'no todos yet'
        for number in $(seq 12); do printf 'id: t%s\\ntext: t%s\\n' $number $number > $number.yaml; done
        git add .; git commit --quiet -m todos
        todosync sync --quiet
        set +e

        """

    private func run(_ commands: String) throws -> String {
        let folder = try ThrowAwayFolder()
        let result = try Program.shell(
            Self.preparation + commands, in: folder.path, environment: TestedEnvironment(home: folder.path))
        return result.output
    }

    @Test func `git does not version what todosync remembers`() throws {
        #expect(try run("git status --porcelain --ignored=no; git ls-files | grep -c todosync") == "0\n")
    }

    @Test func `git applies a diff with all kinds of changes`() throws {
        let output = try run(
            """
            mv 1.yaml moved.yaml
            echo 'more: 1' >> 2.yaml
            rm 3.yaml
            todosync rm --quiet 4.yaml
            mv 5.yaml other.yaml
            echo 'more: 1' >> other.yaml
            printf 'text: new\\n' > new.yaml
            todosync diff > ../patch
            git add --all
            git stash --quiet
            git apply ../patch && git add --all && git diff --cached stash@{0} && git status --short
            """)
        #expect(
            output == """
                M  2.yaml
                D  3.yaml
                D  4.yaml
                R  1.yaml -> moved.yaml
                A  new.yaml
                R  5.yaml -> other.yaml

                """)
    }

    @Test func `a rebase has the same result if todosync syncs at each stop`() throws {
        let output = try run(
            """
            git checkout --quiet -b side HEAD
            sed -i 's/text: t1/text: side/' 1.yaml; git commit --quiet -am side
            todosync sync --quiet
            git checkout --quiet main
            todosync sync --quiet 2> /dev/null; echo "sync $?"
            sed -i 's/text: t2/text: main/' 2.yaml; git commit --quiet -am main
            git rebase --quiet --exec 'todosync sync --quiet || true' main side > /dev/null 2>&1; echo "rebase $?"
            todosync sync --quiet; echo "sync $?"
            git status --porcelain
            todosync clone --quiet ../store ../b; cat ../b/1.yaml ../b/2.yaml | grep text
            """)
        #expect(output == "sync 0\nrebase 0\nsync 0\ntext: side\ntext: main\n")
    }
}
