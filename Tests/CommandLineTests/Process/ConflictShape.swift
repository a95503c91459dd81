import Foundation

/// Changes of two branches to a todo, and the conflict blocks that git writes for them.
struct ConflictShape: Sendable {
    enum Style: String, CaseIterable, CustomStringConvertible {
        case merge, diff3, zdiff3
        var description: String { rawValue }
    }

    enum Side: String, CaseIterable, CustomStringConvertible {
        case local, base, remote
        var description: String { rawValue }
    }

    /// The name of the file, without its extension, and the todo's id.
    var name: String
    /// The fields that differ, as `status` names them.
    var fields = "text"
    /// The todo in each version, without its id; the base is nil if both branches added the file.
    var base: String?
    var local: String
    var remote: String
    /// The file without its id and its markers' labels, in the style `diff3`.
    var diff3: String
    /// The file in the styles `zdiff3` and, without the base, `merge`; nil if it equals ``diff3``.
    var zdiff3: String?
    /// The styles whose base lines aren't a valid todo.
    var baseless: [Style] = []
    var ending = "\n"
    /// Whether the `id` line is in the block in the style `diff3`.
    var hasInnerID = false

    /// All shapes, sorted by name.
    static let all = [
        ConflictShape(
            name: "added", local: "text: L\nn: 1\n", remote: "text: R\nn: 1\n",
            diff3: "<<<<<<<\nid: added\ntext: L\nn: 1\n|||||||\n=======\nid: added\ntext: R\nn: 1\n>>>>>>>\n",
            zdiff3: "<<<<<<<\ntext: L\n|||||||\n=======\ntext: R\n>>>>>>>\nn: 1\n",
            baseless: [.diff3, .zdiff3], hasInnerID: true),
        ConflictShape(
            // Only the id remains of the base.
            name: "addedAlone", local: "text: L\n", remote: "text: R\n",
            diff3: "<<<<<<<\nid: addedAlone\ntext: L\n|||||||\n=======\nid: addedAlone\ntext: R\n>>>>>>>\n",
            zdiff3: "<<<<<<<\ntext: L\n|||||||\n=======\ntext: R\n>>>>>>>\n",
            baseless: [.diff3, .zdiff3], hasInnerID: true),
        ConflictShape(
            name: "alikeAdded", fields: "due", base: "text: A\ndue: 2026-12-01\nn: 1\n",
            local: "text: A\npriority: low\ndue: 2026-12-02\nn: 1\n",
            remote: "text: A\npriority: low\ndue: 2026-12-03\nn: 1\n",
            diff3: "text: A\n<<<<<<<\npriority: low\ndue: 2026-12-02\n|||||||\ndue: 2026-12-01\n=======\n"
                + "priority: low\ndue: 2026-12-03\n>>>>>>>\nn: 1\n",
            zdiff3: "text: A\npriority: low\n<<<<<<<\ndue: 2026-12-02\n|||||||\ndue: 2026-12-01\n=======\n"
                + "due: 2026-12-03\n>>>>>>>\nn: 1\n"),
        ConflictShape(
            name: "alikeChanged", fields: "due", base: "text: A\ndue: 2026-12-01\nn: 1\n",
            local: "text: Same\ndue: 2026-12-02\nn: 1\n", remote: "text: Same\ndue: 2026-12-03\nn: 1\n",
            diff3: "<<<<<<<\ntext: Same\ndue: 2026-12-02\n|||||||\ntext: A\ndue: 2026-12-01\n=======\n"
                + "text: Same\ndue: 2026-12-03\n>>>>>>>\nn: 1\n",
            zdiff3: "text: Same\n<<<<<<<\ndue: 2026-12-02\n|||||||\ntext: A\ndue: 2026-12-01\n=======\n"
                + "due: 2026-12-03\n>>>>>>>\nn: 1\n",
            baseless: [.zdiff3]),
        ConflictShape(
            name: "alikeTail", base: "text: A\ndue: 2026-12-01\nn: 1\n",
            local: "text: L\ndue: 2026-12-02\nn: 1\n", remote: "text: R\ndue: 2026-12-02\nn: 1\n",
            diff3: "<<<<<<<\ntext: L\ndue: 2026-12-02\n|||||||\ntext: A\ndue: 2026-12-01\n=======\n"
                + "text: R\ndue: 2026-12-02\n>>>>>>>\nn: 1\n",
            zdiff3: "<<<<<<<\ntext: L\n|||||||\ntext: A\ndue: 2026-12-01\n=======\ntext: R\n>>>>>>>\n"
                + "due: 2026-12-02\nn: 1\n",
            baseless: [.zdiff3]),
        ConflictShape(
            name: "carriage", base: "text: A\nn: 1\n", local: "text: L\nn: 1\n", remote: "text: R\nn: 1\n",
            diff3: "<<<<<<<\ntext: L\n|||||||\ntext: A\n=======\ntext: R\n>>>>>>>\nn: 1\n", ending: "\r\n"),
        ConflictShape(
            name: "comments", base: "# one\ntext: A\nn: 1\n", local: "# two\ntext: L\nn: 1\n",
            remote: "# three\ntext: R\nn: 1\n",
            diff3:
                "<<<<<<<\n# two\ntext: L\n|||||||\n# one\ntext: A\n=======\n# three\ntext: R\n>>>>>>>\nn: 1\n"
        ),
        ConflictShape(
            name: "items", fields: "tags", base: "text: A\ntags:\n  - a\nn: 1\n",
            local: "text: A\ntags:\n  - a\n  - l\nn: 1\n", remote: "text: A\ntags:\n  - a\n  - r\nn: 1\n",
            diff3: "text: A\ntags:\n  - a\n<<<<<<<\n  - l\n|||||||\n=======\n  - r\n>>>>>>>\nn: 1\n"),
        ConflictShape(
            name: "literal", fields: "notes", base: "text: A\nnotes: |\n  one\n  two\n  three\nn: 1\n",
            local: "text: A\nnotes: |\n  one\n  zwei\n  three\nn: 1\n",
            remote: "text: A\nnotes: |\n  one\n  deux\n  three\nn: 1\n",
            diff3: "text: A\nnotes: |\n  one\n<<<<<<<\n  zwei\n|||||||\n  two\n=======\n  deux\n>>>>>>>\n"
                + "  three\nn: 1\n"),
        ConflictShape(
            name: "literalEnd", fields: "notes and due",
            base: "text: A\nnotes: |\n  one\n  two\ndue: 2026-12-01\n",
            local: "text: A\nnotes: |\n  one\n  zwei\ndue: 2026-12-02\n",
            remote: "text: A\nnotes: |\n  one\n  deux\ndue: 2026-12-03\n",
            diff3: "text: A\nnotes: |\n  one\n<<<<<<<\n  zwei\ndue: 2026-12-02\n|||||||\n  two\n"
                + "due: 2026-12-01\n=======\n  deux\ndue: 2026-12-03\n>>>>>>>\n"),
        ConflictShape(
            name: "one", base: "text: A\nn: 1\n", local: "text: L\nn: 1\n", remote: "text: R\nn: 1\n",
            diff3: "<<<<<<<\ntext: L\n|||||||\ntext: A\n=======\ntext: R\n>>>>>>>\nn: 1\n"),
        ConflictShape(
            name: "removed", fields: "due", base: "text: A\ndue: 2026-12-01\nn: 1\n",
            local: "text: A\nn: 1\n",
            remote: "text: A\ndue: 2026-12-03\nn: 1\n",
            diff3: "text: A\n<<<<<<<\n|||||||\ndue: 2026-12-01\n=======\ndue: 2026-12-03\n>>>>>>>\nn: 1\n"),
        ConflictShape(
            name: "several", fields: "text, notes and due",
            base:
                "text: A\na: 1\nb: 1\nc: 1\nd: 1\nnotes: |\n  one\ne: 1\nf: 1\ng: 1\nh: 1\ndue: 2026-12-01\n",
            local:
                "text: L\na: 1\nb: 1\nc: 1\nd: 1\nnotes: |\n  eins\ne: 1\nf: 1\ng: 1\nh: 1\ndue: 2026-12-02\n",
            remote:
                "text: R\na: 1\nb: 1\nc: 1\nd: 1\nnotes: |\n  un\ne: 1\nf: 1\ng: 1\nh: 1\ndue: 2026-12-03\n",
            diff3: "<<<<<<<\ntext: L\n|||||||\ntext: A\n=======\ntext: R\n>>>>>>>\na: 1\nb: 1\nc: 1\nd: 1\n"
                + "notes: |\n<<<<<<<\n  eins\n|||||||\n  one\n=======\n  un\n>>>>>>>\ne: 1\nf: 1\ng: 1\nh: 1\n"
                + "<<<<<<<\ndue: 2026-12-02\n|||||||\ndue: 2026-12-01\n=======\ndue: 2026-12-03\n>>>>>>>\n"),
    ]

