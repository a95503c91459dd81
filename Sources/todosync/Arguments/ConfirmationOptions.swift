internal import ArgumentParser

/// The options of commands that ask before they change many todos.
struct ConfirmationOptions: ParsableArguments {
    @Flag(help: "Change all todos that the filter finds, without asking.")
    var yes = false

    @Flag(help: "Never ask; a command that would have to ask exits with 64.")
    var noInput = false
}
