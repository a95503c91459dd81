import LosslessYAML

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
    func withLeading(_ leading: [UInt8], _ sections: Versions<Section>, _ pieces: [Piece]) -> [Piece] {
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
    func onOneSide(_ entry: MergedMapping.Entry, _ side: Side, _ section: Section, base: Section?)
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
