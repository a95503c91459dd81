internal import ArgumentParser

/// A subject that `todosync help` explains besides the commands.
///
/// Its text is a page of the documentation. The folder Pages, which is embedded in the program, has a link to
/// each of them.
enum HelpTopic: String, CaseIterable {
    case files, names, dates, filters, lists, recurrence, merging, conflicts, copies, undo, purging, git
    case configuration, environment
    case exitStatus = "exit-status"
    case handlers, json
    case statusForScripts = "status-for-scripts"
    case troubleshooting
    case comingFrom = "coming-from"
    case glossary, changelog, serving, postgresql, backups, retention, watching, `protocol`

    /// What the topic is about, in a few words.
    var summary: String {
        switch self {
        case .files: "the format of todo files"
        case .names: "how to name a todo in a command"
        case .dates: "dates as people type them"
        case .filters: "finding several todos at once"
        case .lists: "what list prints, for people and programs"
        case .recurrence: "todos that recur"
        case .merging: "how the changes of both sides are merged"
        case .conflicts: "conflicts, and how to resolve them"
        case .copies: "copies of files that other tools make"
        case .undo: "undoing what you did"
        case .purging: "removing done todos from a folder"
        case .git: "todos in a git repository"
        case .configuration: "settings of a folder and of a device"
        case .environment: "environment variables, and the decision log"
        case .exitStatus: "what a command's exit status means"
        case .handlers: "programs that resolve conflicts"
        case .json: "what --json prints, with the codes of errors"
        case .statusForScripts: "the lines of status --porcelain"
        case .troubleshooting: "what messages mean, and what to do"
        case .comingFrom: "for users of Taskwarrior, todo.txt or dstask"
        case .glossary: "the words of todosync"
        case .changelog: "what changed in each version"
        case .serving: "servers: keys, TLS, proxies, limits"
        case .postgresql: "stores in a PostgreSQL database"
        case .backups: "backups of a store"
        case .retention: "what a store remembers of each change"
        case .watching: "syncing whenever something changes"
        case .protocol: "what programs send to a server"
        }
    }

    /// The name of the page's file, without its extension.
    var pageName: String {
        switch self {
        case .exitStatus: "ExitStatuses"
        case .json: "JSON"
        case .postgresql: "PostgreSQL"
        case .retention: "WhatAStoreRemembers"
        case .watching: "WatchingAndWaiting"
        default: rawValue.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        }
    }

    /// The topic's page.
    var page: MarkdownPage { MarkdownPage(String(decoding: source, as: UTF8.self)) }

    private var source: [UInt8] {
        switch self {
        case .files: PackageResources.Files_md
        case .names: PackageResources.Names_md
        case .dates: PackageResources.Dates_md
        case .filters: PackageResources.Filters_md
        case .lists: PackageResources.Lists_md
        case .recurrence: PackageResources.Recurrence_md
        case .merging: PackageResources.Merging_md
        case .conflicts: PackageResources.Conflicts_md
        case .copies: PackageResources.Copies_md
        case .undo: PackageResources.Undo_md
        case .purging: PackageResources.Purging_md
        case .git: PackageResources.Git_md
        case .configuration: PackageResources.Configuration_md
        case .environment: PackageResources.Environment_md
        case .exitStatus: PackageResources.ExitStatuses_md
        case .handlers: PackageResources.Handlers_md
        case .json: PackageResources.JSON_md
        case .statusForScripts: PackageResources.StatusForScripts_md
        case .troubleshooting: PackageResources.Troubleshooting_md
        case .comingFrom: PackageResources.ComingFrom_md
        case .glossary: PackageResources.Glossary_md
        case .changelog: PackageResources.Changelog_md
        case .serving: PackageResources.Serving_md
        case .postgresql: PackageResources.PostgreSQL_md
        case .backups: PackageResources.Backups_md
        case .retention: PackageResources.WhatAStoreRemembers_md
        case .watching: PackageResources.WatchingAndWaiting_md
        case .protocol: PackageResources.Protocol_md
        }
    }

    /// Returns the topics that the topic's page links to, in the order of all topics.
    func related(in page: MarkdownPage) -> [HelpTopic] {
        let names = Set(page.links.compactMap(Self.pageName(ofLink:)))
        return Self.allCases.filter { $0 != self && names.contains($0.pageName[...]) }
    }

    /// Returns the name of the page that a link leads to; nil if it leads to anything else.
    static func pageName(ofLink target: Substring) -> Substring? {
        let path = target.prefix { $0 != "#" }
        guard path.hasSuffix(".md"), !path.hasPrefix("https:") else { return nil }
        return path.split(separator: "/").last?.dropLast(3)
    }
}

extension Interpreter {
    /// Returns the topic that `help TOPIC` asks for, with or without options before it; nil for other
    /// commands, and for the help of a command.
    ///
    /// - Throws: A ``Failure`` for a word that is neither a topic nor a command.
    func helpTopic(_ arguments: [String]) throws -> HelpTopic? {
        guard let index = arguments.firstIndex(of: "help"),
            arguments[..<index].allSatisfy({ $0.hasPrefix("-") }),
            let name = arguments[(index + 1)...].first(where: { !$0.hasPrefix("-") })
        else { return nil }
        if let topic = HelpTopic(rawValue: name.lowercased()) { return topic }
        if commandNames.contains(name) || OtherNames.aliases[name] != nil { return nil }
        // The singular of a topic, or its beginning.
        let meant = HelpTopic.allCases.filter { $0.rawValue.hasPrefix(name.lowercased()) }
        if meant.count == 1, name.count >= 3 { return meant[0] }
        if OtherNames.advice[name] != nil { try refuseUnknownCommand(in: [name]) }
        let words = HelpTopic.allCases.map(\.rawValue) + commandNames
        let near =
            meant.isEmpty ? [nearestWord(to: name, in: words)].compactMap(\.self) : meant.map(\.rawValue)
        let nearest =
            near.isEmpty
            ? ""
            : "did you mean \(near.map { "\"todosync help \($0)\"" }.joined(separator: " or "))? "
        throw Failure(
            .usage, "there is no help on '\(withoutKeys(visible(name)))'",
            hint: nearest + "run \"todosync help --all\" to list all commands and topics")
    }

    /// Prints a topic, paged at a terminal.
    func show(_ topic: HelpTopic, usesPager: Bool) throws {
        // Long lines are hard to read.
        let width = min(helpWidth, 100)
        let page = topic.page
        var text = "\(page.title)\n\n\(plainText(page, width: width))"
        let related = topic.related(in: page).map(\.rawValue)
        if !related.isEmpty {
            text += "\n" + wrapped("Related topics: " + related.joined(separator: ", "), width: width)
        }
        try process.page(Array(text.utf8), usesPager: usesPager)
    }
}
