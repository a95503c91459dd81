internal import Platform
internal import SyncEngine

/// A tool that `git mergetool` supports, including those in the user's git configuration.
///
/// git's own shell library starts the tool (see the manual page git-mergetool--lib), because it knows each
/// tool's arguments and the meaning of its exit status. From a repository, it reads only the configuration.
struct MergeTool: Sendable {
    private let name: String
    private let process: ProcessSurroundings

    /// Creates a tool by its name; nil means the tool that git's `merge.tool` names or that git would guess.
    ///
    /// - Throws: A ``Failure`` if git isn't installed or doesn't support the tool.
    init(named name: String?, process: ProcessSurroundings) throws {
        self.name = name ?? ""
        self.process = process
        guard try run("command -v git >/dev/null", []) == 0 else {
            throw Failure(
                .configuration, "can't start a merge tool: git is not installed",
                hint: "install git, or run \"todosync resolve --interactive\", which works without it")
        }
        guard try run(Self.library + #"test -z "$name" || valid_tool "$name""#, [self.name]) == 0 else {
            throw Failure(
                .usage, "git does not support the merge tool \(visible(self.name))",
                hint: "run \"git mergetool --tool-help\" to list its merge tools")
        }
    }

    /// Lets the user merge a file with the tool; returns nil if the user gave up.
    @Sendable func merge(_ file: FileToMerge) throws -> [UInt8]? {
        var files: [TemporaryFile] = []
        defer { for file in files { file.remove() } }
        func write(_ text: [UInt8], _ label: String) throws -> TemporaryFile {
            let written = try TemporaryFile(text, label: "-" + label, environment: process.environment)
            files.append(written)
            return written
        }
        let merged = try write(file.text, "merged")
        let arguments = [
            name, merged.path, try write(file.local, "local").path, try write(file.remote, "remote").path,
            try write(file.base ?? [], "base").path, try write(file.text, "backup").path,
            file.base == nil ? "false" : "true",
        ]
        // The tool might have removed the file.
        return try run(Self.merging, arguments) == 0 ? try? merged.read() : nil
    }

    private func run(_ script: String, _ arguments: [String]) throws -> Int32 {
        try ChildProcess(
            arguments: ["/bin/sh", "-c", script, "todosync"] + arguments, name: "the merge tool"
        ).run()
    }

    /// The code that the script `git mergetool` itself begins with.
    private static let library = """
        name=$1
        set --
        TOOL_MODE=merge NONGIT_OK=Yes SUBDIRECTORY_OK=Yes OPTIONS_SPEC=
        . "$(git --exec-path)/git-sh-setup"
        . "$(git --exec-path)/git-mergetool--lib"

        """

    private static let merging =
        """
        MERGED=$2 LOCAL=$3 REMOTE=$4 BASE=$5 BACKUP=$6 base_present=$7
        export MERGED LOCAL REMOTE BASE BACKUP

        """ + library + """
            test -n "$name" || name=$(get_merge_tool)
            test -n "$name" && initialize_merge_tool "$name" && run_merge_tool "$name" "$base_present"
            """
}

/// A new file in the temporary folder that only the user can read.
struct TemporaryFile {
    let path: String

    /// Creates the file.
    ///
    /// - Parameter label: A word in the file's name that describes it to people.
    init(_ content: [UInt8], label: String = "", environment: (String) -> String?) throws {
        let folder = environment("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        let suffix = label + ".yaml"
        var template = Array("\(folder)/todosync-XXXXXX\(suffix)".utf8CString)
        let descriptor = mkstemps(&template, Int32(suffix.utf8.count))
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard descriptor >= 0 else {
            throw Failure(.cannotCreate, "can't create a file in \(visible(folder))", code: errno)
        }
        defer { close(descriptor) }
        try Stream(descriptor: descriptor, name: visible(path)).write(content)
    }

    /// Returns the file's current bytes.
    func read() throws -> [UInt8] { try readFile(path) }

    func remove() { unlink(path) }
}
