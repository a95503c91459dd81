import Foundation
import TestSupport
import Testing

/// A store on a separate disk, which is full or read-only.
@Suite(.ownThreads, .enabled(if: canMount, "the system does not let this user mount a disk in memory"))
struct FailingDiskTests {
    private static let setUp = """
        mkdir disk
        mount -t tmpfs -o size=1m none disk
        todosync init --bare disk/store > /dev/null
        todosync init work > /dev/null
        cd work
        todosync remote add origin ../disk/store > /dev/null
        todosync add Small > /dev/null
        todosync sync --quiet

        """

    @Test
    func `a full disk of the store's is reported with its path, and the push goes on when there is room`()
        throws
    {
        let result = try runMounting(
            Self.setUp + """
                (cat /dev/zero > ../disk/filler) 2> /dev/null || true
                { printf 'text: Large\\nnotes: '; head -c 300000 /dev/zero | tr '\\0' x; echo; } > large.yaml
                todosync push || echo "status $?"
                rm ../disk/filler
                todosync push
                todosync status
                """)
        let path = "disk/store: the disk is full\n"
        #expect(result.output.contains("error: the remote can't be read or written: /"), "\(result)")
        #expect(result.output.contains(path + "hint: nothing is lost; free some disk space and "))
        #expect(result.output.contains("status 74\n") && result.status == 0, "\(result)")
        #expect(result.output.hasSuffix("nothing pending, no conflicts\n"), "\(result)")
    }

    @Test func `a server whose disk is full reports it until there is room`() throws {
        let result = try runMounting(
            Self.setUp + """
                todosync serve --store ../disk/store --listen 127.0.0.1:0 > ../log 2>&1 &
                until url=$(grep -so 'http://[0-9.:]*' ../log); do sleep 0.1; done
                ask() { path=$1; shift; curl -s -w ' %{http_code}\\n' "$@" "$url$path"; }
                ask /ready
                (cat /dev/zero > ../disk/filler) 2> /dev/null || true
                { printf '{"text":"'; head -c 300000 /dev/zero | tr '\\0' x; echo '"}'; } > large.json
                ask /tables/todoitem -o /dev/null -H content-type:application/json -d @large.json
                ask /ready
                ask /health
                rm ../disk/filler
                ask /ready
                kill $!
                """)
        let ok = #"{"status":"ok"} 200"#
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines == [ok, " 503", #"{"status":"writes: disk full"} 503"#, ok, ok], "\(result)")
    }

    @Test func `a disk that can't be written is reported with the store's path`() throws {
        let result = try runMounting(
            Self.setUp + """
                todosync add More > /dev/null
                mount -o remount,ro ../disk
                todosync push || echo "status $?"
                mount -o remount,rw ../disk
                todosync push
                """)
        #expect(result.output.contains("error: the remote can't be read or written: /"), "\(result)")
        #expect(result.output.contains("disk/store: ") && result.output.contains("hint: nothing is lost; "))
        #expect(result.output.contains("status 74\n") && result.status == 0, "\(result)")
    }
}

let canMount = (try? runMounting("mount -t tmpfs none /mnt"))?.status == 0

/// Runs a shell's command line with its own mounts.
func runMounting(_ script: String) throws -> Program.Result {
    let folder = try ThrowAwayFolder()
    try folder.write("set -e\n" + script, to: "script")
    return try Program.shell(
        "unshare --mount --map-root-user sh script", in: folder.path,
        environment: TestedEnvironment(home: folder.path))
}
