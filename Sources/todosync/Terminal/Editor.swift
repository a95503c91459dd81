/// The user's editor: `$VISUAL`, otherwise `$EDITOR`, otherwise `vi`.
struct Editor: Sendable {
    /// The editor's command for a shell; it can have arguments, as in `code --wait`.
    let command: String

    init(environment: (String) -> String?) {
        let named = ["VISUAL", "EDITOR"].compactMap(environment).first { !$0.isEmpty }
        command = named ?? "vi"
    }

    /// Opens a file and waits until the editor ends.
    ///
    /// - Throws: A ``Failure`` if the editor can't be started or ends with an error.
    func edit(_ path: String) throws {
        let status = try ChildProcess(
            arguments: ["/bin/sh", "-c", command + " \"$@\"", command, path], name: "the editor"
        ).run()
        guard status == 0 else {
            throw Failure(
                .cannotReadOrWrite, "the editor '\(visible(command))' ended with an error",
                hint: "set $VISUAL or $EDITOR to choose a different editor")
        }
    }
}
