internal import ArgumentParser

/// The options of commands that ask before they change todos that a filter or words find.
struct ConfirmationOptions: ParsableArguments {
    @Flag(help: "Don't ask before changing or deleting what a filter or words find.")
    var yes = false

    @Flag(help: "Never ask; exit with 64 instead.")
    var noInput = false
}
