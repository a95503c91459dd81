import TestSupport
import Testing

/// What todosync does in each kind of repository that git has.
@Suite(.ownThreads) struct GitRepositoryTests {
    /// Checks out an older version, then a commit without todos, and returns.
    private static let tour = """
        git checkout --quiet main~1; sync
        git checkout --quiet empty; sync
        git checkout --quiet main; sync
        edit t2 edited; sync
        remote

        """

    /// What the tour prints: only the edit is sent.
    private static let toured = "sync 0\nsync 0\nsync 0\nsync 0\nremote: new edited t3\n"

    @Test(arguments: ["", "--object-format=sha256", "--separate-git-dir=$home/elsewhere"])
    func `todos stay what they are while git goes to other commits`(options: String) throws {
        #expect(try GitShell.run("site \(options)\n" + Self.tour) == Self.toured)
    }

    @Test func `references in a reftable are read by git`() throws {
        let output = try GitShell.run(
            """
            git init --quiet --ref-format=reftable probe 2> /dev/null || { echo none; exit; }
            site --ref-format=reftable
            \(Self.tour)
            """)
        #expect(output == Self.toured || output == "none\n")
    }

    @Test func `what git cannot read in a reftable is held`() throws {
        let output = try GitShell.run(
            """
            site; git checkout --quiet main~1
            git config core.repositoryFormatVersion 1; git config extensions.refStorage reftable
            mkdir ../.git/reftable; echo 'ref: refs/heads/.invalid' > ../.git/HEAD
            sync; try status | tail -n 1; edit t2 edited; try push --quiet t2; remote
            """)
        // git's message depends on whether git supports the extension.
        #expect(
            output.replacing(/\(fatal: [^)]+\)/, with: "(why)") == """
                held: t1.yaml: its file changed, but git failed (why) (text: t1; the newest has text: \
                new)
                sync 1
                status 0
                push 0
                remote: new edited t3

                """)
    }

    @Test func `texts that LFS keeps elsewhere are held as without them`() throws {
        let output = try GitShell.run(
            """
            command -v git-lfs > /dev/null || { echo none; exit; }
            git config --global filter.lfs.clean 'git-lfs clean -- %f'
            git config --global filter.lfs.smudge 'git-lfs smudge -- %f'
            git config --global filter.lfs.process 'git-lfs filter-process'
            git config --global filter.lfs.required true
            mkdir "$home/attributes"; echo '*.yaml filter=lfs diff=lfs merge=lfs -text' > "$home/attributes/all"
            git config --global core.attributesFile "$home/attributes/all"
            site; git show main:./t1.yaml | head -n 1
            \(Self.tour)
            """)
        #expect(output == "none\n" || output == "version https://git-lfs.github.com/spec/v1\n" + Self.toured)
    }

    @Test(arguments: [
        "with spaces", #"Äpfel "und" 'Birnen'"#, ":(glob)*", "*", "[a-z]", "-option", "!not", "#comment",
        #"back\slash"#, "line\nbreak",
    ])
    func `a folder may have any name`(name: String) throws {
        let quoted = "'" + name.replacing("'", with: #"'\''"#) + "'"
        let output = try GitShell.run(
            """
            folder=\(quoted); site
            \(Self.tour)
            git rm --quiet t3.yaml; git commit --quiet -m remove; sync; remote
            """)
        #expect(output == Self.toured + "sync 0\nremote: new edited\n")
    }

    @Test func `a todo may have a name that git takes for a pattern`() throws {
        let output = try GitShell.run(
            """
            site
            printf 'id: t4\\ntext: t4\\n' > ':(top)*.yaml'
            git add .; git commit --quiet -m four; sync
            git checkout --quiet main~1; sync
            todosync list | grep -c '^:(top)'
            git checkout --quiet main; sync; git rm --quiet './:(top)*.yaml'; git commit --quiet -m three; sync; remote
            """)
        #expect(output == "sync 0\nsync 0\n0\nsync 0\nsync 0\nremote: new t2 t3\n")
    }

    @Test func `a bare repository around the folder is not the folder's`() throws {
        let output = try GitShell.run(
            """
            git init --quiet --bare around; cd around
            todosync clone --quiet ../store todos; cd todos
            printf 'id: t1\\ntext: t1\\n' > t1.yaml; sync
            edit t1 edited; sync; remote
            rm t1.yaml; try push --quiet t1; remote
            """)
        #expect(output == "sync 0\nsync 0\nremote: edited\npush 0\nremote:\n")
    }

    @Test(arguments: ["../site", "$home/site"])
    func `a repository elsewhere counts if the configuration names it`(worktree: String) throws {
        let output = try GitShell.run(
            """
            site; mv ../.git "$home/elsewhere"
            git config --file "$home/elsewhere/config" core.worktree "\(worktree)"
            echo "git.dir: $home/elsewhere" >> .todosync/config.yaml
            git --git-dir="$home/elsewhere" checkout --quiet main~1
            sync; remote
            git config --file "$home/elsewhere/config" core.worktree ../other; try sync
            """)
        #expect(
            output == """
                sync 0
                remote: new t2 t3
                error: .todosync/config.yaml:2:1: git.dir is not a git repository that has this folder in its worktree
                sync 78

                """)
    }

    @Test func `a repository of somebody else is held, with the way to trust it`() throws {
        let output = try GitShell.run(
            """
            site; git checkout --quiet main~1; chown -R 12345 ../.git
            sync; todosync git-setup --yes 2>&1 | sed "s#$home/##g"
            """)
        #expect(
            output == """
                held: t1.yaml: its file changed, but git failed (the repository belongs to somebody else; if you \
                trust it, add it to git's safe.directory) (text: t1; the newest has text: new)
                sync 1
                error: git does not accept this repository; it seems to belong to somebody else
                hint: if you trust it, run "git config --global --add safe.directory site"

                """)
    }

    @Test func `a variable that names another repository does not count`() throws {
        let output = try GitShell.run(
            """
            site
            git init --quiet --bare "$home/bare"
            export GIT_DIR="$home/bare" GIT_WORK_TREE=.
            (unset GIT_DIR GIT_WORK_TREE; git checkout --quiet main~1)
            sync; remote
            """)
        #expect(output == "sync 0\nremote: new t2 t3\n")
    }

    @Test func `a shallow clone has no history, and needs none`() throws {
        let output = try GitShell.run(
            """
            site
            git clone --quiet --depth 1 "file://$home/site" "$home/clone"; cd "$home/clone/todos"
            todosync init --quiet; todosync remote add origin "$home/store"; sync
            edit t3 edited; git commit --quiet -am edit; sync
            git fetch --quiet --depth 1 origin main~1 2> /dev/null || git fetch --quiet --depth 2 origin main
            git checkout --quiet FETCH_HEAD~1; sync
            git checkout --quiet main; git rm --quiet t2.yaml; git commit --quiet -m remove; sync
            remote
            """)
        #expect(output == "sync 0\nsync 0\nsync 0\nsync 0\nremote: new edited\n")
    }

    @Test func `a partial clone fetches nothing, and what it lacks is held`() throws {
        let output = try GitShell.run(
            """
            site
            for text in three four; do edit t1 $text; git commit --quiet -am $text; done; sync
            missing() { git rev-list --objects --all --missing=print | grep -c '^?'; }
            git clone --quiet --filter=blob:none "file://$home/site" "$home/clone"; cd "$home/clone/todos"
            todosync init --quiet; todosync remote add origin "$home/store"; sync; missing
            (cd "$home/site/todos"; echo 'notes: by git' >> t1.yaml; git commit --quiet -am notes)
            git pull --quiet; sync; missing
            # HEAD's text is missing, too, which no checkout does.
            git update-ref refs/heads/side HEAD~3; git symbolic-ref HEAD refs/heads/side
            edit t1 new; sync; missing
            remote
            """)
        #expect(
            // git's message depends on whether git would fetch the object.
            output.replacing(/failed \([^)]+\)/, with: "failed (why)") == """
                sync 0
                sync 0
                3
                sync 0
                3
                held: t1.yaml: its file changed, but git failed \
                (why) (text: new; the newest has text: four)
                sync 1
                3
                remote: four t2 t3

                """)
    }

    @Test func `a submodule in the folder is ignored, and becomes a working directory by init`() throws {
        let output = try GitShell.run(
            """
            site
            git init --quiet "$home/library"
            (cd "$home/library"; printf 'id: s\\ntext: s\\n' > s.yaml; git add .; git commit --quiet -m s)
            git submodule --quiet add "$home/library" sub; git commit --quiet -m sub; sync; remote
            cd sub; try list; try status; try init; try list
            """)
        #expect(
            output == """
                sync 0
                remote: new t2 t3
                error: site/todos/sub is another git repository, which the working directory site/todos ignores
                list 66
                error: site/todos/sub is another git repository, which the working directory site/todos ignores
                status 66
                created a working directory in site/todos/sub
                found 1 todo
                init 0
                s\ts\t\t\t\topen,pending\ts.yaml
                list 0

                """)
    }

    @Test func `a folder in a submodule is in the submodule's repository`() throws {
        let output = try GitShell.run(
            """
            site; git branch --quiet -m main other; cd "$home"
            git init --quiet super; cd super
            git submodule --quiet add "$home/site" site; git commit --quiet -m site
            cd site/todos; git checkout --quiet -b main; git branch --quiet empty origin/empty
            todosync init --quiet; todosync remote add origin "$home/store"; todosync sync --quiet
            \(Self.tour)
            """)
        #expect(output == Self.toured)
    }

    @Test func `todos that a sparse checkout leaves out are held, and come back with it`() throws {
        let output = try GitShell.run(
            """
            site
            (cd ..; git sparse-checkout set --no-cone /code); ls; sync
            (cd ..; git sparse-checkout disable); sync; remote
            """)
        #expect(
            output == """
                held: t1.yaml: git removed its file
                held: t2.yaml: git removed its file
                held: t3.yaml: git removed its file
                sync 1
                sync 0
                remote: new t2 t3

                """)
    }

    @Test func `what removes ignored files removes the working directory, and no todo`() throws {
        for command in ["git clean --quiet -dfx", "git sparse-checkout set --cone nothing"] {
            let output = try GitShell.run(
                """
                site
                (cd ..; \(command)); cd ..; mkdir -p todos; cd todos; try status
                git sparse-checkout disable 2> /dev/null
                todosync init --quiet; todosync remote add origin "$home/store"; sync; remote
                """)
            #expect(
                output == """
                    error: there is no working directory here or above: site/todos
                    status 66
                    sync 0
                    remote: new t2 t3

                    """)
        }
    }

    @Test func `nothing that wasn't checked out in a new worktree is deleted`() throws {
        let output = try GitShell.run(
            """
            site
            git worktree add --quiet --no-checkout "$home/tree"; mkdir "$home/tree/todos"; cd "$home/tree/todos"
            todosync init --quiet; sync; todosync add --quiet Here; sync; git reset --quiet --hard; sync; remote
            """)
        #expect(output == "sync 0\nsync 0\nsync 0\nremote: Here new t2 t3\n")
    }

    @Test func `the home folder may be the repository`() throws {
        let output = try GitShell.run(
            """
            printf '*\\n!*/\\n!/my/todos/*\\n' > .gitignore
            git init --quiet; git add --force .gitignore; git commit --quiet -m home; git branch empty
            mkdir my; cd my; todos todos
            \(Self.tour)
            """)
        #expect(output == Self.toured)
    }

    @Test func `todos that git ignores are synced as without git`() throws {
        let output = try GitShell.run(
            """
            git init --quiet; echo '*.yaml' > .gitignore; git add .gitignore; git commit --quiet -m ignore
            git branch other
            todosync clone --quiet store todos; cd todos
            for name in t1 t2; do printf "id: $name\\ntext: $name\\n" > $name.yaml; done; sync
            git checkout --quiet other; sync
            edit t1 edited; rm t2.yaml; sync; remote
            """)
        #expect(output == "sync 0\nsync 0\nsync 0\nremote: edited\n")
    }

    @Test func `a folder that jj manages is one without git`() throws {
        let output = try GitShell.run("site; mkdir ../.jj; git checkout --quiet main~1; sync; remote")
        #expect(output == "sync 0\nremote: t1 t2 t3\n")
    }
}
