import LosslessYAML

/// Merges three texts of one todo by their layout: comments, order, spelling.
///
/// If only one side changed an entry, its text is taken from that side. If both did, the lines are merged if
/// possible; otherwise local's stay.
struct LayoutMerge {
    typealias Piece = ConflictedText.Piece

    /// Which texts are merged, and how finely.
    enum Mode: CaseIterable {
        /// The sides' own texts; there is no result if both sides changed an entry that is not in conflict.
        case ownTexts
        /// Texts that were edited to hold the merged values, so that they differ only in the conflicts.
        case editedTexts
        /// As ``editedTexts``, but entries are taken as a whole, from local wherever the sides agree.
        case wholeEntries
    }

    /// Whether there is a base that conflicts can show.
    let hasBase: Bool
    let mode: Mode

    /// Merges whole documents; returns nil if the mode can't handle them, for example because they aren't in
    /// block style.
    func merge(_ documents: TodoTexts, _ fields: MergedMapping) -> [Piece]? {
        guard let local = SectionedText(documents.local), let remote = SectionedText(documents.remote) else {
            return nil
        }
        let base = documents.base.flatMap { SectionedText($0) }
        return merge(fields, Versions(base: base, local: local, remote: remote))
    }

    /// The three versions of one place; the base's is nil if the base has no counterpart.
    struct Versions<Text> {
        var base: Text?
        var local: Text
        var remote: Text

        func map<Other>(_ transform: (Text) -> Other) -> Versions<Other> {
            Versions<Other>(base: base.map(transform), local: transform(local), remote: transform(remote))
        }
    }

    func merge(_ mapping: MergedMapping, _ texts: Versions<SectionedText>) -> [Piece]? {
        let keyed = texts.map { text in
            Dictionary(text.sections.map { (ByteKey($0.key), $0) }) { first, _ in first }
        }
        let entries = Dictionary(mapping.entries.map { (ByteKey($0.key), $0) }) { first, _ in first }
        var pieces: [Piece] = [.text(choose(texts.map(\.head)))]
        for key in order(of: entries, in: texts) {
            guard let entry = entries[key] else { return nil }
            let base = keyed.base?[key]
            let part: [Piece]? =
                switch (keyed.local[key], keyed.remote[key]) {
                case (let local?, let remote?):
                    merge(entry, Versions(base: base, local: local, remote: remote))
                case (let local?, nil): onOneSide(entry, .local, local, base: base)
                case (nil, let remote?): onOneSide(entry, .remote, remote, base: base)
                case (nil, nil): []
                }
            guard let part else { return nil }
            pieces += part
        }
        return pieces + [.text(choose(texts.map(\.trailing)))]
    }

    /// Returns the order of the entries, based on where each side has its own.
    private func order(of entries: [ByteKey: MergedMapping.Entry], in texts: Versions<SectionedText>)
        -> [ByteKey]
    {
        func keys(_ text: SectionedText?, _ isIn: (Sides<Bool>) -> Bool) -> [ByteKey] {
            text?.sections.map { ByteKey($0.key) }.filter { key in entries[key].map { isIn($0.isIn) } ?? false
            } ?? []
        }
        let orders = Sides(
            base: keys(texts.base) { $0.base }, local: keys(texts.local) { $0.local },
            remote: keys(texts.remote) { $0.remote })
        return MergedOrder.merge(orders) { _ in true }
    }
}
