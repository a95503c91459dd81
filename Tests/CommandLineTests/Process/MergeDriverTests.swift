import Foundation
import TestSupport
import Testing

/// git merges todos with `todosync merge-file`.
@Suite(.ownThreads) struct MergeDriverTests {
    /// A repository with a todo in a folder below its top, and functions that make branches.
    private static let preparation = """
        set -e
        unset TODOSYNC_SEED
        export GIT_CONFIG_GLOBAL=$HOME/gitconfig GIT_CONFIG_NOSYSTEM=1
        git config --global user.name U
        git config --global user.email u@example.com
        git config --global init.defaultBranch main
        git config --global advice.detachedHead false
        todosync init --quiet --bare store
        git init --quiet site
        todosync clone --quiet store site/todos
        cd site/todos
        todosync git-setup --quiet --yes
        write() { printf 'id: %s\\ntext: %s\\ndue: %s\\ntags: %s\\n' "$@" > milk.yaml; }
        commit() { git add --all; git commit --quiet -m "$1"; }
        write m Milk 2026-12-01 '[shop]'
        commit base
        side() { git switch --quiet -c side; "$@"; commit side; git switch --quiet main; }
        merge() { git merge -m merge "$@" > ../../log; echo "merge $?"; }
        # What follows a side's word depends on git's version.
        show() { sed 's/^\\([<>]* [a-z]*\\) .*/\\1/' milk.yaml; }
        set +e

        """

    private func run(_ commands: String) throws -> String {
        let folder = try ThrowAwayFolder()
        return try Program.shell(
            Self.preparation + commands, in: folder.path, environment: TestedEnvironment(home: folder.path)
        ).output
    }

    // MARK: git's commands

    static let commands = [
        "git merge -m merge side > ../../log",
        "git cherry-pick side > ../../log 2>&1",
        "git rebase --quiet side > ../../log",
        "git switch --quiet -c other; git checkout --quiet side; git rebase --quiet main > ../../log",
        "git reset --quiet HEAD~1; git stash --quiet; git merge --quiet side; git stash pop > ../../log",
        "git switch --quiet side; git checkout --quiet --detach; git merge -m merge main > ../../log",
    ]

