import Foundation
import TestSupport
import Testing

/// The scripts in `completions` are what the program prints, and work in the shells.
///
/// `todosync --generate-completion-script bash > completions/todosync.bash`, and so on, updates them.
@Suite(.ownThreads) struct CompletionScriptTests {
    private static let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../completions").standardized.path

    @Test(arguments: [("bash", "todosync.bash"), ("zsh", "_todosync"), ("fish", "todosync.fish")])
    func `completions are current`(shell: String, file: String) throws {
        let script = try String(contentsOfFile: "\(Self.scripts)/\(file)", encoding: .utf8)
        for option in [
            ["--generate-completion-script", shell], ["--generate-completion-script=\(shell)"],
        ] {
            let printed = try Program.todosync(option, in: "/")
            #expect(printed.status == 0)
            #expect(printed.output == script)
        }
    }

    @Test func `an unknown shell is an error`() throws {
        let result = try Program.todosync("--generate-completion-script", "tcsh", in: "/")
        #expect(result.status == 64)
        #expect(result.output == "")
    }

    // MARK: In the shells

    /// Replaces the parts of bash and zsh that need a terminal, and prints what a script passes to them.
    private static let preparations = [
        "bash": #"""
        compopt() { echo "compopt $*"; }
        . "$scripts/todosync.bash"
        complete() {
            COMP_LINE=$1 COMP_POINT=${#1} COMP_TYPE=9 COLUMNS=60
            _todosync todosync "${1##*[ :=]}" ""
            printf '%s\n' "${COMPREPLY[@]}"
        }
        """#,
        "zsh": #"""
        compdef() {}
        _files() { echo "_files $*"; }
        compadd() { echo "compadd ${@[1,-3]}"; print -rl -- "${(@P)@[-1]}"; print -rl -- "$shown[@]"; }
        . "$scripts/_todosync"
        complete() {
            words=("${(@s: :)1}") CURRENT=$#words PREFIX=$words[-1]
            _todosync
        }
        """#,
        "fish": #"""
        source "$scripts/todosync.fish"
        function complete; builtin complete -C $argv[1]; end
        """#,
    ]

    /// Returns what a shell with the script prints for a line up to the cursor.
    private func complete(_ line: String, in shell: String, folder: String) throws -> String {
        let environment = TestedEnvironment(home: folder, more: ["scripts": Self.scripts, "line": line])
        let path = try #require(Self.path(of: shell))
        let script = (Self.preparations[shell] ?? "") + "\ncomplete \"$line\"\n"
        let ended = try ChildProcess.run(
            [path, "-c", script], in: folder, environment: environment.variables)
        #expect(String(decoding: ended.errors, as: UTF8.self) == "")
        return String(decoding: ended.output, as: UTF8.self)
    }

    private static func path(of shell: String) -> String? {
        ["/bin/", "/usr/bin/"].map { $0 + shell }.first(where: FileManager.default.isExecutableFile)
    }

    private static let missing = preparations.keys.filter { path(of: $0) == nil }.sorted()

    private func makeTodos() throws -> ThrowAwayFolder {
        let folder = try ThrowAwayFolder()
        for command in [
            ["init", "--quiet"], ["add", "Buy milk", "--tag", "shop"],
            ["add", "Call Ann's \"friend\" $(touch run)", "--tag", "phone calls"],
        ] {
            let result = try Program.todosync(
                command, in: folder.path, environment: ["TODOSYNC_SEED": String(command.count)])
            try #require(result.status == 0, "\(result.errors)")
        }
        return folder
    }

    @Test(
        .enabled(if: missing.isEmpty, "\(missing) are not installed"),
        arguments: [
            (
                "bash", "todosync done ",
                """
                compopt -o nosort
                HANDLE1  Buy milk
                HANDLE2  Call Ann's "friend" $(touch run)
                """
            ),
            ("bash", "todosync done bu", "compopt -o nosort\nbuy-milk.yaml\n"),
            ("bash", "todosync list tag:sh", "compopt -o nosort\nshop\n"),
            ("bash", "todosync list tag:ph", "compopt -o nosort\nphone\\ calls\n"),
            ("bash", "todosync list pri", "compopt -o nosort -o nospace\npriority:\n"),
            ("bash", "todosync add --file ", "compopt -o default\n\n"),
            ("bash", "todosync init ", "compopt -o filenames -o dirnames\n\n"),
            ("bash", "todosync zzz ", "compopt -o nosort\n\n"),
            (
                "zsh", "todosync done bu",
                "compadd -V todosync -l -d shown\nbuy-milk.yaml\nbuy-milk.yaml  Buy milk\n"
            ),
            (
                "zsh", "todosync list tag:ph",
                "compadd -V todosync -d shown\ntag:phone calls\ntag:phone calls\n"
            ),
            (
                "zsh", "todosync list pri",
                "compadd -V todosync -S  -l -d shown\npriority:\npriority:  with a priority\n"
            ),
            ("zsh", "todosync zzz ", ""),
            ("fish", "todosync done bu", "buy-milk.yaml\tBuy milk\n"),
            ("fish", "todosync list tag:sh", "tag:shop\n"),
            ("fish", "todosync zzz ", ""),
        ])
    func `a script shows what todosync answers`(_ shell: String, _ line: String, _ expected: String) throws {
        let folder = try makeTodos()
        let output = try complete(line, in: shell, folder: folder.path)
        if !expected.contains("HANDLE") {
            #expect(output == expected)
        } else {
            #expect(output.contains("  Buy milk\n"))
            #expect(output.contains("  Call Ann's \"friend\" $(touch run)\n"))
            #expect(output.contains("\ntag:       with a tag\n"))
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/run"))
    }

    @Test(.enabled(if: missing.isEmpty, "\(missing) are not installed"), arguments: ["bash", "zsh", "fish"])
    func `outside a working directory, and in a damaged one, a script prints no error`(shell: String) throws {
        let folder = try ThrowAwayFolder()
        #expect(!(try complete("todosync list t", in: shell, folder: folder.path)).isEmpty)
        try FileManager.default.createDirectory(
            atPath: folder.path + "/.todosync", withIntermediateDirectories: false)
        try folder.write("{", to: ".todosync/config.yaml")
        try folder.write("?", to: ".todosync/journal")
        for line in ["todosync done ", "todosync list @", "todosync undo ", "todosync resolve --field "] {
            _ = try complete(line, in: shell, folder: folder.path)
        }
    }
}
