import LosslessYAML

/// Three versions of a todo that have the same name and position for every renamed or moved field.
///
/// This lets edits of such fields merge like any others. A text is changed only if all its values and
/// comments can be kept.
struct AlignedTexts {
    private(set) var base: Document?
    private(set) var local: Document
    private(set) var remote: Document
    private(set) var relocations: [Relocation] = []

    /// The maximum number of fields to relocate at once, because each one takes two edits.
    ///
    /// If there are more, none are relocated.
    private static let mostAtOnce = 100

    init(base: Document?, local: Document, remote: Document, rules: FieldRules) {
        self.base = base
        self.local = local
        self.remote = remote
        guard let base, base.bytes != local.bytes, base.bytes != remote.bytes, local.bytes != remote.bytes
        else { return }
        var documents = Sides(base: base, local: local, remote: remote)
        // A renamed field can contain another renamed field, or be the destination of a move, so repeat the
        // search. The search ends, because each relocation leaves fewer fields in different positions.
        while align(&documents, { $0.renames }) || align(&documents, isOneEnough: true, { $0.moves }) {}
        if relocations.isEmpty { return }
        self.base = documents.base
        self.local = documents.local
        self.remote = documents.remote

        func align(
            _ documents: inout Sides<Document>, isOneEnough: Bool = false,
            _ find: (RelocationSearch) -> [RelocatedField]
        ) -> Bool {
            let found = find(RelocationSearch(documents: documents, rules: rules))
            guard found.count <= Self.mostAtOnce else { return false }
            var isDone = false
            for field in found {
                guard let base = documents.base.relocating(field, as: .base, like: documents[field.side]),
                    let other = documents[field.other].relocating(
                        field, as: field.other, like: documents[field.side])
                else { continue }
                documents.base = base
                documents[field.other] = other
                relocations.append(field.relocation)
                isDone = true
                // The paths of the other moves might lead through the moved field, so search again after each
                // move.
                if isOneEnough { break }
            }
            return isDone
        }
    }
}

extension RelocatedField {
    fileprivate var relocation: Relocation {
        Relocation(side: side, from: from.base.compactMap(\.name), to: to.base.compactMap(\.name))
    }
}
