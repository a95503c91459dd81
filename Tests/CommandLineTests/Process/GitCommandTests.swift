import TestSupport
import Testing

/// What the commands report and do if git has changed or removed files.
@Suite(.ownThreads) struct GitCommandTests {
    @Test func `an absent todo can be shown and deleted`() throws {
        let output = try GitShell.run(
            """
            site; git checkout --quiet empty; mkdir -p todos
            todosync show t1.yaml 2> /dev/null; try show --json t1 | grep -E 'behind|show'
            try rm t1.yaml; try list; try status; sync; remote
            """)
        #expect(
            output == """
                id: t1
                text: new
                  "behind": true
                show 0
                deleted  new
                rm 0
                no open todos
                list 0
                Remote: store
                Last synced just now

                Pending:
                  (run "todosync push" to send them)
                  deleted  t1  new  t1.yaml

                Held:
                  t2  t2  t2.yaml  not on this branch
                  t3  t3  t3.yaml  not on this branch
                status 0
                sync 0
                remote: t2 t3

                """)
    }

    @Test func `an absent todo that is to be changed can be restored`() throws {
        let output = try GitShell.run(
            """
            site; git checkout --quiet empty; mkdir -p todos
            try done t1; try set t1.yaml text=changed; try edit t1
            todosync done t1 2>&1 | grep hint; try discard t1.yaml; try done t1
            """)
        #expect(
            output == """
                error: git removed t1.yaml, so there is no file to change
                done 66
                error: git removed t1.yaml, so there is no file to change
                set 66
                error: git removed t1.yaml, so there is no file to change
                edit 66
                hint: run "todosync discard t1.yaml" to bring it back
                discarded  new
                discard 0
                done  new
                done 0

                """)
    }

    @Test func `a todo that git and a guard hold is held once`() throws {
        let output = try GitShell.run(
            """
            site; for i in 1 2 3 4 5 6 7 8 9 10 11 12; do printf 'id: n%s\\ntext: n\\n' $i > n$i.yaml; done
            git add .; git commit --quiet -m n; todosync sync --quiet
            todosync rm --quiet --yes n*.yaml; touch "$(git rev-parse --git-dir)/MERGE_HEAD"
            todosync sync 2> /dev/null; todosync sync --json 2> /dev/null > report
            grep -c '"reason": "manyDeletes"' report; grep -c '"reason": "gitOperation"' report
            """)
        #expect(output == "12 held\n12\n0\n")
    }

    @Test func `a dry run reports that git is in the middle of something`() throws {
        let output = try GitShell.run(
            """
            site; touch "$(git rev-parse --git-dir)/MERGE_HEAD"; try sync --dry-run
            edit t1 newest; try sync --dry-run | sed 's/ (.*//'
            try sync --dry-run --during-git
            """)
        #expect(
            output == """
                dry run: nothing was changed
                sync 0
                dry run: nothing was changed
                held: git is in the middle of a merge
                sync 1
                would push  changed  t1  newest  t1.yaml
                dry run: nothing was changed
                sync 0

                """)
    }

    @Test func `a todo that was deleted elsewhere is not listed while git holds an older version`() throws {
        let output = try GitShell.run(
            """
            site; git checkout --quiet main~1
            todosync clone --quiet "$home/store" "$home/phone"
            (cd "$home/phone"; todosync rm t1; todosync push --quiet)
            sync; try list; try list --json | grep -c '"id"'; git checkout --quiet main; sync; try list
            try discard t1; ls
            """)
        #expect(
            output == """
                deleted  new
                sync 0
                t2\tt2\t\t\t\topen\tt2.yaml
                t3\tt3\t\t\t\topen\tt3.yaml
                list 0
                2
                held: t1.yaml: the todo was deleted, but git brought its file back
                sync 1
                t1\tnew\t\t\t\topen,held\tt1.yaml
                t2\tt2\t\t\t\topen\tt2.yaml
                t3\tt3\t\t\t\topen\tt3.yaml
                list 0
                discarded  new
                discard 0
                t2.yaml
                t3.yaml

                """)
    }

    @Test func `diff has the changes to held todos, and to others that are named`() throws {
        let output = try GitShell.run(
            """
            site; edit t1 newest; sync; git restore t1.yaml
            try diff | grep '^[-+]text'
            git checkout --quiet main~1; try diff; try diff t1.yaml | grep '^[-+]text'
            git checkout --quiet empty; mkdir -p todos; try diff; try diff t1 | grep '^[-+]'
            """)
        #expect(
            output == """
                sync 0
                -text: newest
                +text: new
                diff 0
                -text: newest
                +text: t1
                diff 0
                --- a/t1.yaml
                +++ /dev/null
                -id: t1
                -text: newest

                """)
    }

    @Test func `resolve takes no committed text for an answer that nobody gave`() throws {
        let output = try GitShell.run(
            """
            site
            todosync clone --quiet "$home/store" "$home/phone"
            (cd "$home/phone"; edit t1 phone; todosync push --quiet)
            edit t1 here; try sync --quiet > /dev/null; git stash --quiet
            todosync sync --quiet 2>&1 | grep hint; try resolve; try resolve t1; sync; remote
            """)
        #expect(
            output == """
                hint: git removed the markers; run "todosync resolve t1.yaml" to accept the file, or "todosync \
                resolve --abort t1.yaml" and sync again
                unresolved: t1.yaml: its file matches a version in git and has no markers, for example after "git \
                stash" or "git checkout"; run "todosync resolve t1.yaml" to accept it
                resolve 1
                resolved  t1  new  t1.yaml  as it is in the file
                resolve 0
                sync 0
                remote: new t2 t3

                """)
    }

    @Test func `a command in another worktree reports it, and init works there`() throws {
        let output = try GitShell.run(
            """
            site
            git worktree add --quiet inner main~1; sync
            cd inner/todos; try add Here; try init; try list; sync; cd ../..; sync
            git worktree remove --force inner; sync; remote
            """)
        #expect(
            output == """
                sync 0
                error: site/todos/inner is another git repository, which the working directory site/todos ignores
                add 66
                created a working directory in site/todos/inner/todos, with the remote of the main worktree
                init 0
                t1\tnew\t\t\t\topen,behind\tt1.yaml
                t2\tt2\t\t\t\topen\tt2.yaml
                t3\tt3\t\t\t\topen\tt3.yaml
                list 0
                sync 0
                sync 0
                sync 0
                remote: new t2 t3

                """)
    }

    @Test func `JSON reports what git is in the middle of, with a path that can be opened`() throws {
        let output = try GitShell.run(
            """
            show() {
                touch "$(git rev-parse --git-dir)/CHERRY_PICK_HEAD"
                for command in status sync; do
                    try $command --json | grep -A 2 '"git"' | grep -E 'operation|path'
                done
            }
            site; show
            git worktree add --quiet "$home/tree"; cd "$home/tree/todos"; todosync init --quiet; show
            """)
        let main = """
                "operation": "cherry-pick",
                "path": ".git/CHERRY_PICK_HEAD",

            """
        let linked = main.replacing(".git", with: "site/.git/worktrees/tree")
        #expect(output == main + main + linked + linked)
    }

    @Test func `a pull reports what is held`() throws {
        let output = try GitShell.run(
            """
            site; edit t1 newest; sync; git restore t1.yaml; try pull; try pull --quiet
            git commit --quiet --allow-empty -m other; try pull --quiet; try push --quiet t1; try pull
            """)
        let held =
            "held: t1.yaml: git checked out an older version (text: new; the newest has text: newest)\n"
        #expect(
            output
                == "sync 0\n1 held\n\(held)pull 1\n\(held)pull 1\n\(held)pull 1\npush 0\neverything up to date\npull 0\n"
        )
    }

    @Test func `a file that git restored beside a moved one can be removed`() throws {
        let output = try GitShell.run(
            """
            site; try mv t1 n1.yaml; sync; git checkout --quiet .
            todosync sync --quiet; todosync status | grep -A 2 id:; todosync show t1.yaml > /dev/null
            todosync set t1.yaml text=x; cp t2.yaml t4.yaml; todosync status | grep -A 3 id:; rm t4.yaml
            try rm t1.yaml; sync; remote; ls
            """)
        #expect(
            output == """
                moved  t1.yaml -> n1.yaml
                mv 0
                sync 0
                duplicate: t1.yaml: git has the todo in this file, too, but n1.yaml keeps the id; run "todosync rm \
                t1.yaml" to remove the file
                Files with a duplicate id:
                  (run "todosync rm FILE" to remove a file of git's)
                  t1.yaml: n1.yaml keeps the id; git has the todo in this file, too
                error: t1.yaml has the id of n1.yaml
                hint: git has the todo in this file, too; run "todosync rm t1.yaml" to remove it
                Files with a duplicate id:
                  (run "todosync add FILE" to give the file a new id; run "todosync rm FILE" to remove a file \
                of git's)
                  t1.yaml: n1.yaml keeps the id; git has the todo in this file, too
                  t4.yaml: t2.yaml keeps the id
                deleted  t1.yaml
                rm 0
                sync 0
                remote: new t2 t3
                n1.yaml
                t2.yaml
                t3.yaml

                """)
    }

    @Test func `a todo that two branches moved is one todo, and either file can be removed`() throws {
        let output = try GitShell.run(
            """
            site; git checkout --quiet -b side; git mv t2.yaml f2.yaml; git commit --quiet -m side
            git checkout --quiet main; git mv t2.yaml f1.yaml; git commit --quiet -m main; sync
            git merge side > /dev/null; git add .; git commit --quiet -m merge; sync
            try rm f2.yaml; sync; remote; ls
            """)
        #expect(
            output == """
                sync 0
                duplicate: f2.yaml: git has the todo in this file, too, but f1.yaml keeps the id; run "todosync \
                rm f2.yaml" to remove the file
                sync 1
                deleted  f2.yaml
                rm 0
                sync 0
                remote: t2 new t3
                f1.yaml
                t1.yaml
                t3.yaml

                """)
    }

    @Test func `a stash with everything has the working directory, which the error reports`() throws {
        let output = try GitShell.run(
            """
            site; edit t2 mine; git stash --quiet --all; try sync; todosync sync 2>&1 | grep hint
            git stash pop --quiet; sync; remote
            """)
        #expect(
            output == """
                error: there is no working directory here or above: site/todos
                sync 66
                hint: "git stash --all" has put .todosync into the stash; run "git stash pop" to bring it back
                sync 0
                remote: new mine t3

                """)
    }

    @Test func `a conflict with values that git might have rolled back reports it`() throws {
        let output = try GitShell.run(
            """
            site; edit t1 newest; sync; git checkout --quiet .; echo 'owner: me' >> t1.yaml; try sync
            todosync clone --quiet "$home/store" "$home/phone"; todosync resolve --quiet --use remote
            (cd "$home/phone"; edit t2 phone; todosync push --quiet); edit t2 here; sync
            """)
        #expect(
            output == """
                sync 0
                1 conflict
                conflict: t1.yaml: local has older values of text, which git might have brought back
                sync 1
                conflict: t2.yaml: both sides changed text
                sync 1

                """)
    }

    @Test func `an editor opens the newest version, and reports it`() throws {
        let output = try GitShell.run(
            """
            site; edit t1 newest; sync; git checkout --quiet .
            printf '#!/bin/sh\\necho "owner: me" >> "$1"\\n' > "$home/editor"; chmod +x "$home/editor"
            export EDITOR="$home/editor"; try edit t1; sync; cat t1.yaml; try edit t2
            """)
        #expect(
            output == """
                sync 0
                t1.yaml: git had put an older version in this file; it has the newest one again
                changed  newest
                edit 0
                sync 0
                id: t1
                text: newest
                owner: me
                changed  t2
                edit 0

                """)
    }

    @Test func `a purged todo stays purged while git has its file on another branch`() throws {
        let output = try GitShell.run(
            """
            site; git checkout --quiet -b other; printf 'id: t4\\ntext: t4\\n' > t4.yaml
            git add .; git commit --quiet -m four; sync; git checkout --quiet main; sync --newest
            try done t4; sync; try purge --yes
            for visit in 1 2; do
                git checkout --quiet other; todosync status | sed -n '4,6p;$p'; sync; git status --short
                git checkout --quiet main; todosync status | tail -n 1; sync; ls t4.yaml 2> /dev/null
            done
            todosync purge --undo --dry-run | grep -c t4; remote
            """)
        let visit = """

            Held:
              t4  t4  t4.yaml  git checked out an older version (complete: nothing; the newest has complete: true)

            nothing pending, no conflicts
            sync 0
            nothing pending, no conflicts
            sync 0

            """
        #expect(
            output == """
                sync 0
                sync 0
                done  t4
                done 0
                sync 0
                purged  t4  t4  t4.yaml
                1 todo purged; run "todosync purge --undo" to bring it back
                purge 0

                """ + String(visit.dropFirst()) + String(visit.dropFirst()) + "1\nremote: new t2 t3 t4\n")
    }

    @Test func `what should not be forwarded is not reported either`() throws {
        let output = try GitShell.run(
            """
            site; echo 'git.forward: never' >> .todosync/config.yaml
            edit t1 newest; sync; git restore t1.yaml; sync; try sync; try push; remote
            """)
        #expect(output == "sync 0\nsync 0\n1 held\nsync 0\n1 held\npush 0\nremote: newest t2 t3\n")
    }

    @Test func `an edit is sent after its branch was renamed or deleted, and a home branch has no effect`()
        throws
    {
        let output = try GitShell.run(
            """
            site
            git branch --move main trunk; sync; edit t1 edited; sync
            git checkout --quiet -b other; sync; git branch --quiet -D trunk; edit t2 also; sync
            echo 'git.home: main' >> .todosync/config.yaml; try sync; try sync; remote
            """)
        #expect(
            output == """
                sync 0
                sync 0
                sync 0
                sync 0
                git.home in .todosync/config.yaml no longer has an effect; remove it
                everything up to date
                sync 0
                everything up to date
                sync 0
                remote: edited also t3

                """)
    }

    @Test func `a commit that stops tracking ignored todos deletes none, now and later`() throws {
        let output = try GitShell.run(
            """
            site; git clone --quiet "$home/site" "$home/colleague"
            (
                cd "$home/colleague"; echo '*.yaml' > .gitignore; git rm --quiet -r --cached todos
                git add .gitignore; git commit --quiet -m 'Ignore the todos'
            )
            git pull --quiet "$home/colleague" main; sync; sync
            git checkout --quiet main~1; sync; git checkout --quiet main; sync; try status
            try rm t2.yaml; sync; try sync --newest; remote
            """)
        #expect(
            output == """
                held: t1.yaml: git removed its file
                held: t2.yaml: git removed its file
                held: t3.yaml: git removed its file
                sync 1
                held: t1.yaml: git removed its file
                held: t2.yaml: git removed its file
                held: t3.yaml: git removed its file
                sync 1
                sync 0
                sync 0
                Remote: store
                Last synced just now

                Held:
                  t1  new  t1.yaml  not on this branch
                  t2  t2   t2.yaml  not on this branch
                  t3  t3   t3.yaml  not on this branch

                nothing pending, no conflicts
                status 0
                deleted  t2
                rm 0
                sync 0
                pulled  new  t1  new  t1.yaml
                pulled  new  t3  t3   t3.yaml
                2 pulled
                sync 0
                remote: new t3

                """)
    }

    @Test func `pull has no option for edits to be sent`() throws {
        let output = try GitShell.run(
            """
            site
            try pull --allow-edits 3 | head -n 1
            try push --quiet --allow-edits 3; try sync --quiet --allow-edits 3
            """)
        #expect(output.hasSuffix("push 0\nsync 0\n"))
        #expect(output.hasPrefix("error: "))
    }

    @Test func `init in a linked worktree takes conflict markers and invalid todos as they are`() throws {
        let output = try GitShell.run(
            """
            site; git checkout --quiet -b bad
            printf 'id: t1\\n<<<<<<< a\\ntext: a\\n=======\\ntext: b\\n>>>>>>> b\\n' > t1.yaml
            printf 'id: t2\\ntext: [\\n' > t2.yaml
            git commit --quiet -am bad; git checkout --quiet main
            git worktree add --quiet "$home/tree" bad; cd "$home/tree/todos"; try init; sync; try discard t1 t2
            sync; remote
            """)
        #expect(
            output == """
                created a working directory in tree/todos, with the remote of the main worktree
                init 0
                conflict: t1.yaml: local (a) and remote (b) have different text
                invalid: t2.yaml:3:1: did not find expected node content
                sync 1
                discarded  new
                discarded  t2
                discard 0
                sync 0
                remote: new t2 t3

                """)
    }

    @Test func `nothing is asked of git where nothing has changed`() throws {
        let output = try GitShell.run(
            """
            git init --quiet; git commit --quiet --allow-empty -m first
            todosync clone --quiet store todos; cd todos
            for number in $(seq 10000); do printf 'id: t%s\\ntext: t%s\\n' $number $number > $number.yaml; done
            todosync sync --quiet; git add .; git commit --quiet -m todos; todosync sync --quiet
            mkdir "$home/bin"; printf '#!/bin/sh\\necho "$@" >> "%s/trace"\\n' "$home" > "$home/bin/git"
            chmod +x "$home/bin/git"
            PATH="$home/bin:$PATH" try status | tail -n 1; cat "$home/trace" 2> /dev/null
            echo 'notes: here' >> 1.yaml; PATH="$home/bin:$PATH" try status > /dev/null; ls "$home/trace"
            """)
        #expect(output.hasPrefix("status 0\n/"))
        #expect(output.hasSuffix("/trace\n"))
    }
}
