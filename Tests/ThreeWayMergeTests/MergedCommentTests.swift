import LosslessYAML
import Testing

@testable import ThreeWayMerge

/// Merges of comments: none is lost.
@Suite struct MergedCommentTests {
    typealias Row = TwoWayRow

    static let samePosition = [
        Row(
            testDescription: "above a field", base: "due: d\n", local: "# local\ndue: d\n",
            remote: "# remote: never throw this away\ndue: d\n",
            merged: "# local\n# remote: never throw this away\ndue: d\n",
            swapped: "# remote: never throw this away\n# local\ndue: d\n"),
        Row(
            testDescription: "above a field that one side changed", base: "due: d\n",
            local: "# local\ndue: e\n", remote: "# remote\ndue: d\n", merged: "# local\n# remote\ndue: e\n",
            swapped: "# remote\n# local\ndue: e\n"),
        Row(
            testDescription: "at the end of the file", base: "due: d\n", local: "due: d\n# local\n",
            remote: "due: d\n# remote\n", merged: "due: d\n# local\n# remote\n",
            swapped: "due: d\n# remote\n# local\n"),
        Row(
            testDescription: "after a value", base: "due: d\n", local: "due: d # local\n",
            remote: "due: d # remote\n", merged: "due: d # local\n       # remote\n",
            swapped: "due: d # remote\n       # local\n"),
        Row(
            testDescription: "after a value that one side changed", base: "due: d\nx: 1\n",
            local: "due: later # local\nx: 1\n", remote: "due: d # remote\nx: 1\n",
            merged: "due: later # local\n           # remote\nx: 1\n",
            swapped: "due: later # remote\n           # local\nx: 1\n"),
        Row(
            testDescription: "after an item", base: "l:\n  - p\n  - q\n",
            local: "l:\n  - p # local\n  - q\n",
            remote: "l:\n  - p # remote\n  - q\n", merged: "l:\n  - p # local\n      # remote\n  - q\n",
            swapped: "l:\n  - p # remote\n      # local\n  - q\n"),
        Row(
            testDescription: "below the last item", base: "l:\n  - p\n  - q\n",
            local: "l:\n  - p\n  - q\n  # local\n", remote: "l:\n  - p\n  - q\n  # remote\n",
            merged: "l:\n  - p\n  - q\n  # local\n  # remote\n",
            swapped: "l:\n  - p\n  - q\n  # remote\n  # local\n"),
        Row(
            testDescription: "in an item added on both sides", base: "l:\n  - text: one\n",
            local: "l:\n  - text: one\n  # local\n  - text: two # here\n",
            remote: "l:\n  - text: one\n  # remote\n  - text: two # there\n",
            merged: "l:\n  - text: one\n  # local\n  # remote\n  - text: two # here\n              # there\n",
            swapped: "l:\n  - text: one\n  # remote\n  # local\n  - text: two # there\n              # here\n"
        ),
        Row(
            testDescription: "after the header of a literal", base: "n: |\n  one\n",
            local: "n: | # local\n  one\n",
            remote: "n: | # remote\n  one\n", merged: "# remote\nn: | # local\n  one\n",
            swapped: "# local\nn: | # remote\n  one\n"),
        Row(
            testDescription: "edits of one comment, in other lines", base: "# one\n#\n# two\ndue: d\n",
            local: "# ONE\n#\n# two\ndue: d\n", remote: "# one\n#\n# TWO\ndue: e\n",
            merged: "# ONE\n#\n# TWO\ndue: e\n", swapped: "# ONE\n#\n# TWO\ndue: e\n"),
        Row(
            testDescription: "edits of one comment's only line", base: "# one\ndue: d\n",
            local: "# two\ndue: d\n", remote: "# three\ndue: d\n", merged: "# two\n# three\ndue: d\n",
            swapped: "# three\n# two\ndue: d\n"),
        Row(
            testDescription: "a comment removed here, edited there", base: "# one\ndue: d\n",
            local: "due: e\n",
            remote: "# two\ndue: d\n", merged: "# two\ndue: e\n", swapped: "# two\ndue: e\n"),
        Row(
            testDescription: "a comment removed beside one that both edited", base: "# one\n# two\ndue: d\n",
            local: "# 2\ndue: d\n", remote: "# one\n# zwei\ndue: d\n", merged: "# 2\n# zwei\ndue: d\n",
            swapped: "# zwei\n# 2\ndue: d\n"),
        Row(
            testDescription: "the same comment on both sides", base: "due: d\n", local: "# same\ndue: d\n",
            remote: "# same\ndue: e\n", merged: "# same\ndue: e\n", swapped: "# same\ndue: e\n"),
        Row(
            testDescription: "against nothing", base: nil, local: "# local\ndue: d # here\n",
            remote: "# remote\ndue: d # there\n",
            merged: "# local\n# remote\ndue: d # here\n       # there\n",
            swapped: "# remote\n# local\ndue: d # there\n       # here\n"),
    ]

