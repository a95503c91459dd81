import Foundation
import TestSupport
import Testing

/// `todosync merge-file` on its own.
@Suite(.ownThreads) struct MergeFileTests {
    private func run(_ commands: String) throws -> String {
        let folder = try ThrowAwayFolder()
        let preparation = """
            printf 'text: a\\nn: 1\\nm: 1\\n' > base
            printf 'text: b\\nn: 1\\nm: 1\\n' > current
            printf 'text: a\\nn: 1\\nm: 2\\n' > other
            merge() { todosync merge-file "$@" current base other; echo "status $?"; cat current; }

            """
        return try Program.shell(
            preparation + commands, in: folder.path, environment: TestedEnvironment(home: folder.path)
        ).output
    }

    @Test func `the result is in the first file`() throws {
        let output = try run("merge; merge; ls")
        let merged = "status 0\ntext: b\nn: 1\nm: 2\n"
        #expect(output == merged + merged + "base\ncurrent\nother\n")
    }

    @Test func `a conflict is between markers with labels`() throws {
        let conflict = "printf 'text: c\\nn: 1\\nm: 1\\n' > other\n"
        func expected(_ local: String, _ remote: String) -> String {
            "status 1\n<<<<<<< local\(local)\ntext: b\n=======\ntext: c\n>>>>>>> remote\(remote)\nn: 1\nm: 1\n"
        }
        #expect(try run(conflict + "merge") == expected("", ""))
        #expect(try run(conflict + "merge -L HEAD") == expected(" (HEAD)", ""))
        #expect(
            try run(conflict + "merge -L HEAD -L 12 -L '1a (A fix)'") == expected(" (HEAD)", " (1a A fix)"))
        // git before 2.44 passes labels like these.
        #expect(try run(conflict + "merge -L %X -L %S -L %Y") == expected("", ""))
        #expect(try run(conflict + "merge -L '' -L '' -L -x") == expected("", " (-x)"))
    }

    @Test func `permissions and links stay`() throws {
        let output = try run(
            """
            chmod 640 current; mv current real; ln -s real current
            merge > /dev/null; stat -c %a real; test -L current; echo $?; grep m: real
            """)
        #expect(output == "640\n0\nm: 2\n")
    }

    @Test func `a file that stays the same is not written`() throws {
        #expect(
            try run(
                "touch -d '1 day ago' current; cp base other; touch mark; merge; find . -name current -newer mark"
            )
                == "status 0\ntext: b\nn: 1\nm: 1\n")
    }

    @Test func `what can't be merged stays as it is`() throws {
        func refused(_ preparation: String, _ error: String, _ content: String = "text: b\nn: 1\nm: 1\n")
            throws
        {
            let output = try run(preparation + "; merge 2>&1 | cut -c 1-2000")
            #expect(
                output == "error: \(error)\nhint: nothing was changed\nstatus 128\n" + content,
                "\(preparation)")
        }
        try refused(
            "echo '- a' > other", "line 1 of the other version is not valid: not a mapping of keys to values")
        try refused(
            "printf 'text: \\377\\n' > other", "line 1 of the other version is not valid: not valid UTF-8")
        try refused(
            "{ printf 'notes: '; head -c 1048576 /dev/zero | tr '\\0' x; } > other",
            "the other version is larger than 1 MiB")
        try refused(
            "rm base", "can't read base: no such file or directory")
        try refused("rm other; mkdir other", "can't read other: is a directory")
        try refused(
            "todosync init --quiet; echo 'merge.labels: loud' > .todosync/config.yaml",
            ".todosync/config.yaml:1:1: merge.labels must be \"origin\" or \"plain\"")
        try refused(
            "printf 'text: [\\n' > current", "line 2 of the current version is not valid: \(Self.unfinished)",
            "text: [\n")
    }

    @Test func `changes that don't fit into one file leave the file as it is`() throws {
        let output = try run(
            """
            large() { printf '%s: ' $1; head -c 600000 /dev/zero | tr '\\0' x; echo; }
            cp base current; cp base other; large a >> current; { large b; echo 'precious: 1'; } >> other
            cp current before; merge > output 2>&1; head -n 3 output; cmp current before
            """)
        #expect(
            output == """
                error: the changes of both sides do not fit into one file: larger than 1 MiB \
                (local 600,022 bytes, remote 600,034 bytes)
                hint: nothing was changed
                status 128

                """)
    }

    private static let unfinished = "did not find expected node content"

    @Test func `a wrong command line changes nothing`() throws {
        let output = try run(
            """
            todosync merge-file current base 2> errors; echo $?
            todosync -q merge-file current base other more 2> errors; echo $?
            todosync merge-file --help | grep -c merge.fields
            todosync merge-file --help > help; echo $?
            merge -L 1 -L 2 -L 3 -L 4 2> errors
            merge --base x 2>&1 | head -n 1
            """)
        #expect(
            output == """
                128
                128
                1
                0
                status 128
                text: b
                n: 1
                m: 1
                error: unknown option '--base'

                """)
    }
}
