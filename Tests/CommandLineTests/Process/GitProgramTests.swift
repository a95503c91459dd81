import TestSupport
import Testing

/// The programs that git starts, and those that todosync must not start.
@Suite(.ownThreads) struct GitProgramTests {
    /// Names a program that leaves a trace wherever git's configuration can name one.
    private static let programs = #"""
        printf '#!/bin/sh\necho "$@" >> "%s/trace"\ncat\n' "$home" > "$home/program"; chmod +x "$home/program"
        for key in core.fsmonitor core.pager core.editor core.sshCommand core.gitProxy core.askPass \
            core.alternateRefsCommand credential.helper gpg.program diff.external sequence.editor \
            diff.traced.textconv diff.traced.command merge.traced.driver uploadpack.packObjectsHook \
            remote.origin.uploadpack remote.origin.vcs filter.traced.clean filter.traced.smudge \
            filter.traced.process trailer.traced.command browser.traced.cmd; do
            git config "$key" "'$home/program' $key"
        done
        git config remote.origin.url "ext::'$home/program' remote"
        git config remote.origin.promisor true
        git config log.showSignature true
        git config core.hooksPath "$home/hooks"; mkdir "$home/hooks"
        for name in post-checkout post-index-change reference-transaction fsmonitor-watchman; do
            ln -s "$home/program" "$home/hooks/$name"
        done
        for command in symbolic-ref rev-parse show-ref ls-tree cat-file log check-attr ls-files merge-base \
            check-ignore rev-list; do
            git config "alias.$command" "!'$home/program' alias"
            git config "pager.$command" "'$home/program' pager"
        done

        """#

    @Test(arguments: ["traced", "lfs"])
    func `no program runs that the repository's configuration names`(filter: String) throws {
        let output = try GitShell.run(
            """
            git config --global filter.lfs.clean cat
            printf '*.yaml filter=\(filter) diff=traced merge=traced\\n' > attributes
            git config --global core.attributesFile "$home/attributes"
            git config --global filter.traced.clean cat
            site
            git config --global --unset filter.traced.clean
            git branch --quiet other main~1
            git checkout --quiet main~1
            \(Self.programs)
            rm -f "$home/trace"
            # An older version, an edit of one, a new todo, a removed one, and one that a commit removed.
            sync; edit t2 edited; printf 'text: new\\n' > t4.yaml; try status > /dev/null; sync
            rm t3.yaml; sync
            echo "ref: refs/heads/empty" > ../.git/HEAD; sync
            try diff > /dev/null; try list > /dev/null
            cat "$home/trace" 2> /dev/null
            remote
            """)
        #expect(output == "sync 0\nsync 0\nsync 0\nsync 0\nremote: new edited new\n")
    }

    @Test func `hooks may run todosync`() throws {
        let output = try GitShell.run(
            """
            site
            for hook in pre-commit post-commit post-checkout post-merge; do
                printf '#!/bin/sh\\necho %s\\ncd todos 2> /dev/null || exit 0\\n' $hook > ../.git/hooks/$hook
                echo 'todosync sync --quiet 2>&1 | grep -v "^hint"; exit 0' >> ../.git/hooks/$hook
                chmod +x ../.git/hooks/$hook
            done
            edit t2 edited; git add t2.yaml; git commit --quiet -m edit; remote
            edit t3 'also edited'; git commit --quiet -m edit t3.yaml; remote
            git checkout --quiet main~2; git checkout --quiet empty; git checkout --quiet main; remote
            git rm --quiet t3.yaml; git commit --quiet -m remove; remote
            """)
        #expect(
            output.replacing(/written \d+ seconds? ago/, with: "written now") == """
                pre-commit
                post-commit
                remote: new edited t3
                pre-commit
                held: git is in the middle of a command (.git/index.lock, written now)
                post-commit
                remote: new edited also edited
                post-checkout
                post-checkout
                post-checkout
                remote: new edited also edited
                pre-commit
                post-commit
                remote: new edited

                """)
    }

    @Test func `hooks of a linked worktree may run todosync`() throws {
        let output = try GitShell.run(
            """
            site
            git worktree add --quiet "$home/tree" main~1; cd "$home/tree/todos"; todosync init --quiet
            printf '#!/bin/sh\\ncd todos; todosync sync --quiet; echo "hook $?"\\n' > "$home/hook"
            chmod +x "$home/hook"; cp "$home/hook" "$home/site/.git/hooks/post-commit"
            edit t3 edited; git commit --quiet -am edit; remote
            """)
        #expect(output == "hook 0\nremote: new t2 edited\n")
    }
}
