internal import ArgumentParser

/// A command of todosync: parsed words that do one thing and end with a status.
protocol Command: ParsableCommand {
    var global: GlobalOptions { get }

    /// Runs the command.
    ///
    /// - Throws: The error that stops the command; ``Failure`` finds words and a status for it.
    func run(in session: Session) throws -> ExitStatus
}
