import Foundation
import Platform
import TestSupport
import Testing

/// What the program reports if the system gives it no threads, or no way to wait for events.
@Suite(.ownThreads) struct ScarcityTests {
    private let folder: ThrowAwayFolder
    private let server: ServedStore

    /// Creates two working directories with something to push: `a` with a store, and `served` with a server.
    init() throws {
        folder = try ThrowAwayFolder()
        server = try ServedStore(Line())
        _ = try run("todosync init --quiet --bare store")
        try server.start(in: folder.path)
        _ = try run(
            """
            todosync clone --quiet store a; todosync -C a add --quiet Milk
            todosync clone --quiet \(server.url) served; todosync -C served add --quiet Bread
            """)
    }

    private func run(_ script: String) throws -> Program.Result {
        try Program.shell(
            "unset TODOSYNC_SEED\n" + script, in: folder.path,
            environment: TestedEnvironment(home: folder.path))
    }

    private static let noThread = """
        error: can't start a thread: resource temporarily unavailable
        hint: allow more threads (ulimit -u, or the container's process limit) and try again

        """

    @Test(
        .enabled(if: Strace.isUsable, Strace.whyNot),
        arguments: [
            "-C a sync", "-C a push", "-C a pull", "-C served sync", "clone store c",
            "fsck --store store", "serve --store store --listen 127.0.0.1:0",
        ])
    func `where no thread can be started, a command reports it at once`(_ command: String) throws {
        let result = try run(
            """
            timeout 60 strace -f --quiet=all -o /dev/null -e trace=clone,clone3 \\
                -e inject=clone,clone3:error=EAGAIN todosync \(command)
            """)
        #expect(result.output == Self.noThread)
        #expect(result.status == 74)
        // Nothing was locked or created.
        #expect(try run("todosync -C a sync --lock-timeout 0; ls -d c").output.contains("1 pushed\nls: "))
    }

    @Test(
        .enabled(if: Strace.isUsable, Strace.whyNot),
        arguments: [
            ("epoll_create1", "EMFILE", "too many open files", "allow more open files (ulimit -n)"),
            ("eventfd2", "EMFILE", "too many open files", "allow more open files (ulimit -n)"),
            ("timerfd_create", "EMFILE", "too many open files", "allow more open files (ulimit -n)"),
            ("epoll_ctl", "ENOMEM", "cannot allocate memory", "free some memory"),
            (
                "epoll_ctl", "ENOSPC", "no space left on device",
                "allow more watched files (sysctl fs.epoll.max_user_watches)"
            ),
        ])
    func `where events can't be waited for, a command that needs them reports it`(
        _ call: String, _ error: String, _ reason: String, _ advice: String
    ) throws {
        func failing(_ command: String) throws -> Program.Result {
            try run(
                """
                strace -f --quiet=all -o /dev/null -e trace=\(call) -e inject=\(call):error=\(error) \\
                    timeout 60 todosync \(command)
                """)
        }
        for command in ["-C served sync", "serve --store store --listen 127.0.0.1:0"] {
            let result = try failing(command)
            #expect(
                result.output == """
                    error: can't wait for events (epoll): \(reason)
                    hint: \(advice) and try again

                    """)
            #expect(result.status == 74)
        }
        // A store in a folder needs no events.
        #expect(try failing("-C a sync").output.contains("1 pushed\n"))
        #expect(try failing("clone store c").output == "cloned 1 todo into c\n")
    }

    @Test(
        .enabled(if: Strace.isUsable, Strace.whyNot),
        arguments: [
            "-C a sync", "clone store c", "fsck --store store", "gc --store store --keep 30d",
            "serve key add anna --table todoitem --access write --store store",
        ])
    func `a command with a store in a folder starts few threads and no event loop`(_ command: String) throws {
        let result = try run(
            """
            strace -f --quiet=all -o calls -e trace=clone,clone3,epoll_create1,eventfd2 todosync \(command)
            """)
        #expect(result.status == 0, "\(result.output)")
        let calls = try folder.read("calls").split(separator: "\n")
        #expect(!calls.contains { $0.contains("epoll") || $0.contains("eventfd") })
        // A clone also fills folders on two threads.
        #expect(calls.count { $0.contains("clone") && !$0.contains("resumed") } <= 4, "\(calls)")
    }

    @Test(.enabled(if: Strace.isUsable, Strace.whyNot))
    func `where only one thread can be started, a sync with a store in a folder is done`() throws {
        let result = try run(
            """
            timeout 60 strace -f --quiet=all -o /dev/null -e trace=clone,clone3 \\
                -e inject=clone,clone3:error=EAGAIN:when=2+ todosync -C a sync
            """)
        #expect(result.output.contains("1 pushed\n"))
        #expect(result.status == 0)
    }

    @Test(.enabled(if: geteuid() == 0, "the limit would count the tester's own processes"))
    func `where few threads can be started, a sync ends in words or is done`() throws {
        // All run at the same time, each as its own user, because some fail only after ten seconds.
        let result = try run(
            """
            for limit in 1 2 3 4 5 6 7 8 10 12 16; do for which in a served; do
                cp -r $which $which-$limit; todosync -C $which-$limit add --quiet Own
                chown -R $((65400 + limit)) $which-$limit
            done; done
            chmod -R a+rwX store
            attempt() {
                # The tester's own list of servers and keys can't be read by others.
                HOME=/ TODOSYNC_TRUST=\(server.url) timeout 100 setpriv --reuid=$((65400 + $1)) --clear-groups \\
                    prlimit --nproc=$1 todosync -C $2-$1 sync > $2-$1.out 2>&1
                echo "status $?" >> $2-$1.out
            }
            for limit in 1 2 3 4 5 6 7 8 10 12 16; do (attempt $limit a; attempt $limit served) & done
            wait
            """)
        #expect(result.output == "")
        for limit in [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16] {
            for which in ["a", "served"] {
                let output = try folder.read("\(which)-\(limit).out")
                let isDone = output.hasSuffix("status 0\n") && output.contains(" pushed")
                #expect(isDone || output == Self.noThread + "status 74\n", "\(which), \(limit): \(output)")
                if limit == 1 { #expect(!isDone) }
                if limit >= (which == "a" ? 3 : 16) { #expect(isDone) }
            }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "the limit would count the tester's own processes"))
    func `where few threads can be started, a server ends in words or serves until it is ended`() throws {
        let limits = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 32]
        let result = try run(
            """
            attempt() {
                HOME=/ timeout --preserve-status --kill-after=20 --signal=TERM 10 \\
                    setpriv --reuid=$((65400 + $1)) --clear-groups \\
                    prlimit --nproc=$1 todosync serve --store store-$1 --listen 127.0.0.1:0 > $1.out 2>&1
                echo "status $?" >> $1.out
            }
            for limit in \(limits.map(String.init).joined(separator: " ")); do
                cp -r store store-$limit; chown -R $((65400 + limit)) store-$limit
                attempt $limit &
            done
            wait
            """)
        #expect(result.output == "")
        for limit in limits {
            let output = try folder.read("\(limit).out")
            let isDone = output.hasPrefix("listening on ") && output.hasSuffix("\nstatus 0\n")
            #expect(isDone || output == Self.noThread + "status 74\n", "\(limit): \(output)")
            if limit == 1 { #expect(!isDone) }
        }
    }
}
