import Foundation
import TestSupport
import Testing

/// `todosync conflicts`, and `resolve` for single fields.
@Suite(.ownThreads) struct ConflictsCommandTests {
    private func run(_ commands: String) throws -> String {
        let folder = try ThrowAwayFolder()
        let preparation = """
            todosync init --quiet --bare store
            for device in phone laptop; do
                mkdir -p $device.config/todosync; echo "device.name: $device" > $device.config/todosync/config.yaml
            done
            at() { XDG_CONFIG_HOME=$PWD/$1.config; export XDG_CONFIG_HOME; shift; "$@"; }
            at phone todosync clone --quiet store phone
            printf 'id: milk\\ntext: Milk\\ndue: 2026-12-01\\n' > phone/milk.yaml
            at phone todosync -C phone sync --quiet
            at laptop todosync clone --quiet store laptop
            at laptop todosync -C laptop set --quiet milk.yaml text='Oat milk' due=2026-11-28
            at laptop todosync -C laptop sync --quiet
            at phone todosync -C phone set --quiet milk.yaml text='Soy milk' due=2026-12-24
            at phone todosync -C phone sync --quiet 2> errors
            cd phone

            """
        return try Program.shell(
            preparation + commands, in: folder.path,
            environment: TestedEnvironment(home: folder.path, more: ["TODOSYNC_SEED": ""])
        ).output
    }

    @Test func `it shows the values of both sides`() throws {
        let output = try run(
            """
            todosync conflicts
            todosync resolve --use remote --field text 2>&1; echo "status $?"
            todosync resolve --field text 2>&1 | head -n 1
            todosync resolve milk.yaml --use local --field due; echo "status $?"
            cat milk.yaml
            todosync conflicts
            todosync conflicts milk.yaml 2>&1; echo "status $?"
            todosync conflicts bread.yaml 2> /dev/null; echo "status $?"
            """)
        #expect(
            output == """
                mi  Soy milk  milk.yaml  (both sides changed it)
                  text
                    base    "Milk"
                    local   "Soy milk"
                    remote  "Oat milk"  laptop
                  due
                    base    "2026-12-01"
                    local   "2026-12-24"
                    remote  "2026-11-28"  laptop
                partly resolved: milk.yaml:3:1: text is resolved, and due is still in conflict
                status 1
                error: --field is only for --use
                resolved  mi  Oat milk  milk.yaml  with the local side
                status 0
                id: milk
                text: Oat milk
                due: 2026-12-24
                no conflicts
                error: milk.yaml has no conflict
                hint: run "todosync status" to list the conflicts
                status 1
                status 66

                """)
    }

    @Test func `the JSON has the three versions`() throws {
        let output = try run("todosync conflicts --json | tr -d ' \\n'")
        #expect(
            output.hasPrefix(
                #"[{"id":"milk","path":"milk.yaml","kind":"edit/edit","fields":["text","due"],"base":{"fields":{"#
            ))
        #expect(output.contains(#""local":{"fields":{"text":"Soymilk","due":"2026-12-24"},"text":"#))
        #expect(output.contains(#""device":"laptop"}}]"#))
    }
}
