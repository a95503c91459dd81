import Foundation
import TestSupport
import Testing

/// The files of a store and of a working directory: who may write them, and what happens if that isn't
/// permitted.
@Suite(.ownThreads) struct StoreFilesTests {
    private let folder: ThrowAwayFolder

    init() throws { folder = try ThrowAwayFolder() }

    /// Runs a script; `user COMMAND…` in it runs without privileges.
    private func run(_ script: String) throws -> Program.Result {
        let definitions = """
            unset TODOSYNC_SEED
            user() {
                if [ "$(id -u)" = 0 ]; then
                    setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
                else
                    "$@"
                fi
            }

            """
        let result = try Program.shell(
            definitions + script, in: folder.path, environment: TestedEnvironment(home: folder.path))
        return Program.Result(
            status: result.status, output: result.output.replacing(folder.path, with: "~"), errors: "")
    }

    // MARK: Masks

    @Test(arguments: [
        ("000", "u=rwx", ""), ("002", "u=rwx", "g"), ("022", "u=rwx", ""), ("000", "g+s", "g"),
        ("002", "g+s", "g"), ("022", "g+s", ""), ("027", "u=rwx", ""),
    ])
    func `nothing is writable by all, and by the group only as the mask or the folder has it`(
        _ mask: String, _ mode: String, _ writers: String
    ) throws {
        let result = try run(
            """
            chmod \(mode) .; umask \(mask)
            todosync init --quiet --bare store
            todosync clone --quiet store a
            cd a; todosync add --quiet Milk; todosync push --quiet; todosync set --quiet milk.yaml k=1
            todosync sync --quiet
            cd ..
            find store a -perm /002
            find a/.todosync -perm /020 | sort | head -n 1
            find a/.todosync ! -perm /020 | sort | head -n 1
            """)
        #expect(result.output == "a/.todosync\n", "\(result.output)")
        let group = try run("find a/.todosync -perm /020").output
        #expect(group.isEmpty == writers.isEmpty)
        // Only a store's owner can write to it, until the owner changes its permissions.
        #expect(try run("find store -type f -perm /022").output.isEmpty)
    }

    // MARK: Stores that can't be written

    /// Creates a store and a clone of it with changes to pull, and makes the store read-only.
    private static let readOnlyStore = """
        todosync init --quiet --bare store; chmod a+rx . store
        todosync clone --quiet store a; todosync clone --quiet store b
        (cd a; printf 'id: 97a1\\ntext: Milk\\n' > milk.yaml; todosync push --quiet)
        [ "$(id -u)" != 0 ] || chown -R 65534 b
        close() { chmod -R a+r,a-w store; }

        """

