#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The user's editor: `$VISUAL`, else `$EDITOR`, else `vi`.
struct Editor: Sendable {
    /// The editor's command, as a shell reads it: `code --wait` has an argument.
    let command: String

    init(environment: (String) -> String?) {
        let named = ["VISUAL", "EDITOR"].compactMap(environment).first { !$0.isEmpty }
        command = named ?? "vi"
    }

    /// Opens a file and waits until the editor ends.
    ///
    /// - Throws: A ``Failure`` where it can't be started or ends with an error.
    func edit(_ path: String) throws {
        let status = try run(["/bin/sh", "-c", command + " \"$@\"", command, path])
        guard status == 0 else {
            throw Failure(
                .cannotReadOrWrite, "the editor '\(visible(command))' ended with an error",
                hint: "$VISUAL or $EDITOR names the editor to use")
        }
    }

    /// Runs a program in the foreground and returns its exit status.
    ///
    /// Ctrl-C is the editor's as long as it runs, as with git.
    private func run(_ arguments: [String]) throws -> Int32 {
        #if canImport(Glibc)
            var attributes = posix_spawnattr_t()
        #else
            var attributes: posix_spawnattr_t?
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var interactive = sigset_t()
        sigemptyset(&interactive)
        sigaddset(&interactive, SIGINT)
        sigaddset(&interactive, SIGQUIT)
        posix_spawnattr_setsigdefault(&attributes, &interactive)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

        let pointers = arguments.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        let interrupt = signal(SIGINT, SIG_IGN)
        let quit = signal(SIGQUIT, SIG_IGN)
        defer {
            signal(SIGINT, interrupt)
            signal(SIGQUIT, quit)
        }
        var child = pid_t()
        let code = posix_spawn(&child, arguments[0], nil, &attributes, pointers + [nil], environ)
        guard code == 0 else {
            throw Failure(.cannotReadOrWrite, "the editor can't be started: \(systemErrorWords(code))")
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        // The lowest seven bits are the signal that ended it, the eight above them the exit status.
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
    }
}
