internal import LosslessYAML
internal import TodoModel

extension RemoteConformance {
    static let writes = [
        RemoteConformance("an inserted record comes back complete") { remote in
            let fields: Mapping = [
                "text": .string("Hello \"world\"\n\u{1F600} e\u{301}"), "complete": .bool(false),
                "due": .null,
                "price": .number(Number(json: "1.10") ?? Number(0)),
                "list": .list([.mapping(["text": .string("milk"), "count": .number(Number(2))]), .list([])]),
                "a b/c\"": .mapping([:]),
            ]
            let version = try await remote.accepted(.insert("one", fields, operation: 1))
            let expected = RemoteRecord(
                id: "one", version: version, fields: fields, layout: PushOperation.layout(of: "one"))
            let record = try await remote.current("one")
            try expect(record, expected, "the record")
            guard case .number(let number)? = record?.fields["price"] else {
                throw Disagreement(description: "the number is lost")
            }
            try expect(number.json, "1.10", "the number's digits")
            try expect(record?.fields.keys, fields.keys, "the order of the fields")
        },
        RemoteConformance("an insert with an existing id returns the record and changes nothing") {
            remote in
            let version = try await remote.accepted(.insert("one", ["text": .string("a")], operation: 1))
            let before = try await remote.current("one")
            let answer = try await remote.push(.insert("one", ["text": .string("b")], operation: 2))
            try expect(answer, .movedOn(before), "the answer")
            try expect(try await remote.current("one")?.version, version, "the version")
        },
        RemoteConformance(
            "an update changes the fields that it contains, even to null, and replaces the layout"
        ) {
            remote in
            let first = try await remote.accepted(
                .insert(
                    "one", ["text": .string("a"), "due": .string("2026-12-01"), "notes": .string("n")],
                    operation: 1))
            var update = PushOperation.update(
                "one", ["text": .string("b"), "due": .null, "tags": .list([.string("new")])], base: first,
                operation: 2)
            update.change = .update(
                fields: ["text": .string("b"), "due": .null, "tags": .list([.string("new")])],
                layout: Layout(path: "moved.yaml", yaml: "text: b\n"), base: first)
            let second = try await remote.accepted(update)
            try expect(second != first, "a write creates a new version")
            let expected = RemoteRecord(
                id: "one", version: second,
                fields: ["text": .string("b"), "notes": .string("n"), "tags": .list([.string("new")])],
                layout: Layout(path: "moved.yaml", yaml: "text: b\n"))
            // A null field can be missing in the record.
            var record = try await remote.current("one")
            if record?.fields["due"] == .null { record?.fields["due"] = nil }
            try expect(record, expected, "the record")
        },
        RemoteConformance(
            "an update or delete on an old version returns the record and changes nothing"
        ) {
            remote in
            let first = try await remote.accepted(.insert("one", ["text": .string("a")], operation: 1))
            _ = try await remote.accepted(.update("one", ["text": .string("b")], base: first, operation: 2))
            let before = try await remote.current("one")
            for base in [first, Version(""), Version("AAAAAAAAAAA="), Version("no base64")] {
                let update = PushOperation.update("one", ["text": .string("c")], base: base, operation: 3)
                try expect(try await remote.push(update), .movedOn(before), "the update's answer")
                let delete = PushOperation.delete("one", base: base, operation: 4)
                try expect(try await remote.push(delete), .movedOn(before), "the delete's answer")
            }
            try expect(try await remote.current("one"), before, "the record")
        },
        RemoteConformance(
            "an update, delete or recreation of a missing record returns no record"
        ) {
            remote in
            // With and without an existing table.
            for operation in UInt64(0)..<2 {
                let base = Version("AAAAAAEBAgM=")
                let update = PushOperation.update("x", ["text": .string("a")], base: base, operation: 10)
                try expect(try await remote.push(update), .movedOn(nil), "the update's answer")
                try expect(
                    try await remote.push(.delete("x", base: base, operation: 11)), .movedOn(nil),
                    "the delete's answer")
                let recreate = PushOperation.recreate("x", ["text": .string("a")], base: base, operation: 12)
                try expect(try await remote.push(recreate), .movedOn(nil), "the recreation's answer")
                _ = try await remote.accepted(
                    .insert("one\(operation)", ["text": .string("a")], operation: operation))
            }
        },
        RemoteConformance("a deleted record leaves a tombstone, which blocks inserts, updates and deletes") {
            remote in
            let first = try await remote.accepted(.insert("one", ["text": .string("a")], operation: 1))
            let second = try await remote.accepted(.delete("one", base: first, operation: 2))
            try expect(second != first, "a delete creates a new version")
            let tombstone = try await remote.current("one")
            try expect(tombstone?.isDeleted, true, "the record is a tombstone")
            try expect(tombstone?.version, second, "the tombstone's version")
            for base in [first, second] {
                let update = PushOperation.update("one", ["text": .string("b")], base: base, operation: 3)
                try expect(try await remote.push(update), .movedOn(tombstone), "the update's answer")
                let delete = PushOperation.delete("one", base: base, operation: 4)
                try expect(try await remote.push(delete), .movedOn(tombstone), "the delete's answer")
            }
            let insert = PushOperation.insert("one", ["text": .string("b")], operation: 5)
            try expect(try await remote.push(insert), .movedOn(tombstone), "the insert's answer")
        },
        RemoteConformance("a recreation replaces a tombstone of the right version with a new record") {
            remote in
            let first = try await remote.accepted(
                .insert("one", ["text": .string("a"), "notes": .string("old")], operation: 1))
            let second = try await remote.accepted(.delete("one", base: first, operation: 3))
            let tombstone = try await remote.current("one")
            let stale = PushOperation.recreate("one", ["text": .string("b")], base: first, operation: 4)
            try expect(try await remote.push(stale), .movedOn(tombstone), "recreating on an old version")
            let third = try await remote.accepted(
                .recreate("one", ["text": .string("b")], base: second, operation: 5))
            let expected = RemoteRecord(
                id: "one", version: third, fields: ["text": .string("b")],
                layout: PushOperation.layout(of: "one"))
            try expect(try await remote.current("one"), expected, "the record")
            let late = PushOperation.recreate("one", ["text": .string("c")], base: second, operation: 6)
            try expect(try await remote.push(late), .movedOn(expected), "recreating what lives")
        },
        RemoteConformance("the operations of a push are applied in order, independently of each other") {
            remote in
            let operations: [PushOperation] = [
                .insert("one", ["text": .string("a")], operation: 1),
                .insert("one", ["text": .string("b")], operation: 2),
                .insert("bad/id", ["text": .string("c")], operation: 3),
                .insert("two", ["text": .string("d")], operation: 4),
                .update("three", ["text": .string("e")], base: Version("x"), operation: 5),
                .insert("four", ["text": .string("f")], operation: 6),
            ]
            let answers = try await remote.push(operations).answers
            try expect(answers.count, operations.count, "the number of answers")
            let kinds = answers.map { answer in
                switch answer {
                case .accepted: "accepted"
                case .movedOn(let record): record == nil ? "absent" : "moved on"
                case .refused(let status, _): "\(status)"
                case .notAllowed: "not allowed"
                case .unknown: "unknown"
                }
            }
            try expect(
                kinds, ["accepted", "moved on", "400", "accepted", "absent", "accepted"], "the answers")
            let ids = try await remote.allChanges().records.map(\.id)
            try expect(ids, ["one", "two", "four"], "the records")
            try expect(try await remote.push([]).answers, [], "the answers to an empty push")
        },
        RemoteConformance("versions are never assigned twice") { remote in
            var version = try await remote.accepted(.insert("one", ["text": .string("")], operation: 0))
            var versions: Set<Version> = [version]
            for number in UInt64(1)...50 {
                let fields: Mapping = ["text": .string("\(number % 2)")]
                version = try await remote.accepted(.update("one", fields, base: version, operation: number))
                try expect(versions.insert(version).inserted, "a new version for each write")
            }
        },
    ]
}
