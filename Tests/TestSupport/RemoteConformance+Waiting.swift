internal import LosslessYAML
internal import TodoModel

extension RemoteConformance {
    /// The requirements for a remote that can wait for changes.
    package static let waiting = [
        RemoteConformance("a wait ends with a change by another client") { makeClients in
            let (one, other) = try await makeClients(1000)
            var cursor: Cursor?
            for number in UInt64(1)..<20 {
                let last = cursor
                async let isNew = one.hasChangesSoon(after: last)
                if number.isMultiple(of: 2) { try await Task.sleep(for: .milliseconds(20)) }
                _ = try await other.accepted(.insert("\(number)", [:], operation: number))
                try expect(try await isNew, true, "whether the wait found the change")
                cursor = try await one.allChanges(after: cursor).next
            }
        },
        RemoteConformance("a wait after a cursor with changes ends at once, in each page") { makeClients in
            let (one, _) = try await makeClients(2)
            for number in UInt64(0)..<5 {
                _ = try await one.accepted(.insert("\(number)", [:], operation: number))
            }
            var cursor: Cursor?
            for _ in 0..<2 {
                try expect(
                    try await one.awaitChanges(after: cursor, for: .seconds(50)), true,
                    "whether there are changes")
                cursor = try await one.changes(after: cursor).next
            }
        },
        RemoteConformance("a wait without changes ends in time") { remote in
            _ = try await remote.accepted(.insert("a", [:], operation: 1))
            let cursor = try await remote.allChanges().next
            try expect(
                try await remote.awaitChanges(after: cursor, for: .seconds(1)), false,
                "whether there are changes")
        },
        RemoteConformance("a cancelled wait ends") { remote in
            let cursor = try await remote.allChanges().next
            let wait = Task { try await remote.awaitChanges(after: cursor, for: .seconds(50)) }
            try await Task.sleep(for: .milliseconds(50))
            wait.cancel()
            guard case .failure = await wait.result else {
                throw Disagreement(description: "a cancelled wait ended without an error")
            }
        },
    ]
}

extension Remote {
    /// Waits for changes several times, because other tests can delay the change beyond the end of a wait.
    fileprivate func hasChangesSoon(after cursor: Cursor?) async throws -> Bool? {
        var result: Bool? = false
        for _ in 0..<10 where result == false {
            result = try await awaitChanges(after: cursor, for: .seconds(50))
        }
        return result
    }
}
