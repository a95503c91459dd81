/// A program to measure, with its commands for each job.
///
/// `phone` and `laptop` are two copies that sync through `remote`.
protocol Tool {
    var name: String { get }

    /// Returns the commands that create the remote.
    func preparation(_ folders: Folders) -> [Command]

    /// Returns the command that serves the remote over HTTP; it first prints its URL.
    func server(_ folders: Folders) throws -> Command?

    /// Returns the URL of the remote on a server.
    func remoteURL(on server: String) -> String

    /// Returns the commands that create the folder `phone`, with the remote and without todos.
    func connecting(_ folders: Folders) -> [Command]

    /// Returns the commands that are measured for a job; merges and conflicts happen on the laptop.
    func commands(for job: Job, _ folders: Folders) -> [Command]

    /// Returns the commands that resolve the laptop's conflicts, if there are any, and bring all sides to the
    /// same state.
    func synchronizing(_ folders: Folders, conflicts: Bool) -> [Command]
}

/// The absolute paths for a tool.
struct Folders {
    let root: String
    /// The number of todos in the folder `phone`.
    let todos: Int
    /// The remote as the tool gets it: its folder or a URL.
    var remoteURL: String

    init(root: String, todos: Int) {
        (self.root, self.todos) = (root, todos)
        remoteURL = root + "/remote"
    }

    var remote: String { root + "/remote" }
    var phone: String { root + "/phone" }
    var laptop: String { root + "/laptop" }
}

/// todosync, which is measured.
struct Todosync: Tool {
    let program: String
    let name = "todosync"

    func preparation(_ folders: Folders) -> [Command] {
        [
            command("init", "--bare", folders.remote)
        ]
    }

    func server(_ folders: Folders) -> Command? {
        command("serve", "--store", folders.remote, "--listen", "127.0.0.1:0")
    }

    func remoteURL(on server: String) -> String { server + "/tables/todoitem" }

    func connecting(_ folders: Folders) -> [Command] {
        [
            command("init", folders.phone),
            command("-C", folders.phone, "remote", "add", "origin", folders.remoteURL),
        ]
    }

    func commands(for job: Job, _ folders: Folders) -> [Command] {
        switch job {
        case .start: [command("--version")]
        case .firstPush: [command("-C", folders.phone, "push")]
        case .push(let edits): [command(["-C", folders.phone, "push"] + allowing(edits, folders))]
        case .clone: [command("clone", folders.remoteURL, folders.laptop)]
        case .status, .statusAfter: [command("-C", folders.phone, "status")]
        case .syncWithoutNews: [command("-C", folders.phone, "sync")]
        case .pull: [command("-C", folders.laptop, "pull")]
        case .merge(let edits): [command(["-C", folders.laptop, "sync"] + allowing(edits, folders))]
        case .conflict:
            [Command(program: program, arguments: ["-C", folders.laptop, "pull"], status: 1)]
        }
    }

    func synchronizing(_ folders: Folders, conflicts: Bool) -> [Command] {
        let resolving =
            conflicts ? [command("-C", folders.laptop, "resolve", "--use", "remote", "--all")] : []
        return resolving + [command("-C", folders.laptop, "sync"), command("-C", folders.phone, "sync")]
    }

    /// Returns the option that allows edits of most of a folder's todos.
    private func allowing(_ edits: Edits, _ folders: Folders) -> [String] {
        let count = edits.count(of: folders.todos)
        return count * 2 > folders.todos ? ["--allow-edits", "\(count)"] : []
    }

    private func command(_ arguments: String...) -> Command { command(arguments) }

    private func command(_ arguments: [String]) -> Command {
        Command(program: program, arguments: arguments)
    }
}

/// git, which does the same work for comparison.
struct Git: Tool {
    let program: String
    let name = "git"

    /// The configuration of a user with only a name, and without background maintenance.
    static let configuration = """
        [user]
            name = Benchmark
            email = benchmark@example.com
        [init]
            defaultBranch = main
        [commit]
            gpgSign = false
        [gc]
            auto = 0
        [maintenance]
            auto = false
        [receive]
            autogc = false
        [pull]
            rebase = false
        [safe]
            directory = *

        """

    func preparation(_ folders: Folders) -> [Command] {
        [
            command("init", "--quiet", "--bare", folders.remote),
            command("-C", folders.remote, "config", "http.receivepack", "true"),
        ]
    }

    func server(_ folders: Folders) throws -> Command? {
        guard let python = installedProgram("python3") else { return nil }
        try writeText(GitServer.program, to: folders.root + "/server.py")
        return Command(program: python, arguments: [folders.root + "/server.py", program, folders.root])
    }

    func remoteURL(on server: String) -> String { server + "/remote" }

    func connecting(_ folders: Folders) -> [Command] {
        [
            command("init", "--quiet", folders.phone),
            command("-C", folders.phone, "remote", "add", "origin", folders.remoteURL),
        ]
    }

    func commands(for job: Job, _ folders: Folders) -> [Command] {
        let phone = folders.phone
        let laptop = folders.laptop
        return switch job {
        case .start: [command("--version")]
        case .firstPush:
            commit(in: phone)
                + [command("-C", phone, "push", "--quiet", "--set-upstream", "origin", "main")]
        case .clone: [command("clone", "--quiet", folders.remoteURL, laptop)]
        case .status, .statusAfter: [command("-C", phone, "status")]
        case .syncWithoutNews:
            [
                command("-C", phone, "add", "--all"), command("-C", phone, "pull", "--quiet"),
                command("-C", phone, "push", "--quiet"),
            ]
        case .push: commit(in: phone) + [command("-C", phone, "push", "--quiet")]
        case .pull: [command("-C", laptop, "pull", "--quiet")]
        case .merge:
            commit(in: laptop)
                + [command("-C", laptop, "pull", "--quiet"), command("-C", laptop, "push", "--quiet")]
        case .conflict:
            commit(in: laptop)
                + [Command(program: program, arguments: ["-C", laptop, "pull", "--quiet"], status: 1)]
        }
    }

    func synchronizing(_ folders: Folders, conflicts: Bool) -> [Command] {
        let resolving =
            conflicts
            ? [command("-C", folders.laptop, "checkout", "--theirs", ".")] + commit(in: folders.laptop) : []
        return resolving + [
            command("-C", folders.laptop, "push", "--quiet"),
            command("-C", folders.phone, "pull", "--quiet"),
        ]
    }

    private func commit(in folder: String) -> [Command] {
        [
            command("-C", folder, "add", "--all"),
            command("-C", folder, "commit", "--quiet", "--message", "Edit"),
        ]
    }

    private func command(_ arguments: String...) -> Command {
        Command(program: program, arguments: arguments)
    }
}
