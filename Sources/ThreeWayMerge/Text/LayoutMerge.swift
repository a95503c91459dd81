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

extension LayoutMerge {
    /// Merges an entry that local and the remote have, with the comments and blank lines above it.
    func merge(_ entry: MergedMapping.Entry, _ sections: Versions<Section>) -> [Piece]? {
        let leading: [UInt8]
        if sections.base == nil, !(entry.isIn.local && entry.isIn.remote) {
            // One of the entries exists only because its text was edited to have the value.
            leading = joined(sections.local.leading, sections.remote.leading)
        } else {
            leading = choose(sections.map(\.leading))
        }
        if !entry.value.hasConflict, mode != .wholeEntries {
            if !entry.isIn.local { return [.text(leading), .text(Array(sections.remote.lines))] }
            if !entry.isIn.remote { return [.text(leading), .text(Array(sections.local.lines))] }
        }
        return merge(entry.value, sections).map { withLeading(leading, sections, $0) }
    }

    /// Adds the comments and blank lines above an entry or item to its pieces.
    ///
    /// If the pieces begin with a block, the block includes the lines that differ between the sides.
    private func withLeading(_ leading: [UInt8], _ sections: Versions<Section>, _ pieces: [Piece]) -> [Piece]
    {
        guard case .block(var block)? = pieces.first, sections.local.leading != sections.remote.leading else {
            return [.text(leading)] + pieces
        }
        let local = Array(sections.local.leading)
        let remote = Array(sections.remote.leading)
        let sharedLines = zip(lineRanges(local), lineRanges(remote)).prefix { local[$0] == remote[$1] }
        let shared = local[..<(sharedLines.last?.0.upperBound ?? 0)]
        block.local = local.dropFirst(shared.count) + block.local
        block.remote = remote.dropFirst(shared.count) + block.remote
        if let lines = block.base, let base = sections.base?.leading {
            block.base = (base.starts(with: shared) ? base.dropFirst(shared.count) : base) + lines
        }
        return [.text(Array(shared)), .block(block)] + pieces.dropFirst()
    }

    /// Returns the pieces of an entry that only one side has, because the other side lacks it or deleted it
    /// in a conflict.
    private func onOneSide(_ entry: MergedMapping.Entry, _ side: Side, _ section: Section, base: Section?)
        -> [Piece]?
    {
        if entry.value.hasConflict {
            let text = section.text
            return [
                block(
                    local: side == .local ? text : [], base: base?.text, remote: side == .remote ? text : [])
            ]
        }
        if case .agreed(nil) = entry.value {
            // The other side removed the entry. Comments that this side has since added above it must not
            // disappear with it.
            return section.leading == base?.leading ? [] : nil
        }
        return [.text(section.text)]
    }

    /// Merges the lines of an entry or item that local and the remote have.
    func merge(_ value: MergedValue, _ sections: Versions<Section>) -> [Piece]? {
        guard value.hasConflict else { return agreed(value, sections).map { [.text($0)] } }
        if mode != .wholeEntries {
            switch value {
            case .agreed, .conflict: break
            case .mapping, .elements:
                if let finer = inside(value, sections) { return finer }
            case .lines(let merge):
                let conflict = LiteralConflict(local: sections.local, remote: sections.remote)
                if let finer = conflict?.pieces(merge, hasBase: hasBase) { return finer }
            }
        }
        if mode == .ownTexts, !value.isLeaf { return nil }
        let lines = sections.map { Array($0.lines) }
        return [block(local: lines.local, base: lines.base, remote: lines.remote)]
    }

