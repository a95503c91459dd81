import LosslessYAML

/// Works three texts of one todo into one by their layout: comments, order, spelling.
///
/// The texts' values are merged already, so that they differ only in what is in conflict. Of each entry that text is
/// taken which only one side changed; where both did, the lines are merged if they can be, else local's stay.
struct LayoutMerge {
    typealias Piece = ConflictedText.Piece

    /// Whether there is a base at all, so that conflicts can show it.
    let hasBase: Bool
    /// Whether entries are taken whole, and local's wherever they agree: plainer, for where all else fails.
    let isPlain: Bool

    /// Merges whole documents; nil where they are not in block style.
    func merge(_ documents: (base: Document?, local: Document, remote: Document), _ fields: MergedMapping)
        -> [Piece]?
    {
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
            switch (keyed.local[key], keyed.remote[key]) {
            case (let local?, let remote?):
                guard let part = merge(entry, Versions(base: base, local: local, remote: remote)) else {
                    return nil
                }
                pieces += part
            case (let local?, nil): pieces.append(block(local: local.text, base: base?.text, remote: []))
            case (nil, let remote?): pieces.append(block(local: [], base: base?.text, remote: remote.text))
            case (nil, nil): break
            }
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
        if !entry.value.hasConflict, !isPlain {
            if !entry.isIn.local { return [leading, .text(Array(sections.remote.lines))] }
            if !entry.isIn.remote { return [leading, .text(Array(sections.local.lines))] }
        }
        return merge(entry.value, sections).map { [leading] + $0 }
    }

    /// Merges the lines of an entry or item that local and remote have.
    private func merge(_ value: MergedValue, _ sections: Versions<Section>) -> [Piece]? {
        guard value.hasConflict else { return [.text(agreed(value, sections))] }
        let finer: [Piece]? =
            switch value {
            case .agreed, .conflict: nil
            case .mapping, .elements: isPlain ? nil : inside(value, sections)
            case .lines(let merge):
                isPlain
                    ? nil
                    : LiteralConflict(local: sections.local, remote: sections.remote)?.pieces(
                        merge, hasBase: hasBase)
            }
        return finer
            ?? [
                block(
                    local: Array(sections.local.lines), base: sections.base.map { Array($0.lines) },
                    remote: Array(sections.remote.lines))
            ]
    }

    /// Merges what is inside of a block mapping or block sequence; nil where the texts are not laid out alike.
    private func inside(_ value: MergedValue, _ sections: Versions<Section>) -> [Piece]? {
        guard let local = SectionedText(sections.local), let remote = SectionedText(sections.remote),
            local.isLaidOut(as: remote)
        else { return nil }
        let base = sections.base.flatMap { SectionedText($0) }.flatMap { $0.isLaidOut(as: local) ? $0 : nil }
        if value.hasConflict, sections.base != nil, base == nil { return nil }
        let texts = Versions(base: base, local: local, remote: remote)
        switch (value, sections.local.node.value) {
        case (.mapping(let mapping), _): return merge(mapping, texts)
        case (.elements(let elements), _): return merge(elements, texts)
        case (_, .mapping(let mapping)):
            return merge(MergedMapping(agreed: mapping), texts)
        case (_, .list(let list)): return merge(list.map { .agreed($0) }, texts)
        default: return nil
        }
    }

    /// The lines of an entry or item whose values are equal.
    private func agreed(_ value: MergedValue, _ sections: Versions<Section>) -> [UInt8] {
        let local = Array(sections.local.lines)
        if isPlain { return local }
        if let chosen = chooseChanged(sections.map(\.lines)) { return chosen }
        guard let base = sections.base else { return local }
        if let pieces = inside(value, sections), let text = ConflictedText(pieces: pieces).withoutConflict {
            return text
        }
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
        if isPlain { return Array(lines.local) }
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
