import LosslessYAML
import Testing

@testable import ThreeWayMerge

/// Fields that one side renamed or moved and the other side edited.
@Suite struct RelocationTests {
    typealias Row = TwoWayRow

    static let renamed = [
        Row(
            testDescription: "a field of the user's own",
            base: "where: at the old mill\ncost: 1\n", local: "place: at the old mill\ncost: 1\n",
            remote: "where: at the new mill\ncost: 1\n", merged: "place: at the new mill\ncost: 1\n",
            swapped: "place: at the new mill\ncost: 1\n"),
        Row(
            testDescription: "a nested field, moved to the end of its mapping as well",
            base: "owner:\n  mail: ann@example.org\n  age: 4\n",
            local: "owner:\n  age: 4\n  address: ann@example.org\n",
            remote: "owner:\n  mail: ann@example.com\n  age: 4\n",
            merged: "owner:\n  age: 4\n  address: ann@example.com\n",
            swapped: "owner:\n  age: 4\n  address: ann@example.com\n"),
        Row(
            testDescription: "a field in flow style, with comments",
            base: "owner: {mail: ann@example.org, age: 4} # who\n",
            local: "owner: {address: ann@example.org, age: 4} # who\n",
            remote: "owner: {mail: ann@example.com, age: 4} # who pays\n",
            merged: "owner: {address: ann@example.com, age: 4} # who pays\n",
            swapped: "owner: {address: ann@example.com, age: 4} # who pays\n"),
        Row(
            testDescription: "a mapping, edited on both sides in other fields",
            base: "ann:\n  mail: ann@example.org\n  age: 4\n  city: Springfield\n  zip: 12345\n",
            local: "owner:\n  mail: ann@example.org\n  age: 5\n  city: Springfield\n  zip: 12345\n",
            remote: "ann:\n  mail: ann@example.com\n  age: 4\n  city: Springfield\n  zip: 12345\n",
            merged: "owner:\n  mail: ann@example.com\n  age: 5\n  city: Springfield\n  zip: 12345\n",
            swapped: "owner:\n  mail: ann@example.com\n  age: 5\n  city: Springfield\n  zip: 12345\n"),
        Row(
            testDescription: "a field of an item of a checklist",
            base: "l:\n  - text: one\n    note: in the long drawer\n  - text: two\n",
            local: "l:\n  - text: one\n    where: in the long drawer\n  - text: two\n",
            remote:
                "l:\n  - text: zero\n  - text: one\n    note: in the short drawer # mind\n  - text: two\n",
            merged:
                "l:\n  - text: zero\n  - text: one\n    where: in the short drawer # mind\n  - text: two\n",
            swapped:
                "l:\n  - text: zero\n  - text: one\n    where: in the short drawer # mind\n  - text: two\n"),
        Row(
            testDescription: "comments above, beside and below it",
            base: "# what\nwhere: at the old mill # why\ncost: 1\n",
            local: "# what\nplace: at the old mill # why\ncost: 1\n",
            remote: "# what else\nwhere: at the old mill # why not\n  # below\ncost: 1\n",
            merged: "# what else\nplace: at the old mill # why not\n  # below\ncost: 1\n",
            swapped: "# what else\nplace: at the old mill # why not\n  # below\ncost: 1\n"),
        Row(
            testDescription: "both sides changed the value: a conflict of the renamed field",
            base:
                "m:\n  k: at the old mill\n  note: a long and winding road\n  more: here and there\n  and: now and then\n",
            local:
                "n:\n  k: at the one mill\n  note: a long and winding road\n  more: here and there\n  and: now and then\n",
            remote:
                "m:\n  k: at the new mill\n  note: a long and winding road\n  more: here and there\n  and: now and then\n",
            merged:
                "n:\n<<<<<<< local\n  k: at the one mill\n||||||| base\n  k: at the old mill\n=======\n  k: at the new mill\n>>>>>>> remote\n  note: a long and winding road\n  more: here and there\n  and: now and then\n",
            swapped:
                "n:\n<<<<<<< local\n  k: at the new mill\n||||||| base\n  k: at the old mill\n=======\n  k: at the one mill\n>>>>>>> remote\n  note: a long and winding road\n  more: here and there\n  and: now and then\n"
        ),
        Row(
            testDescription: "one renamed locally and another one remotely",
            base: "where: at the old mill\nwhom: the old miller\n",
            local: "place: at the old mill\nwhom: the miller's wife\n",
            remote: "where: at the new mill\nwho: the old miller\n",
            merged: "place: at the new mill\nwho: the miller's wife\n",
            swapped: "place: at the new mill\nwho: the miller's wife\n"),
        Row(
            testDescription: "a mapping renamed, and a field in it renamed by the other side",
            base: "m:\n  where: at the old mill\n  whom: the old miller\n  a: 1\n",
            local: "n:\n  where: at the old mill\n  whom: the old miller\n  a: 2\n",
            remote: "m:\n  place: at the old mill\n  whom: the old miller\n  a: 1\n",
            merged: "n:\n  place: at the old mill\n  whom: the old miller\n  a: 2\n",
            swapped: "n:\n  place: at the old mill\n  whom: the old miller\n  a: 2\n"),
        Row(
            testDescription: "a key that must be quoted",
            base: "where: at the old mill\nx: 1\n", local: "\"# where\": at the old mill\nx: 1\n",
            remote: "where: at the new mill\nx: 1\n", merged: "\"# where\": at the new mill\nx: 1\n",
            swapped: "\"# where\": at the new mill\nx: 1\n"),
    ]

