internal import ArgumentParser

/// The help of an argument that names an operation of the log.
enum OperationArgument {
    static let help = ArgumentHelp(
        "An operation's id, a unique prefix of at least four characters, or @1 for the last operation.",
        valueName: "operation")
}
