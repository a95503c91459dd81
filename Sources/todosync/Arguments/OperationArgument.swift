internal import ArgumentParser

/// How an operation of the log is named on the command line.
enum OperationArgument {
    static let help = ArgumentHelp(
        "An operation's id, or a unique prefix of it.", valueName: "operation")
}
