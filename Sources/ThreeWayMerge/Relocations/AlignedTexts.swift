import LosslessYAML

/// Three texts of one todo, in which every field that one side renamed or moved has the same name and place.
///
/// So edits to such a field merge like any others. A text is changed only if that keeps all its values and
/// comments.
struct AlignedTexts {
    private(set) var base: Document?
    private(set) var local: Document
    private(set) var remote: Document
    private(set) var relocations: [Relocation] = []

    /// The maximum number of fields to relocate, because each is edited in two texts; if there are more, none
    /// is relocated.
    private static let mostAtOnce = 100

    init(base: Document?, local: Document, remote: Document, rules: FieldRules) {
        self.base = base
        self.local = local
        self.remote = remote
        guard let base, base.bytes != local.bytes, base.bytes != remote.bytes, local.bytes != remote.bytes
        else { return }
        var documents = Sides(base: base, local: local, remote: remote)
        // A field that one side renamed can contain another renamed field, or be the target of a move. Each
        // relocation leaves fewer fields in different places.
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
                // The paths of another move can lead through the field that this one moved.
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
