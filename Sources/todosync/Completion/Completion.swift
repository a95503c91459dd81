/// A word that the user may have begun to type.
struct Candidate: Hashable {
    var value: String
    /// What the word stands for; empty if the word says it.
    var description = ""
}

/// What can be typed at the cursor.
enum Completion {
    case words([Candidate])
    /// Any file's path, which the shell completes.
    case files
    /// Any folder's path, which the shell completes.
    case folders

    static let nothing = Completion.words([])
}
