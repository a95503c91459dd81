import Platform
import TestSupport
import Testing

/// What todosync does if git fails, or has lost its history.
@Suite(.ownThreads) struct GitDamageTests {
    private static let unasked = "its file changed, but git failed"
    private static let values = " (text: t1; the newest has text: new)"

    /// Damage to a repository whose HEAD has moved to a commit with an older version of `t1`.
    struct Damage: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var commands: String
        /// git's message.
        var reason: String

        static let all = [
            Damage(
                testDescription: "HEAD is garbage", commands: "echo garbage > ../.git/HEAD",
                reason: "fatal: not a git repository (or any of the parent directories): .git"),
            Damage(
                testDescription: "HEAD is an option",
                commands: #"echo "--output=$home/trace" > ../.git/HEAD"#,
                reason: "fatal: not a git repository (or any of the parent directories): .git"),
            Damage(
                testDescription: "the repository is elsewhere",
                commands: #"mv ../.git "$home/moved"; echo 'gitdir: ../moved/.git' > ../.git"#,
                reason: "fatal: not a git repository: site/../moved/.git"),
            Damage(
                testDescription: "all objects are missing", commands: "find ../.git/objects -type f -delete",
                reason: "fatal: not a tree object"),
            Damage(
                testDescription: "a text is missing",
                commands: """
                    name=$(git rev-parse HEAD:./t1.yaml | sed 's#^..#&/#')
                    rm -f ../.git/objects/$name
                    """,
                reason: "the repository lacks object OID"),
            Damage(
                testDescription: "git is not installed",
                commands: #"""
                    mkdir "$home/bin"
                    for program in timeout grep sed cat rm todosync; do
                        ln -s "$(command -v $program)" "$home/bin/$program"
                    done
                    PATH=$home/bin
                    """#,
                reason: "git is not installed; install it"),
        ]
    }

    @Test(arguments: Damage.all) func `an older version is held`(damage: Damage) throws {
        let output = try GitShell.run(
            """
            site; git checkout --quiet main~1
            \(damage.commands)
            sync; sync; remote
            try push --quiet t1; remote
            ls "$home/trace" 2> /dev/null
            """)
        let held = "held: t1.yaml: \(Self.unasked) (\(damage.reason))\(Self.values)\nsync 1\n"
        #expect(
            // git's message depends on whether the folder is in a separate file system.
            output.replacing(/[0-9a-f]{40}/, with: "OID").replacing(
                /\(or any parent up to mount point [^)]*\)/, with: "(or any of the parent directories): .git")
                == held + held + "remote: new t2 t3\npush 0\nremote: t1 t2 t3\n")
    }

    @Test(arguments: Damage.all) func `an edit is sent as without git if HEAD has not moved`(
        damage: Damage
    ) throws {
        let output = try GitShell.run(
            """
            site
            recorded=$(git rev-parse HEAD)
            \(damage.commands)
            test -f ../.git/HEAD && case $(cat ../.git/HEAD) in ref:*) ;; *) exit ;; esac
            test -f ../.git && exit
            edit t2 edited; sync; remote
            """)
        #expect(output == "" || output == "sync 0\nremote: new edited t3\n")
    }

    @Test func `git that hangs is waited for ten seconds, and its todos are held`() throws {
        let output = try GitShell.run(
            """
            site
            mkdir "$home/bin"; printf '#!/bin/sh\\nsleep 60\\n' > "$home/bin/git"; chmod +x "$home/bin/git"
            hanging() {
                start=$(date +%s); PATH="$home/bin:$PATH" "$@"; end=$(date +%s)
                test $((end - start)) -lt 40 || echo "took $((end - start)) seconds"
            }
            edit t2 edited; hanging sync
            git checkout --quiet main~1 2> /dev/null || git checkout --quiet -f main~1
            hanging sync; hanging sync; hanging try status | grep -c 'did not respond'
            sync; remote
            pgrep -f "$home/bin/git"
            """)
        let held = "held: t1.yaml: \(Self.unasked) (git did not respond within ten seconds)\(Self.values)\n"
        #expect(
            output == "sync 0\n\(held)sync 1\n\(held)sync 1\n1\nsync 0\nremote: new edited t3\n")
    }

    @Test func `an empty folder .git is no repository`() throws {
        let output = try GitShell.run(
            """
            site; rm -rf ../.git; mkdir ../.git
            edit t2 edited; sync; rm t3.yaml; sync; remote
            """)
        #expect(output == "sync 0\nsync 0\nremote: new edited\n")
    }

    @Test func `files that are gone are held where the index is damaged`() throws {
        let output = try GitShell.run(
            """
            site; git checkout --quiet empty; mkdir -p todos; echo garbage > ../.git/index
            sync; sync; rm ../.git/index; git reset --quiet; sync; remote
            """)
        let held = ["t1", "t2", "t3"].map {
            "held: \($0).yaml: \(Self.unasked) (fatal: .git/index: index file smaller than expected)\n"
        }.joined()
        #expect(output == held + "sync 1\n" + held + "sync 1\nsync 0\nremote: new t2 t3\n")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a repository to somebody else"))
    func `a repository of somebody else is not asked`() throws {
        let output = try GitShell.run(
            """
            site; git checkout --quiet main~1
            chown -R 12345 "$home"; chown 0 ../.git ..
            chmod 755 "$home"
            run() { setpriv --reuid 12345 --clear-groups "$@"; }
            run git status > /dev/null 2>&1 && exit
            run todosync sync --quiet 2>&1 | grep -v '^hint' | sed "s#$home/##g"; remote
            """)
        #expect(
            output == """
                held: t1.yaml: \(Self.unasked) (the repository belongs to somebody else; if you trust it, add it to \
                git's safe.directory)\(Self.values)
                remote: new t2 t3

                """)
    }

    @Test func `a pull records no HEAD that it has not compared with the files`() throws {
        let output = try GitShell.run(
            """
            site; git checkout --quiet main~1
            find ../.git/objects -type f -delete
            try pull --quiet; sync; remote
            """)
        let held = "held: t1.yaml: \(Self.unasked) (fatal: not a tree object)\(Self.values)\n"
        #expect(output.hasSuffix(held + "sync 1\nremote: new t2 t3\n"))
    }

    @Test func `a todo is held if git has thrown away the commit that had it`() throws {
        let output = try GitShell.run(
            """
            forget() { git reflog expire --expire=now --all; git gc --quiet --prune=now; }
            site
            printf 'id: t4\\ntext: t4\\n' > t4.yaml; git add .; git commit --quiet -m four; sync
            git reset --quiet --hard main~1; forget; sync; sync; try discard --quiet t4
            git checkout --quiet empty; git branch --quiet -D main; forget; sync; remote
            """)
        #expect(
            output == """
                sync 0
                held: t4.yaml: git removed its file
                sync 1
                held: t4.yaml: git removed its file
                sync 1
                discard 0
                sync 0
                remote: new t2 t3 t4

                """)
    }
}
