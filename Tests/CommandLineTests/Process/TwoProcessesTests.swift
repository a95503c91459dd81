import Foundation
import Testing

/// Several processes at one store.
@Suite struct TwoProcessesTests {
    @Test func `two working directories push to one store at the same time, and nothing is lost`() throws {
        let folder = try ThrowAwayFolder()
        let environment = TestedEnvironment(home: folder.path)
        // Without a seed, so that the two do not make the same identifiers.
        let result = try Program.shell(
            """
            set -e
            unset TODOSYNC_SEED
            todosync init --quiet --bare store
            for name in one two; do
                todosync clone --quiet store $name
                for number in $(seq 60); do echo "text: $name $number" > $name/$name-$number.yaml; done
            done
            (cd one && todosync push --quiet) & first=$!
            (cd two && todosync push --quiet) & second=$!
            wait $first
            wait $second
            (cd one && todosync sync --quiet)
            (cd two && todosync sync --quiet)
            diff -r --exclude=.todosync one two && ls one | wc -l
            """, in: folder.path, environment: environment)
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.hasSuffix("120\n"), "\(result.output)")
    }
}
