internal import LosslessYAML
internal import SyncEngine
internal import TodoModel
internal import Values
internal import WorkingCopy

/// Returns the remembered resolutions of conflicts, as human-readable text.
func render(_ resolutions: [ListedResolution], _ present: Present, _ style: Style) -> String {
    if resolutions.isEmpty { return "no resolutions\n" }
    let rows = resolutions.map { listed in
        let resolution = listed.resolution
        let value = resolution.result.map { visible(String(decoding: JSON.write($0), as: UTF8.self)) }
        return [
            Table.Cell(style.path(listed.path), keeping: .end),
            Table.Cell(visible(resolution.path.joined(separator: "."))),
            Table.Cell(value ?? "(removed)", value == nil ? .quiet : nil, keeping: .start),
            Table.Cell(visible(present.localTime(resolution.time)), .quiet),
        ]
    }
    return Table(rows: rows).render(style)
}
