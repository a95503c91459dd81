import LosslessYAML

/// Works three texts of one todo into one by their layout: comments, order, spelling.
///
/// Of each entry that text is taken which only one side changed; where both did, the lines are merged if they
/// can be, else local's stay.
struct LayoutMerge {
    typealias Piece = ConflictedText.Piece

    /// What the texts are, and how finely they are merged.
    enum Mode: CaseIterable {
        /// The sides' own texts; there is no result where both sides touched an entry that is not in
        /// conflict.
        case ownTexts
        /// Texts that were edited to hold the merged values, so that they differ only in what is in conflict.
        case editedTexts
        /// As ``editedTexts``, but entries are taken whole, and local's wherever they agree.
        case wholeEntries
    }

    /// Whether there is a base at all, so that conflicts can show it.
    let hasBase: Bool
    let mode: Mode

    /// Merges whole documents; nil where the mode does not reach, as where they are not in block style.
    func merge(_ documents: TodoTexts, _ fields: MergedMapping) -> [Piece]? {
        guard let local = SectionedText(documents.local), let remote = SectionedText(documents.remote) else {
            return nil
        }
        let base = documents.base.flatMap { SectionedText($0) }
        return merge(fields, Versions(base: base, local: local, remote: remote))
    }

    /// The three versions of one place; there is none in the base where that has nothing alike.
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

    /// The order of the entries, from where each side has its own ones.
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