    @Test(arguments: renamed)
    func `an edit follows a field to its new name`(row: Row) throws { try row.check() }

    static let moved = [
        Row(
            testDescription: "into an existing mapping, with its comments",
            base: "# of the box\nbox: # here\n  row: 1\n  # in it\n  size: 2\nroom:\n  name: r\nend: 1\n",
            local:
                "room:\n  name: r\n  # of the box\n  box: # here\n    row: 1\n    # in it\n    size: 2\nend: 1\n",
            remote:
                "# of the box\nbox: # here\n  row: 1\n  # in it\n  size: 3 # larger\nroom:\n  name: s\nend: 1\n",
            merged:
                "room:\n  name: s\n  # of the box\n  box: # here\n    row: 1\n    # in it\n    size: 3 # larger\nend: 1\n",
            swapped:
                "room:\n  name: s\n  # of the box\n  box: # here\n    row: 1\n    # in it\n    size: 3 # larger\nend: 1\n"
        ),
        Row(
            testDescription: "wrapped with its neighbor",
            base: "a:\n  k: 1\n  l: 2\nb:\n  k: 3\n  l: 4\n",
            local: "c:\n    a:\n        k: 1\n        l: 2\n    b:\n        k: 3\n        l: 4\n",
            remote: "a:\n  k: 9\n  l: 2\nb:\n  k: 3\n  l: 5\n",
            merged: "c:\n    a:\n        k: 9\n        l: 2\n    b:\n        k: 3\n        l: 5\n",
            swapped: "c:\n    a:\n        k: 9\n        l: 2\n    b:\n        k: 3\n        l: 5\n"),
        Row(
            testDescription: "out of a mapping that is removed, with a comment beside it",
            base: "room: # r\n  box:\n    row: 1\n    size: 2\nend: 1\n",
            local: "box:\n  row: 1\n  size: 2\nend: 1\n",
            remote: "room: # r\n  box:\n    row: 1\n    size: 3\nend: 1\n",
            merged: "box:\n  row: 1\n  size: 3\nend: 1\n", swapped: "box:\n  row: 1\n  size: 3\nend: 1\n"),
        Row(
            testDescription: "in flow style",
            base: "m: {box: {row: 1, size: 2}, room: {name: r}}\n",
            local: "m: {room: {name: r, box: {row: 1, size: 2}}}\n",
            remote: "m: {box: {row: 1, size: 3}, room: {name: r}}\n",
            merged: "m: {room: {name: r, box: {row: 1, size: 3}}}\n",
            swapped: "m: {room: {name: r, box: {row: 1, size: 3}}}\n"),
        Row(
            testDescription: "edited on both sides",
            base: "box:\n  row: 1\n  size: 2\n  name: the red box\n  where: in the attic\nend: 1\n",
            local:
                "room:\n  box:\n    row: 1\n    size: 4\n    name: the red box\n    where: in the attic\nend: 1\n",
            remote: "box:\n  row: 1\n  size: 3\n  name: the red box\n  where: in the attic\nend: 1\n",
            merged:
                "room:\n  box:\n    row: 1\n<<<<<<< local\n    size: 4\n||||||| base\n    size: 2\n=======\n    size: 3\n>>>>>>> remote\n    name: the red box\n    where: in the attic\nend: 1\n",
            swapped:
                "room:\n  box:\n    row: 1\n<<<<<<< local\n    size: 3\n||||||| base\n    size: 2\n=======\n    size: 4\n>>>>>>> remote\n    name: the red box\n    where: in the attic\nend: 1\n"
        ),
        Row(
            testDescription: "at the end of a file without its last line break",
            base: "room:\n  name: r\nbox:\n  row: 1\n  note: |\n    long",
            local: "room:\n  name: r\n  box:\n    row: 1\n    note: |\n      long",
            remote: "room:\n  name: r\nbox:\n  row: 2\n  note: |\n    long",
            merged: "room:\n  name: r\n  box:\n    row: 2\n    note: |\n      long",
            swapped: "room:\n  name: r\n  box:\n    row: 2\n    note: |\n      long"),
    ]

