import LosslessYAML

/// Three texts of one todo, in which all sides have what one side renamed or moved under the same name and in
/// the same place.
///
/// So an edit of it is merged as any other. A text is changed only if it has the same values and comments as
/// before.
struct AlignedTexts {
    private(set) var base: Document?
    private(set) var local: Document
    private(set) var remote: Document
    private(set) var relocations: [Relocation] = []

    /// Of more, which would each be worked into two texts, none is.
    private static let mostAtOnce = 100

    init(base: Document?, local: Document, remote: Document, rules: FieldRules) {
        self.base = base
        self.local = local
        self.remote = remote
        guard let base, base.bytes != local.bytes, base.bytes != remote.bytes, local.bytes != remote.bytes
        else { return }
        var documents = Sides(base: base, local: local, remote: remote)
        // What one side renamed can hold what was renamed, or is where something was moved to. Each of these
        // leaves less that the sides have in different places.
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
                // Another move's paths may lead through what this one moved.
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
