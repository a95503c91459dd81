internal import ArgumentParser

/// The help of an argument that names an operation of the log.
enum OperationArgument {
    static let help = ArgumentHelp(
        "An operation's id, or a unique prefix of it.", valueName: "operation")
}
