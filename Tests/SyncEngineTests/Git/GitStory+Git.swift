import SyncEngine
import TestSupport

extension GitStory {
    /// Runs git, reports it, and notes the values that git removed from files.
    @discardableResult
    mutating func run(_ machine: StoryMachine, _ words: [String], editing script: String = "true") throws
        -> Bool
    {
        let before = machine.fields
        let (status, output) = try machine.git(words, editing: script)
        noteTaken(machine, words, before)
        let line = output.split(separator: "\n").first { !$0.hasPrefix("hint:") } ?? ""
        record("\(machine.name): git \(words.joined(separator: " ")): \(status) \(status == 0 ? "" : line)")
        let fields = machine.fields
        for (todo, values) in machine.unsent {
            machine.unsent[todo] = values.filter { fields[todo]?[$0.key] == $0.value }
        }
        return status == 0
    }

    /// Notes the values that git took out of files other than by checking out a commit, and those that it put
    /// in their place.
    private mutating func noteTaken(
        _ machine: StoryMachine, _ words: [String], _ before: [String: StoryFields]
    ) {
        let takes = ["stash", "reset", "restore"].contains(words[0]) || words.last == "."
        for (todo, fields) in machine.fields {
            for (field, value) in fields {
                if let taken = machine.taken[todo]?[field] {
                    guard value != before[todo]?[field] else { continue }
                    model.write(todo, field, value, over: [], taken: taken)
                } else if takes, let old = before[todo]?[field], value != old {
                    machine.taken[todo, default: [:]][field] = old
                }
            }
        }
    }

    /// Uses git in a way that moves HEAD, changes files, or both.
    mutating func useGit(_ machine: StoryMachine) async throws {
        if machine.isBusy, random.chance(0.6) { return try finish(machine) }
        if machine.folder.exists(".git/BISECT_LOG"), random.chance(0.5) {
            try run(machine, ["bisect", "reset"])
            return
        }
        if try !machine.lines("stash", "list").isEmpty, random.chance(0.3) {
            if try run(machine, ["stash", "pop", "-q"]) { events.note(.pop) }
            return try resolve(machine)
        }
        switch Int.random(in: 0..<35, using: &random) {
        case 0..<5: try commit(machine)
        case 5:
            if try run(machine, ["commit", "-q", "-a", "--amend", "--no-edit"]) { events.note(.amend) }
            try noteCommit(machine)
        case 6..<12: try checkout(machine)
        case 12:
            if try run(machine, ["checkout", "-q", "."]) { events.note(.checkoutDot) }
        case 13, 14: try stash(machine)
        case 15..<18: try reset(machine)
        case 18..<21: try merge(machine)
        case 21, 22: try rebase(machine)
        case 23, 24: try pick(machine)
        case 25: try bisect(machine)
        case 26: try await addWorktree(machine)
        case 27: try clean(machine)
        case 28..<31: try changeFile(machine)
        case 31: try changeBranches(machine)
        default: try share(machine)
        }
    }

    // MARK: Commits

    mutating func commit(_ machine: StoryMachine) throws {
        guard !machine.isBusy || machine.habit == .gitFirst else { return }
        try machine.git("add", "-A", "--", ":(glob)**/*.yaml", "code.txt")
        if try run(machine, ["commit", "-q", "-a", "-m", "\(machine.name)'s"]) { events.note(.commit) }
        try noteCommit(machine)
    }

    /// Notes the todos that HEAD's commit removed.
    private mutating func noteCommit(_ machine: StoryMachine) throws {
        for path in try machine.lines(
            "diff", "--name-only", "--no-renames", "--diff-filter=D", "HEAD~1", "HEAD")
        {
            let name = path.split(separator: "/").last ?? ""
            guard name.hasSuffix(".yaml") else { continue }
            let todo = String(name.dropLast(5).split(separator: "-")[0])
            if try machine.committedTexts()[todo] == nil { model.deleteInCommit(todo) }
        }
    }

