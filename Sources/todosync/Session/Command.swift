internal import ArgumentParser

/// A todosync command with its parsed arguments.
protocol Command: ParsableCommand {
    var global: GlobalOptions { get }

    /// Runs the command.
    ///
    /// - Throws: The error that stops the command; ``Failure`` has a message and a status for each error.
    func run(in session: Session) throws -> ExitStatus
}