    @Test(arguments: moved)
    func `an edit follows a mapping to its new position`(row: Row) throws { try row.check() }

    /// A change that could be mistaken for a rename or move, with the fields in conflict.
    struct Doubt: CustomTestStringConvertible {
        var testDescription: String
        var base: String
        var local: String
        var remote: String
        var conflicts: [String]
    }

    static let doubts = [
        Doubt(
            testDescription: "a known field", base: "notes: the long story", local: "story: the long story",
            remote: "notes: the short story", conflicts: ["notes"]),
        Doubt(
            testDescription: "a known name", base: "story: the long story",
            local: "notes: the long story", remote: "story: the short story", conflicts: ["story"]),
        Doubt(
            testDescription: "true", base: "a: true", local: "b: true", remote: "a: false", conflicts: ["a"]),
        Doubt(
            testDescription: "a short number", base: "a: 2026", local: "b: 2026", remote: "a: 1",
            conflicts: ["a"]),
        Doubt(
            testDescription: "a date", base: "a: 2026-12-01", local: "b: 2026-12-01",
            remote: "a: 2026-12-02", conflicts: ["a"]),
        Doubt(
            testDescription: "a word", base: "a: open", local: "b: open", remote: "a: closed",
            conflicts: ["a"]),
        Doubt(
            testDescription: "an empty list", base: "a: []", local: "b: []", remote: "a: [x]",
            conflicts: ["a"]),
        Doubt(
            testDescription: "two possible old fields", base: "{a: at the mill, c: at the mill}",
            local: "b: at the mill", remote: "{a: at home, c: at the mill}", conflicts: ["a"]),
        Doubt(
            testDescription: "two possible new fields", base: "a: at the mill",
            local: "{b: at the mill, c: at the mill}", remote: "a: at home", conflicts: ["a"]),
        Doubt(
            testDescription: "a copy of a field that stayed",
            base: "{home: 12 Long Street, work: 12 Long Street}",
            local: "{home: 12 Long Street, billing: 12 Long Street}",
            remote: "{home: 12 Long Street, work: 99 Short Road}", conflicts: ["work"]),
        Doubt(
            testDescription: "a copy of a mapping that stayed",
            base: "{a: {m: {k: 1, l: 2}, n: 1}, b: {m: {k: 1, l: 2}}, c: {n: 1}}",
            local: "{a: {n: 1}, b: {m: {k: 1, l: 2}}, c: {n: 1, m: {k: 1, l: 2}}}",
            remote: "{a: {m: {k: 1, l: 3}, n: 1}, b: {m: {k: 1, l: 2}}, c: {n: 1}}", conflicts: ["a"]),
        Doubt(
            testDescription: "a mapping of one short value",
            base: "{a: {m: {k: true}, n: 1}, b: {n: 1}}", local: "{a: {n: 1}, b: {n: 1, m: {k: true}}}",
            remote: "{a: {m: {k: false}, n: 1}, b: {n: 1}}", conflicts: ["a"]),
        Doubt(
            testDescription: "a different value of the same kind",
            base: "ann: {city: Springfield, street: Long Street 1, phone: 1}",
            local: "bob: {city: Springfield, street: Short Street 1, phone: 2}",
            remote: "ann: {city: Springfield, street: Long Street 1, phone: 3}", conflicts: ["ann"]),
        Doubt(
            testDescription: "a name that both sides chose", base: "a: at the mill", local: "b: at the mill",
            remote: "{a: at home, b: at work}", conflicts: ["b", "a"]),
        Doubt(
            testDescription: "copied, not renamed", base: "a: at the mill",
            local: "{a: at the mill, b: at the mill}", remote: "a: at home", conflicts: []),
        Doubt(
            testDescription: "a different new name on each side: both fields, and no conflict",
            base: "a: at the mill", local: "b: at the mill", remote: "c: at home", conflicts: []),
        Doubt(
            testDescription: "a mapping moved to two places", base: "{a: {k: 1, l: 2}, x: {}, y: {}}",
            local: "{x: {a: {k: 1, l: 2}}, y: {a: {k: 1, l: 2}}}",
            remote: "{a: {k: 1, l: 3}, x: {}, y: {}}", conflicts: ["a"]),
        Doubt(
            testDescription: "a different mapping with the same name",
            base: "{a: {k: 1, l: 2}}", local: "{x: {a: {k: 5, l: 6}}}", remote: "{a: {k: 1, l: 3}}",
            conflicts: ["a"]),
        Doubt(
            testDescription: "an item's name is not a field renamed",
            base: "l: [{name: the long way, n: 1}]", local: "l: [{label: the long way, n: 1}]",
            remote: "l: [{name: the short way, n: 1}]", conflicts: ["l"]),
    ]

