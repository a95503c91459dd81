extension ConflictedText {
    /// Returns a conflict about a todo's whole text but its `id` line, for a todo that one side has deleted.
    ///
    /// The `id` line moves to the top if it does not stand there; the side that is nil is the one that deleted.
    public static func whole(local: [UInt8]?, base: [UInt8]?, remote: [UInt8]?) -> ConflictedText {
        ConflictedText(pieces: [.block(Block(local: local ?? [], base: base, remote: remote ?? []))])
    }
}
