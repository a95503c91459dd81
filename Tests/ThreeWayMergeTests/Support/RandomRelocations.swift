import LosslessYAML
import TestSupport

/// Renames and moves fields like a user in an editor, and drops changes that would make the text invalid.
extension Document {
    func withRenamedField(_ random: inout SplitMix64) -> Document {
        let entries = fieldsButID.flatMap { [$0] + $0.value.entries }.filter { $0.key != "text" }
        // Mappings are rare, and renames of other short values are often ambiguous.
        let mappings = entries.filter { if case .mapping = $0.value.value { true } else { false } }
        let chosen = random.chance(0.7) && !mappings.isEmpty ? mappings : entries
        guard let entry = chosen.randomElement(using: &random) else { return self }
        let key = Array("renamed\(random.next() % 100)".utf8)
        let text = Array(bytes[..<entry.keyRange.lowerBound] + key + bytes[entry.keyRange.upperBound...])
        return (try? Document(parsing: text)) ?? self
    }

    /// Moves the lines of a mapping below a new or existing key.
    func withMovedMapping(_ random: inout SplitMix64) -> Document {
        guard case .mapping(.block, let all) = root.shape, all[0].indentation == 0 else { return self }
        let entries = fieldsButID
        func isMapping(_ entry: Node.Entry) -> Bool {
            if case .mapping = entry.value.value { !entry.key.isEmpty } else { false }
        }
        func isBlock(_ entry: Node.Entry) -> Bool {
            if case .mapping(.block, _) = entry.value.shape { true } else { false }
        }
        guard let moved = entries.filter(isMapping).randomElement(using: &random) else { return self }
        let outer = entries.filter { isBlock($0) && $0.key != moved.key }.randomElement(using: &random)
        let lines = string(Array(bytes[moved.lines])).split(
            separator: "\n", omittingEmptySubsequences: false
        ).dropLast()
        guard !lines.isEmpty else { return self }
        func indented(_ margin: String) -> [UInt8] {
            Array(lines.map { $0.allSatisfy { $0 == "\r" } ? $0 + "\n" : margin + $0 + "\n" }.joined().utf8)
        }
        let before = bytes[..<moved.lines.lowerBound]
        let behind = bytes[moved.lines.upperBound...]
        let text: [UInt8]
        if let outer, random.chance(0.6), case .mapping(_, let inner) = outer.value.shape {
            let own = indented(String(repeating: " ", count: inner[0].indentation))
            let end = outer.lines.upperBound
            text =
                end <= moved.lines.lowerBound
                ? Array(bytes[..<end] + own + bytes[end..<moved.lines.lowerBound] + behind)
                : Array(before + bytes[moved.lines.upperBound..<end] + own + bytes[end...])
        } else {
            text = Array(before + Array("frame\(random.next() % 100):\n".utf8) + indented("  ") + behind)
        }
        guard let document = try? Document(parsing: text),
            document.fieldsButID.flatMap(\.value.entries).contains(where: {
                $0.key == moved.key && $0.value.value == moved.value.value
            })
        else { return self }
        return document
    }
}

extension Document {
    private var fieldsButID: [Node.Entry] {
        guard case .mapping(_, let entries) = root.shape else { return [] }
        return entries.filter { $0.key != "id" }
    }
}

extension Node {
    /// The entries of this mapping and of all mappings inside it.
    fileprivate var entries: [Node.Entry] {
        switch shape {
        case .scalar, .alias: []
        case .sequence(_, let items): items.flatMap(\.value.entries)
        case .mapping(_, let entries): entries.flatMap { [$0] + $0.value.entries }
        }
    }
}
