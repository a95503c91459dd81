internal import ArgumentParser

/// The options of commands that ask before they change todos found by a filter or by words.
struct ConfirmationOptions: ParsableArguments {
    @Flag(help: "Don't ask before changing or deleting todos that match a filter or words.")
    var yes = false

    @Flag(help: "Never ask; exit with 64 instead.")
    var noInput = false
}
