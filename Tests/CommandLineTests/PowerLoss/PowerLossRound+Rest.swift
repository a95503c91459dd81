import Foundation
import TestSupport

/// The part of `todosync status --json` that the tests need.
private struct Status: Decodable {
    struct Conflict: Decodable {
        var id: String
        var path: String
        var fields: [String]
    }

    struct File: Decodable { var path: String }

    var clean: Bool
    var conflicts: [Conflict]
    var invalid: [File]
    var duplicates: [File]
}

// How both sides come to rest after a power loss, and what must hold then.
extension PowerLossRound {
    private static let maximumTries = 8

    /// Checks that no file is empty or truncated.
    func checkWhole() throws {
        for side in PowerLossFolders.sides {
            for file in files(side) where file.fields == nil && !file.hasMarkers {
                throw PowerLossFailure("\(side)/\(file.path) is not whole", self)
            }
        }
    }

    mutating func comeToRest(from sides: [String]) throws {
        for _ in 0..<Self.maximumTries {
            var isAtRest = true
            for side in sides {
                try command("sync", in: side)
                let status = try status(side)
                guard status.invalid.isEmpty, status.duplicates.isEmpty else {
                    throw PowerLossFailure("there are invalid files or duplicates in \(side)", self)
                }
                for conflict in status.conflicts { try resolve(conflict, in: side) }
                isAtRest = isAtRest && status.clean
            }
            if isAtRest, files(sides[0]) == files(sides[1]) { return }
        }
        throw PowerLossFailure("the two sides do not come to rest", self)
    }

    private mutating func status(_ side: String) throws -> Status {
        let text = try command("status --json", in: side, isLogged: false)
        return try JSONDecoder().decode(Status.self, from: Data(text.utf8))
    }

    private mutating func resolve(_ conflict: Status.Conflict, in side: String) throws {
        events.note(.conflict)
        guard let file = files(side).first(where: { $0.path == conflict.path }), let key = file.key else {
            throw PowerLossFailure("\(conflict.path) is in conflict and not there", self)
        }
        for name in conflict.fields where !written.isForked(.init(todo: key, name: name)) {
            throw PowerLossFailure("\(key).\(name) is in conflict, and one user alone changed it", self)
        }
        try command("resolve --use \(random.chance(0.5) ? "local" : "remote") \(conflict.id)", in: side)
        let resolved = files(side).first { $0.key == key }
        for (name, values) in file.conflictingValues {
            let field = WrittenFields.Field(todo: key, name: name)
            written.chose(resolved?.value(of: name), of: values, in: field, by: side)
        }
        // If a side had deleted the todo, the conflict was about its path, too.
        let path = WrittenFields.Field(todo: key, name: TodoFileOfUser.pathName)
        if written.live(path).contains(nil) {
            written.chose(resolved?.path, of: written.live(path), in: path, by: side)
        }
    }

    mutating func check() throws {
        let todos = files(PowerLossFolders.sides[0])
        guard try folders.storedFiles() == todos else {
            throw PowerLossFailure("the store differs from the folders", self)
        }
        var byKey: [String: TodoFileOfUser] = [:]
        for todo in todos {
            guard let key = todo.fields?["key"], byKey.updateValue(todo, forKey: key) == nil else {
                throw PowerLossFailure("\(todo.path) is not whole, or there twice", self)
            }
        }
        for field in written.fields {
            let (value, live) = (byKey[field.todo]?.value(of: field.name), written.live(field))
            guard live.contains(value) else {
                let values = live.map { $0 ?? "gone" }.sorted()
                throw PowerLossFailure(
                    "\(field) is \(value ?? "gone"), and users last wrote \(values)", self)
            }
            guard written.needsNoConflict(field) else {
                throw PowerLossFailure("\(field) was changed by two users, and nobody was asked", self)
            }
        }
        for side in PowerLossFolders.sides {
            guard try command("fsck", in: side) == "all is well\n" else {
                throw PowerLossFailure("\(side) is damaged", self)
            }
        }
    }
}