    var blocks: Int { diff3.components(separatedBy: "<<<<<<<\n").count - 1 }

    /// Returns whether the base's lines between the markers are a valid todo.
    func hasBase(_ style: Style) -> Bool { style != .merge && !baseless.contains(style) }

    /// Returns the todo's file in a version.
    func whole(_ side: Side) -> String {
        let text = side == .local ? local : side == .remote ? remote : base ?? ""
        return ended("id: \(name)\n" + text)
    }

    /// Returns the file that git leaves, without the labels.
    func marked(_ style: Style) -> String { ended(lines(style).map { $0 + "\n" }.joined()) }

    /// Returns the file with a side's lines in each block.
    func resolved(_ style: Style, _ choice: (_ block: Int) -> Side) -> String {
        var (text, block, side) = ("", -1, Side?.none)
        for line in lines(style) {
            switch line {
            case "<<<<<<<": (block, side) = (block + 1, .local)
            case "|||||||": side = .base
            case "=======": side = .remote
            case ">>>>>>>": side = nil
            default: if side == nil || side == choice(block) { text += line + "\n" }
            }
        }
        return ended(text)
    }

    /// Returns the file in a folder, without the labels of its markers.
    func text(in folder: ThrowAwayFolder, _ way: String) throws -> String {
        let text = try folder.read("\(way)/\(name).yaml")
        return text.split(separator: ending, omittingEmptySubsequences: false).map { line in
            let isMarker = ["<<<<<<< ", "||||||| ", ">>>>>>> "].contains { line.hasPrefix($0) }
            return isMarker ? String(line.prefix(7)) : String(line)
        }
        .joined(separator: ending)
    }

    private func lines(_ style: Style) -> [String] {
        let body = style == .diff3 ? diff3 : zdiff3 ?? diff3
        let isInside = hasInnerID && style == .diff3
        var lines = ((isInside ? "" : "id: \(name)\n") + body).split(separator: "\n").map(String.init)
        guard style == .merge else { return lines }
        while let start = lines.firstIndex(of: "|||||||"),
            let end = lines[start...].firstIndex(of: "=======")
        {
            lines.removeSubrange(start..<end)
        }
        return lines
    }

    private func ended(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: ending)
    }
}