    /// Merges the contents of a block mapping or block sequence; returns nil if the texts' layouts differ.
    private func inside(_ value: MergedValue, _ sections: Versions<Section>) -> [Piece]? {
        guard let local = SectionedText(sections.local), let remote = SectionedText(sections.remote),
            local.isLaidOut(as: remote)
        else { return nil }
        let base = sections.base.flatMap { SectionedText($0) }.flatMap { $0.isLaidOut(as: local) ? $0 : nil }
        if value.hasConflict, sections.base != nil, base == nil { return nil }
        let texts = Versions(base: base, local: local, remote: remote)
        if case .mapping(let mapping) = value { return merge(mapping, texts) }
        // Only edited texts certainly have the same elements and keys on all sides.
        if mode == .ownTexts { return nil }
        switch (value, sections.local.node.value) {
        case (.elements(let elements), _): return merge(elements, texts)
        case (_, .mapping(let mapping)):
            return merge(MergedMapping(agreed: mapping), texts)
        case (_, .list(let list)): return merge(list.map { .one(.agreed($0)) }, texts)
        default: return nil
        }
    }

    /// Returns the lines of an entry or item whose value isn't in conflict.
    private func agreed(_ value: MergedValue, _ sections: Versions<Section>) -> [UInt8]? {
        let local = Array(sections.local.lines)
        if mode == .wholeEntries { return local }
        if let chosen = chooseChanged(sections.map(\.lines)) { return chosen }
        if let pieces = inside(value, sections), let text = ConflictedText(pieces: pieces).withoutConflict {
            return text
        }
        if mode == .ownTexts { return nil }
        guard let base = sections.base else { return local }
        let merge = LineMerge(base: Array(base.lines), local: local, remote: Array(sections.remote.lines))
        let merged = merge.taking(.local)
        let isValid = !merge.hasConflict && sections.local.isSameValue(in: merged)
        return isValid ? merged : local
    }
}

extension MergedMapping {
    /// Creates a mapping that all sides have, without conflicts.
    fileprivate init(agreed mapping: Mapping) {
        entries = mapping.entries.map { entry in
            Entry(
                key: entry.key, value: .agreed(entry.value),
                isIn: Sides(base: true, local: true, remote: true))
        }
    }
}

extension Section {
    /// Returns whether separately parsed lines have this section's key and value.
    fileprivate func isSameValue(in lines: [UInt8]) -> Bool {
        let (text, name) = key.isEmpty ? (Array("items:\n".utf8) + lines, "items") : (lines, key)
        guard let fields = try? Document(parsing: text).fields, fields.count == 1 else { return false }
        return fields[name] == (key.isEmpty ? .list([node.value]) : node.value)
    }
}

extension SectionedText {
    /// Returns whether lines can be moved from one text to the other.
    ///
    /// That requires the same columns, and the same key, if any, next to a `-`.
    fileprivate func isLaidOut(as other: SectionedText) -> Bool {
        let (first, otherFirst) = (sections[0], other.sections[0])
        let hasFirstKeyBesideDash = head.isEmpty || other.head.isEmpty
        return first.indentation == otherFirst.indentation
            && (!hasFirstKeyBesideDash
                || head.isEmpty && other.head.isEmpty && first.key.isSameBytes(as: otherFirst.key))
    }
}

extension ConflictedText {
    fileprivate var withoutConflict: [UInt8]? { blocks.isEmpty ? taking(.local) : nil }
}

extension LayoutMerge {
    /// Merges the items of a list; returns nil if a text doesn't have the expected items.
    ///
    /// Items that only one side has, or that don't match uniquely, become a block.
    func merge(_ elements: [MergedElement], _ texts: Versions<SectionedText>) -> [Piece]? {
        let counts = elements.map { element in
            Sides(base: .base, local: .local, remote: .remote).map { element.taking($0).count }
        }
        func items(_ text: SectionedText, of side: Side) -> [ArraySlice<Section>]? {
            guard text.sections.count == counts.reduce(0, { $0 + $1[side] }) else { return nil }
            var rest = text.sections[...]
            return counts.map { count in
                defer { rest = rest.dropFirst(count[side]) }
                return rest.prefix(count[side])
            }
        }
        guard let local = items(texts.local, of: .local), let remote = items(texts.remote, of: .remote) else {
            return nil
        }
        let base = texts.base.flatMap { items($0, of: .base) }
        var pieces: [Piece] = [.text(choose(texts.map(\.head)))]
        for (position, element) in elements.enumerated() {
            let here = Versions(base: base?[position], local: local[position], remote: remote[position])
            guard let part = merge(element, here) else { return nil }
            pieces += part
        }
        return pieces + [.text(choose(texts.map(\.trailing)))]
    }