    @Test(arguments: samePosition)
    func `two comments in one position are both kept, with local's first`(row: Row) throws { try row.check() }

    static let awkward = [
        Row(
            testDescription: "a literal that keeps the blank line written below it",
            base: "due: d\nn: |\n  one\nx: 1\n", local: "due: e\nn: |+\n  one\nx: 1\n",
            remote: "# why\ndue: d # when\nn: |\n  one\n\n# more\nx: 1\n",
            merged: "# why\ndue: e # when\nn: |+\n  one\n# more\nx: 1\n",
            swapped: "# why\ndue: e # when\nn: |\n  one\n\n# more\nx: 1\n"),
        Row(
            testDescription: "a list re-indented above a comment at its end",
            base: "l:\n  - p\n  # end\ndue: d\n", local: "l:\n- p\n# end\ndue: d\n",
            remote: "l:\n  - p\n  - q\n  # end\n# why\ndue: d # when\n",
            merged: "l:\n- p\n- q\n# end\n# why\ndue: d # when\n",
            swapped: "l:\n- p\n- q\n# why\n# end\ndue: d # when\n"),
        Row(
            testDescription: "a list re-indented, its last comment on all three sides",
            base: "l:\n  - p\n  # end\ndue: d\n", local: "l:\n- p\n# end\ndue: d\n",
            remote: "l:\n  - p\n  # end\ndue: e\n", merged: "l:\n- p\n# end\ndue: e\n",
            swapped: "l:\n- p\n# end\ndue: e\n"),
        Row(
            testDescription: "the field below a comment moved away", base: "# c\nx: 1\ny: 1\nz: 1\n",
            local: "# c\ny: 1\nz: 1\nx: 1\n", remote: "# c\nx: 2\ny: 1\nz: 1\n",
            merged: "# c\ny: 1\nz: 1\nx: 2\n", swapped: "# c\ny: 1\nz: 1\nx: 2\n"),
        Row(
            testDescription: "a side re-indented and re-quoted by a formatter",
            base: "s: 'one'\nm:\n  k: 'v'\n  l:\n    - 'p'\n    - 'q'\n",
            local: "s: \"one\"\nm:\n    k: \"v\"\n    l:\n        - \"p\"\n        - \"q\"\n",
            remote:
                "# s\ns: 'one' # se\nm: # me\n  # k\n  k: 'v' # ke\n  l:\n    # p\n    - 'p' # pe\n    - 'q'\n    # le\n",
            merged:
                "# s\ns: \"one\" # se\nm: # me\n    # k\n    k: \"v\" # ke\n    l:\n        # p\n        - \"p\" # pe\n        - \"q\"\n        # le\n",
            swapped:
                "# s\ns: 'one' # se\nm: # me\n  # k\n  k: 'v' # ke\n  l:\n    # p\n    - 'p' # pe\n    - 'q'\n    # le\n"
        ),
    ]

    @Test(arguments: awkward)
    func `a comment in an awkward position can cost layout, but is never lost`(row: Row) throws {
        try row.check()
    }

