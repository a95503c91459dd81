import Foundation

/// A todo's file as the users of these tests write it: a line for each field.
struct TodoFileOfUser: Equatable {
    static let pathName = "path"
    /// The fields that users change.
    static let names = ["text", "one", "two", "three"]

    var path: String
    var text: String

    /// The fields, if the file has all of them and nothing else.
    var fields: [String: String]? {
        var fields: [String: String] = [:]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            let words = line.split(separator: " ")
            guard words.count == 2, words[0].last == ":" else { return nil }
            guard fields.updateValue(String(words[1]), forKey: String(words[0].dropLast())) == nil else {
                return nil
            }
        }
        guard text.last == "\n", Set(fields.keys).subtracting(["id"]) == Set(Self.names + ["key"]) else {
            return nil
        }
        return fields
    }

    /// The key that identifies the todo, even in a file with markers.
    var key: String? {
        text.split(separator: "\n").first { $0.hasPrefix("key: ") }.map { String($0.dropFirst(5)) }
    }

    var hasMarkers: Bool { text.contains("<<<<<<< local") && text.contains(">>>>>>> remote") }

    /// The values of each conflicting field on the two sides of its block.
    var conflictingValues: [String: Set<String?>] {
        var values: [String: [String?]] = [:]
        var side: Int?
        for line in text.split(separator: "\n") {
            if line.hasPrefix("<<<<<<<") { side = 0 }
            if line.hasPrefix("=======") { side = 1 }
            if line.hasPrefix(">>>>>>>") { side = nil }
            let words = line.split(separator: " ")
            guard let side, words.count == 2, words[0].last == ":" else { continue }
            values[String(words[0].dropLast()), default: [nil, nil]][side] = String(words[1])
        }
        return values.mapValues { Set($0) }
    }

    /// Returns a field's value; the path counts as a field.
    func value(of name: String) -> String? { name == Self.pathName ? path : fields?[name] }

    /// Returns the file with another value in a field's line.
    func setting(_ name: String, to value: String) -> TodoFileOfUser {
        let lines = text.split(separator: "\n").map { $0.hasPrefix("\(name): ") ? "\(name): \(value)" : $0 }
        return TodoFileOfUser(path: path, text: lines.joined(separator: "\n") + "\n")
    }

    /// Returns the files in a folder, without hidden ones.
    static func all(in folder: String) -> [TodoFileOfUser] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") && !$0.contains("/.") }.sorted().map
        {
            let bytes = FileManager.default.contents(atPath: folder + "/" + $0) ?? Data()
            return TodoFileOfUser(path: $0, text: String(decoding: bytes, as: UTF8.self))
        }
    }
}
