import TestSupport
import Testing

/// What git takes away or brings back, and what a person commits: stories that rules got wrong at some time.
@Suite(.ownThreads) struct GitScriptTests {
    struct Story: CustomTestStringConvertible, Sendable {
        var name: String
        var script: String

        init(_ name: String, _ script: String) { (self.name, self.script) = (name, script) }

        var testDescription: String { name }
    }

    @Test(arguments: commits + removals + edits + teams)
    func `a person's work is sent, and nobody's is reverted or deleted`(_ story: Story) async throws {
        let script = try await GitScript()
        do { try await script.run(story.script) } catch {
            Issue.record("\(story.name): \(error)\n\(script.log.joined(separator: "\n"))")
        }
    }

    // MARK: What a person commits

    static let commits = [
        Story(
            "an edit on a branch is sent, and stays when the branch is merged",
            """
            git checkout -q -b hotfix HEAD~1
            edit t2 place fixed
            git commit -q -a -m c
            sync
            ? t2 place fixed
            ? t1 priority high
            git checkout -q main
            git merge -q hotfix
            sync
            ? quiet
            ? t2 place fixed
            ? t1 priority high
            ? file t2 place fixed
            """),
        Story(
            "a new todo on a branch is sent",
            """
            git checkout -q -b hotfix HEAD~1
            new n
            git add -A
            git commit -q -m c
            sync
            ? n there
            ? t1 priority high
            """),
        Story(
            "a delete on a branch is sent",
            """
            git checkout -q -b hotfix HEAD~1
            git rm -q t3.yaml
            git commit -q -m c
            sync
            ? t3 gone
            ? t1 priority high
            """),
        Story(
            "an amended commit on a branch is sent",
            """
            git checkout -q -b hotfix HEAD~1
            edit t2 place fixed
            git commit -q -a -m c
            edit t2 place fixed2
            git commit -q -a --amend --no-edit
            sync
            ? t2 place fixed2
            """),
        Story(
            "an amended commit at home is an edit",
            """
            edit t2 place p1
            git commit -q -a -m c
            sync
            edit t2 place p2
            git commit -q -a --amend --no-edit
            sync
            ? quiet
            ? t2 place p2
            """),
        Story(
            "a squash is no older version",
            """
            edit t2 place p1
            git commit -q -a -m c
            sync
            edit t2 place p2
            git commit -q -a -m c
            sync
            git reset -q --soft HEAD~2
            git commit -q -m squash
            sync
            ? quiet
            ? t2 place p2
            """),
        Story(
            "a commit before a new branch is sent from there",
            """
            edit t2 place p1
            git commit -q -a -m c
            git checkout -q -b feature
            sync
            ? t2 place p1
            """),
        Story(
            "a committed edit back on a branch is sent",
            """
            edit t2 place p1
            git commit -q -a -m c
            sync
            git checkout -q -b dev
            sync
            edit t2 place here
            git commit -q -a -m back
            sync
            ? t2 place here
            """),
        Story(
            "a revert on a detached HEAD is sent, and a squash doesn't undo it",
            """
            edit t2 place p1
            git commit -q -a -m c
            sync
            edit t0 place q
            git commit -q -a -m c
            sync
            git checkout -q --detach
            git revert --no-edit HEAD~1
            sync
            ? t2 place here
            git checkout -q main
            git reset -q --soft HEAD~2
            git commit -q -m squash
            sync
            ? t2 place here
            """),
        Story(
            "a branch that was synced and merged is no conflict with a later edit",
            """
            git checkout -q -b bread
            edit t2 place cellar
            git commit -q -a -m c
            sync
            git checkout -q main
            git merge -q bread
            edit t2 place yard
            git commit -q -a -m c
            sync
            ? quiet
            ? t2 place yard
            """),
        Story(
            "a file that is moved and edited stays moved",
            """
            git mv t2.yaml moved.yaml
            edit t2 place m
            sync
            ? t2 place m
            ? file t2 place m
            """),
        Story(
            "a colleague's branch is only looked at, and sent once it is merged",
            """
            carol git checkout -q -b pr
            carol edit t2 place theirs
            carol git commit -q -a -m c
            carol git push -q origin pr
            git fetch -q
            git checkout -q pr
            sync
            ? held t2
            ? t2 place here
            git checkout -q main
            sync
            ? quiet
            git merge -q pr
            sync
            ? quiet
            ? t2 place theirs
            """),
        Story(
            "a colleague's branch stays only looked at on a new branch",
            """
            carol git checkout -q -b pr
            carol edit t2 place theirs
            carol git commit -q -a -m c
            carol git push -q origin pr
            git fetch -q
            git checkout -q pr
            sync
            git checkout -q -b mine
            sync
            ? held t2
            ? t2 place here
            """),
        Story(
            "a colleague's new todo is only looked at",
            """
            sync
            carol git checkout -q -b pr HEAD~1
            carol new n
            carol git add -A
            carol git commit -q -m c
            carol git push -q origin pr
            git fetch -q
            git checkout -q pr
            sync
            ? held n
            ? n gone
            git checkout -q main
            git merge -q pr
            sync
            ? n there
            """),
    ]