    @Test(arguments: doubts)
    func `nothing is guessed in case of doubt`(doubt: Doubt) throws {
        let documents = try [doubt.base, doubt.local, doubt.remote].map { try document($0) }
        let ways = [(documents[1], documents[2]), (documents[2], documents[1])]
        for (local, remote) in ways {
            let merge = merge(base: documents[0], local: local, remote: remote, rules: .todo)
            #expect(merge.relocations.isEmpty)
            #expect(Set(merge.conflictingFields) == Set(doubt.conflicts), "\(merge.outcome.shown)")
        }
    }

    @Test func `a merge reports renames and moves, and the side that made them`() throws {
        let base = try document(
            "a: at the old mill\nbox: {row: 1, size: 2}\nx: {l: [{text: t, k: in the drawer}]}\n")
        let local = try document(
            "b: at the old mill\nroom: {box: {row: 1, size: 2}}\nx: {l: [{text: t, k: in the box}]}\n")
        let remote = try document(
            "a: at the new mill\nbox: {row: 1, size: 3}\nx: {l: [{text: t, p: in the drawer}]}\n")
        let merge = merge(base: base, local: local, remote: remote, rules: .todo)
        #expect(
            merge.relocations == [
                Relocation(side: .local, from: ["a"], to: ["b"]),
                Relocation(side: .remote, from: ["x", "l", "k"], to: ["x", "l", "p"]),
                Relocation(side: .local, from: ["box"], to: ["room", "box"]),
            ])
        #expect(merge.mergedFields == ["b", "room", "x"])
        #expect(merge.decisions.map(\.field) == ["b", "room", "x"])
        #expect(merge.decisions.first?.base == .string("at the old mill"))
    }
}
