import Testing
import TodoModel
import WorkingCopy

@testable import SyncEngine

/// What a changed or absent file counts as, given git's state and the folder's records.
@Suite struct GitJudgeTests {
    /// A file that differs from the newest base version, and what it counts as.
    struct ChangedRow: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The texts after the id; nil for a missing file.
        var file: String
        var head: String?
        var staged: String?
        var newest: String? = "text: B\n"
        var past: [String] = ["text: A\n"]
        var origin: FileOrigin?
        var isDeleted = false
        var isDescendant = true
        /// The texts in HEAD's history.
        var history: [String] = []
        /// The texts that commands wrote and that git removed before they were sent.
        var unsent: [String] = []
        /// Whether the file has a path that the todo had before.
        var hasOldPath = false
        /// Whether HEAD has the todo at the file's path.
        var hasPath = false
        /// Whether a later commit has a text that was here.
        var isSuperseded = false
        /// The texts in commits whose files a reset left.
        var beforeResets: [String] = []
        /// Whether a filter makes HEAD's text unknown.
        var isConverted = false
        var home: Standing
        var elsewhere: Standing

        static let all = [
            ChangedRow(
                testDescription: "a command's text", file: "text: A\n", head: "text: A\n",
                origin: .command(ContentMark(of: bytes("text: A\n"))), home: .edit, elsewhere: .edit),
            ChangedRow(
                testDescription: "a renamed file of the newest version", file: "text: B\n", head: "text: B\n",
                origin: .version(bytes("text: B\n")), home: .edit, elsewhere: .edit),
            ChangedRow(
                testDescription: "an older version that is staged", file: "text: A\n", head: "text: C\n",
                staged: "text: A\n", home: .held(.olderVersion), elsewhere: .behind),
            ChangedRow(
                testDescription: "an edit that is staged", file: "text: C\n", head: "text: B\n",
                staged: "text: C\n", home: .edit, elsewhere: .edit),
            ChangedRow(
                testDescription: "HEAD's text, over a command's", file: "text: A\n", head: "text: A\n",
                origin: .command(ContentMark(of: bytes("text: C\n"))), home: .held(.olderVersion),
                elsewhere: .behind),
            ChangedRow(
                testDescription: "HEAD's text, an older version", file: "text: A\n", head: "text: A\n",
                home: .held(.olderVersion), elsewhere: .behind),
            ChangedRow(
                testDescription: "HEAD's text, an older version, with other line endings",
                file: "text: A\r\n",
                head: "text: A\n", home: .held(.olderVersion), elsewhere: .behind),
            ChangedRow(
                testDescription: "an older version behind a filter", file: "text: A\n", isConverted: true,
                home: .held(.olderVersion), elsewhere: .behind),
            ChangedRow(
                testDescription: "a text behind a filter that was never here", file: "text: C\n",
                isConverted: true, home: .edit, elsewhere: .edit),
            ChangedRow(
                testDescription: "HEAD's text of a deleted todo", file: "text: A\n", head: "text: A\n",
                newest: nil, isDeleted: true, home: .held(.deleted), elsewhere: .behind),
            ChangedRow(
                testDescription: "HEAD's text of a deleted todo, never here", file: "text: C\n",
                head: "text: C\n", newest: nil, isDeleted: true, home: .held(.deleted), elsewhere: .behind),
            ChangedRow(
                testDescription: "HEAD's text, never here", file: "text: C\n", head: "text: C\n", home: .edit,
                elsewhere: .edit),
            ChangedRow(
                testDescription: "HEAD's text, never here, of a commit beside the last one",
                file: "text: C\n", head: "text: C\n", isDescendant: false, home: .edit, elsewhere: .behind),
            ChangedRow(
                testDescription: "HEAD's text, a commit's edit of an older version", file: "text: C\n",
                head: "text: C\n", history: ["text: C\n", "text: A\n", "text: B\n"],
                home: .editOf(bytes("text: A\n")), elsewhere: .editOf(bytes("text: A\n"))),
            ChangedRow(
                testDescription: "HEAD's text, a commit's edit of an older version, beside the last commit",
                file: "text: C\n", head: "text: C\n", isDescendant: false,
                history: ["text: C\n", "text: A\n", "text: B\n"], home: .editOf(bytes("text: A\n")),
                elsewhere: .behind),
            ChangedRow(
                testDescription: "HEAD's text, a commit's edit of what was behind", file: "text: C\n",
                head: "text: C\n", origin: .version(bytes("text: D\n")),
                history: ["text: C\n", "text: D\n"], home: .editOf(bytes("text: D\n")),
                elsewhere: .editOf(bytes("text: D\n"))),
            ChangedRow(
                testDescription: "HEAD's text, never here, after another branch's was behind",
                file: "text: C\n", head: "text: C\n", origin: .version(bytes("text: D\n")),
                history: ["text: C\n"], home: .edit, elsewhere: .edit),
            ChangedRow(
                testDescription: "HEAD's text, a commit's edit of the newest version", file: "text: C\n",
                head: "text: C\n", history: ["text: C\n", "text: B\n", "text: A\n"], home: .edit,
                elsewhere: .edit),
            ChangedRow(
                testDescription: "an edit of HEAD's text, which is an edit of an older version",
                file: "text: A\nx: 2\n", head: "text: A\nx: 1\n", history: ["text: A\nx: 1\n", "text: A\n"],
                home: .goesBack(to: bytes("text: A\n")), elsewhere: .editOf(bytes("text: A\n"))),
            ChangedRow(
                testDescription: "another edit of HEAD's older text", file: "text: A\nx: 1\n",
                head: "text: A\n", home: .goesBack(to: bytes("text: A\n")),
                elsewhere: .editOf(bytes("text: A\n"))),
            ChangedRow(
                testDescription: "the newest value in the only field that differs", file: "text: B\nx: 1\n",
                head: "text: A\n", home: .edit, elsewhere: .edit),
            ChangedRow(
                testDescription: "HEAD's value in one of two fields that differ", file: "text: A\nx: 1\n",
                head: "text: A\n", newest: "text: B\nx: 1\n", home: .edit, elsewhere: .edit),
            ChangedRow(
                testDescription:
                    "HEAD's value in one of two fields that differ, and another in the other one",
                file: "text: A\nx: 2\n", head: "text: A\n", newest: "text: B\nx: 1\n",
                home: .goesBack(to: bytes("text: A\n")), elsewhere: .editOf(bytes("text: A\n"))),
            ChangedRow(
                testDescription: "a new todo that was behind elsewhere", file: "text: A\n", head: "text: A\n",
                newest: nil, origin: .version(bytes("text: A\n")), home: .edit, elsewhere: .behind),
            ChangedRow(
                testDescription: "HEAD's value in both fields that differ", file: "text: A\ny: 1\n",
                head: "text: A\n", newest: "text: B\nx: 1\n", home: .goesBack(to: bytes("text: A\n")),
                elsewhere: .editOf(bytes("text: A\n"))),
            ChangedRow(
                testDescription: "an older text of HEAD that differs in a comment only",
                file: "text: A\nx: 1\n", head: "text: A\n", newest: "text: A # new\n", home: .edit,
                elsewhere: .edit),
            ChangedRow(
                testDescription: "an edit of HEAD's text of a deleted todo", file: "text: C\n",
                head: "text: A\n", newest: nil, isDeleted: true, home: .editOf(bytes("text: A\n")),
                elsewhere: .editOf(bytes("text: A\n"))),
            ChangedRow(
                testDescription: "an older version that was there before", file: "text: A\n",
                origin: .version(bytes("text: A\n")), home: .held(.olderVersion), elsewhere: .behind),
            ChangedRow(
                testDescription: "an edit of an older version", file: "text: C\n",
                origin: .version(bytes("text: A\n")), home: .editOf(bytes("text: A\n")),
                elsewhere: .editOf(bytes("text: A\n"))),
            ChangedRow(
                testDescription: "an edit of the newest version, after an older one was there",
                file: "text: B\nx: 1\n", origin: .version(bytes("text: A\n")), home: .edit,
                elsewhere: .edit),
            ChangedRow(
                testDescription: "an older version that git had removed", file: "text: A\n",
                origin: .removedByGit(was: bytes("text: A\n")), home: .held(.olderVersion),
                elsewhere: .behind),
            ChangedRow(
                testDescription: "an edit of a version that git had removed", file: "text: C\n",
                origin: .removedByGit(was: bytes("text: A\n")), home: .editOf(bytes("text: A\n")),
                elsewhere: .editOf(bytes("text: A\n"))),
            ChangedRow(
                testDescription: "HEAD's text, never here, which a command wrote", file: "text: C\n",
                head: "text: C\n", isDescendant: false, unsent: ["text: C\n"], isSuperseded: true,
                home: .edit, elsewhere: .edit),
            ChangedRow(
                testDescription: "HEAD's text, never here, before a text that was here", file: "text: C\n",
                head: "text: C\n", isSuperseded: true, home: .held(.olderVersion), elsewhere: .behind),
            ChangedRow(
                testDescription: "the newest text at HEAD's path, which is an older one", file: "text: B\n",
                head: "text: B\n", hasOldPath: true, hasPath: true, home: .held(.olderVersion),
                elsewhere: .behind),
            ChangedRow(
                testDescription: "the newest text at a path that a commit beside the last one has",
                file: "text: B\n", head: "text: B\n", isDescendant: false, hasPath: true, home: .edit,
                elsewhere: .behind),
            ChangedRow(
                testDescription: "the newest text, which a person moved", file: "text: B\n",
                head: "text: B\n", isDescendant: false, hasOldPath: true, home: .edit, elsewhere: .edit),
            ChangedRow(
                testDescription: "an older version that a reset left in the file", file: "text: A\n",
                head: "text: B\n", beforeResets: ["text: C\n", "text: A\n"], home: .held(.olderVersion),
                elsewhere: .behind),
            ChangedRow(
                testDescription: "an edit of an older version that a reset left in the file",
                file: "text: A\nx: 1\n", head: "text: B\n", beforeResets: ["text: A\n"],
                home: .goesBack(to: bytes("text: A\n")), elsewhere: .editOf(bytes("text: A\n"))),
            ChangedRow(
                testDescription: "an edit that was committed before a reset", file: "text: C\n",
                head: "text: A\n", beforeResets: ["text: C\n"], home: .edit, elsewhere: .edit),
            ChangedRow(
                testDescription: "another text, where HEAD has the newest", file: "text: C\n",
                head: "text: B\n", home: .edit, elsewhere: .edit),
            ChangedRow(
                testDescription: "another text, where HEAD has one that was never here", file: "text: C\n",
                head: "text: D\n", home: .edit, elsewhere: .edit),
            ChangedRow(
                testDescription: "an older version, where HEAD has no text", file: "text: A\n", home: .edit,
                elsewhere: .edit),
        ]
    }

    @Test(arguments: ChangedRow.all) func `a changed file counts as`(row: ChangedRow) {
        for isHome in [true, false] {
            let file = GitJudge.ChangedFile(
                bytes: bytes(row.file), newest: row.newest.map(bytes), isDeleted: row.isDeleted,
                hasOldPath: row.hasOldPath, origin: row.origin,
                past: PastTexts(texts: Set(row.past.map(bytes)), unsent: Set(row.unsent.map(bytes))))
            let judge = GitJudge(isHome: isHome, isDescendant: row.isDescendant)
            let facts = GitFacts(
                headText: row.head.map(bytes), stagedText: row.staged.map(bytes), hasPath: row.hasPath,
                isConverted: row.isConverted, headHistory: row.history.map(bytes),
                isSuperseded: row.isSuperseded, textsBeforeResets: row.beforeResets.map(bytes))
            let standing = judge.standing(of: file, facts)
            #expect(standing == (isHome ? row.home : row.elsewhere), "\(isHome ? "at home" : "elsewhere")")
        }
    }

    /// A file that is gone, and what that counts as.
    struct GoneRow: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var origin: FileOrigin?
        var git: GitFacts
        var home: Standing
        var elsewhere: Standing

        static let all = [
            GoneRow(
                testDescription: "removed by a command", origin: .removedByCommand,
                git: GitFacts(isInAnyCommit: true), home: .edit, elsewhere: .edit),
            GoneRow(
                testDescription: "still in HEAD or the index",
                git: GitFacts(isTracked: true, isInAnyCommit: true), home: .edit, elsewhere: .edit),
            GoneRow(
                testDescription: "removed by git before, and back in HEAD, as by a mixed reset",
                origin: .removedByGit(was: bytes("text: A\n")),
                git: GitFacts(isTracked: true, isInAnyCommit: true), home: .held(.removed),
                elsewhere: .absent),
            GoneRow(
                testDescription: "removed by a commit",
                git: GitFacts(wasRemovedByCommit: true, isInAnyCommit: true), home: .edit, elsewhere: .edit),
            GoneRow(
                testDescription: "removed by an earlier commit", origin: .removedByCommit,
                git: GitFacts(isInAnyCommit: true), home: .edit, elsewhere: .edit),
            GoneRow(
                testDescription: "removed by a commit, and ignored",
                git: GitFacts(wasRemovedByCommit: true, isIgnored: true, isInAnyCommit: true), home: .absent,
                elsewhere: .absent),
            GoneRow(
                testDescription: "in no commit", git: GitFacts(), home: .edit, elsewhere: .edit),
            GoneRow(
                testDescription: "in another commit", git: GitFacts(isInAnyCommit: true),
                home: .held(.removed), elsewhere: .absent),
            GoneRow(
                testDescription: "removed by git before, and now in no commit",
                origin: .removedByGit(was: bytes("text: A\n")), git: GitFacts(), home: .held(.removed),
                elsewhere: .absent),
            GoneRow(
                testDescription: "removed before by a commit, and ignored", origin: .removedByGit(was: nil),
                git: GitFacts(isInAnyCommit: true), home: .absent, elsewhere: .absent),
        ]
    }

    @Test(arguments: GoneRow.all) func `an absent file counts as`(row: GoneRow) {
        for isHome in [true, false] {
            let judge = GitJudge(isHome: isHome, isDescendant: true)
            #expect(
                judge.standing(ofGone: row.origin, row.git) == (isHome ? row.home : row.elsewhere),
                "\(isHome ? "at home" : "elsewhere")")
        }
    }
}

private func bytes(_ text: String) -> [UInt8] { Array(("id: t\n" + text).utf8) }
