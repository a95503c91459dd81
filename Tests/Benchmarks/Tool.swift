/// A program to measure: how it is told to do each job.
///
/// `phone` and `laptop` are two copies that are synced through `remote`.
protocol Tool {
    var name: String { get }

    /// The commands that make the remote.
    func preparation(_ folders: Folders) -> [Command]

    /// The command that offers the remote over HTTP; it prints its URL first.
    func server(_ folders: Folders) throws -> Command?

    /// Returns the URL of the remote on a server.
    func remoteURL(on server: String) -> String

    /// The commands that make the folder `phone` that knows the remote, with no todos yet.
    func connecting(_ folders: Folders) -> [Command]

    /// The commands that do a job, which are timed.
    func commands(for job: Job, _ folders: Folders) -> [Command]
}

/// The absolute paths that a tool works on.
struct Folders {
    let root: String
    /// Where the remote is as the tool is told: its folder, or a URL.
    var remoteURL: String

    init(root: String) {
        self.root = root
        remoteURL = root + "/remote"
    }

    var remote: String { root + "/remote" }
    var phone: String { root + "/phone" }
    var laptop: String { root + "/laptop" }
}

/// The program that all is about.
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
        case .firstPush, .pushOfOneEdit: [command("-C", folders.phone, "push")]
        case .clone: [command("clone", folders.remoteURL, folders.laptop)]
        case .status: [command("-C", folders.phone, "status")]
        case .syncWithoutNews: [command("-C", folders.phone, "sync")]
        case .pullOfOneEdit: [command("-C", folders.laptop, "pull")]
        }
    }

    private func command(_ arguments: String...) -> Command {
        Command(program: program, arguments: arguments)
    }
}

/// The program that people compare it with, told to do the same.
struct Git: Tool {
    let program: String
    let name = "git"

    /// What a user without settings has, but for a name, and for maintenance that would start in the
    /// background.
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
        let commit = [
            command("-C", phone, "add", "--all"),
            command("-C", phone, "commit", "--quiet", "--message", "Edit"),
        ]
        return switch job {
        case .start: [command("--version")]
        case .firstPush:
            commit + [command("-C", phone, "push", "--quiet", "--set-upstream", "origin", "main")]
        case .clone: [command("clone", "--quiet", folders.remoteURL, folders.laptop)]
        case .status: [command("-C", phone, "status")]
        case .syncWithoutNews:
            [
                command("-C", phone, "add", "--all"), command("-C", phone, "pull", "--quiet"),
                command("-C", phone, "push", "--quiet"),
            ]
        case .pushOfOneEdit: commit + [command("-C", phone, "push", "--quiet")]
        case .pullOfOneEdit: [command("-C", folders.laptop, "pull", "--quiet")]
        }
    }

    private func command(_ arguments: String...) -> Command {
        Command(program: program, arguments: arguments)
    }
}