    private func merge(_ element: MergedElement, _ items: Versions<ArraySlice<Section>>) -> [Piece]? {
        if case .one(let value) = element, let local = items.local.first, let remote = items.remote.first {
            let sections = Versions(base: items.base?.first, local: local, remote: remote)
            return merge(value, sections).map { part in
                withLeading(choose(sections.map(\.leading)), sections, part)
            }
        }
        let texts = items.map { sections in Array(sections.map(\.text).joined()) }
        return [block(local: texts.local, base: texts.base, remote: texts.remote)]
    }
}

extension LayoutMerge {
    /// Returns lines that only one side changed, or that both sides changed in the same way.
    ///
    /// Returns nil if the sides changed them differently, or if they differ and there is no base.
    func chooseChanged(_ lines: Versions<ArraySlice<UInt8>>) -> [UInt8]? {
        if lines.local == lines.remote || lines.remote == lines.base { return Array(lines.local) }
        return lines.local == lines.base ? Array(lines.remote) : nil
    }

    /// Merges comments and blank lines.
    ///
    /// Both versions are kept if both sides changed them, the local one first.
    func choose(_ lines: Versions<ArraySlice<UInt8>>) -> [UInt8] {
        if mode == .wholeEntries { return Array(lines.local) }
        if let chosen = chooseChanged(lines) { return chosen }
        guard let base = lines.base else { return joined(lines.local, lines.remote) }
        return LineMerge(base: Array(base), local: Array(lines.local), remote: Array(lines.remote)).takingBoth
    }

    /// Returns local's lines followed by the remote lines that local lacks.
    func joined(_ local: ArraySlice<UInt8>, _ remote: ArraySlice<UInt8>) -> [UInt8] {
        LineMerge(base: [], local: Array(local), remote: Array(remote)).takingBoth
    }

    func block(local: [UInt8], base: [UInt8]?, remote: [UInt8]) -> Piece {
        .block(ConflictedText.Block(local: local, base: hasBase ? base ?? [] : nil, remote: remote))
    }
}

extension LineMerge {
    /// The merged text, with both sides' changes to comments and blank lines.
    ///
    /// If both sides changed the same lines, the lines that either side added or both sides kept are
    /// included, local's first.
    fileprivate var takingBoth: [UInt8] {
        chunks.reduce(into: []) { bytes, chunk in
            switch chunk {
            case .taken(let side, let range): for line in lines[side][range] { bytes += line }
            case .conflict(let ranges):
                let (base, local, remote) = (
                    texts(.base, ranges), texts(.local, ranges), texts(.remote, ranges)
                )
                for (line, text) in zip(lines.local[ranges.local], local)
                where !text.isRemark || remote.contains(text) || !base.contains(text) { bytes += line }
                for (line, text) in zip(lines.remote[ranges.remote], remote)
                where text.isRemark && !local.contains(text) && !base.contains(text) { bytes += line }
            }
        }
    }

    /// Returns a side's lines without indentation and line breaks, for comparison.
    private func texts(_ side: Side, _ ranges: Sides<Range<Int>>) -> [ArraySlice<UInt8>] {
        lines[side][ranges[side]].map { line in
            line.drop { $0 == UInt8(ascii: " ") }.prefix { $0 != LineEnding.cr && $0 != LineEnding.lf }
        }
    }
}

extension ArraySlice<UInt8> {
    /// Whether a line without indentation and line break is a comment or blank.
    fileprivate var isRemark: Bool { isEmpty || first == UInt8(ascii: "#") }
}
