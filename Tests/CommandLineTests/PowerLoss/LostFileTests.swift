import Foundation
import TestSupport
import Testing

/// A power loss during `sync` that keeps the journal but loses the merged file, so that the old file is back.
@Suite(.ownThreads, .enabled(if: Strace.isUsable, Strace.whyNot))
struct LostFileTests {
    private let folder: ThrowAwayFolder

    init() throws { folder = try ThrowAwayFolder() }

    /// Both sides change different fields of the todos, and `b` pushes first.
    private static let setUp = """
        set -e
        unset TODOSYNC_SEED
        todosync init --quiet --bare store
        todosync clone --quiet store a
        for i in 1 2; do printf 'id: t%s\\ntext: T\\none: old\\ntwo: old\\n' $i > a/t$i.yaml; done
        (cd a; todosync push --quiet)
        todosync clone --quiet store b
        sed -i 's/two: old/two: b/' b/*.yaml
        (cd b; todosync push --quiet)
        cd a
        sed -i 's/one: old/one: a/' *.yaml
        mkdir ../old; cp -p *.yaml ../old

        """

    @Test(
        .covers(["a kill": 34]),
        arguments: ["cp -p ../old/*.yaml .", "mv ../old/*.yaml .", "cp -p ../old/t2.yaml ."], 1...3)
    func `an old file instead of a merged one undoes nobody's edit`(
        _ puttingBack: String, _ number: Int
    ) throws {
        let result = try Program.shell(
            Self.setUp + """
                status=0
                strace -f -qq -o /dev/null -e inject=syncfs:signal=KILL:when=\(number) todosync sync || status=$?
                # Nothing is lost of what came to its end.
                if [ $status = 137 ]; then \(puttingBack); echo killed; fi
                todosync sync
                (cd ../b; todosync sync)
                todosync sync
                todosync fsck
                cd ..
                cat a/*.yaml
                diff -r --exclude=.todosync a b
                """, in: folder.path, environment: TestedEnvironment(home: folder.path))
        #expect(result.status == 0, "\(result.output)")
        cover("a kill", result.output.contains("\nkilled\n"))
        let texts = (1...2).map { "id: t\($0)\ntext: T\none: a\ntwo: b\n" }.joined()
        #expect(result.output.hasSuffix("all is well\n" + texts), "\(result.output)")
    }

    @Test func `what is written through a descriptor that stayed open during a pull is not lost`() throws {
        let result = try Program.shell(
            """
            set -e
            unset TODOSYNC_SEED
            todosync init --quiet --bare store
            todosync clone --quiet store a
            printf 'id: t\\ntext: T\\none: old\\n' > a/t.yaml
            (cd a; todosync push --quiet)
            todosync clone --quiet store b
            sed -i 's/one: old/one: a/' a/t.yaml
            (cd a; todosync push --quiet)
            cd b
            exec 7>> t.yaml
            todosync pull
            echo 'late: 1' >&7
            todosync sync
            todosync sync
            (cd ../a; todosync sync)
            cat t.yaml ../a/t.yaml
            """, in: folder.path, environment: TestedEnvironment(home: folder.path))
        #expect(result.status == 0, "\(result.output)")
        let text = "id: t\ntext: T\none: a\nlate: 1\n"
        #expect(result.output.hasSuffix(text + text), "\(result.output)")
    }
}
