import Foundation
import TestSupport
import Testing

/// Which handlers may run.
extension MergeHandlerTests {
    @Test func `a handler does not run before it is approved on this machine`() throws {
        try configure("touch ran; echo '{\"take\": \"local\"}'", isApproved: false)
        let refused = try run(["sync"], in: phone, status: 1)
        #expect(
            refused.errors.hasPrefix(
                """
                warning: merge.handler is not approved on this machine and was not run: touch ran; echo '{"take": \
                "local"}'
                hint: run "todosync trust --handler" to approve it; to let it decide then, run "todosync resolve \
                --abort" and "todosync sync"
                conflict: hello.yaml: both sides changed text

                """), "\(refused.errors)")
        #expect(!FileManager.default.fileExists(atPath: phone + "/ran"))
        try run(["resolve", "--abort"], in: phone)
        let approved = try run(["trust", "--handler"], in: phone)
        #expect(
            approved.errors == """
                merge.handler of \(phone) is now approved: touch ran; echo '{"take": "local"}'
                the list is \(folder.path)/.config/todosync/handlers

                """)
        let result = try run(["sync"], in: phone)
        #expect(
            result.output.contains(
                "\nresolved           he  Hello world 13  hello.yaml  text by merge.handler\n"),
            "\(result.output)")
        #expect(result.output.hasSuffix(", 1 resolved by merge.handler\n"), "\(result.output)")
        #expect(FileManager.default.fileExists(atPath: phone + "/ran"))
    }

    @Test func `an approval is for one folder and one command`() throws {
        try configure("echo '{\"take\": \"local\"}'")
        #expect(
            try run(["trust"], in: phone).output == "\(phone): echo '{\"take\": \"local\"}'\n")
        let list = try run(["trust", "--json"], in: phone).output
        let listed = try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [NSDictionary]
        let handler = "echo '{\"take\": \"local\"}'"
        #expect(listed == [["folder": phone, "handler": handler, "files": []]])
        // Neither the same program in another folder nor another program in this folder is approved.
        try FileManager.default.copyItem(atPath: phone, toPath: folder.path + "/copy")
        let copied = try run(["sync", "--dry-run"], in: folder.path + "/copy", status: 1)
        #expect(!copied.errors.contains("approved"), "a dry run asks nobody")
        #expect(
            try run(["pull"], in: folder.path + "/copy", status: 1).errors.contains(
                "merge.handler is not approved"))
        try configure("echo '{\"take\": \"remote\"}'", isApproved: false)
        #expect(try run(["pull"], in: phone, status: 1).errors.contains("merge.handler is not approved"))
        // A new approval replaces the old one.
        try run(["trust", "--handler"], in: phone)
        #expect(
            try run(["trust"], in: phone).output == "\(phone): echo '{\"take\": \"remote\"}'\n")
        try run(["trust", "--handler", "--remove"], in: phone)
        #expect(try run(["trust"], in: phone).output == "")
        try run(["trust", "--handler", "--remove"], in: phone, status: 66)
    }

    /// Writes a script that answers with a side.
    private func write(_ script: String, _ side: String) throws {
        let answer = #"{\"take\": \"\#(side)\"}"#
        let text =
            script.hasSuffix(".awk") ? "BEGIN { print \"\(answer)\" }\n" : "#!/bin/sh\necho \"\(answer)\"\n"
        let parent = URL(fileURLWithPath: phone + "/" + script).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try folder.write(text, to: "phone/" + script)
    }

    private func expectRefusal(_ reason: String) throws {
        let errors = try run(["pull"], in: phone, status: 1).errors
        #expect(errors.contains("warning: merge.handler \(reason)"), "\(errors)")
        try run(["resolve", "--abort"], in: phone)
    }

    @Test(arguments: [
        ("sh resolve.sh 2> /dev/null", "resolve.sh"), ("exec sh ./resolve.sh", "resolve.sh"),
        ("set -e\n\nsh resolve.sh", "resolve.sh"), ("cd sub\nsh ./resolve.sh", "sub/resolve.sh"),
        ("cd sub && . ./resolve.sh", "sub/resolve.sh"),
        ("(cd sub; cd ../sub; sh resolve.sh)", "sub/resolve.sh"),
        ("PATH=$PWD/bin:$PATH; . resolve-todo", "bin/resolve-todo"), ("sh $PWD/resolve.sh", "resolve.sh"),
        ("sh \"${PWD}/sub/resolve.sh\"", "sub/resolve.sh"), ("sh $HOME/phone/resolve.sh", "resolve.sh"),
        ("sh ~/phone/.hidden/resolve.sh", ".hidden/resolve.sh"), ("sh .git/resolve.sh", ".git/resolve.sh"),
        ("sh 're'so\\lve.\"sh\"", "resolve.sh"), ("sh res\\\nolve.sh", "resolve.sh"),
        ("sh 'my script.sh'", "my script.sh"), ("bash -c 'eval \"sh resolve.sh\"'", "resolve.sh"),
        ("awk -fresolve.awk", "resolve.awk"),
    ])
    func `an approval is for the scripts in the folder, too`(_ command: String, _ script: String) throws {
        try write(script, "local")
        try configure(command)
        #expect(try folder.read(".config/todosync/handlers").contains(script))
        try write(script, "remote")
        try expectRefusal("was not run, because \(script) has changed since you approved it: ")
        try write(script, "local")
        #expect(try run(["pull"], in: phone).errors == "")
        #expect(try folder.read("phone/hello.yaml").contains("text: Hello world 13\n"))
    }

    @Test func `a script that comes later or goes needs a new approval, and a todo doesn't`() throws {
        try write("sub/resolve.sh", "local")
        try configure("PATH=$PWD/bin:$PWD/sub:$PATH; . resolve.sh")
        try write("bin/resolve.sh", "remote")
        try expectRefusal("was not run, because bin/resolve.sh has changed")
        try FileManager.default.removeItem(atPath: phone + "/bin")
        try FileManager.default.moveItem(atPath: phone + "/sub", toPath: phone + "/other")
        try expectRefusal("was not run, because other/resolve.sh, sub/resolve.sh have changed")
        try FileManager.default.moveItem(atPath: phone + "/other", toPath: phone + "/sub")
        try run(["set", "hello.yaml", "notes=new"], in: phone)
        #expect(try run(["pull"], in: phone).errors == "")
    }

    @Test func `trust reports which files the approval is for`() throws {
        try write("resolve.sh", "local")
        try write("sub/resolve.sh", "local")
        try configure("cd sub; sh resolve.sh", isApproved: false)
        let list = "the list is \(folder.path)/.config/todosync/handlers\n"
        #expect(
            try run(["trust", "--handler"], in: phone).errors == """
                merge.handler of \(phone) is now approved: cd sub; sh resolve.sh
                the approval also covers these files: resolve.sh, sub/resolve.sh
                \(list)
                """)
        let json = try run(["trust", "--handler", "--json"], in: phone).output
        let approved = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSDictionary
        #expect(approved?["files"] as? [String] == ["resolve.sh", "sub/resolve.sh"])
    }

    @Test(arguments: [
        ("sh $1.sh", true), ("sh ${X}.sh", true), ("sh $PWDX", true), ("sh $(cat x)", true),
        ("sh `cat x`", true), ("sh *.sh", true), ("sh resolv?", true), ("sh [r]esolve.sh", true),
        ("sh {x,y}.sh", true),
        ("sh $PWD/x ${HOME}/x ${PWD}", false), ("echo '{\"take\": \"local\"}'", false),
        ("echo '{\"fields\": {\"a\": {\"take\": \"base\"}, \"b\": {}}}'", false),
    ])
    func `trust reports if the command can run scripts that it doesn't name`(
        _ command: String, _ isReported: Bool
    ) throws {
        try configure(command, isApproved: false)
        let note = """
            note: a script that the command names only through a variable, a substitution or a pattern can change \
            without a new approval

            """
        #expect(try run(["trust", "--handler"], in: phone).errors.contains(note) == isReported)
    }

    @Test func `a file that is too large to compare isn't approved`() throws {
        try write("resolve", "local")
        try configure("./resolve")
        try #require(truncate(phone + "/resolve", 17 << 20) == 0)
        try expectRefusal("is not approved on this machine and was not run")
        #expect(
            try run(["trust", "--handler"], in: phone, status: 78).errors == """
                error: merge.handler names resolve, which is larger than 16 MiB
                hint: move it to a different folder that only you can write to

                """)
    }

    @Test func `files that are too large together aren't approved`() throws {
        try write("resolve", "local")
        try configure("./resolve", isApproved: false)
        for name in ["a", "b", "c", "d"] {
            try write(name + "/resolve", "local")
            try #require(truncate(phone + "/" + name + "/resolve", 16 << 20) == 0)
        }
        #expect(
            try run(["trust", "--handler"], in: phone, status: 78).errors == """
                error: merge.handler names files that are larger than 64 MiB together
                hint: move them to a different folder that only you can write to

                """)
    }

    @Test func `with --json, nothing that it prints reaches standard error`() throws {
        try configure("echo noise >&2; echo '{\"take\": \"local\"}'")
        #expect(try run(["pull", "--json"], in: phone).errors == "")
    }

    @Test func `there has to be a handler to approve`() throws {
        #expect(
            try run(["trust", "--handler"], in: phone, status: 66).errors == """
                error: merge.handler is not set in \(phone)/.todosync/config.yaml
                hint: set it to the program that resolves conflicts, and try again

                """)
        try run(["trust", "--handler"], in: folder.path, status: 66)
        try run(["trust", "--handler", "https://example.org"], in: phone, status: 64)
        try run(["trust", "--handler", "--json"], in: phone, status: 66)
    }

    @Test(arguments: [
        ("not JSON\n", "0600"), ("{\"folder\": \"/a\"}\n", "0600"),
        ("{\"folder\": \"/a\", \"handler\": \"b\"}\n", "0666"),
    ])
    func `a list that can't be trusted approves nothing`(_ text: String, _ mode: String) throws {
        try configure("touch ran; echo '{\"take\": \"local\"}'")
        let list = ".config/todosync/handlers"
        try folder.write(text, to: list)
        chmod(folder.path + "/" + list, mode_t(mode, radix: 8) ?? 0)
        try run(["sync"], in: phone, status: 78)
        #expect(!FileManager.default.fileExists(atPath: phone + "/ran"))
        #expect(try folder.read("phone/hello.yaml").contains("text: Hello world 13\n"))
    }

    @Test func `comments in the list are kept`() throws {
        let list = ".config/todosync/handlers"
        try folder.write("# mine\n\n", to: list)
        try configure("cat")
        #expect(
            try folder.read(list)
                == "# mine\n\n{\"folder\":\"\(phone)\",\"handler\":\"cat\"}\n")
    }
}