    // MARK: What is gone

    static let removals = [
        Story("a removed file is a delete", "rm t3\nsync\n? t3 gone"),
        Story(
            "a stash takes a new todo away for good",
            "bob new n\nsync\ngit stash push -q -u\ngit stash drop -q\nsync\n? n there\n? held n"),
        Story(
            "a stash takes a new todo away for good on a branch",
            """
            git checkout -q -b dev
            sync
            bob new n
            sync
            git stash push -q -u
            git stash drop -q
            sync
            ? n there
            """),
        Story(
            "the older of two stashes is dropped",
            """
            bob new n
            sync
            git stash push -q -u
            edit t0 place p
            git stash push -q
            git stash drop -q stash@{1}
            sync
            ? n there
            """),
        Story(
            "a reset takes a staged new todo away",
            "bob new n\nsync\ngit add -A\ngit reset -q --hard\nsync\n? n there\n? held n"),
        Story(
            "a forced checkout takes a staged new todo away",
            "bob new n\nsync\ngit add -A\ngit checkout -q -f\nsync\n? n there"),
        Story(
            "a stash takes one of several new todos away",
            "bob new n\nsync\ngit stash push -q -u n.yaml\ngit stash drop -q\nsync\n? n there\n? held n"),
        Story(
            "a stash takes two of three new todos away",
            """
            bob new n1
            bob new n2
            bob new n3
            sync
            git stash push -q -u n1.yaml n2.yaml
            git stash drop -q
            sync
            ? n1 there
            ? n2 there
            ? n3 there
            """),
        Story(
            "a cleaned folder has several new todos",
            "bob new n1\nbob new n2\nsync\ngit clean -q -f n1.yaml n2.yaml\nsync\n? n1 there\n? n2 there"),
        Story(
            "a committed delete is sent if the first commit came after the last sync",
            "new n\nsync\ngit add -A\ngit commit -q -m c\ngit rm -q n.yaml\ngit commit -q -m c\nsync\n? n gone"
        ),
        Story(
            "a committed delete is sent after a look at another branch",
            """
            git branch dev
            git rm -q t3.yaml
            git commit -q -m c
            git checkout -q dev
            git checkout -q main
            sync
            ? t3 gone
            """),
        Story(
            "a colleague's delete that a pull rebases is sent",
            """
            carol sync
            carol git rm -q t3.yaml
            carol git commit -q -m c
            carol git push -q
            git pull -q --rebase
            sync
            ? t3 gone
            """),
        Story(
            "a branch whose delete was not merged deletes nothing",
            """
            git branch exp
            sync
            git checkout -q exp
            git rm -q t3.yaml
            git commit -q -m c
            git checkout -q main
            git branch -q -D exp
            sync
            ? t3 there
            """),
        Story(
            "a commit that a reset took back deletes nothing",
            """
            new n
            sync
            git add -A
            git commit -q -m c
            git rm -q n.yaml
            git commit -q -m c
            git reset -q --hard HEAD~1
            git checkout -q HEAD~1
            sync
            ? n there
            """),
        Story(
            "a sparse checkout deletes nothing",
            "git sparse-checkout set --no-cone /* !/t3.yaml\nsync\n? t3 there"),
        Story(
            "resolving a delete is not doubted",
            "rm t3\nbob edit t3 place bobs\nsync\n? conflict\nuse local\nsync\n? t3 gone"),
        Story(
            "resolving a delete is not doubted on a branch",
            """
            git checkout -q -b dev
            sync
            rm t3
            bob edit t3 place bobs
            sync
            use local
            sync
            ? t3 gone
            """),
        Story(
            "a new file without an id is not the todo that git took away",
            """
            git checkout -q -b dev
            sync
            write milk.yaml id: milk;text: on-dev
            sync
            git add -A
            git commit -q -m c
            git checkout -q main
            write milk.yaml text: new
            sync
            ? milk text on-dev
            ? milk there
            """),
    ]

    // MARK: What an edit is based on