    /// Pulls from the hub, and pushes to it.
    mutating func share(_ machine: StoryMachine) throws {
        guard try machine.branch == machine.home, !machine.isBusy else { return }
        let pulls = [
            ["--ff-only"], ["--no-rebase", "--no-edit"], ["--rebase"], ["--rebase", "--autostash"],
        ]
        let options = pulls.randomElement(using: &random) ?? []
        if try run(machine, ["pull", "-q"] + options + ["origin", "main"]) {
            events.note(
                options[0] == "--ff-only"
                    ? .pullFastForward : options[0] == "--rebase" ? .pullRebase : .pullMerge)
        }
        if machine.isBusy {
            try noteConflict(machine)
            if machine.habit == .gitFirst || random.chance(0.6) { try finish(machine) }
        }
        try resolve(machine)
        if !machine.isBusy, machine.habit == .gitFirst || random.chance(0.6) {
            try run(machine, ["push", "-q", "origin", "HEAD:main"])
        }
    }

    // MARK: Other branches and commits

    private mutating func otherBranch(_ machine: StoryMachine) throws -> String? {
        let current = try machine.branch
        return try machine.lines("branch", "--format=%(refname:short)").filter {
            $0 != current && !$0.hasPrefix("(")
        }.randomElement(using: &random)
    }

    private mutating func someCommit(_ machine: StoryMachine) throws -> String? {
        try machine.lines("rev-list", "--all", "-n", "12").randomElement(using: &random).map {
            String($0.prefix(10))
        }
    }

