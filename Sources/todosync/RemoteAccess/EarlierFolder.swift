internal import Platform
internal import Remotes
internal import WorkingCopy

/// A working directory that was last used by a todosync version without a list of trusted servers.
struct EarlierFolder {
    private let directory: WorkingDirectory

    init(_ directory: WorkingDirectory) { self.directory = directory }

    /// Returns whether this user has pushed to a server from here, as far as todosync can tell.
    ///
    /// This requires that the folder belongs to the user, that its `.todosync` didn't come with a git
    /// repository, and that its journal has an operation that the server accepted.
    func hasPushed(to server: ServerOrigin) -> Bool {
        guard isOwn, let state = try? directory.state(), state.lastAccepted != nil,
            let url = state.remote?.url, ServerOrigin(url: url) == server
        else { return false }
        return !mayBeTracked
    }

    private var isOwn: Bool {
        ["", "/.todosync", "/.todosync/journal", "/.todosync/config.yaml"].allSatisfy { name in
            var status = stat()
            return lstat(directory.root + name, &status) == 0 && status.st_uid == geteuid()
        }
    }

    /// Whether git tracks anything in `.todosync`, or might because its repository can't be read.
    private var mayBeTracked: Bool {
        guard let top = repositoryTop else { return false }
        let git = ChildProcess(
            arguments: ["/bin/sh", "-c", Self.script, "git", directory.root, top], name: "git")
        guard let (status, output) = try? git.run(input: [], silence: 2) else { return true }
        return status != 0 || !output.isEmpty
    }

    /// The nearest folder, this one or a parent, that contains `.git`; nil if there isn't one.
    private var repositoryTop: String? {
        var path = directory.root
        while true {
            var status = stat()
            // A `.git` that can't be examined counts as present.
            if lstat(path == "/" ? "/.git" : path + "/.git", &status) == 0 || errno != ENOENT { return path }
            if path == "/" { return nil }
            path = normalized(path + "/..")
        }
    }

    /// Lists the files in `.todosync` that git's index contains.
    ///
    /// The script drops every environment variable that could lead git to a different repository, and runs
    /// nothing that the repository's configuration names: `ls-files` uses no filters, and its only hook,
    /// fsmonitor's, is turned off. The script passes the repository to git. Otherwise, git could find a bare
    /// repository that was committed as part of the folder and that tracks nothing.
    private static let script = """
        exec env -i PATH="$PATH" HOME="${HOME-}" LC_ALL=C GIT_NO_LAZY_FETCH=1 GIT_ALLOW_PROTOCOL= \
        GIT_OPTIONAL_LOCKS=0 GIT_TERMINAL_PROMPT=0 GIT_DISCOVERY_ACROSS_FILESYSTEM=1 \
        git -C "$1" --git-dir="${2%/}/.git" --work-tree="$2" --no-pager -c core.fsmonitor=false -c core.hooksPath=/dev/null \
        ls-files -z --cached -- ':(icase).todosync' 2>/dev/null
        """
}
