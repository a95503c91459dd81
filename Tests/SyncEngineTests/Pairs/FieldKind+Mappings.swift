extension FieldKind {
    static let mappings = [
        FieldKind(
            "mappings by id",
            [
                "base": "items:\n  - id: 1\n    text: a\n    done: false\n  - id: 2\n    text: b",
                "changed": "items:\n  - id: 1\n    text: a\n    done: true\n  - id: 2\n    text: b",
                "changed otherwise":
                    "items:\n  - id: 1\n    text: a\n    done: later\n  - id: 2\n    text: b",
                "other changed": "items:\n  - id: 1\n    text: a\n    done: false\n  - id: 2\n    text: B",
                "key added":
                    "items:\n  - id: 1\n    text: a\n    done: false\n    n: 1\n  - id: 2\n    text: b",
                "added":
                    "items:\n  - id: 1\n    text: a\n    done: false\n  - id: 2\n    text: b\n  - id: 3\n    text: c",
                "added before":
                    "items:\n  - id: 4\n    text: d\n  - id: 1\n    text: a\n    done: false\n  - id: 2\n    text: b",
                "first removed": "items:\n  - id: 2\n    text: b",
                "last removed": "items:\n  - id: 1\n    text: a\n    done: false",
                "reordered": "items:\n  - id: 2\n    text: b\n  - id: 1\n    text: a\n    done: false",
                "flow": "items: [{id: 1, text: a, done: false}, {id: 2, text: b}]",
                "scalars": "items: [a, b]", "empty": "items: []", "removed": nil,
            ]),
        FieldKind(
            "mappings by text",
            [
                "base": "steps:\n- text: eggs\n  done: false\n- text: b\n  done: false",
                "changed": "steps:\n- text: eggs\n  done: true\n- text: b\n  done: false",
                "other changed": "steps:\n- text: eggs\n  done: false\n- text: b\n  done: true",
                "renamed": "steps:\n- text: Eggs\n  done: false\n- text: b\n  done: false",
                "replaced": "steps:\n- text: rice\n  done: false\n- text: b\n  done: false",
                "added": "steps:\n- text: eggs\n  done: false\n- text: c\n- text: b\n  done: false",
                "removed one": "steps:\n- text: b\n  done: false",
                "key removed": "steps:\n- text: eggs\n- text: b\n  done: false",
                "nested": "steps:\n- text: eggs\n  done: false\n  who: [x]\n- text: b\n  done: false",
                "removed": nil,
                "comment": "steps:\n# first\n- text: eggs\n  done: false\n- text: b\n  done: false",
            ]),
        FieldKind(
            "mappings by content",
            [
                "base": "log:\n  - {at: 1, by: x}\n  - {at: 2, by: y}",
                "changed": "log:\n  - {at: 1, by: z}\n  - {at: 2, by: y}",
                "added": "log:\n  - {at: 1, by: x}\n  - {at: 2, by: y}\n  - {at: 3, by: w}",
                "removed one": "log:\n  - {at: 2, by: y}", "removed": nil,
                "spelled": "log:\n  - at: 1\n    by: x\n  - at: 2\n    by: y",
                "reordered": "log:\n  - {at: 2, by: y}\n  - {at: 1, by: x}",
                "equal": "log:\n  - {at: 1, by: x}\n  - {at: 1, by: x}\n  - {at: 2, by: y}",
            ]),
        FieldKind(
            "mapping",
            [
                "base": "owner:\n  name: Ann  # boss\n  age: 40",
                "A": "owner:\n  name: Ben  # boss\n  age: 40",
                "B": "owner:\n  name: Cat  # boss\n  age: 40",
                "other": "owner:\n  name: Ann  # boss\n  age: 41",
                "key removed": "owner:\n  name: Ann  # boss",
                "key added": "owner:\n  name: Ann  # boss\n  age: 40\n  x: 1",
                "other key added": "owner:\n  y: 2\n  name: Ann  # boss\n  age: 40",
                "reordered": "owner:\n  age: 40\n  name: Ann  # boss", "flow": "owner: {name: Ann, age: 40}",
                "flow, changed": "owner: {name: Ann, age: 42}",
                "indented": "owner:\n    name: Ann  # boss\n    age: 40",
                "remark": "owner:\n  name: Ann\n  age: 40", "null": "owner:\n  name: Ann  # boss\n  age: ~",
                "empty": "owner: {}", "string": "owner: Ann", "removed": nil,
            ]),
        FieldKind(
            "nested",
            [
                "base": "place:\n  at:\n    city: Rome\n    tags: [a, b]\n  open: true",
                "A": "place:\n  at:\n    city: Oslo\n    tags: [a, b]\n  open: true",
                "B": "place:\n  at:\n    city: Bonn\n    tags: [a, b]\n  open: true",
                "list": "place:\n  at:\n    city: Rome\n    tags: [a, b, c]\n  open: true",
                "other list": "place:\n  at:\n    city: Rome\n    tags: [b]\n  open: true",
                "outer": "place:\n  at:\n    city: Rome\n    tags: [a, b]\n  open: false",
                "inner removed": "place:\n  open: true", "inner type": "place:\n  at: Rome\n  open: true",
                "key added": "place:\n  at:\n    city: Rome\n    tags: [a, b]\n    zip: 1\n  open: true",
                "removed": nil,
            ]),
    ]
}
