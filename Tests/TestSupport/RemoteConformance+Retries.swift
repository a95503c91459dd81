internal import LosslessYAML
internal import TodoModel

extension RemoteConformance {
    static let retries = [
        RemoteConformance(
            "a retried operation of any kind gets the same answer and changes nothing"
        ) {
            remote in
            let insert = PushOperation.insert("one", ["text": .string("a")], operation: 1)
            let first = try await remote.accepted(insert)
            try expect(try await remote.push(insert), .accepted(first), "the insert again")
            let update = PushOperation.update("one", ["text": .string("b")], base: first, operation: 2)
            let second = try await remote.accepted(update)
            try expect(try await remote.push(update), .accepted(second), "the update again")
            let delete = PushOperation.delete("one", base: second, operation: 3)
            let third = try await remote.accepted(delete)
            try expect(try await remote.push(delete), .accepted(third), "the delete again")
            let recreate = PushOperation.recreate("one", ["text": .string("c")], base: third, operation: 4)
            let fourth = try await remote.accepted(recreate)
            try expect(try await remote.push(recreate), .accepted(fourth), "the recreation again")
            let (records, _) = try await remote.allChanges()
            try expect(records.map(\.version), [fourth], "the only record's version")
        },
        RemoteConformance("a retry is recognized after the record has changed or was deleted") {
            remote in
            let insert = PushOperation.insert("one", ["text": .string("a")], operation: 1)
            let first = try await remote.accepted(insert)
            let update = PushOperation.update("one", ["text": .string("b")], base: first, operation: 2)
            let second = try await remote.accepted(update)
            let third = try await remote.accepted(
                .update("one", ["text": .string("c")], base: second, operation: 3))
            try expect(try await remote.push(insert), .accepted(first), "the insert again")
            try expect(try await remote.push(update), .accepted(second), "the update again")
            let fourth = try await remote.accepted(.delete("one", base: third, operation: 4))
            let answers = try await remote.push([insert, update]).answers
            try expect(answers, [.accepted(first), .accepted(second)], "both again")
            try expect(try await remote.current("one")?.version, fourth, "the tombstone's version")
        },
        RemoteConformance("an operation that occurs twice in a push is applied once") { remote in
            let insert = PushOperation.insert("one", ["text": .string("a")], operation: 1)
            let answers = try await remote.push([insert, insert]).answers
            try expect(answers[0], answers[1], "the two answers")
            try expect(
                try await remote.current("one").map { .accepted($0.version) }, answers[0], "the record")
        },
        RemoteConformance("an operation that was not applied is decided again when it is retried") {
            remote in
            let early = PushOperation.update(
                "one", ["text": .string("b")], base: Version("AAAAAAEBAgM="), operation: 1)
            try expect(try await remote.push(early), .movedOn(nil), "before the record exists")
            let version = try await remote.accepted(.insert("one", ["text": .string("a")], operation: 2))
            let record = try await remote.current("one")
            try expect(try await remote.push(early), .movedOn(record), "after the record exists")
            let again = PushOperation.update("one", ["text": .string("b")], base: version, operation: 1)
            _ = try await remote.accepted(again)
        },
        RemoteConformance("an operation id that another operation used is refused") { remote in
            let insert = PushOperation.insert("one", ["text": .string("a")], operation: 1)
            let version = try await remote.accepted(insert)
            var otherPath = insert
            otherPath.change = .insert(
                fields: ["text": .string("a")],
                layout: Layout(path: "other.yaml", yaml: PushOperation.layout(of: "one").yaml))
            let others: [PushOperation] = [
                .insert("one", ["text": .string("b")], operation: 1),
                .insert("two", ["text": .string("a")], operation: 1),
                .update("one", ["text": .string("a")], base: version, operation: 1),
                .recreate("one", ["text": .string("a")], base: version, operation: 1),
                .delete("one", base: version, operation: 1),
                otherPath,
            ]
            for other in others { try await remote.expectRefusal(422, of: other) }
            try expect(try await remote.allChanges().records.map(\.version), [version], "the only record")
        },
        RemoteConformance("an applied operation is known with its version, and others are not") {
            remote in
            let first = try await remote.accepted(.insert("one", ["text": .string("a")], operation: 1))
            let update = PushOperation.update("one", ["text": .string("b")], base: first, operation: 2)
            let second = try await remote.accepted(update)
            _ = try await remote.push(.update("one", ["text": .string("c")], base: first, operation: 3))
            try await remote.verify(operation: 1, accepted: first)
            try await remote.verify(operation: 2, accepted: second)
            try await remote.expectOtherHistory(operation: 1, accepted: second)
            try await remote.expectOtherHistory(operation: 3, accepted: second)
            try await remote.expectOtherHistory(operation: 4, accepted: second)
        },
        RemoteConformance("the device comes with the layout, and its name doesn't identify the operation") {
            remote in
            func insert(from device: String?) -> PushOperation {
                var insert = PushOperation.insert("one", ["text": .string("a")], operation: 1)
                var layout = PushOperation.layout(of: "one")
                layout.device = device
                insert.change = .insert(fields: ["text": .string("a")], layout: layout)
                return insert
            }
            let name = "Ann\u{2019}s \"phone\"\n"
            let version = try await remote.accepted(insert(from: name))
            try expect(try await remote.current("one")?.layout?.device, name, "the device")
            for device in ["laptop", nil] {
                try expect(try await remote.push(insert(from: device)), .accepted(version), "the answer")
            }
            try expect(try await remote.current("one")?.layout?.device, name, "the device after retries")
            _ = try await remote.accepted(
                .update("one", ["text": .string("b")], base: version, operation: 2))
            try expect(
                try await remote.current("one")?.layout?.device, nil, "the device of a client without a name")
        },
        RemoteConformance("the order of an operation's fields doesn't matter") { remote in
            let fields: Mapping = ["text": .string("a"), "notes": .mapping(["x": .null, "y": .null])]
            let reordered: Mapping = ["notes": .mapping(["y": .null, "x": .null]), "text": .string("a")]
            let version = try await remote.accepted(.insert("one", fields, operation: 1))
            let answer = try await remote.push(.insert("one", reordered, operation: 1))
            try expect(answer, .accepted(version), "the answer")
        },
    ]
}
