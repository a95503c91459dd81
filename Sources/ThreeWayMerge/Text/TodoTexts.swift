import LosslessYAML

/// The three versions of a todo.
struct TodoTexts {
    var base: Document?
    var local: Document
    var remote: Document

    /// Returns the texts prepared for merging by lines.
    func prepared(by conventions: TextConventions) -> TodoTexts {
        TodoTexts(
            base: base.map { conventions.prepare($0) },
            local: conventions.prepare(local, keepingLineEndings: true), remote: conventions.prepare(remote))
    }

    /// Returns the texts without lines in strings that could be read as markers.
    func withoutMarkerLines() -> TodoTexts {
        TodoTexts(
            base: base?.withoutMarkerLines(), local: local.withoutMarkerLines(),
            remote: remote.withoutMarkerLines())
    }

    /// Returns the texts edited to have the merged values, each with its own side of the conflicts.
    func edited(to fields: MergedMapping) -> TodoTexts {
        TodoTexts(
            base: base?.edited(to: fields.taking(.base)), local: local.edited(to: fields.taking(.local)),
            remote: remote.edited(to: fields.taking(.remote)))
    }
}

extension Document {
    /// Returns the document edited to have the given fields.
    func edited(to fields: Mapping) -> Document {
        if self.fields == fields { return self }
        if let document = try? Document(parsing: updated(to: fields)), document.fields == fields {
            return document
        }
        // Emitted text can always be parsed.
        return (try? Document(parsing: emit(fields))) ?? self
    }
}
