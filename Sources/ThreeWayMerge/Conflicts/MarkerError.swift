/// Why a text's conflict markers don't enclose conflicts, and where.
package struct MarkerError: Error, Sendable, Hashable {
    /// What is wrong.
    package let reason: Reason
    /// The line of the wrong marker, counted from 1.
    package let line: Int
    /// The column, counted from 1; markers stand at the beginning of a line.
    package let column: Int

    /// What can be wrong with markers.
    package enum Reason: Sendable, Hashable {
        /// A conflict begins (`<<<<<<<`) before the previous one has ended.
        case nested
        /// A conflict begins but doesn't end.
        case unfinished
        /// A `|||||||`, `=======` or `>>>>>>>` stands outside a conflict.
        case outsideConflict
        /// A conflict ends (`>>>>>>>`) without a `=======`.
        case separatorMissing
        /// A second `|||||||` or `=======` in one conflict, or a `|||||||` after `=======`.
        case repeated
        /// The markers of a conflict have this length instead of seven characters.
        case otherLength(Int)
    }

    /// Creates an error about the marker on a line.
    package init(reason: Reason, line: Int, column: Int = 1) {
        self.reason = reason
        self.line = line
        self.column = column
    }
}

extension MarkerError: CustomStringConvertible {
    /// What is wrong, in words.
    package var description: String {
        switch reason {
        case .nested: "a conflict marker inside another conflict"
        case .unfinished: "a conflict that does not end"
        case .outsideConflict: "a conflict marker outside of any conflict"
        case .separatorMissing: "a conflict that ends without a ======= line"
        case .repeated: "a repeated conflict marker"
        case .otherLength(let length): "conflict markers of \(length) characters instead of 7"
        }
    }
}