    static let conflicts = [
        Row(
            testDescription: "above and after a field in conflict", base: "due: 1\n",
            local: "due: 2\n", remote: "# remote\ndue: 3 # there\n",
            merged:
                "<<<<<<< local\ndue: 2\n||||||| base\ndue: 1\n=======\n# remote\ndue: 3 # there\n>>>>>>> remote\n",
            swapped:
                "<<<<<<< local\n# remote\ndue: 3 # there\n||||||| base\ndue: 1\n=======\ndue: 2\n>>>>>>> remote\n"
        ),
        Row(
            testDescription: "above a field in conflict on both sides", base: "# all\ndue: 1\n",
            local: "# all\n# local\ndue: 2\n", remote: "# all\n# remote\ndue: 3\n",
            merged:
                "# all\n<<<<<<< local\n# local\ndue: 2\n||||||| base\ndue: 1\n=======\n# remote\ndue: 3\n>>>>>>> remote\n",
            swapped:
                "# all\n<<<<<<< local\n# remote\ndue: 3\n||||||| base\ndue: 1\n=======\n# local\ndue: 2\n>>>>>>> remote\n"
        ),
        Row(
            testDescription: "above a field in flow style", base: "o: {n: 1}\n", local: "o: {n: 2}\n",
            remote: "# remote\no: {\n  # there\n  n: 3}\n",
            merged:
                "<<<<<<< local\no: {n: 2}\n||||||| base\no: {n: 1}\n=======\n# remote\no: {\n  # there\n  n: 3}\n>>>>>>> remote\n",
            swapped:
                "<<<<<<< local\n# remote\no: {\n  # there\n  n: 3}\n||||||| base\no: {n: 1}\n=======\no: {n: 2}\n>>>>>>> remote\n"
        ),
        Row(
            testDescription: "after a nested field in conflict", base: "o:\n  n: 1\n  m: 1\n",
            local: "o:\n  n: 2\n  m: 1\n", remote: "o:\n  n: 3 # there\n  m: 1\n",
            merged:
                "o:\n<<<<<<< local\n  n: 2\n||||||| base\n  n: 1\n=======\n  n: 3 # there\n>>>>>>> remote\n  m: 1\n",
            swapped:
                "o:\n<<<<<<< local\n  n: 3 # there\n||||||| base\n  n: 1\n=======\n  n: 2\n>>>>>>> remote\n  m: 1\n"
        ),
    ]

    @Test(arguments: conflicts)
    func `a comment on a field in conflict is in its block`(row: Row) throws { try row.check() }

    static let removed = [
        Row(
            testDescription: "above, after and in a field", base: "m:\n  k: 1\nz: 1\n",
            local: "# above\nm: # head\n  # inside\n  k: 1 # behind\n  # below\nz: 1\n", remote: "z: 1\n",
            merged: "# above\n# head\n# inside\n# behind\n# below\nz: 1\n",
            swapped: "# above\n# head\n# inside\n# behind\n# below\nz: 1\n"),
        Row(
            testDescription: "in the last field", base: "z: 1\nm: 1\n", local: "z: 1\nm: 1 # behind\n",
            remote: "z: 1\n", merged: "z: 1\n# behind\n", swapped: "z: 1\n# behind\n"),
        Row(
            testDescription: "in an item of a list", base: "l:\n  - p\n  - q\n",
            local: "l:\n  # above\n  - p # behind\n  - q\n", remote: "l:\n  - q\n",
            merged: "l:\n  # above\n  # behind\n  - q\n", swapped: "l:\n  # above\n  # behind\n  - q\n"),
        Row(
            testDescription: "an existing comment is removed with its field",
            base: "# why\nm: 1 # behind\nz: 1\n",
            local: "# why\nm: 1 # behind\nz: 2\n", remote: "z: 1\n", merged: "z: 2\n", swapped: "z: 2\n"),
    ]

    @Test(arguments: removed)
    func `a new comment in a part that the other side removed is kept above the next part`(row: Row) throws {
        try row.check()
    }

