import LosslessYAML

/// Merges the layouts of three versions of a todo: comments, order and spelling.
///
/// If only one side changed an entry, its text is taken from that side. If both sides did, their lines are
/// merged if possible; otherwise, local's stay.
struct LayoutMerge {
    typealias Piece = ConflictedText.Piece

    /// The texts to merge, and the granularity of the merge.
    enum Mode: CaseIterable {
        /// The sides' own texts. There is no result if both sides changed an entry that isn't in conflict.
        case ownTexts
        /// Texts that were edited to have the merged values, so that they differ only in conflicts.
        case editedTexts
        /// Like ``editedTexts``, but takes whole entries, from local unless they are in conflict.
        case wholeEntries
    }

    /// Whether conflicts have a base.
    let hasBase: Bool
    let mode: Mode

    /// Merges whole documents; returns nil if the mode doesn't allow it, for example because a document isn't
    /// in block style.
    func merge(_ documents: TodoTexts, _ fields: MergedMapping) -> [Piece]? {
        guard let local = SectionedText(documents.local), let remote = SectionedText(documents.remote) else {
            return nil
        }
        let base = documents.base.flatMap { SectionedText($0) }
        return merge(fields, Versions(base: base, local: local, remote: remote))
    }

    /// The three versions of a part of the text.
    ///
    /// The base's version is nil if the base lacks that part.
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

    /// Returns the merged order of the entries.
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
