internal import LosslessYAML
internal import TodoModel
internal import Values
internal import WorkingCopy

// Finds todos by the names and words that people remember, ignoring case and Unicode form.

extension Selection {
    /// Returns the match for a prefix of a file's name, or for words in a text; nil if nothing matches, or if
    /// texts aren't searched.
    ///
    /// Names of files are searched before texts. In each search, todos without a file count only if no others
    /// match, because most of them were deleted. Purged todos come last.
    func searchMatch(_ name: String) throws -> Match? {
        let words = name.split(whereSeparator: \.isWhitespace).map { SearchForm($0) }
        guard snapshot.searchesTexts, !words.isEmpty else { return nil }
        let searches: [(NameKind, () -> [Named])] = [
            (.fileName, { named(byFileName: name, among: filePaths).compactMap(file(at:)) }),
            (.fileName, { named(byFileName: name, in: absentIDs) }),
            (.words, { named(by: words) }),
            (.words, { named(by: words, in: absentIDs) }),
            (.fileName, { named(byFileName: name, in: purgedIDs) }),
            (.words, { named(by: words, in: purgedIDs) }),
        ]
        for (kind, search) in searches {
            let found = search()
            let preferred = found.count > 1 ? found.filter { isOpen($0) != prefersDone } : found
            if found.count > 1, preferred.count != 1 { throw ambiguous(name, found) }
            if let named = preferred.first { return Match(named: named, kind: kind) }
        }
        return nil
    }

    /// Returns the open occurrence in the series of a done one; nil unless the folder has exactly one.
    ///
    /// The files of a series have the same name, apart from the day at its end.
    func openOccurrence(after named: Named) -> Named? {
        guard followsSeries, case .todo(let done) = named, let file = snapshot.folder.todos[done],
            file.todo.isComplete, file.todo.recurrence != nil
        else { return nil }
        let stem = Occurrences.stem(of: file.path)
        let open = self.named(byFileName: stem + "-", among: snapshot.folder.todos.paths).filter { path in
            guard Occurrences.stem(of: path) == stem, let id = snapshot.folder.id(at: path),
                let todo = snapshot.folder.todos[id]?.todo
            else { return false }
            return !todo.isComplete && todo.recurrence != nil
        }
        return open.count == 1 ? self.file(at: open[0]) : nil
    }

    private func isOpen(_ named: Named) -> Bool {
        let bytes: [UInt8]? =
            switch named {
            case .todo(let id): TodoNames.newestBytes(of: id, in: snapshot)
            case .new(let file): file.bytes
            case .invalid, .duplicate: nil
            }
        return bytes?.areOpenTodo ?? true
    }

    // MARK: Files' names

    /// The paths of all files that are todos or meant to be.
    private var filePaths: [String] {
        let folder = snapshot.folder
        return folder.todos.paths + folder.newTodos.map(\.path) + folder.conflicted.values.map(\.path)
            + folder.invalid.map(\.path)
    }

    /// Returns the paths of files whose names begin with a name, which can include a folder.
    private func named(byFileName name: String, among paths: [String]) -> [String] {
        let prefix = SearchForm(name).bytes
        let slash = UInt8(ascii: "/")
        let depth = prefix.count { $0 == slash }
        let found = paths.filter { path in
            var rest = SearchForm(path).bytes[...]
            let surplus = depth == 0 ? rest.count { $0 == slash } : 0
            for _ in 0..<surplus { rest = rest.drop { $0 != slash }.dropFirst() }
            return rest.starts(with: prefix) && !rest.dropFirst(prefix.count).contains(slash)
        }
        return Set(found.map { ByteKey($0) }).map(\.string)
    }

    private func named(byFileName name: String, in ids: [TodoID]) -> [Named] {
        ids.filter { id in
            let path = snapshot.tracked.todos[id]?.formerPath
            return path.map { !named(byFileName: name, among: [$0]).isEmpty } ?? false
        }.map(Named.todo)
    }

    // MARK: Texts

    private func named(by words: [SearchForm]) -> [Named] {
        let folder = snapshot.folder
        let unchanged = folder.todos.unchanged.map { id, _, bytes in
            Self.isFound(words, in: bytes) ? id : nil
        }.compactMap(\.self)
        let conflicted = folder.conflicted.keys.filter { id in
            Self.isFound(words, in: TodoNames.newestBytes(of: id, in: snapshot))
        }
        let loaded = folder.todos.loaded.filter { Self.isFound(words, in: $0.value.bytes) }
        let new = folder.newTodos.filter { Self.isFound(words, in: $0.bytes) }
        return Set(unchanged).union(conflicted).union(loaded.keys).map(Named.todo) + new.map(Named.new)
    }

    private func named(by words: [SearchForm], in ids: [TodoID]) -> [Named] {
        ids.filter { Self.isFound(words, in: TodoNames.newestBytes(of: $0, in: snapshot)) }.map(Named.todo)
    }

    /// Returns whether a todo's field `text` contains all the words.
    private static func isFound(_ words: [SearchForm], in bytes: [UInt8]?) -> Bool {
        guard let text = bytes.flatMap(TodoNames.text) else { return false }
        let form = SearchForm(text)
        return words.allSatisfy(form.contains)
    }
}
