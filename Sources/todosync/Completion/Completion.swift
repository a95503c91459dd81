/// A word that can complete what the user has typed.
struct Candidate: Hashable {
    var value: String
    /// What the word stands for; empty if the word explains itself.
    var description = ""
}

/// The completions at the cursor.
enum Completion {
    case words([Candidate])
    /// The path of any file, which the shell completes.
    case files
    /// The path of any folder, which the shell completes.
    case folders

    static let nothing = Completion.words([])
}
