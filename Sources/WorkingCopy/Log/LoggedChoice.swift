/// Who decided a conflict before it was written to the file, for the log.
package struct LoggedChoice: Sendable, Hashable {
    package enum Chooser: String, Sendable {
        /// The program that `merge.handler` names.
        case handler
        /// The delegate of a program that uses the library.
        case program
        /// The option `--on-conflict` with a side.
        case option
        /// An earlier answer to the same conflict, by `merge.remember`.
        case memory
        /// The user, at the prompt.
        case user
        /// The field's rule in `merge.fields`; recorded only if the file didn't change.
        case rule
    }

    package var chooser: Chooser
    /// The top-level fields; if a side deleted the todo, those that the other side changed.
    package var fields: [String]

    package init(_ chooser: Chooser, _ fields: [String]) {
        self.chooser = chooser
        self.fields = fields
    }
}

/// A conflict that was resolved with the file's existing content.
package struct KeptSide: Sendable, Hashable {
    /// The file's text; nil if there was no file.
    package var text: [UInt8]?
    package var choices: [LoggedChoice]

    package init(text: [UInt8]?, choices: [LoggedChoice]) {
        self.text = text
        self.choices = choices
    }
}