    static let kept = [
        Row(
            testDescription: "above a field", base: "a: 1\n# why\nb: 2\nz: 1\n",
            local: "a: 1\n# why\nz: 1\n", remote: "a: 1\n# why\nb: 3\nz: 1\n",
            merged:
                "a: 1\n# why\n<<<<<<< local\n||||||| base\nb: 2\n=======\nb: 3\n>>>>>>> remote\nz: 1\n",
            swapped:
                "a: 1\n# why\n<<<<<<< local\nb: 3\n||||||| base\nb: 2\n=======\n>>>>>>> remote\nz: 1\n"),
        Row(
            testDescription: "above an item, at the end", base: "l:\n  - text: a\n  # why\n  - text: b\n",
            local: "l:\n  - text: a\n  # why\n",
            remote: "l:\n  - text: a\n  # why\n  - text: b\n    n: 1\n",
            merged:
                "l:\n  - text: a\n  # why\n<<<<<<< local\n||||||| base\n  - text: b\n=======\n  - text: b\n    n: 1\n>>>>>>> remote\n",
            swapped:
                "l:\n  - text: a\n  # why\n<<<<<<< local\n  - text: b\n    n: 1\n||||||| base\n  - text: b\n=======\n>>>>>>> remote\n"
        ),
        Row(
            testDescription: "a comment that other fields have, too",
            base: "# -\na: 1\n# -\nb: 2\n# -\nz: 1\n", local: "# -\na: 1\n# -\nz: 1\n",
            remote: "# -\na: 1\n# -\nb: 3\n# -\nz: 1\n",
            merged:
                "# -\na: 1\n<<<<<<< local\n||||||| base\n# -\nb: 2\n=======\n# -\nb: 3\n>>>>>>> remote\n# -\nz: 1\n",
            swapped:
                "# -\na: 1\n<<<<<<< local\n# -\nb: 3\n||||||| base\n# -\nb: 2\n=======\n>>>>>>> remote\n# -\nz: 1\n"
        ),
    ]

    @Test(arguments: kept)
    func `a comment that stayed above a removed field or item is in the text once`(row: Row) throws {
        try row.check()
    }

    static let flow = [
        Row(
            testDescription: "items of a list on separate lines", base: "l: [\n  p,\n  q,\n]\n",
            local: "l: [\n  p,\n  q,\n  r,\n]\n", remote: "l: [\n  # about p\n  p, # here\n  q, # there\n]\n",
            merged: "l: [\n  # about p\n  p, # here\n  q, # there\n  r,\n]\n",
            swapped: "l: [\n  # about p\n  p, # here\n  q, # there\n  r,\n]\n"),
        Row(
            testDescription: "both sides after one item", base: "l: [\n  p,\n  q ]\n",
            local: "l: [\n  p, # local\n  q ]\n", remote: "l: [\n  p, # remote\n  q ]\n",
            merged: "l: [\n  p, # local\n     # remote\n  q ]\n",
            swapped: "l: [\n  p, # remote\n     # local\n  q ]\n"),
        Row(
            testDescription: "a list on one line locally", base: "l: [p, q]\n", local: "l: [p, q, r]\n",
            remote: "l: [\n  # about p\n  p, # here\n  q # there\n  # end\n]\n",
            merged: "l: [\n  # about p\n  p, # here\n  q, # there\n  r\n  # end\n]\n",
            swapped: "l: [\n  # about p\n  p, # here\n  q, # there\n  r\n  # end\n]\n"),
        Row(
            testDescription: "a mapping that both sides reformatted", base: "m: {k: 1, n: 1}\n",
            local: "m: {  k: 1,  n: 1  }\n",
            remote: "m: {\n  # about k\n  k: 1, # here\n  n: 1\n  # end\n}\n",
            merged: "m: {\n  # about k\n  k: 1, # here\n  n: 1\n  # end\n  }\n",
            swapped: "m: {\n  # about k\n  k: 1, # here\n  n: 1\n  # end\n}\n"),
    ]

    @Test(arguments: flow)
    func `comments in brackets stay beside their items`(row: Row) throws { try row.check() }

    static let flowFiles = [
        Row(
            testDescription: "a todo in braces", base: "{id: a, text: t, n: 1}\n",
            local: "{id: a, text: u, n: 1}\n",
            remote: "# above\n{id: a,\n  # about t\n  text: t, # here\n  n: 1} # behind\n# below\n",
            merged: "# above\n{id: a,\n  # about t\n  text: u, # here\n  n: 1} # behind\n# below\n",
            swapped: "# above\n{id: a,\n  # about t\n  text: u, # here\n  n: 1} # behind\n# below\n"),
        Row(
            testDescription: "a todo in braces locally, in lines remotely", base: "{id: a, text: t, n: 1}\n",
            local: "{id: a, text: u, n: 1}\n",
            remote: "# above\nid: a\n# about t\ntext: t # here\nn: 2\n# below\n",
            merged: "# above\n{id: a,\n  # about t\n  text: u, # here\n  n: 2}\n# below\n",
            swapped: "# above\nid: a\n# about t\ntext: u # here\nn: 2\n# below\n"),
    ]

    @Test(arguments: flowFiles)
    func `a todo in flow style loses no comment`(row: Row) throws { try row.check(before: "") }
}
