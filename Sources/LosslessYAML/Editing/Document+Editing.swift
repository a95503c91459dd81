extension Document {
    /// Returns the text with its fields changed to `target`.
    ///
    /// Only lines that differ change; all others keep their bytes. A changed value keeps its style if that
    /// style can represent it. A new field goes to the end of its mapping. Removing a field removes its
    /// lines, but not the comments above it. The order of existing keys doesn't change; new keys have the
    /// order of `target`. If the edited text doesn't parse to `target`, the fields in question are rewritten.
    /// As a last resort, the whole document is rewritten, and all comments are added again. If the edited
    /// text is too large for a document, it is returned anyway, because a rewritten one would lose comments.
    package func updated(to target: Mapping) -> [UInt8] {
        if fields == target { return bytes }
        var coarseKeys: Set<ByteKey> = []
        for _ in 0..<2 {
            guard let text = edited(to: target, coarseKeys: coarseKeys) else { break }
            if text.count > Limits.bytes { return text }
            if let result = try? Document(parsing: text) {
                if result.fields == target {
                    return coarseKeys.isEmpty ? text : result.addingComments(of: self)
                }
                coarseKeys = Self.keysThatDiffer(result.fields, target)
            } else {
                coarseKeys = Self.keysThatDiffer(fields, target)
            }
        }
        let everyKey = Set(fields.keys.map { ByteKey($0) })
        for text in [edited(to: target, coarseKeys: everyKey), rewritten(to: target)] {
            if let text, let result = try? Document(parsing: text), result.fields == target {
                return result.addingComments(of: self)
            }
        }
        return rewritten(to: target)
    }

    /// Returns the text with an `id` as its first field, on its own line after the comments at the top.
    ///
    /// The document must not have an `id` yet.
    package func inserting(id: String) -> [UInt8] {
        precondition(fields["id"] == nil, "the document has an id")
        let layout = Layout(self)
        let entry = (key: "id", value: Value.string(id))
        var splices = Splices()
        switch root.shape {
        case .mapping(.block, let entries):
            var writer = BlockWriter(lineBreak: layout.lineBreak, blockScalars: .none)
            writer.write(entry, indentation: entries[0].indentation)
            splices.insert(writer.output, at: entries[0].lines.lowerBound)
        case .mapping(.flow, let entries):
            let text = FlowWriter.entry(entry, isJSON: layout.isJSON)
            if let first = entries.first {
                splices.insert(text + [.comma, .space], at: first.lines.lowerBound)
            } else {
                splices.insert(text, at: root.range.upperBound - 1)
            }
        default: preconditionFailure("a document is a mapping")
        }
        let target = Mapping([entry] + fields.entries)
        let text = bytes.withUnsafeBufferPointer { splices.applied(to: $0) }
        if let text, Self.reads(text, as: target) { return text }
        return updated(to: target)
    }

    /// Returns the edited text without verifying it; nil if the edit is impossible.
    func edited(to target: Mapping, coarseKeys: Set<ByteKey>) -> [UInt8]? {
        guard let last = bytes.last else { return nil }
        let (splices, text) = spliced(to: target, coarseKeys)
        guard !last.isLineBreak, splices.reach(bytes.count) else { return text }
        // Add a line break for the edit if a node ends the text without one, and remove it afterward.
        let lineBreak = Layout(self).lineBreak
        guard let whole = try? Document(parsing: bytes + lineBreak),
            let edited = whole.spliced(to: target, coarseKeys).text
        else { return text }
        let trimmed = Array(edited.dropLast(lineBreak.count))
        return edited.last?.isLineBreak == true && Self.reads(trimmed, as: target) ? trimmed : edited
    }

    private func spliced(to target: Mapping, _ coarseKeys: Set<ByteKey>) -> (splices: Splices, text: [UInt8]?)
    {
        bytes.withUnsafeBufferPointer { buffer in
            var editor = Editor(self, buffer, coarseKeys: coarseKeys)
            editor.edit(to: target)
            return (editor.splices, editor.splices.applied(to: buffer))
        }
    }

    /// Returns a new text that keeps only the comments at the top.
    private func rewritten(to target: Mapping) -> [UInt8] {
        let lineBreak = Layout(self).lineBreak
        let comments = bytes.withUnsafeBufferPointer { buffer in
            var end = buffer.lengthOfByteOrderMark
            while end < buffer.count {
                let first = buffer.skipBlanks(from: end)
                guard first < buffer.count, buffer[first].isLineBreak || buffer[first] == .hash else { break }
                let next = buffer.startOfNextLine(from: first)
                // A comment at the end of the text isn't a whole line.
                guard buffer[next - 1].isLineBreak else { break }
                end = next
            }
            return Array(buffer[..<end])
        }
        guard !target.isEmpty else { return comments + Array("{}".utf8) + lineBreak }
        var writer = BlockWriter(lineBreak: lineBreak, blockScalars: .all)
        writer.write(target, indentation: 0)
        return comments + writer.output
    }

    private static func reads(_ text: [UInt8], as target: Mapping) -> Bool {
        (try? Document(parsing: text))?.fields == target
    }

    private static func keysThatDiffer(_ left: Mapping, _ right: Mapping) -> Set<ByteKey> {
        var keys: Set<ByteKey> = []
        for entry in left.entries where right[entry.key] != entry.value { keys.insert(ByteKey(entry.key)) }
        for entry in right.entries where left[entry.key] == nil { keys.insert(ByteKey(entry.key)) }
        return keys
    }
}