    @Test func `a pull from a store that can't be written works where nobody else can be writing`() throws {
        let result = try run(
            Self.readOnlyStore + """
                cp -r store whole
                # With all that was written in the database.
                todosync fsck --store store
                sqlite() { python3 -c "import sqlite3; sqlite3.connect('store/todosync-store.sqlite').execute('$1')"; }
                sqlite 'PRAGMA wal_checkpoint(TRUNCATE)'; rm -f store/*-wal store/*-shm; close
                (cd b; user todosync pull; echo "status $?"; user todosync pull)
                # With what was written last in the log.
                chmod u+w store store/*; rm store/*; cp whole/* store; rm store/*-shm
                (cd a; todosync remote set-url origin ../whole; printf 'id: 7c01\\ntext: Bread\\n' > bread.yaml
                todosync push --quiet)
                rm store/*; cp whole/* store; rm store/*-shm; test -s store/*-wal && close
                (cd b; user todosync pull; echo "status $?"; user todosync push; todosync list)
                ls store
                """)
        #expect(
            result.output == """
                all is well
                pulled  new  97  Milk  milk.yaml
                1 pulled
                status 0
                everything up to date
                pulled  new  7c  Bread  bread.yaml
                1 pulled
                status 0
                everything up to date
                7c\tBread\t\t\t\topen\tbread.yaml
                97\tMilk\t\t\t\topen\tmilk.yaml
                todosync-store.sqlite
                todosync-store.sqlite-wal

                """, "\(result.output)")
    }

    @Test func `a push to a store that can only be read reports it`() throws {
        let result = try run(
            Self.readOnlyStore + """
                [ "$(id -u)" != 0 ] || chown -R 65534 store
                chmod a-w store/todosync-store.sqlite
                cd b; user todosync pull; user todosync add --quiet Bread; user todosync push; echo "status $?"
                """)
        #expect(
            result.output == """
                pulled  new  97  Milk  milk.yaml
                1 pulled
                error: the remote can't be read or written: ~/store: the store can't be written
                hint: nothing is lost; check the permissions and try again
                status 74

                """, "\(result.output)")
    }

    @Test(
        .enabled(if: Strace.isUsable, Strace.whyNot),
        .enabled(if: geteuid() == 0, "only root can become another user"))
    func `a pull from a store that somebody writes to meanwhile, and that can't be locked, reports it`()
        throws
    {
        let result = try run(
            Self.readOnlyStore + """
                rm store/*-shm; chmod a+r store/*; chmod a-w store
                cd b; touch ../trace; chmod a+w ../trace
                user strace -f --quiet=all -o ../trace -P ../store/todosync-store.sqlite \\
                    -P "$PWD/../store/todosync-store.sqlite" -P ~/store/todosync-store.sqlite \\
                    -e trace=pread64 -e inject=pread64:delay_enter=5000000:when=3 todosync pull &
                until grep -sq pread64 ../trace; do sleep 0.05; done
                (cd ../a; todosync add --quiet Bread; todosync push --quiet)
                wait $!; echo "status $?"
                todosync list
                """)
        #expect(
            result.output == """
                error: the remote can't be reached: ~/store: the store is read-only here, so it can't be locked, \
                and another process may be writing to it
                hint: nothing is lost; try again when nobody else is using the store, or get write permission \
                for its folder
                status 69
                no open todos

                """, "\(result.output)")
    }

    @Test func `shared memory without a log is no obstacle to reading a store that can't be written`() throws
    {
        let result = try run(
            Self.readOnlyStore + """
                python3 -c "import sqlite3; sqlite3.connect('store/todosync-store.sqlite').execute('PRAGMA wal_checkpoint(TRUNCATE)')"
                rm -f store/*-wal; head -c 100 /dev/urandom > store/todosync-store.sqlite-shm
                close; chmod 0 store/*-shm
                (cd b; user todosync pull; echo "status $?"); user todosync fsck --store store
                """)
        #expect(
            result.output == """
                pulled  new  97  Milk  milk.yaml
                1 pulled
                status 0
                all is well

                """, "\(result.output)")
    }

    @Test(
        .enabled(if: geteuid() == 0, "there is only one user"),
        arguments: [
            "head -c 5000 /dev/urandom > store/todosync-store.sqlite-wal", "chmod 0 store/*-shm",
        ])
    func `a store that can't be written, and whose shared memory is no use, is reported as locked`(
        damage: String
    ) throws {
        let result = try run(
            Self.readOnlyStore + """
                close; \(damage)
                (cd b; user todosync pull; echo "status $?"); user todosync fsck --store store; echo "status $?"
                """)
        let reason =
            "the store is read-only here, so it can't be locked, and another process may be writing to it"
        let advice = "try again when nobody else is using the store, or get write permission for its folder"
        #expect(
            result.output == """
                error: the remote can't be reached: ~/store: \(reason)
                hint: nothing is lost; \(advice)
                status 69
                error: ~/store: \(reason)
                hint: \(advice)
                status 69

                """, "\(result.output)")
    }

    @Test(
        .enabled(if: geteuid() == 0, "there is only one user"),
        arguments: [
            ("todosync-store.sqlite", "chmod 600 store/*"),
            ("todosync-store.sqlite-wal", "chmod 777 store; chmod 666 store/*.sqlite"),
            ("todosync-store.sqlite-shm", "chmod 777 store; chmod 666 store/*.sqlite store/*-wal"),
        ])
    func `a file of a store that another user keeps for themselves is named, with what to do`(
        file: String, mode: String
    ) throws {
        let result = try run(
            Self.readOnlyStore + """
                \(mode)
                (cd b; user todosync pull; echo "status $?"); user todosync fsck --store store; echo "status $?"
                """)
        let advice = "check the permissions and try again"
        #expect(
            result.output == """
                error: the remote can't be read or written: ~/store/\(file): permission denied
                hint: nothing is lost; \(advice)
                status 74
                error: ~/store/\(file): permission denied
                hint: \(advice)
                status 74

                """, "\(result.output)")
    }

    // MARK: Repair

    @Test
    func `a damaged store is repaired, and its clients start anew and send what is missing`()
        throws
    {
        let result = try run(
            """
            todosync init --quiet --bare store; todosync clone --quiet store a
            for i in $(seq 60); do printf 'id: t%s\\ntext: T%s\\n' $i $i > a/t$i.yaml; done
            todosync -C a push --quiet; todosync clone --quiet store b
            todosync fsck --store store --repair
            todosync serve --store store --listen 127.0.0.1:0 > served 2> log & server=$!
            until grep -sq listening served; do sleep 0.05; done
            curl -s "$(sed 's/.* //' served)/tables/todoitem?\\$top=1" > answer
            damage() { dd if=/dev/zero of=store/todosync-store.sqlite bs=4096 seek=$1 count=3 conv=notrunc status=none; }
            pages=$(($(stat -c %s store/todosync-store.sqlite) / 4096))
            python3 -c "import sqlite3; sqlite3.connect('store/todosync-store.sqlite').execute('PRAGMA wal_checkpoint')"
            damage $((pages / 2))
            todosync fsck --store store --repair --lock-timeout 0 > out 2>&1; echo "status $?"; tail -n 2 out
            kill $server; wait $server
            todosync fsck --store store > out 2>&1; echo "status $?"
            todosync fsck --store store --repair > out; echo "status $?"; sed 's/^saved .*/saved/' out
            todosync fsck --store store
            (cd a; echo 'k: 1' >> t1.yaml; todosync sync --quiet; echo "status $?"
            todosync remote set-url origin ../store; todosync sync --quiet; echo "status $?")
            (cd b; todosync remote set-url origin ../store; todosync sync --quiet; echo "status $?")
            todosync clone --quiet store c
            diff -r --exclude=.todosync a b && diff -r --exclude=.todosync a c && ls a | wc -l
            """)
        let lines = result.output.split(separator: "\n").filter { !$0.hasPrefix("found: ") }
        #expect(
            lines.joined(separator: "\n") == """
                all is well
                status 75
                error: ~/store: another process keeps the store locked
                hint: stop the programs that use the store, such as "todosync serve", and try again; or wait longer \
                with --lock-timeout SECONDS
                status 65
                status 0
                saved
                kept the damaged database as ~/store/todosync-store.sqlite.damaged-1
                unreadable records are missing; they come back from the working directories that have them: the \
                next push, pull or sync in each exits with 78 and reports that the store "was restored to an older \
                state"; then run "todosync remote set-url origin URL" and "todosync sync" there
                all is well
                error: ~/store was restored to an older state, for example from a backup
                hint: nothing was changed; run "todosync remote set-url origin URL" to start over with it; no todo is lost
                status 78
                status 0
                status 0
                60
                """, "\(result.output)")
    }
}
