package import LosslessYAML
internal import TodoModel

/// The settings in `.todosync/config.yaml`.
///
///     remote: /home/me/todos-store#todoitem
///     include: ["work/**"]
///     add:
///       capture: [context, estimate]
///     filters:
///       urgent: priority:high due<+3d
///     merge:
///       conflictStyle: diff3
///       fields: {estimate: max}
///       handler: ~/bin/resolve-todo
///       identity: [url, title]
///       labels: plain
///       remember: true
///     git:
///       home: main
///       forward: always
package struct Configuration: Sendable, Hashable {
    /// The remote's URL.
    package var remote: String?
    /// Patterns, in gitignore's language, of the files that can be todos; empty for all files.
    package var include: [String] = []
    /// `add.capture`: the names of more fields that the words of a new todo can set.
    package var capturedFields: [String] = []
    /// `filters`: the words of saved filters, by name.
    package var filters: [ByteKey: String] = [:]
    /// `merge.conflictStyle`; nil if not set.
    package var conflictStyle: String?
    /// `merge.identity`; nil if not set.
    package var identity: [String]?
    /// `merge.fields`: the name of each field's rule, for fields that both sides changed.
    package var fieldRules: [ByteKey: String] = [:]
    /// `merge.handler`: the shell command that resolves conflicts; nil if not set.
    package var handler: String?
    /// `merge.labels: plain`: whether conflict markers have no labels beyond their words.
    package var hasPlainLabels = false
    /// `merge.remember`: whether a conflict that was resolved before is resolved automatically in the same
    /// way.
    package var remember = false
    /// `git.home`: the branch that has the newest versions of the files; nil for the recorded branch.
    package var gitHome: String?
    /// The directory of a repository that has the folder in its worktree, but not in a `.git` above it.
    package var gitDirectory: String?
    /// What is wrong with ``gitDirectory`` if it isn't such a repository's.
    package var gitDirectoryProblem: Problem?
    /// `git.forward`: the treatment of todos that git rolled back to an older version.
    package var gitForward: Forwarding = .ask
    /// Whether the file is missing or empty.
    package internal(set) var isMissing = false

    /// The treatment of todos that git rolled back to an older version.
    package enum Forwarding: String, Sendable {
        /// Hold them until the user decides.
        case ask
        /// Restore their newest versions without asking.
        case always
        /// Leave the todos unchanged, and don't report them as something to do.
        case never
    }

    package init(remote: String? = nil, include: [String] = []) {
        self.remote = remote
        self.include = include
    }

    /// The text of a new `config.yaml`.
    var text: [UInt8] {
        var fields = Mapping()
        fields["remote"] = remote.map(Value.string)
        if !include.isEmpty { fields["include"] = .list(include.map(Value.string)) }
        return fields.isEmpty ? [] : emit(fields)
    }

    /// The reason why a configuration is invalid, with its position.
    package struct Problem: Error, Sendable, Hashable {
        package let line: Int
        package let column: Int
        /// The reason, as a phrase for a message.
        package let reason: String
    }

    /// Parses a configuration; text that is empty or has only comments sets nothing.
    package init(parsing bytes: [UInt8]) throws(Problem) {
        let document: Document
        do {
            document = try Document(parsing: bytes)
        } catch {
            if error.reason == .noMapping, Self.isBlank(bytes) {
                isMissing = bytes.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
                return
            }
            throw Problem(line: error.line, column: error.column, reason: "\(error)")
        }
        for (key, value) in document.fields.entries where value != .null {
            // Accept `merge.labels: plain` as well as `merge: {labels: plain}`.
            var settings = [(key, value)]
            if ["add", "merge", "git"].contains(key), case .mapping(let group) = value {
                settings = group.entries.map { ("\(key).\($0.key)", $0.value) }
            }
            for (name, value) in settings { try set(name, value, key, document) }
        }
    }

    /// Sets a value.
    ///
    /// - Parameters:
    ///   - name: The setting's full name.
    ///   - key: The top-level key that contains the setting.
    private mutating func set(
        _ name: String, _ value: Value, _ key: String, _ document: Document
    ) throws(Problem) {
        switch (name, value) {
        case ("remote", .string(let url)): remote = url
        case ("remote", _): throw Problem(key, "remote must be a URL, as a non-empty string", document)
        case ("include", .string(let pattern)): include = [pattern]
        case ("include", .list(let list)):
            include = list.compactMap { if case .string(let pattern) = $0 { pattern } else { nil } }
            if include.count != list.count {
                throw Problem(key, "include must be a pattern or a list of patterns", document)
            }
        case ("include", _): throw Problem(key, "include must be a pattern or a list of patterns", document)
        case ("add.capture", .list(let list)):
            capturedFields = list.compactMap { if case .string(let name) = $0 { name } else { nil } }
            if capturedFields.count != list.count {
                throw Problem(key, "add.capture must be a list of fields", document)
            }
        case ("add.capture", _): throw Problem(key, "add.capture must be a list of fields", document)
        case ("filters", let value):
            guard let filters = Self.filters(value) else {
                throw Problem(key, Self.filtersRule, document)
            }
            self.filters = filters
        case ("merge.conflictStyle", _): try setConflictStyle(value, key, document)
        case ("merge.fields", _): try setFieldRules(value, key, document)
        case ("merge.handler", .string(let command)) where !command.isEmpty: handler = command
        case ("merge.handler", _):
            throw Problem(key, "merge.handler must be a shell command, as a non-empty string", document)
        case ("merge.identity", _): try setIdentity(value, key, document)
        case ("merge.labels", _): try setLabels(value, key, document)
        case ("merge.remember", _): try setRemember(value, key, document)
        case ("git.dir", .string(let directory)) where directory.hasPrefix("/"):
            gitDirectory = directory
            gitDirectoryProblem = Problem(
                key, "git.dir is not a git repository that has this folder in its worktree", document)
        case ("git.dir", _): throw Problem(key, "git.dir must be an absolute path", document)
        case ("git.home", .string(let branch)) where !branch.isEmpty: gitHome = branch
        case ("git.home", _): throw Problem(key, "git.home must be the name of a branch", document)
        case ("git.forward", _): try setForwarding(value, key, document)
        default: throw Problem(key, "unknown setting \(name)", document)
        }
    }

    /// The message for filters that aren't a mapping of strings.
    package static let filtersRule =
        "each entry of filters must be a name and a filter as a string, such as urgent: \"priority:high\""

    /// Returns saved filters by name; nil if the value isn't a mapping of strings.
    package static func filters(_ value: Value) -> [ByteKey: String]? {
        guard case .mapping(let mapping) = value else { return nil }
        var filters: [ByteKey: String] = [:]
        for (name, value) in mapping.entries {
            guard case .string(let words) = value else { return nil }
            filters[ByteKey(name)] = words
        }
        return filters
    }

    private mutating func setConflictStyle(
        _ value: Value, _ key: String, _ document: Document
    ) throws(Problem) {
        let rule = #"merge.conflictStyle must be "merge", "diff3" or "zdiff3""#
        guard case .string(let style) = value else { throw Problem(key, rule, document) }
        guard ["merge", "diff3", "zdiff3"].contains(style) else {
            throw Problem(key, "\(rule), not \(style)", document)
        }
        conflictStyle = style
    }

    private mutating func setLabels(_ value: Value, _ key: String, _ document: Document) throws(Problem) {
        switch value {
        case .string("plain"): hasPlainLabels = true
        case .string("origin"): hasPlainLabels = false
        default: throw Problem(key, #"merge.labels must be "origin" or "plain""#, document)
        }
    }

    private mutating func setFieldRules(
        _ value: Value, _ key: String, _ document: Document
    ) throws(Problem) {
        guard case .mapping(let rules) = value else {
            throw Problem(key, "merge.fields must be a mapping from fields to their rules", document)
        }
        for (field, rule) in rules.entries {
            guard case .string(let name) = rule, ["local", "remote", "union", "max", "min"].contains(name)
            else {
                throw Problem(
                    key, "the rule of \(field) in merge.fields must be local, remote, union, max or min",
                    document)
            }
            guard field != FieldName.id, !FieldName.isReserved(field) else {
                throw Problem(key, "merge.fields can't have a rule for \(field)", document)
            }
            fieldRules[ByteKey(field)] = name
        }
    }

    private mutating func setIdentity(_ value: Value, _ key: String, _ document: Document) throws(Problem) {
        switch value {
        case .string(let name): identity = [name]
        case .list(let list):
            let names = list.compactMap { if case .string(let name) = $0 { name } else { nil } }
            guard names.count == list.count else {
                throw Problem(key, "merge.identity must be a field's name or a list of names", document)
            }
            identity = names
        default: throw Problem(key, "merge.identity must be a field's name or a list of names", document)
        }
    }

    private mutating func setRemember(_ value: Value, _ key: String, _ document: Document) throws(Problem) {
        guard case .bool(let isWanted) = value else {
            throw Problem(key, "merge.remember must be true or false", document)
        }
        remember = isWanted
    }

    private mutating func setForwarding(
        _ value: Value, _ key: String, _ document: Document
    ) throws(Problem) {
        guard case .string(let name) = value, let forwarding = Forwarding(rawValue: name) else {
            throw Problem(key, #"git.forward must be "ask", "always" or "never""#, document)
        }
        gitForward = forwarding
    }

    /// Returns whether a file has only blank lines and comments.
    private static func isBlank(_ bytes: [UInt8]) -> Bool {
        bytes.split(separator: UInt8(ascii: "\n")).allSatisfy { line in
            let text = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }
            return text.isEmpty || text.first == UInt8(ascii: "#")
        }
    }

    /// Returns a configuration's text with the remote's URL set or removed and everything else unchanged.
    ///
    /// If nothing else is set, the text explicitly sets no remote, because an empty file would count as lost.
    static func text(_ bytes: [UInt8]?, settingRemote url: String?) -> [UInt8] {
        let remote: Mapping = url.map { ["remote": .string($0)] } ?? [:]
        guard let bytes, !isBlank(bytes), let document = try? Document(parsing: bytes) else {
            return (bytes ?? []) + (remote.isEmpty ? [] : emit(remote))
        }
        var fields = document.fields
        fields["remote"] = url.map(Value.string)
        if fields.isEmpty { fields["remote"] = .null }
        return document.updated(to: fields)
    }
}

extension Configuration.Problem {
    fileprivate init(_ key: String, _ reason: String, _ document: Document) {
        var offset = 0
        if case .mapping(_, let entries) = document.root.shape {
            offset = entries.first { $0.key.isSameBytes(as: key) }?.keyRange.lowerBound ?? 0
        }
        let position = document.position(ofByte: offset)
        self.init(line: position.line, column: position.column, reason: reason)
    }
}
