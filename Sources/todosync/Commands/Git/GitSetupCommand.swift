internal import ArgumentParser
internal import Git
internal import SyncEngine

/// The command `todosync git-setup`.
struct GitSetupCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "git-setup",
        abstract: "Make git merge todos field by field.",
        usage: "todosync git-setup [--yes] [--undo] [--json]",
        discussion: """
            Example: todosync git-setup

            Shows what it will write, asks, and writes it: lines in the todo folder's .gitattributes that make \
            todosync merge the files that can be todos, and the merge command in this clone's git configuration \
            (merge.todosync.driver). Then "git merge", "git rebase", "git cherry-pick", "git revert" and "git \
            stash pop" merge todos as todosync does; see "todosync merge-file --help".

            Commit .gitattributes, so that everybody has it. git does not copy its configuration into a clone, \
            so run this command once in each clone; until then, git merges line by line there. All worktrees of \
            a clone share its configuration.

            Run the command again if include in .todosync/config.yaml has changed, or if todosync has moved and \
            is not in the PATH. --undo removes what it wrote, and nothing else. With --json, it does not ask, so add \
            --yes.

            Exit status: 0 done, 1 you answered no, 64 the folder is not in a git repository, or there is no \
            terminal and no --yes, 74 git or the file system refuses the change, 78 git is not installed, or \
            merge.todosync.driver is already set to a different command, which stays.
            """)

    @Flag(help: "Write or remove without asking.")
    var yes = false

    @Flag(help: "Remove what the command wrote.")
    var undo = false

    @OptionGroup var json: JSONOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace()
        guard let use = try MergeDriverUse(workspace) else {
            throw Failure(
                .usage, "\(visible(workspace.root)) is not in a git repository",
                hint: "run \"git init\" first; a folder with .jj doesn't count, because jj merges by itself")
        }
        let setup = try GitSetup(
            use, folder: workspace.root, program: undo ? nil : GitSetup.program(session.process))
        if let command = setup.foreignCommand {
            guard undo else {
                throw Failure(
                    .configuration,
                    "\(MergeDriver.commandKey) is set to a different command: \(visible(command)); nothing was written",
                    hint: "if git no longer needs that command, run \"git config --unset-all "
                        + "\(MergeDriver.commandKey)\", and try again")
            }
            session.warn([
                "warning: \(MergeDriver.commandKey) is not removed, because it is set to a different command: "
                    + visible(command)
            ])
        }
        if setup.changes.isEmpty {
            if !json.isWanted { try session.print("nothing to \(undo ? "remove" : "write")\n") }
        } else {
            if !json.isWanted {
                try session.print(setup.words(session.style(in: workspace), isUndo: undo))
            }
            guard try isConfirmed(session) else {
                throw Failure(declined: "nothing was \(undo ? "removed" : "written")")
            }
            try setup.apply()
        }
        let exceptions = undo ? [] : (try? use.exceptions()) ?? []
        if json.isWanted {
            try session.show(json: todosync.json(setup, exceptions))
        } else {
            warn(about: exceptions, session)
        }
        return .done
    }

    private func isConfirmed(_ session: Session) throws -> Bool {
        if yes { return true }
        guard !json.isWanted, let terminal = Terminal(session.process) else {
            throw Failure(
                .usage,
                "can't ask for confirmation without a terminal; nothing was \(undo ? "removed" : "written")",
                hint: "run \"todosync git-setup\(undo ? " --undo" : "") --yes\"")
        }
        return terminal.confirms(undo ? "remove this? [Y/n] " : "write this? [Y/n] ")
    }

    /// Warns about todos that other attributes assign to a different merge driver.
    private func warn(about exceptions: [(path: String, driver: String)], _ session: Session) {
        guard let first = exceptions.first else { return }
        session.warn([
            "warning: other attributes keep git from merging \(counted(exceptions.count, "todo")) with todosync, "
                + "such as \(visible(first.path)) (merge: \(visible(first.driver)))",
            "hint: they are in another .gitattributes or in info/attributes of the repository",
        ])
    }
}

extension GitSetup {
    /// Returns what the command writes or removes, as human-readable text.
    fileprivate func words(_ style: Style, isUndo: Bool) -> String {
        var sections: [String] = []
        var settings: [String] = []
        for change in changes {
            switch change {
            case .attributes(let lines, _):
                let title =
                    isUndo ? "lines to remove" : "lines to add; commit them, so that everybody has them"
                sections.append(section("\(style.path(".gitattributes")): \(title)", lines.map(visible)))
            case .setting(let key, let value):
                settings.append(value.map { "\(key) = \(visible($0))" } ?? key)
            }
        }
        if !settings.isEmpty {
            sections.append(
                section(
                    "git's configuration of this clone: \(isUndo ? "keys to remove" : "values to set")",
                    settings))
        }
        return sections.joined()
    }

    private func section(_ title: String, _ lines: [String]) -> String {
        title + "\n" + lines.map { "  \($0)\n" }.joined()
    }
}
