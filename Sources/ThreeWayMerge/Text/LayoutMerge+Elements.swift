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