    static let edits = [
        Story(
            "after a reset to what was never synced, an edit of another field reverts nothing",
            """
            new n
            git add -A
            git commit -q -m c
            edit n place p2
            git commit -q -a -m c
            sync
            git reset -q --hard HEAD~1
            edit n who x
            sync
            ? n place p2
            ? asked
            """),
        Story(
            "a held text that was never synced is no base of an edit",
            """
            new n
            git add -A
            git commit -q -m c
            edit n place p2
            git commit -q -a -m c
            sync
            git checkout -q HEAD~1
            sync
            ? held n
            edit n who x
            sync
            ? n place p2
            ? asked
            """),
        Story(
            "bob changes what a branch changed",
            """
            git checkout -q -b dev
            sync
            edit t2 place mine
            git commit -q -a -m c
            git checkout -q main
            bob edit t2 place bobs
            sync
            git commit -q -a -m c
            git checkout -q dev
            sync
            ? conflict
            ? t2 place bobs
            """),
        Story(
            "an old branch sets the same priority and doesn't reopen the todo",
            """
            git branch old
            bob edit t2 complete true
            bob edit t2 priority high
            sync
            git commit -q -a -m c
            git checkout -q old
            edit t2 priority high
            git commit -q -a -m c
            sync
            ? t2 complete true
            ? t2 priority high
            """),
        Story(
            "bob's comment stays when an old branch changes another field",
            """
            git branch old
            bob note t2 bobs words
            sync
            git commit -q -a -m c
            git checkout -q old
            edit t2 who x
            sync
            ? t2 says # bobs words
            ? t2 who x
            """),
        Story(
            "a stash doesn't revert what was merged",
            """
            edit t2 who x
            git commit -q -a -m c
            bob edit t2 place bobs
            sync
            git stash push -q
            sync
            ? t2 place bobs
            """),
        Story(
            "a checkout of the committed text doesn't revert a later edit",
            """
            edit t2 place p1
            git commit -q -a -m c
            edit t2 place p2
            sync
            git checkout -q .
            sync
            ? t2 place p2
            ? held t2
            """),
        Story(
            "a reset doesn't revert what was synced",
            """
            edit t2 place p1
            git commit -q -a -m c
            edit t2 place p2
            git commit -q -a -m c
            sync
            git reset -q --hard HEAD~1
            sync
            ? t2 place p2
            """),
        Story(
            "an orphan branch from before asks",
            """
            git checkout -q --orphan old
            edit t2 place before
            git commit -q -a -m old
            git checkout -q main
            bob edit t2 place bobs
            sync
            git commit -q -a -m c
            git checkout -q old
            edit t2 who x
            sync
            ? asked
            ? t2 place bobs
            """),
        Story(
            "an edit of a colleague's branch throws neither side away",
            """
            carol git checkout -q -b pr
            carol edit t2 place theirs
            carol git commit -q -a -m c
            carol git push -q origin pr
            git fetch -q
            git checkout -q pr
            sync
            bob edit t2 place bobs
            sync
            edit t2 who x
            sync
            ? conflict
            ? t2 place bobs
            """),
        Story(
            "an edit of a held version on a new branch asks",
            """
            bob edit t2 place bobs
            sync
            git commit -q -a -m c
            git reset -q --hard HEAD~1
            sync
            ? held t2
            git checkout -q -b x
            edit t2 place anew
            sync
            ? conflict
            ? t2 place bobs
            """),
        Story(
            "what an editor sets back beside a new value is asked about",
            """
            bob edit t2 priority high
            sync
            bob edit t2 place bobs
            sync
            edit t2 priority low
            edit t2 place anew
            sync
            ? t2 place anew
            ? t2 priority low
            """),
    ]

    // MARK: Teams

    static let teams = [
        Story(
            "a colleague's pull sends a commit before its author edits again",
            """
            carol sync
            edit t2 place x
            git commit -q -a -m c
            git push -q
            carol git pull -q
            carol sync
            ? t2 place x
            edit t2 place y
            git commit -q -a -m c
            sync
            ? quiet
            ? t2 place y
            """),
        Story(
            "two people who commit, pull, push and sync have no conflicts",
            "carol sync\n"
                + String(
                    repeating: """
                        edit t0 place a
                        git commit -q -a -m c
                        git pull -q
                        git push -q
                        sync
                        ? quiet
                        carol edit t3 place c
                        carol git commit -q -a -m c
                        carol git pull -q
                        carol git push -q
                        carol sync
                        ? quiet
                        edit t0 place b
                        git commit -q -a -m c
                        git pull -q
                        git push -q
                        sync
                        ? quiet
                        carol edit t3 place d
                        carol git commit -q -a -m c
                        carol git pull -q
                        carol git push -q
                        carol sync
                        ? quiet

                        """, count: 2)
                + "? t0 place b\n? t3 place d"),
    ]
}
