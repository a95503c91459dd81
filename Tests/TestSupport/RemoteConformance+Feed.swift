internal import LosslessYAML
internal import TodoModel

extension RemoteConformance {
    static let feed = [
        RemoteConformance("an empty remote has one empty page, whose cursor finds later changes") {
            remote in
            let page = try await remote.changes(after: nil)
            try expect(page.records, [], "the records")
            try expect(page.isLast, true, "the first page is the last")
            try expect(
                try await remote.changes(after: page.next).next, page.next, "the cursor without changes")
            _ = try await remote.accepted(.insert("one", ["text": .string("a")], operation: 1))
            let later = try await remote.changes(after: page.next)
            try expect(later.records.map(\.id), ["one"], "what came later")
        },
        RemoteConformance("the identity is the same before and after the first write") { remote in
            let identity = try await remote.meet(nil)
            _ = try await remote.accepted(.insert("one", ["text": .string("a")], operation: 1))
            try expect(try await remote.meet(nil), identity, "the identity")
        },
        RemoteConformance("two remotes have two identities") { makeClients in
            let one = try await makeClients(1000).0.meet(nil)
            let other = try await makeClients(1000).0.meet(nil)
            try expect(one != other, "the identities differ")
        },
        RemoteConformance("changes come in the order of writes, each record once in its newest state") {
            remote in
            let versions = try await insertRecords(["a", "b", "c"], into: remote)
            let start = try await remote.allChanges().next
            let second = try await remote.accepted(
                .update("a", ["text": .string("2")], base: versions[0], operation: 10))
            _ = try await remote.accepted(.delete("b", base: versions[1], operation: 11))
            let third = try await remote.accepted(
                .update("a", ["text": .string("3")], base: second, operation: 12))
            let (records, next) = try await remote.allChanges(after: start)
            try expect(records.map(\.id), ["b", "a"], "the changes")
            try expect(records.map(\.isDeleted), [true, false], "which are deleted")
            try expect(records.last?.version, third, "the newest version")
            try expect(try await remote.allChanges(after: next).records, [], "nothing is left")
            try expect(try await remote.allChanges().records.map(\.id), ["c", "b", "a"], "everything")
        },
        RemoteConformance("an operation that is not applied causes no change") { remote in
            let versions = try await insertRecords(["a", "b"], into: remote)
            let start = try await remote.allChanges().next
            _ = try await remote.push([
                .insert("a", [:], operation: 20), .insert("x/y", [:], operation: 21),
                .update("b", ["text": .string("x")], base: versions[0], operation: 22),
                .delete("c", base: versions[0], operation: 23),
                .insert("a", ["text": .string("a")], operation: 0),
            ])
            let page = try await remote.changes(after: start)
            try expect(page.records, [], "the changes")
            try expect(page.next, start, "the cursor")
        },
        RemoteConformance("pages of every size give the same changes and end") {
            makeClients in
            for pageSize in 1...5 {
                let remote = try await makeClients(pageSize).0
                let ids = ["a", "b", "c", "d"]
                _ = try await insertRecords(ids, into: remote)
                var pages: [ChangePage] = []
                var cursor: Cursor?
                repeat {
                    pages.append(try await remote.changes(after: cursor))
                    cursor = pages.last?.next
                } while pages.last?.isLast == false
                try expect(pages.flatMap(\.records).map(\.id), ids, "the records by \(pageSize)")
                try expect(
                    pages.count, (ids.count + pageSize - 1) / pageSize, "the number of pages by \(pageSize)")
            }
        },
        RemoteConformance("a record that is written again during paging is not missed") {
            makeClients in
            let (reader, writer) = try await makeClients(2)
            let versions = try await insertRecords(["a", "b", "c", "d", "e"], into: writer)
            let first = try await reader.changes(after: nil)
            try expect(first.records.map(\.id), ["a", "b"], "the first page")
            _ = try await writer.accepted(
                .update("c", ["text": .string("2")], base: versions[2], operation: 20))
            _ = try await writer.accepted(
                .update("a", ["text": .string("2")], base: versions[0], operation: 21))
            let (rest, _) = try await reader.allChanges(after: first.next)
            try expect(rest.map(\.id), ["d", "e", "c", "a"], "the other pages")
        },
        RemoteConformance("every returned cursor stays valid after later writes") { makeClients in
            let remote = try await makeClients(2).0
            var cursors = [try await remote.changes(after: nil).next]
            _ = try await insertRecords(["a", "b", "c", "d", "e"], into: remote)
            for _ in 0..<3 { cursors.append(try await remote.changes(after: cursors.last).next) }
            _ = try await remote.accepted(.insert("f", ["text": .string("f")], operation: 10))
            for cursor in cursors { try await remote.verify(cursor) }
        },
        RemoteConformance("another remote's cursor, or an invalid one, belongs to another history") {
            makeClients in
            let one = try await makeClients(1000).0
            let other = try await makeClients(1000).0
            _ = try await insertRecords(["a", "b", "c"], into: one)
            _ = try await insertRecords(["a", "b", "c", "d"], into: other)
            try await one.expectOtherHistory(other.allChanges().next)
            try await other.expectOtherHistory(one.allChanges().next)
            let recorded = RecordedHistory(
                identity: try await one.meet(nil), cursor: try await one.allChanges().next, accepted: nil)
            try expect(
                try await other.meet(recorded), try await other.meet(nil),
                "another remote's identity, which is checked before its history")
            for string in ["", "x", "-1", "1", "99999999999999999999", "1-1", "1-1-1-1", "3-3-zz", "\u{0}"] {
                try await one.expectOtherHistory(Cursor(string))
            }
        },
    ]

    /// Inserts records in one push and returns their versions.
    private static func insertRecords(_ ids: [String], into remote: any Remote) async throws -> [Version] {
        let operations = ids.enumerated().map { number, id in
            PushOperation.insert(id, ["text": .string(id)], operation: UInt64(number))
        }
        return try await remote.push(operations).answers.map { answer in
            guard case .accepted(let version) = answer else { throw Disagreement(description: "\(answer)") }
            return version
        }
    }
}
