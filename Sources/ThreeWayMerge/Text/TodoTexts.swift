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

    /// Returns the texts edited to have the merged values, each with its own side of the conflicts; nil if
    /// a side's values can't be written.
    ///
    /// A base that can't be written is left out.
    func edited(to fields: MergedMapping) -> TodoTexts? {
        guard let local = local.edited(to: fields.taking(.local)),
            let remote = remote.edited(to: fields.taking(.remote))
        else { return nil }
        return TodoTexts(base: base?.edited(to: fields.taking(.base)), local: local, remote: remote)
    }
}

extension Document {
    /// Returns the document edited to have the given fields; nil if the result would break a limit.
    func edited(to fields: Mapping) -> Document? {
        if self.fields == fields { return self }
        return [updated(to: fields), emit(fields)].lazy.compactMap { try? Document(parsing: $0) }
            .first { $0.fields == fields }
    }
}
