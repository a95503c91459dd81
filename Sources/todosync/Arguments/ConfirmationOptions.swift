internal import ArgumentParser

/// The options of commands that ask before they change many todos.
struct ConfirmationOptions: ParsableArguments {
    @Flag(help: "Don't ask before changing or deleting what the filter finds.")
    var yes = false

    @Flag(help: "Never ask; exit with 64 instead.")
    var noInput = false
}