    @Test(arguments: commands) func `edits of different fields merge`(_ command: String) throws {
        let output = try run(
            """
            side write m Milk 2026-12-02 '[shop, today]'
            write m 'Oat milk' 2026-12-01 '[shop, kitchen]'; commit main
            \(command); echo "status $?"
            sed 's/today, kitchen/kitchen, today/' milk.yaml
            git ls-files --unmerged
            """)
        #expect(
            output == """
                status 0
                id: m
                text: Oat milk
                due: 2026-12-02
                tags: [shop, kitchen, today]

                """)
    }

    @Test func `without the driver, git takes the same edits for a conflict`() throws {
        let output = try run(
            """
            todosync git-setup --quiet --yes --undo; commit undone
            side write m Milk 2026-12-02 '[shop]'
            write m 'Oat milk' 2026-12-01 '[shop]'; commit main
            merge side
            """)
        #expect(output == "merge 1\n")
    }

    @Test func `a revert undoes one field and keeps the others`() throws {
        let output = try run(
            """
            write m 'Oat milk' 2026-12-01 '[shop]'; commit text
            write m 'Oat milk' 2026-12-02 '[shop]'; commit due
            git revert --no-edit HEAD~1 > ../../log; echo "status $?"
            show
            """)
        #expect(output == "status 0\nid: m\ntext: Milk\ndue: 2026-12-02\ntags: [shop]\n")
    }

    @Test func `a conflict has markers, and stops git`() throws {
        let output = try run(
            """
            side write m 'Soy milk' 2026-12-02 '[shop]'
            write m 'Oat milk' 2026-12-01 '[shop]'; commit main
            merge side
            show
            git status --short
            sed -i -e '/^[<=]/d' -e '/^>/d' -e '/Soy/d' milk.yaml
            git commit --quiet -a -m merged; echo "commit $?"
            git show HEAD:./milk.yaml
            """)
        #expect(
            output == """
                merge 1
                id: m
                <<<<<<< local
                text: Oat milk
                =======
                text: Soy milk
                >>>>>>> remote
                due: 2026-12-02
                tags: [shop]
                UU milk.yaml
                commit 0
                id: m
                text: Oat milk
                due: 2026-12-02
                tags: [shop]

                """)
    }

    @Test func `the settings of the folder with the todo count, wherever git runs`() throws {
        let output = try run(
            """
            echo 'merge.conflictStyle: diff3' >> .todosync/config.yaml
            echo 'merge.labels: plain' >> .todosync/config.yaml
            side write m 'Soy milk' 2026-12-01 '[shop]'
            write m 'Oat milk' 2026-12-01 '[shop]'; commit main
            cd ..; git merge --quiet side > /dev/null; cat todos/milk.yaml
            """)
        #expect(
            output == """
                id: m
                <<<<<<< local
                text: Oat milk
                ||||||| base
                text: Milk
                =======
                text: Soy milk
                >>>>>>> remote
                due: 2026-12-01
                tags: [shop]

                """)
    }

    @Test(arguments: ["merge", "cherry-pick", "rebase"])
    func `status names both commits of a conflict, and git's next step`(_ operation: String) throws {
        let output = try run(
            """
            side write m 'Soy milk' 2026-12-01 '[shop]'
            write m 'Oat milk' 2026-12-01 '[shop]'; commit main
            git \(operation) side > ../../log 2>&1
            todosync status > ../../status
            grep -Ec 'local \\(.*[0-9a-f]{7}.*\\) and remote \\(.*[0-9a-f]{7}.*\\) have different text' ../../status
            grep -c 'then "git add" the file' ../../status
            """)
        #expect(output == "1\n1\n")
    }

    @Test func `an invalid todo is reported, stays as it is, and keeps nothing else from merging`() throws {
        let output = try run(
            """
            printf 'text: a\\nn: 1\\nm: 1\\n' > other.yaml; commit other
            invalid() { echo '  tags: [' >> milk.yaml; sed -i 's/n: 1/n: 2/' other.yaml; }
            side invalid
            write m 'Oat milk' 2026-12-01 '[shop]'; sed -i 's/m: 1/m: 2/' other.yaml; commit main
            merge side
            show
            cat other.yaml
            git status --short
            git merge --abort; echo "abort $?"; git status --short
            """)
        #expect(
            output == """
                error: todos/milk.yaml: line 5 of the other version is not valid: did not find expected key
                hint: the current version stays in the file; "git show :3:todos/milk.yaml" prints the other one
                merge 1
                id: m
                text: Oat milk
                due: 2026-12-01
                tags: [shop]
                text: a
                n: 2
                m: 2
                UU milk.yaml
                M  other.yaml
                abort 0

                """)
    }

    @Test func `both sides added a todo, and one side renamed another`() throws {
        let output = try run(
            """
            change() { printf 'id: n\\ntext: New\\na: 1\\n' > new.yaml; git mv milk.yaml moved.yaml; }
            side change
            printf 'id: n\\ntext: New\\nb: 1\\n' > new.yaml
            write m Milk 2026-12-01 '[shop, today]'; commit main
            merge side
            cat new.yaml moved.yaml
            """)
        #expect(
            output == """
                merge 0
                id: n
                text: New
                b: 1
                a: 1
                id: m
                text: Milk
                due: 2026-12-01
                tags: [shop, today]

                """)
    }

    /// A criss-cross merge: the branches have two merge bases with different texts.
    @Test(arguments: [true, false]) func `a merge with several merge bases`(isResolvedAlike: Bool) throws {
        let output = try run(
            """
            side write m 'Soy milk' 2026-12-01 '[shop]'
            write m 'Oat milk' 2026-12-01 '[shop]'; commit main
            git branch one; git branch two side
            git merge --quiet two > /dev/null; write m 'Rice milk' 2026-12-01 '[shop]'; commit merge
            git switch --quiet side
            git merge --quiet one > /dev/null
            write m '\(isResolvedAlike ? "Rice milk" : "Nut milk")' 2026-12-02 '[shop]'; commit merge
            git switch --quiet main
            merge side
            show
            """)
        let text =
            isResolvedAlike
            ? "merge 0\nid: m\ntext: Rice milk\n"
            : """
            merge 1
            id: m
            <<<<<<< local
            text: Rice milk
            =======
            text: Nut milk
            >>>>>>> remote

            """
        #expect(output == text + "due: 2026-12-02\ntags: [shop]\n")
    }

    @Test func `of two versions that were synced, the newer one is taken`() throws {
        let output = try run(
            """
            todosync push --quiet
            write m 'Oat milk' 2026-12-01 '[shop, today]'; todosync push --quiet
            git switch --quiet -c side; commit side
            write m 'Soy milk' 2026-12-01 '[shop]'; todosync push --quiet
            cp milk.yaml ../../newest; git checkout --quiet milk.yaml
            git switch --quiet main; cp ../../newest milk.yaml
            commit main
            merge side
            show
            todosync sync; echo "sync $?"
            """)
        #expect(
            output == """
                merge 0
                id: m
                text: Soy milk
                due: 2026-12-01
                tags: [shop]
                everything up to date
                sync 0

                """)
    }

    // MARK: git-setup

    @Test func `setting up twice changes nothing, and undoing leaves everything as it was`() throws {
        let output = try run(
            """
            todosync git-setup --undo --yes --quiet
            test -e .gitattributes; echo "exists $?"
            printf '* text=auto' > .gitattributes
            git config merge.conflictStyle diff3
            cp .gitattributes ../../attributes; cp ../.git/config ../../config
            todosync git-setup --undo --yes
            todosync git-setup --yes
            cat .gitattributes; echo
            cp .gitattributes ../../once; cp ../.git/config ../../config-once
            todosync git-setup
            cmp .gitattributes ../../once; cmp ../.git/config ../../config-once
            todosync git-setup --undo --yes
            cmp .gitattributes ../../attributes; cmp ../.git/config ../../config; echo "same $?"
            git config --get merge.todosync.driver; echo "driver $?"
            """)
        #expect(
            output == """
                exists 1
                nothing to remove
                .gitattributes: lines to add; commit them, so that everybody has them
                  # "todosync git-setup" wrote this; "todosync git-setup --undo" removes it, and the line break before it
                  *.yaml merge=todosync
                  *.yml merge=todosync
                git's configuration of this clone: values to set
                  merge.todosync.name = todosync, field by field
                  merge.todosync.driver = todosync merge-file -L %X -L %S -L %Y --path %P %A %O %B; s=$?; if [ $s = 127 ]; then git merge-file -L ours -L base -L theirs %A %O %B; else exit $s; fi
                * text=auto
                # "todosync git-setup" wrote this; "todosync git-setup --undo" removes it, and the line break before it
                *.yaml merge=todosync
                *.yml merge=todosync

                nothing to write
                .gitattributes: lines to remove
                  # "todosync git-setup" wrote this; "todosync git-setup --undo" removes it, and the line break before it
                  *.yaml merge=todosync
                  *.yml merge=todosync
                git's configuration of this clone: keys to remove
                  merge.todosync.name
                  merge.todosync.driver
                same 0
                driver 1

                """)
    }

    @Test func `without a terminal, nothing is written unless the user confirms it`() throws {
        let output = try run(
            """
            todosync git-setup --undo --yes --quiet
            todosync git-setup --quiet; echo "status $?"
            test -e .gitattributes; echo "exists $?"
            cd ../..
            todosync init --quiet apart; todosync -C apart git-setup; echo "status $?"
            """)
        #expect(
            output.replacing(/\/[^ ]*\/apart/, with: "/apart") == """
                error: can't ask for confirmation without a terminal; nothing was written
                hint: run "todosync git-setup --yes"
                status 64
                exists 1
                error: /apart is not in a git repository
                hint: run "git init" first; a folder with .jj doesn't count, because jj merges by itself
                status 64

                """)
    }

    @Test func `the program is named by its path if its name finds another one, or none`() throws {
        let output = try run(
            """
            mkdir "../../it's 50%"; ln -s "$(command -v todosync)" "../../it's 50%/todosync"
            todosync=$(readlink -f "$(command -v todosync)")
            PATH="$HOME/it's 50%:/usr/bin:/bin" todosync git-setup
            cp "$todosync" "../../it's 50%/copy"
            PATH=/usr/bin:/bin "../../it's 50%/copy" git-setup --yes --quiet
            git config merge.todosync.driver
            side write m Milk 2026-12-02 '[shop]'
            write m 'Oat milk' 2026-12-01 '[shop]'; commit main
            (PATH=/usr/bin:/bin; merge side)
            show
            mkdir ../../bin; printf '#!/bin/sh\\n' > ../../bin/todosync; chmod +x ../../bin/todosync
            PATH="$HOME/bin:/usr/bin:/bin" "$todosync" git-setup --yes --quiet
            git config merge.todosync.driver | grep -c '^/'
            PATH=/usr/bin:/bin "$todosync" git-setup --yes --quiet --undo
            git config merge.todosync.driver; echo "driver $?"
            """)
        #expect(
            output.replacing(/'\/[^ ]*\/it/, with: "'/it") == """
                nothing to write
                '/it'\\''s 50%%/copy' merge-file -L %X -L %S -L %Y --path %P %A %O %B; s=$?; if [ $s = 127 ]; then git merge-file -L ours -L base -L theirs %A %O %B; else exit $s; fi
                merge 0
                id: m
                text: Oat milk
                due: 2026-12-02
                tags: [shop]
                1
                driver 1

                """)
    }

    @Test func `somebody else's driver of this name is neither replaced nor removed`() throws {
        let output = try run(
            """
            git config merge.todosync.driver 'mine %A %O %B'
            todosync git-setup --undo --yes
            git config merge.todosync.driver
            todosync git-setup --yes 2>&1; echo "status $?"; ls -A | grep attributes
            git config merge.todosync.driver
            git config --unset-all merge.todosync.driver
            todosync git-setup --yes --quiet
            git config merge.todosync.driver
            touch ../.git/config.lock
            todosync git-setup --undo --yes --quiet 2> ../../errors; echo "status $?"
            grep -c '^error: git could not change its configuration: .*lock' ../../errors
            rm ../.git/config.lock
            todosync git-setup --undo --yes --quiet; git config merge.todosync.driver; echo "driver $?"
            """)
        #expect(
            output == """
                warning: merge.todosync.driver is not removed, because it is set to a different command: mine %A %O %B
                .gitattributes: lines to remove
                  # "todosync git-setup" wrote this; "todosync git-setup --undo" removes it
                  *.yaml merge=todosync
                  *.yml merge=todosync
                mine %A %O %B
                error: merge.todosync.driver is set to a different command: mine %A %O %B; nothing was written
                hint: if git no longer needs that command, run "git config --unset-all merge.todosync.driver", and try again
                status 78
                mine %A %O %B
                todosync merge-file -L %X -L %S -L %Y --path %P %A %O %B; s=$?; if [ $s = 127 ]; then git merge-file -L ours -L base -L theirs %A %O %B; else exit $s; fi
                status 74
                1
                driver 1

                """)
    }

    @Test func `only files that can be todos get the driver`() throws {
        let output = try run(
            """
            echo 'include: [home/**, "*.todo.yaml"]' >> .todosync/config.yaml
            todosync git-setup --yes
            git check-attr merge -- ../a.yaml a.yaml a.todo.yaml home/a.yml home/deep/b.yaml home/c.md
            """)
        #expect(
            output == """
                .gitattributes: lines to add; commit them, so that everybody has them
                  # "todosync git-setup" wrote this; "todosync git-setup --undo" removes it
                  home/**/*.yaml merge=todosync
                  home/**/*.yml merge=todosync
                  *.todo.yaml merge=todosync
                ../a.yaml: merge: unspecified
                a.yaml: merge: unspecified
                a.todo.yaml: merge: todosync
                home/a.yml: merge: todosync
                home/deep/b.yaml: merge: todosync
                home/c.md: merge: unspecified

                """)
    }

    @Test func `attributes that differ are named`() throws {
        let output = try run(
            """
            todosync push --quiet
            printf 'text: New\\n' > new.yaml
            mkdir -p ../.git/info; echo '*.yaml merge=union' > ../.git/info/attributes
            todosync git-setup
            rm ../.git/info/attributes
            rm .gitattributes; ln -s ../attributes .gitattributes
            todosync git-setup 2>&1 | sed 's/error: .*\\/todos/error: todos/'
            """)
        #expect(
            output == """
                nothing to write
                warning: other attributes keep git from merging 2 todos with todosync, such as milk.yaml (merge: union)
                hint: they are in another .gitattributes or in info/attributes of the repository
                error: todos/.gitattributes is not a regular file, so git ignores it
                hint: replace it with a regular file, and try again

                """)
    }

    @Test func `a clone lacks the driver until git-setup runs there, and reports it`() throws {
        let output = try run(
            """
            cd ../..
            git clone --quiet site copy 2> log
            cd copy/todos
            todosync init --quiet
            check() { todosync status --verbose | grep gitattributes; }
            check; todosync status | grep -c gitattributes
            todosync git-setup --yes
            check
            git config --unset merge.todosync.driver; git config --global merge.todosync.driver 'todosync'
            check
            git config --global --unset merge.todosync.driver
            git rm --quiet .gitattributes; check
            echo '*.yaml merge=todosync' > ~/attributes; git config core.attributesFile '~/attributes'
            check
            """)
        let notice =
            ".gitattributes names the merge driver todosync, which this clone doesn't have; "
            + "run \"todosync git-setup\"\n"
        #expect(
            output == notice + """
                0
                git's configuration of this clone: values to set
                  merge.todosync.name = todosync, field by field
                  merge.todosync.driver = todosync merge-file -L %X -L %S -L %Y --path %P %A %O %B; s=$?; if [ $s = 127 ]; then git merge-file -L ours -L base -L theirs %A %O %B; else exit $s; fi

                """ + notice)
    }

    @Test func `a linked worktree has the driver, and its own settings`() throws {
        let output = try run(
            """
            side write m Milk 2026-12-02 '[shop]'
            git worktree add --quiet ../../tree -b other
            cd ../../tree/todos
            todosync init --quiet
            todosync git-setup
            write m 'Oat milk' 2026-12-01 '[shop]'; commit other
            merge side
            show
            todosync git-setup --undo --yes --quiet; git -C ../../site config merge.todosync.driver; echo "driver $?"
            """)
        #expect(
            output == """
                nothing to write
                merge 0
                id: m
                text: Oat milk
                due: 2026-12-02
                tags: [shop]
                driver 1

                """)
    }
}
