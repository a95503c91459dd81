internal import ArgumentParser
internal import Remotes

/// The option `--store` of commands that work directly on a store.
struct StoreOption: ParsableArguments {
    // This is optional only because `serve` parses its subcommands' arguments before they do.
    @Option(
        name: .customLong("store"),
        help: ArgumentHelp("The store's folder; required.", valueName: "dir"),
        completion: .directory)
    var folder: String?

    /// Opens the store.
    ///
    /// - Throws: A ``Failure`` or `StoreError`.
    func open(in session: Session) throws -> Store {
        guard let folder else {
            throw Failure(
                .usage, "the option --store is missing", hint: "add --store DIR with the store's folder")
        }
        let path = TypedPath(typed: folder, currentDirectory: session.currentDirectory).absolute
        return try openStore(at: path, session.process)
    }
}
