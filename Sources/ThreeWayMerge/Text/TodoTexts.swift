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

    /// The texts without lines that could be taken for a block's markers.
    func withoutMarkerLines() -> TodoTexts {
        TodoTexts(
            base: base?.withoutMarkerLines(), local: local.withoutMarkerLines(),
            remote: remote.withoutMarkerLines())
    }

    /// The texts, each with the merged values and its own side of the conflicts.
    func edited(to fields: MergedMapping) -> TodoTexts {
        TodoTexts(
            base: base?.edited(to: fields.taking(.base)), local: local.edited(to: fields.taking(.local)),
            remote: remote.edited(to: fields.taking(.remote)))
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
