internal import LosslessYAML
internal import TodoModel

extension RemoteConformance {
    static let rules = [
        RemoteConformance("ids that the tables protocol can't represent are refused") { remote in
            let ids = [
                "", " ", "\u{3000}", ".", "..", "a/b", "a\\b", "a+b", "a?b", "a\"b", "a`b", "a\nb", "a\u{0}",
                "a\u{7F}", "a\u{85}", String(repeating: "a", count: 256),
            ]
            for (number, id) in ids.enumerated() {
                try await remote.expectRefusal(400, of: .insert(id, [:], operation: UInt64(number)))
            }
            try expect(try await remote.allChanges().records, [], "the records")
        },
        RemoteConformance("all other ids are kept byte for byte") { remote in
            let ids = [
                "a b", "...", "a'b%20;--", "\u{E9}", "e\u{301}", "\u{1F600}", "$#&=:@!(),*<>|{}[]^~",
                String(repeating: "\u{1F600}", count: 255),
            ]
            for (number, id) in ids.enumerated() {
                let insert = PushOperation.insert(id, ["text": .string(id)], operation: UInt64(number))
                _ = try await remote.accepted(insert)
            }
            let stored = try await remote.allChanges().records.map { Array($0.id.utf8) }
            try expect(stored, ids.map { Array($0.utf8) }, "the ids")
        },
        RemoteConformance("an insert is refused if its id differs only in case, and other operations are not")
        {
            remote in
            let upper = try await remote.accepted(.insert("ABC", ["text": .string("a")], operation: 1))
            _ = try await remote.accepted(.insert("lower", ["text": .string("a")], operation: 2))
            _ = try await remote.accepted(.insert("\u{C4}", ["text": .string("a")], operation: 3))
            for (number, id) in ["abc", "Abc", "LOWER", "Lower", "\u{E4}"].enumerated() {
                let insert = PushOperation.insert(id, ["text": .string("b")], operation: 10 + UInt64(number))
                try await remote.expectRefusal(409, of: insert)
            }
            let update = PushOperation.update("abc", ["text": .string("b")], base: upper, operation: 20)
            try expect(try await remote.push(update), .movedOn(nil), "an update of the other case")
            let delete = PushOperation.delete("abc", base: upper, operation: 21)
            try expect(try await remote.push(delete), .movedOn(nil), "a delete of the other case")
            _ = try await remote.accepted(.delete("ABC", base: upper, operation: 22))
            try await remote.expectRefusal(409, of: .insert("abc", [:], operation: 23))
        },
        RemoteConformance(
            "reserved and invalid names are refused in every operation with fields"
        ) {
            remote in
            let names = [
                "version", "Deleted", "createdAt", "UPDATEDAT", "todosync", "__x", "__", "_\u{5F}\u{301}",
                "id", "Id",
                "", "a\u{1B}b", "\u{9F}", String(repeating: "n", count: 256),
            ]
            let version = try await remote.accepted(.insert("one", ["text": .string("a")], operation: 1))
            for (index, name) in names.enumerated() {
                let number = 10 + 3 * UInt64(index)
                let fields: Mapping = [name: .string("x")]
                try await remote.expectRefusal(400, of: .insert("two", fields, operation: number))
                try await remote.expectRefusal(
                    400, of: .update("one", fields, base: version, operation: number + 1))
                try await remote.expectRefusal(
                    400, of: .recreate("one", fields, base: version, operation: number + 2))
            }
            let nested: Mapping = ["list": .list([.mapping(["a\u{0}": .null])])]
            try await remote.expectRefusal(400, of: .insert("two", nested, operation: 100))
            let free: Mapping = [
                "x": .mapping(["version": .null, "id": .null]), "_x": .null, "Text": .null,
                String(repeating: "\u{1F600}", count: 255): .null, "\u{E9}": .null, "e\u{301}": .null,
            ]
            _ = try await remote.accepted(.insert("two", free, operation: 101))
            try expect(try await remote.current("two")?.fields, free, "allowed names")
        },
        RemoteConformance("fields of 64 levels are kept, and deeper ones refused") { remote in
            func fields(levels: Int) -> Mapping {
                ["deep": (1..<levels).reduce(.null) { value, _ in .list([value]) }]
            }
            _ = try await remote.accepted(.insert("one", fields(levels: 64), operation: 1))
            try expect(try await remote.current("one")?.fields, fields(levels: 64), "the fields")
            try await remote.expectRefusal(400, of: .insert("two", fields(levels: 65), operation: 2))
        },
        RemoteConformance("a record of more than 8 MiB is refused, even if an update causes it") {
            remote in
            let half = Value.string(String(repeating: "x", count: 5 << 20))
            let version = try await remote.accepted(.insert("one", ["a": half], operation: 1))
            try await remote.expectRefusal(413, of: .insert("two", ["a": half, "b": half], operation: 2))
            try await remote.expectRefusal(413, of: .update("one", ["b": half], base: version, operation: 3))
            let yaml = String(repeating: "y", count: 5 << 20)
            let large = PushOperation(
                operationID: PushOperation.operationID(4), id: "two",
                change: .insert(fields: ["a": half], layout: Layout(path: nil, yaml: yaml)))
            try await remote.expectRefusal(413, of: large)
            try expect(try await remote.current("one")?.version, version, "the version")
        },
        RemoteConformance("strings keep every character, including NUL") { remote in
            let string = "a\u{0}b\u{1}\u{7F}\u{85}\u{2028}\u{FEFF}\u{FFFD}\u{10FFFF}\r\n"
            let insert = PushOperation(
                operationID: PushOperation.operationID(1), id: "one",
                change: .insert(fields: ["text": .string(string)], layout: Layout(path: string, yaml: string))
            )
            _ = try await remote.accepted(insert)
            let record = try await remote.current("one")
            try expect(record?.fields["text"], .string(string), "the text")
            try expect(record?.layout?.yaml?.isSameBytes(as: string), true, "the layout's text")
            try expect(record?.layout?.path?.isSameBytes(as: string), true, "the layout's path")
        },
    ]
}
