import LosslessYAML

/// Works three texts of one todo into one by their layout: comments, order, spelling.
///
/// Of each entry that text is taken which only one side changed; where both did, the lines are merged if they can be,
/// else local's stay.
struct LayoutMerge {
    typealias Piece = ConflictedText.Piece

    /// What the texts are, and how finely they are merged.
    enum Mode: CaseIterable {
        /// The sides' own texts; there is no result where both sides touched an entry that is not in conflict.
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
    private struct Versions<Text> {
        var base: Text?
        var local: Text
        var remote: Text

        func map<Other>(_ transform: (Text) -> Other) -> Versions<Other> {
            Versions<Other>(base: base.map(transform), local: transform(local), remote: transform(remote))
        }
    }

    // MARK: Collections

    private func merge(_ mapping: MergedMapping, _ texts: Versions<SectionedText>) -> [Piece]? {
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

    private func merge(_ elements: [MergedValue], _ texts: Versions<SectionedText>) -> [Piece]? {
        guard texts.local.sections.count == elements.count, texts.remote.sections.count == elements.count
        else {
            return nil
        }
        let base = texts.base?.sections.count == elements.count ? texts.base?.sections : nil
        var pieces: [Piece] = [.text(choose(texts.map(\.head)))]
        for (position, element) in elements.enumerated() {
            let sections = Versions(
                base: base?[position], local: texts.local.sections[position],
                remote: texts.remote.sections[position])
            guard let part = merge(element, sections) else { return nil }
            pieces.append(.text(choose(sections.map(\.leading))))
            pieces += part
        }
        return pieces + [.text(choose(texts.map(\.trailing)))]
    }

    // MARK: Entries

    /// Merges an entry that local and remote have, and what stands before it.
    private func merge(_ entry: MergedMapping.Entry, _ sections: Versions<Section>) -> [Piece]? {
        let leading: Piece
        if sections.base == nil, !(entry.isIn.local && entry.isIn.remote) {
            // One of the two was added to its text only to hold the value.
            leading = .text(joined(sections.local.leading, sections.remote.leading))
        } else {
            leading = .text(choose(sections.map(\.leading)))
        }
        if !entry.value.hasConflict, mode != .wholeEntries {
            if !entry.isIn.local { return [leading, .text(Array(sections.remote.lines))] }
            if !entry.isIn.remote { return [leading, .text(Array(sections.local.lines))] }
        }
        return merge(entry.value, sections).map { [leading] + $0 }
    }

    /// An entry that only one of local and remote has: the other lacks it, or is in conflict about it.
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
            // Removed on the other side; what this side has written above it since must not go with it.
            return section.leading == base?.leading ? [] : nil
        }
        return [.text(section.text)]
    }

    /// Merges the lines of an entry or item that local and remote have.
    private func merge(_ value: MergedValue, _ sections: Versions<Section>) -> [Piece]? {
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

    /// Merges what is inside of a block mapping or block sequence; nil where the texts are not laid out alike.
    private func inside(_ value: MergedValue, _ sections: Versions<Section>) -> [Piece]? {
        guard let local = SectionedText(sections.local), let remote = SectionedText(sections.remote),
            local.isLaidOut(as: remote)
        else { return nil }
        let base = sections.base.flatMap { SectionedText($0) }.flatMap { $0.isLaidOut(as: local) ? $0 : nil }
        if value.hasConflict, sections.base != nil, base == nil { return nil }
        let texts = Versions(base: base, local: local, remote: remote)
        if case .mapping(let mapping) = value { return merge(mapping, texts) }
        // Only in edited texts all sides have the same elements and keys.
        if mode == .ownTexts { return nil }
        switch (value, sections.local.node.value) {
        case (.elements(let elements), _): return merge(elements, texts)
        case (_, .mapping(let mapping)):
            return merge(MergedMapping(agreed: mapping), texts)
        case (_, .list(let list)): return merge(list.map { .agreed($0) }, texts)
        default: return nil
        }
    }

    /// The lines of an entry or item about whose value there is no conflict.
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

    // MARK: Choosing

    /// What only one side changed, or both alike; nil if both did, each in another way, or there is no base.
    private func chooseChanged(_ lines: Versions<ArraySlice<UInt8>>) -> [UInt8]? {
        if lines.local == lines.remote || lines.remote == lines.base { return Array(lines.local) }
        return lines.local == lines.base ? Array(lines.remote) : nil
    }

    /// Merges comments and blank lines; where both sides changed them, local's stay.
    private func choose(_ lines: Versions<ArraySlice<UInt8>>) -> [UInt8] {
        if mode == .wholeEntries { return Array(lines.local) }
        if let chosen = chooseChanged(lines) { return chosen }
        guard let base = lines.base else { return Array(lines.local) }
        return LineMerge(base: Array(base), local: Array(lines.local), remote: Array(lines.remote)).taking(
            .local)
    }

    private func joined(_ local: ArraySlice<UInt8>, _ remote: ArraySlice<UInt8>) -> [UInt8] {
        local == remote ? Array(local) : Array(local + remote)
    }

    private func block(local: [UInt8], base: [UInt8]?, remote: [UInt8]) -> Piece {
        .block(ConflictedText.Block(local: local, base: hasBase ? base ?? [] : nil, remote: remote))
    }
}

extension MergedMapping {
    /// A mapping that all sides have.
    fileprivate init(agreed mapping: Mapping) {
        entries = mapping.entries.map { entry in
            Entry(
                key: entry.key, value: .agreed(entry.value),
                isIn: Sides(base: true, local: true, remote: true))
        }
    }
}

extension Section {
    /// Whether the lines, read alone, hold the same key and value.
    fileprivate func isSameValue(in lines: [UInt8]) -> Bool {
        let (text, name) = key.isEmpty ? (Array("items:\n".utf8) + lines, "items") : (lines, key)
        guard let fields = try? Document(parsing: text).fields, fields.count == 1 else { return false }
        return fields[name] == (key.isEmpty ? .list([node.value]) : node.value)
    }
}

extension SectionedText {
    /// Whether lines of the one can stand in the other: the columns are the same, and the key beside a `-` is.
    fileprivate func isLaidOut(as other: SectionedText) -> Bool {
        guard let first = sections.first, let otherFirst = other.sections.first else { return false }
        let hasFirstKeyBesideDash = head.isEmpty || other.head.isEmpty
        return first.indentation == otherFirst.indentation
            && (!hasFirstKeyBesideDash
                || head.isEmpty && other.head.isEmpty && first.key.isSameBytes(as: otherFirst.key))
    }
}

extension ConflictedText {
    fileprivate var withoutConflict: [UInt8]? { blocks.isEmpty ? taking(.local) : nil }
}
