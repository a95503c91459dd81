/// The reason why a text's conflict markers don't enclose conflicts, with its position.
package struct MarkerError: Error, Sendable, Hashable {
    /// The kind of problem.
    package let reason: Reason
    /// The line of the incorrect marker, counted from 1.
    package let line: Int
    /// The column, counted from 1.
    ///
    /// Markers are at the beginning of a line.
    package let column: Int

    /// The kinds of problems with markers.
    package enum Reason: Sendable, Hashable {
        /// A conflict begins (`<<<<<<<`) before the previous conflict has ended.
        case nested
        /// A conflict begins but never ends.
        case unfinished
        /// A `|||||||`, `=======` or `>>>>>>>` is outside a conflict.
        case outsideConflict
        /// A conflict ends (`>>>>>>>`) without a `=======`.
        case separatorMissing
        /// A conflict has a second `|||||||` or `=======`, or a `|||||||` after the `=======`.
        case repeated
        /// A conflict's markers have this length instead of seven characters.
        case otherLength(Int)
        /// jj wrote the conflict in one of its own styles, `diff` or `snapshot`.
        case jujutsuStyle
    }

    /// Creates an error about the marker on a line.
    package init(reason: Reason, line: Int, column: Int = 1) {
        self.reason = reason
        self.line = line
        self.column = column
    }
}

extension MarkerError: CustomStringConvertible {
    /// The problem as a phrase.
    package var description: String {
        switch reason {
        case .nested: "a conflict marker inside another conflict"
        case .unfinished: "a conflict that does not end"
        case .outsideConflict: "a conflict marker outside of any conflict"
        case .separatorMissing: "a conflict that ends without a ======= line"
        case .repeated: "a repeated conflict marker"
        case .otherLength(let length): "conflict markers of \(length) characters instead of 7"
        case .jujutsuStyle:
            "conflict markers in jj's own style; set ui.conflict-marker-style = \"git\" in jj, "
                + "and check out the file again"
        }
    }
}