    private mutating func checkout(_ machine: StoryMachine) throws {
        if random.chance(0.4) { try commit(machine) }
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1:
            let name = "b\(Int.random(in: 1...5, using: &random))"
            if try run(machine, ["checkout", "-q", "-b", name]) { events.note(.branch) }
        case 2:
            guard let commit = try someCommit(machine) else { return }
            if try run(machine, ["checkout", "-q", commit]) { events.note(.checkoutCommit) }
        case 3:
            if try run(machine, ["checkout", "-q", machine.home]) { events.note(.checkout) }
        default:
            guard let branch = try otherBranch(machine) else { return }
            if try run(machine, ["checkout", "-q", branch]) { events.note(.checkout) }
        }
    }

    private mutating func changeBranches(_ machine: StoryMachine) throws {
        if random.chance(0.5), let branch = try otherBranch(machine), branch != machine.home {
            if try run(machine, ["branch", "-q", "-D", branch]) { events.note(.deleteBranch) }
        } else if let branch = try machine.branch {
            let name = branch == "main" ? "trunk" : branch + "x"
            guard try run(machine, ["branch", "-m", name]) else { return }
            if branch == machine.home { machine.home = name }
            events.note(.renameBranch)
        }
    }

    private mutating func bisect(_ machine: StoryMachine) throws {
        guard !machine.isBusy, let good = try machine.lines("rev-list", "HEAD").last else { return }
        try run(machine, ["bisect", "start", "-q"])
        try run(machine, ["bisect", "bad", "HEAD"])
        if try run(machine, ["bisect", "good", String(good.prefix(10))]) { events.note(.bisect) }
    }

    // MARK: Stashes and resets

    @discardableResult
    private mutating func stash(_ machine: StoryMachine) throws -> Bool {
        // Git can't pop a file that it stashed as untracked and then restored from the commit.
        let hasRemoved = try !machine.lines("diff", "--cached", "--name-only", "--diff-filter=D").isEmpty
        let isUntracked = random.chance(0.5) && !hasRemoved
        let count = try machine.lines("stash", "list").count
        guard try run(machine, ["stash", "push", "-q"] + (isUntracked ? ["-u"] : [])),
            try machine.lines("stash", "list").count > count
        else { return false }
        events.note(isUntracked ? .stashUntracked : .stash)
        return true
    }

    private mutating func reset(_ machine: StoryMachine) throws {
        let commit = random.chance(0.5) ? "HEAD" : "HEAD~1"
        let isHard = random.chance(0.7)
        // A hard reset deletes a todo that was staged but never committed.
        let staged = try machine.lines("diff", "--cached", "--name-only", "--diff-filter=A").filter {
            try machine.lines("rev-list", "-1", "--all", "--reflog", "--", $0).isEmpty
        }
        let before = machine.files
        guard try run(machine, ["reset", "-q", isHard ? "--hard" : "--soft", commit]) else { return }
        events.note(isHard ? .resetHard : .resetSoft)
        guard isHard else { return }
        for (todo, file) in before where staged.contains(file.path) && machine.files[todo] == nil {
            model.delete(todo, at: machine.name)
        }
    }

    private mutating func clean(_ machine: StoryMachine) throws {
        let before = machine.files
        guard try run(machine, ["clean", "-q", "-fd"]) else { return }
        events.note(.clean)
        for (todo, file) in before where machine.files[todo] == nil {
            if try !machine.isInHistory(file.path) {
                machine.cleaned.insert(todo)
            } else if try machine.git("cat-file", "-e", "HEAD:" + file.path).status == 0 {
                // Removing a file from the index and then cleaning does what `git rm` does.
                model.delete(todo, at: machine.name)
            }
        }
    }

    // MARK: Merges

    private mutating func merge(_ machine: StoryMachine) throws {
        if random.chance(0.5) { try commit(machine) }
        guard !machine.isBusy, let branch = try otherBranch(machine) else { return }
        let kinds = [["--no-edit"], ["--no-edit", "--no-ff"], ["--no-edit", "--autostash"], ["--squash"]]
        let options = kinds.randomElement(using: &random) ?? []
        if try run(machine, ["merge", "-q"] + options + [branch]) {
            events.note(options.contains("--autostash") ? .autostash : .merge)
        }
        try leave(machine)
    }

    private mutating func rebase(_ machine: StoryMachine) throws {
        guard !machine.isBusy else { return }
        if random.chance(0.5) { try commit(machine) }
        if random.chance(0.4) {
            guard try run(machine, ["rebase", "-i", "HEAD~1"], editing: "sed -i s/^pick/edit/") else {
                return
            }
            events.note(.rebaseStop)
        } else if let branch = try otherBranch(machine) {
            let options = random.chance(0.3) ? ["--autostash"] : []
            if try run(machine, ["rebase", "-q"] + options + [branch]) { events.note(.rebase) }
        }
        try leave(machine)
    }

    private mutating func pick(_ machine: StoryMachine) throws {
        if random.chance(0.5) { try commit(machine) }
        guard !machine.isBusy, let commit = try someCommit(machine) else { return }
        let before = machine.fields
        if random.chance(0.5) {
            if try run(machine, ["cherry-pick", commit]) { events.note(.cherryPick) }
        } else {
            let commit = random.chance(0.6) ? "HEAD" : commit
            if try run(machine, ["revert", "--no-edit", commit]) { events.note(.revert) }
        }
        if !machine.isBusy {
            // Picking or reverting a commit counts as writing its values.
            note(before, at: machine)
            try noteCommit(machine)
        }
        try leave(machine)
    }

    /// Leaves git in the middle of an operation, or finishes it.
    private mutating func leave(_ machine: StoryMachine) throws {
        if machine.isBusy {
            try noteConflict(machine)
            if random.chance(0.4) { try finish(machine) }
        } else {
            try resolve(machine)
        }
    }

    /// Notes that git stopped in the middle of an operation.
    private mutating func noteConflict(_ machine: StoryMachine) throws {
        events.note(.mergeConflict)
        let isRebase = machine.folder.exists(".git/rebase-merge")
        if try isRebase && !machine.lines("ls-files", "-u").isEmpty { events.note(.rebaseConflict) }
    }

    /// Aborts git's operation, or continues it until it is done.
    private mutating func finish(_ machine: StoryMachine) throws {
        let aborts = random.chance(0.35) && machine.habit != .gitFirst
        for _ in 0..<6 where machine.isBusy {
            if aborts, try abort(machine) { return }
            try takeSides(machine)
            if machine.folder.exists(".git/rebase-merge") || machine.folder.exists(".git/rebase-apply") {
                if try !run(machine, ["rebase", "--continue"]), try machine.lines("ls-files", "-u").isEmpty {
                    try run(machine, ["rebase", "--skip"])
                }
            } else if machine.folder.exists(".git/CHERRY_PICK_HEAD") {
                if try !run(machine, ["cherry-pick", "--continue"]) {
                    try run(machine, ["cherry-pick", "--skip"])
                }
            } else if machine.folder.exists(".git/REVERT_HEAD") {
                if try !run(machine, ["revert", "--continue"]) { try run(machine, ["revert", "--skip"]) }
            } else {
                try run(machine, ["commit", "-q", "--no-edit", "--allow-empty"])
            }
            try noteCommit(machine)
        }
        if machine.isBusy { _ = try abort(machine) }
        try resolve(machine)
    }

    private mutating func abort(_ machine: StoryMachine) throws -> Bool {
        for (file, command) in [
            ("rebase-merge", "rebase"), ("rebase-apply", "rebase"), ("CHERRY_PICK_HEAD", "cherry-pick"),
            ("REVERT_HEAD", "revert"), ("MERGE_HEAD", "merge"),
        ] where machine.folder.exists(".git/" + file) {
            if try !run(machine, [command, "--abort"]) {
                if command == "merge" { try run(machine, ["merge", "--quit"]) }
                // A rebase's failed autostash, or a file in the way, keeps git from aborting.
                if command == "rebase" {
                    try machine.folder.remove(".git/" + file)
                } else if command != "merge" {
                    try run(machine, [command, "--quit"])
                }
            }
        }
        for file in ["SQUASH_MSG", "MERGE_AUTOSTASH"] where machine.folder.exists(".git/" + file) {
            if try !machine.lines("ls-files", "-u").isEmpty { try takeSides(machine) }
            try machine.folder.remove(".git/" + file)
        }
        return !machine.isBusy
    }

    /// Resolves the conflicts that a stash left without an operation in progress.
    private mutating func resolve(_ machine: StoryMachine) throws {
        guard !machine.isBusy, try !machine.lines("ls-files", "-u").isEmpty else { return }
        try takeSides(machine)
        try machine.git("reset", "-q")
    }

    /// Takes one side of each of git's conflicts, by a user who has seen both.
    private mutating func takeSides(_ machine: StoryMachine) throws {
        let paths = try machine.lines("diff", "--name-only", "--diff-filter=U")
        guard !paths.isEmpty else { return }
        for path in paths {
            let sides = try [1, 2, 3].map { try machine.git("show", ":\($0):\(path)") }
            let side = random.chance(0.5) ? "--ours" : "--theirs"
            let isThere = try machine.git("checkout", side, "--", path).status == 0
            try machine.git(isThere ? ["add", "--", path] : ["rm", "-q", "-f", "--", path])
            let name = path.split(separator: "/").last ?? ""
            if name.hasSuffix(".yaml") {
                let todo = String(name.dropLast(5).split(separator: "-")[0])
                // That side can be a different todo's text, if git mistook it for a renamed file.
                if machine.files[todo] == nil {
                    model.delete(todo, at: machine.name)
                    model.deleteInCommit(todo)
                }
            }
            record("\(machine.name): takes \(side) of \(path)")
            for text in sides where text.status == 0 {
                guard let todo = StoryMachine.id(in: text.output) else { continue }
                for (field, old) in StoryMachine.fields(in: text.output) {
                    guard let value = machine.fields[todo]?[field] else { continue }
                    model.write(todo, field, value, over: [old])
                }
            }
        }
        machine.unsent = [:]
    }

    // MARK: Single files and worktrees

    private mutating func changeFile(_ machine: StoryMachine) throws {
        guard let todo = randomTodo(machine), let file = machine.files[todo] else { return }
        let before = machine.fields
        var event: StoryEvent?
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            guard machine.files.count > 1, try run(machine, ["rm", "-q", "-f", file.path]) else { return }
            event = .gitRemove
            model.deleteInCommit(todo)
        case 1:
            guard try run(machine, ["rm", "-q", "--cached", file.path]) else { return }
            event = .removeCached
        case 2:
            let target = file.path.contains("-m") ? "\(todo).yaml" : "\(todo)-m.yaml"
            guard try run(machine, ["mv", file.path, machine.prefix + target]) else { return }
            event = .move
        case 3:
            // Restoring a file from a commit other than HEAD counts as writing its text.
            guard try run(machine, ["restore", "--source=HEAD~1", file.path]) else { return }
            event = .restoreFile
        case 4:
            if try run(machine, ["restore", "--staged", "--worktree", file.path]) {
                events.note(.restoreFile)
            }
            // After `git mv`, this removes the new path, and the old one is already gone.
            if machine.files[todo] == nil { model.delete(todo, at: machine.name) }
            return
        default:
            if try run(machine, ["restore", file.path]) { events.note(.restoreFile) }
            return
        }
        events.note(event)
        note(before, at: machine)
    }

    private mutating func addWorktree(_ machine: StoryMachine) async throws {
        let path = machine.prefix + "wt"
        guard try run(machine, ["worktree", "add", "-q", "--detach", path]) else { return }
        events.note(.worktree)
        let report = try await sync(machine)
        let paths = report.duplicates.map(\.path) + report.invalid.map(\.path)
        guard !paths.contains(where: { $0.hasPrefix("wt/") }) else {
            throw StoryFailure("\(machine.name): the worktree's files count")
        }
        try run(machine, ["worktree", "remove", "--force", path])
    }

    // MARK: Excursions

    /// Lets a user check out a different commit or stash the changes, sync, and return.
    mutating func excursion(_ machine: StoryMachine) async throws {
        guard !machine.isBusy else { return }
        if random.chance(0.4) { try commit(machine) }
        let back: [String]
        if random.chance(0.5) {
            let origin = try machine.branch ?? machine.lines("rev-parse", "HEAD").first ?? "HEAD"
            let target = random.chance(0.5) ? try otherBranch(machine) : try someCommit(machine)
            guard let target, try run(machine, ["checkout", "-q", target]) else { return }
            back = ["checkout", "-q", origin]
        } else {
            guard try stash(machine) else { return }
            back = ["stash", "pop", "-q", "--index"]
        }
        events.note(.excursion)
        var written: Set<String> = []
        let carried = Dictionary(machine.files.values.map { ($0.path, $0.text) }) { first, _ in first }
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let other = machines.first { $0 !== machine } ?? machine
            if !other.isBusy, random.chance(0.5) {
                try edit(other)
                try await sync(other)
            }
            let report = try await sync(machine)
            written.formUnion(
                (report.pulled.map(\.path) + report.merged.map(\.path)).map { machine.prefix + $0 })
            written.formUnion(report.conflicts.map { machine.prefix + $0.path })
        }
        let before = machine.fields
        let (status, output) = try machine.git(back)
        noteTaken(machine, back, before)
        record("\(machine.name): git \(back.joined(separator: " ")): \(status)")
        if status == 0 {
            events.note(.excursionBack)
            return
        }
        let named = output.split(separator: "\n").compactMap { line -> String? in
            if line.hasPrefix("\t") { return line.trimming() }
            if let end = line.firstRange(of: " already exists, no checkout") {
                return String(line[..<end.lowerBound])
            }
            if let end = line.firstRange(of: "' not uptodate. Cannot merge.") {
                return String(line[..<end.lowerBound].drop { $0 != "'" }.dropFirst())
            }
            return nil
        }
        // Git may refuse to return over a file that got remote changes, is unchanged, or equals HEAD's.
        let isExcused = try named.allSatisfy { path in
            try written.contains(path) || carried[path].map { $0 == machine.folder.read(path) } ?? false
                || machine.git("diff", "--quiet", "HEAD", "--", path).status == 0
        }
        guard !named.isEmpty, isExcused else {
            throw StoryFailure("\(machine.name): git \(back.joined(separator: " ")) is refused: \(output)")
        }
        events.note(.excusedReturn)
        try resolve(machine)
    }

    /// Ends a machine's git operations, and checks out its home branch.
    mutating func goHome(_ machine: StoryMachine) throws {
        if machine.isBusy { _ = try abort(machine) }
        try resolve(machine)
        if machine.folder.exists(".git/BISECT_LOG") { try run(machine, ["bisect", "reset"]) }
        if try machine.branch == machine.home { return }
        if try run(machine, ["checkout", "-q", machine.home]) { return }
        try commit(machine)
        try run(machine, ["checkout", "-q", machine.home])
    }
}

extension Substring {
    fileprivate func trimming() -> String {
        String(drop { $0 == "\t" || $0 == " " })
    }
}
