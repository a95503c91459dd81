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

/// A field that one side renamed or moved and the other side edited.
package struct Relocation: Sendable, Hashable {
    /// The side that renamed or moved the field.
    package var side: Side
    /// The keys that led to the field.
    ///
    /// List items have no keys.
    package var from: [String]
    /// The keys that lead to the field after the change.
    package var to: [String]

    /// Creates a relocation from its parts.
    package init(side: Side, from: [String], to: [String]) {
        self.side = side
        self.from = from
        self.to = to
    }
}

extension Document {
    /// Returns the document with a field renamed or moved, along with its lines and comments.
    ///
    /// Returns nil if the text doesn't allow the change.
    ///
    /// - Parameters:
    ///   - field: A field that this document has at the old path.
    ///   - side: The side that this document belongs to.
    ///   - model: The document that has the field at the new path.
    fileprivate func relocating(_ field: RelocatedField, as side: Side, like model: Document) -> Document? {
        let (from, to, own) = (field.from[side], field.to[side], field.to[field.side])
        guard let expected = root.value.relocating(from, to, isKept: { model.node(at: $0) != nil }) else {
            return nil
        }
        let isRename = from.dropLast() == to.dropLast()
        let text = isRename ? renaming(from, like: model, own) : moving(from, to, like: model)
        return [text, bytes].lazy.compactMap { $0.flatMap { completed($0, expected) } }.first
    }

    /// Parses a text, and edits it to have the expected fields and this document's comments.
    private func completed(_ text: [UInt8], _ expected: Mapping) -> Document? {
        guard let edited = try? Document(parsing: text).edited(to: expected),
            let result = try? Document(parsing: edited.addingComments(of: self)), result.fields == expected,
            CommentCounts(result.commentTexts).counts == CommentCounts(commentTexts).counts
        else { return nil }
        return result
    }

    /// Returns the text with a key in the model's spelling.
    private func renaming(_ from: DocumentPath, like model: Document, _ own: DocumentPath) -> [UInt8]? {
        guard let key = self.location(at: from)?.entry.keyRange,
            let new = model.location(at: own)?.entry.keyRange
        else { return nil }
        return Array(bytes[..<key.lowerBound] + model.bytes[new] + bytes[key.upperBound...])
    }

    /// Returns the text with an entry's lines moved to another block mapping, which is created if it is
    /// missing.
    private func moving(_ from: DocumentPath, _ to: DocumentPath, like model: Document) -> [UInt8]? {
        guard let source = location(at: from), !source.isFlow else { return nil }
        let lineBreak = LineEnding(mostUsedIn: bytes).bytes
        var parent = to.dropLast()
        while node(at: parent) == nil { parent.removeLast() }
        guard case .mapping(.block, let siblings)? = node(at: parent)?.shape, let last = siblings.last else {
            return nil
        }
        var indentation = last.indentation
        var heads: [UInt8] = []
        for depth in parent.count..<to.count - 1 {
            guard let outer = model.location(at: Array(to[...depth])), !outer.isFlow,
                let inner = model.location(at: Array(to[...(depth + 1)])), !inner.isFlow
            else { return nil }
            heads += spaces(indentation) + model.bytes[outer.entry.keyRange] + Array(":".utf8) + lineBreak
            indentation += max(1, inner.entry.indentation - outer.entry.indentation)
        }
        let lines = source.entry.lines
        // If the entry only moves into a new mapping around it, the comments above it might be about that
        // mapping.
        let isWrapped = parent == from.dropLast() && !heads.isEmpty
        let start = isWrapped ? lines.lowerBound : startOfComments(above: source)
        var moved =
            heads + bytes[start..<lines.upperBound].indented(by: indentation - source.entry.indentation)
        if !moved.endsWithWholeLine { moved += lineBreak }
        let target = isWrapped ? start : last.lines.upperBound
        var text: [UInt8]
        if target <= start {
            text = Array(bytes[..<target] + moved + bytes[target..<start] + bytes[lines.upperBound...])
        } else {
            text = Array(bytes[..<start] + bytes[lines.upperBound..<target])
            if !text.endsWithWholeLine { text += lineBreak }
            text += moved + bytes[target...]
        }
        return bytes.endsWithWholeLine ? text : text.withoutLastLineBreak
    }

    /// Returns the start of the comments directly above an entry.
    private func startOfComments(above location: EntryLocation) -> Int {
        let above = Array(bytes[location.start..<location.entry.lines.lowerBound])
        let comments = lineRanges(above).reversed().prefix { range in
            above[range].first { $0 != UInt8(ascii: " ") } == UInt8(ascii: "#")
        }
        return location.start + (comments.last?.lowerBound ?? above.count)
    }
}

extension Value {
    /// Returns the mapping with a field moved to another path.
    ///
    /// Mappings that become empty are removed unless `isKept` returns true for their paths.
    fileprivate func relocating(_ from: DocumentPath, _ to: DocumentPath, isKept: (DocumentPath) -> Bool)
        -> Mapping?
    {
        guard let moved = value(at: from), var result = setting(nil, at: from) else { return nil }
        var parent = from.dropLast()
        while !parent.isEmpty, result.value(at: parent) == .mapping([:]), !isKept(Array(parent)),
            let pruned = result.setting(nil, at: parent)
        {
            result = pruned
            parent.removeLast()
        }
        guard case .mapping(let mapping)? = result.setting(moved, at: to) else { return nil }
        return mapping
    }
}

extension ArraySlice<UInt8> {
    /// Returns the lines with more spaces in front, or with fewer if the count is negative.
    fileprivate func indented(by count: Int) -> [UInt8] {
        let text = Array(self)
        return lineRanges(text).flatMap { range -> [UInt8] in
            let line = text[range]
            let margin = line.prefix { $0 == UInt8(ascii: " ") }.count
            if count < 0 { return Array(line.dropFirst(Swift.min(margin, -count))) }
            let isBlank = line.dropFirst(margin).allSatisfy { $0 == LineEnding.lf || $0 == LineEnding.cr }
            return isBlank ? Array(line) : spaces(count) + line
        }
    }
}

private func spaces(_ count: Int) -> [UInt8] { [UInt8](repeating: UInt8(ascii: " "), count: count) }
