internal import ArgumentParser
internal import Remotes

/// The option of commands that work on a store itself.
struct StoreOption: ParsableArguments {
    // Optional for the parser only: `serve` reads the words of its subcommands, too, before they do.
    @Option(
        name: .customLong("store"),
        help: ArgumentHelp("The store's folder; always needed.", valueName: "dir"),
        completion: .directory)
    var folder: String?

    /// Opens the store.
    ///
    /// - Throws: A ``Failure``.
    func open(in session: Session) throws -> Store {
        guard let folder else {
            throw Failure(
                .usage, "the option --store is missing", hint: "--store DIR names the store's folder")
        }
        let path = TypedPath(typed: folder, currentDirectory: session.currentDirectory).absolute
        do {
            return try Store.open(at: path, surroundings: session.process.forStore)
        } catch {
            throw failure(error, path)
        }
    }

    private func failure(_ error: StoreError, _ path: String) -> Failure {
        switch error {
        case .notFound, .notAStore:
            Failure(
                .notFound, visible(error.description),
                hint: "todosync init --bare \(shellQuoted(visible(path))) makes a store")
        case .newerFormat: Failure(.configuration, visible(error.description))
        case .busy: Failure(.busy, visible(error.description))
        case .folderNotEmpty, .diskFull, .damaged, .notPermitted, .readOnly, .inputOutput:
            Failure(.cannotReadOrWrite, visible(error.description))
        }
    }
}
