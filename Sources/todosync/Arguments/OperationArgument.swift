internal import ArgumentParser

/// How an operation of the log is named on the command line.
enum OperationArgument {
    static let help = ArgumentHelp(
        "An operation: its id, or the beginning of its id.", valueName: "operation")
}
