import LosslessYAML

/// Three texts of one todo.
struct TodoTexts {
    var base: Document?
    var local: Document
    var remote: Document

    /// The texts made ready to be merged by lines.
    func prepared(by conventions: TextConventions) -> TodoTexts {
        TodoTexts(
            base: base.map { conventions.prepare($0) },
            local: conventions.prepare(local, keepingLineEndings: true), remote: conventions.prepare(remote))
    }

    /// The texts, each with the merged values and its own side of the conflicts.
    func edited(to fields: MergedMapping) -> TodoTexts {
        TodoTexts(
            base: base?.edited(to: fields.taking(.base)), local: local.edited(to: fields.taking(.local)),
            remote: remote.edited(to: fields.taking(.remote)))
    }

    /// Whether a merged text has a comment more often than local and the remote account for, as where one of
    /// them moved the field below it.
    func repeatComment(in text: ConflictedText) -> Bool {
        let outside = text.pieces.flatMap { if case .text(let bytes) = $0 { bytes } else { [UInt8]() } }
        let base = base.map { CommentCounts($0.bytes) }
        let local = CommentCounts(local.bytes)
        let remote = CommentCounts(remote.bytes)
        return CommentCounts(outside).counts.contains { comment, count in
            let (ofLocal, ofRemote) = (local.counts[comment] ?? 0, remote.counts[comment] ?? 0)
            let ofBoth = ofLocal + ofRemote - (base?.counts[comment] ?? 0)
            return count > max(ofBoth, ofLocal, ofRemote)
        }
    }
}

/// How often each line stands in a text that is a comment alone.
private struct CommentCounts {
    private(set) var counts: [ArraySlice<UInt8>: Int] = [:]

    init(_ bytes: [UInt8]) {
        for range in lineRanges(bytes) {
            let line = bytes[range].drop { $0 == UInt8(ascii: " ") }
            guard line.first == UInt8(ascii: "#") else { continue }
            counts[line.prefix { $0 != LineEnding.lf && $0 != LineEnding.cr }, default: 0] += 1
        }
    }
}

extension Document {
    /// Returns the document with its fields made equal to the given ones.
    func edited(to fields: Mapping) -> Document {
        if self.fields == fields { return self }
        if let document = try? Document(parsing: updated(to: fields)), document.fields == fields {
            return document
        }
        // What is emitted can be read.
        return (try? Document(parsing: emit(fields))) ?? self
    }
}
