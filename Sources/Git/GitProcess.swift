package import Logging
internal import Platform

/// Runs git's plumbing commands, each within a time limit.
///
/// Only ``configure(_:as:)`` changes anything.
///
/// The commands don't run programs that the repository's configuration names, fetch anything, take locks to
/// read, or prompt. A configuration that came with a repository is as untrusted as its files.
package final class GitProcess {
    /// The reason why git couldn't answer.
    package enum Failure: Error, Hashable, Sendable {
        /// The `PATH` contains no `git`.
        case notInstalled
        case timedOut
        /// Git failed; the text is the line that it printed.
        case failed(String)

        /// Whether git refuses to read a repository that belongs to another user.
        package var isOfOwnership: Bool {
            // `git config --local` doesn't name the reason.
            guard case .failed(let line) = self else { return false }
            return line.contains("dubious ownership") || line.contains("inside a git repository")
        }
    }

    package let repository: Repository
    /// The program's path; nil if the `PATH` doesn't have it.
    private let program: String?
    private let environment: [String]
    private let logger: Logger?
    /// Whether a process exceeded the time limit; git isn't asked again then.
    private var hasTimedOut = false

    /// The time limit for each git process.
    private static let timeLimit = Duration.seconds(10)
    /// The maximum size of an answer in bytes.
    private static let maximumAnswer = 256 << 20

    /// The environment variables that are passed to git: they locate its programs, its configuration and the
    /// repository.
    package static let variables =
        locations + [
            "PATH", "HOME", "XDG_CONFIG_HOME", "USER", "LOGNAME", "SUDO_UID", "TMPDIR", "GIT_EXEC_PATH",
            "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM",
        ]

    /// - Parameters:
    ///   - environment: The values of ``variables``.
    ///   - logger: Receives each command and its answer.
    package init(_ repository: Repository, environment: [String: String], logger: Logger? = nil) {
        self.repository = repository
        self.logger = logger
        program = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
            .filter { $0.hasPrefix("/") }.map { "\($0)/git" }.first { access($0, X_OK) == 0 }
        self.environment = Self.environment(environment, repository)
    }

    /// Settings that keep git from running programs or fetching; they override the repository's.
    private static let settings = [
        "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat", "core.untrackedCache=false",
        "protocol.allow=never", "gc.auto=0", "maintenance.auto=false", "log.showSignature=false",
        "core.quotePath=false", "core.alternateRefsCommand=", "diff.external=",
    ]

    /// The variables that select a repository other than the one that git would find.
    private static let locations = [
        "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    ]

    private static func environment(_ given: [String: String], _ repository: Repository) -> [String] {
        var variables = given.filter { self.variables.contains($0.key) && !locations.contains($0.key) }
        // Git sets these variables for hooks, with paths relative to the top folder. They apply only if they
        // name this folder's repository.
        let isNamed = given["GIT_DIR"].map { isSame($0, as: repository.gitDirectory, repository) } ?? false
        if isNamed {
            for name in locations {
                variables[name] = given[name].map { $0.hasPrefix("/") ? $0 : repository.top + "/" + $0 }
            }
        }
        if isNamed || repository.isSeparate {
            variables["GIT_DIR"] = repository.gitDirectory
            variables["GIT_WORK_TREE"] = repository.top
        }
        variables["GIT_OPTIONAL_LOCKS"] = "0"
        variables["GIT_NO_LAZY_FETCH"] = "1"
        variables["GIT_TERMINAL_PROMPT"] = "0"
        variables["GIT_ALLOW_PROTOCOL"] = ""
        variables["GIT_PAGER"] = "cat"
        variables["LC_ALL"] = "C"
        return variables.map { "\($0.key)=\($0.value)" }
    }

    private static func isSame(_ path: String, as directory: String, _ repository: Repository) -> Bool {
        let absolute = path.hasPrefix("/") ? path : repository.top + "/" + path
        var (first, second) = (stat(), stat())
        return stat(absolute, &first) == 0 && stat(directory, &second) == 0 && first.st_ino == second.st_ino
            && first.st_dev == second.st_dev
    }

    /// Runs a git command in the worktree's top folder.
    ///
    /// - Parameters:
    ///   - input: What the command reads from its standard input.
    ///   - accepted: The exit statuses that don't count as failures.
    /// - Returns: The exit status and the output.
    func run(
        _ arguments: [String], input: [UInt8] = [], accepted: Set<Int32> = [0]
    ) throws(Failure) -> (status: Int32, output: [UInt8]) {
        if hasTimedOut { throw .timedOut }
        guard let program else { throw .notInstalled }
        let words =
            [program, "-C", repository.top] + Self.settings.flatMap { ["-c", $0] } + ["--no-pager"]
            + arguments
        let answer: ChildProgram.Answer
        do throws(ChildProgram.Problem) {
            // todosync handles Ctrl-C, and then decides whether to stop git.
            answer = try ChildProgram(words, .only(environment), isInOwnGroup: true).run(
                input, limit: Self.maximumAnswer, time: Self.timeLimit, readsErrors: true)
        } catch {
            logger?.debug("git \(arguments.joined(separator: " ")): \(error)")
            switch error {
            case .cannotStart: throw .notInstalled
            case .timedOut, .interrupted:
                hasTimedOut = true
                throw .timedOut
            case .gaveTooMuch: throw .failed("git's output is too large")
            }
        }
        let (status, output, errors) = answer
        logger?.debug(
            """
            git \(arguments.joined(separator: " "))\(input.isEmpty ? "" : " (input: \(summary(input)))"): \
            status \(status), \(summary(status == 0 ? output : output + errors))
            """)
        guard accepted.contains(status) else {
            // A shell and posix_spawn use this status for a program that can't be started.
            if status == 127 { throw .notInstalled }
            let lines = String(decoding: errors, as: UTF8.self).split(separator: "\n")
            let line = lines.first { $0.hasPrefix("fatal: ") } ?? lines.first ?? ""
            throw .failed(String(line))
        }
        return (status, output)
    }
}

/// Returns the size of a program's input or output and the beginning of its first line, for the log.
private func summary(_ bytes: [UInt8]) -> String {
    let line = bytes.prefix { $0 != 0 && $0 != UInt8(ascii: "\n") }.prefix(100)
    return "\(bytes.count) bytes" + (line.isEmpty ? "" : ", \(String(decoding: line, as: UTF8.self))")
}
