import Foundation
import TestSupport
import Testing

/// Third-party clients of the server: `curl`, and Python's `requests` in the role of the tutorial's app; and
/// a third-party server, with todosync as its client.
@Suite(.ownThreads) struct OtherClientsTests {
    @Test(.enabled(if: Python.has("requests"), "Python's requests is not installed"))
    func `an app built on Python's requests inserts, meets a conflict, and resolves it`() async throws {
        try await withServer { server in
            let result = try Python.run(
                Self.app, [server.url + "/tables/todoitem", server.key], in: server.folder)
            #expect(result.status == 0, "\(result.output)\(result.errors)")
            #expect(result.output == "done\n", "\(result.errors)")
        }
    }

    @Test(.enabled(if: Python.has("requests"), "Python's requests is not installed"))
    func `todosync and an app that pages by updatedAt see what each other did`() async throws {
        try await withServer { server in
            let environment = ["TODOSYNC_KEY": server.key, "TODOSYNC_TRUST": server.url]
            let folder = server.folder + "/todos"
            let clone = try Program.todosync(
                "clone", server.url + "/tables/todoitem", folder, in: server.folder, environment: environment)
            try #require(clone.status == 0, "\(clone.errors)")
            for number in 0..<120 {
                try "# note \(number)\ntext: todo \(number)\n"
                    .write(toFile: folder + "/\(number).yaml", atomically: true, encoding: .utf8)
            }
            let push = try Program.todosync("push", in: folder, environment: environment)
            try #require(push.status == 0, "\(push.errors)")
            let app = try Python.run(
                Self.pullingApp, [server.url + "/tables/todoitem", server.key], in: server.folder)
            #expect(app.output == "120\n", "\(app.errors)")
            let pull = try Program.todosync("pull", in: folder, environment: environment)
            #expect(pull.status == 0, "\(pull.output)\(pull.errors)")
            let text = try String(contentsOfFile: folder + "/7.yaml", encoding: .utf8)
            #expect(text.contains("# note 7\n") && text.contains("complete: true\n"), "\(text)")
        }
    }

    @Test func `another server gets many todos at a time, and their changes and deletes`() throws {
        let folder = try ThrowAwayFolder()
        let result = try Python.run(Self.otherServer, [TestedBinary.path], in: folder.path)
        // todosync reports once that the server doesn't keep tombstones.
        let warning =
            "warning: URL doesn't keep tombstones: "
            + "a todo that is deleted there stays in folders that already have it"
        #expect(
            result.output
                == "20 pushed\n20 pushed\n\(warning)\n10 pushed\n10 pushed\n0 left\n", "\(result.errors)")
    }

    /// A server with the minimum that the protocol requires, and todosync pushing to it.
    private static let otherServer = #"""
        import http.server, json, os, re, subprocess, sys, threading

        records, versions, lock = {}, iter(range(1, 1000)), threading.Lock()

        class Table(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *words):
                pass

            def answer(self, status, value):
                body = b"" if value is None else json.dumps(value).encode()
                self.send_response(status)
                if isinstance(value, dict) and "version" in value:
                    self.send_header("ETag", '"%s"' % value["version"])
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def write(self, id, fields):
                record = dict(records.get(id, {}), **fields)
                record.update(id=id, version="v%d" % next(versions), deleted=False,
                              updatedAt="2026-12-01T09:30:00.000Z")
                records[id] = record
                return record

            def do_GET(self):
                self.answer(200, [])

            def do_POST(self):
                fields = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if self.path.split("?")[0] != "/tables/todoitem":
                    return self.answer(404, {"error": "There is nothing here."})
                with lock:
                    self.answer(201, self.write(fields["id"], fields))

            def do_PATCH(self):
                fields = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                id = self.path.split("?")[0].split("/")[-1]
                with lock:
                    if self.headers["If-Match"] != '"%s"' % records[id]["version"]:
                        return self.answer(412, records[id])
                    self.answer(200, self.write(id, fields))

            def do_DELETE(self):
                with lock:
                    del records[self.path.split("?")[0].split("/")[-1]]
                self.answer(204, None)

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Table)
        threading.Thread(target=server.serve_forever, daemon=True).start()

        def todosync(*words):
            result = subprocess.run([sys.argv[1], *words], capture_output=True, text=True)
            if result.returncode:
                sys.exit("%s: %d %s%s" % (words, result.returncode, result.stdout, result.stderr))
            print(result.stderr.replace(url, "URL"), end="")
            return result.stdout

        url = "http://127.0.0.1:%d/tables/todoitem" % server.server_port
        todosync("clone", url, "todos")
        os.chdir("todos")
        for step, numbers in (("new", range(20)), ("changed", range(20)), ("gone", range(10)),
                              ("gone", range(10, 20))):
            for number in numbers:
                path = "%d.yaml" % number
                if step == "new":
                    open(path, "w").write("text: todo %d\n" % number)
                elif step == "changed":
                    text = open(path).read()
                    open(path, "w").write(text.replace("todo", "task"))
                else:
                    os.remove(path)
            words = ["push"] + (["--allow-deletes", "20"] if step == "gone" else [])
            print(todosync(*words).splitlines()[-1])
        print(len(records), "left")
        """#

    /// The tutorial's steps as an app takes them: insert, two edits of one version, 412 with the server's
    /// item, *use client* on its version, delete, undelete; in both versions of the protocol.
    private static let app = """
        import requests, sys
        url, key = sys.argv[1:]

        def play(session, version, parameters):
            item = session.post(url, params=parameters, json={"text": "Hello world 3", "complete": False})
            assert item.status_code == 201, item.text
            assert item.headers["Location"].startswith(url + "/"), item.headers
            location, etag = item.headers["Location"], item.headers["ETag"]
            assert etag == '"%s"' % item.json()[version], item.text
            mine = dict(id=item.json()["id"], text="Hello world 13")
            theirs = dict(id=item.json()["id"], text="Hello world 23")
            first = session.patch(location, params=parameters, json=theirs, headers={"If-Match": etag})
            assert first.status_code == 200 and first.json()["text"] == "Hello world 23", first.text
            refused = session.patch(location, params=parameters, json=mine, headers={"If-Match": etag})
            assert refused.status_code == 412 and refused.json()["text"] == "Hello world 23", refused.text
            assert refused.headers["ETag"] == first.headers["ETag"] != etag
            retried = session.patch(location, params=parameters, json=mine,
                                    headers={"If-Match": refused.headers["ETag"]})
            assert retried.status_code == 200 and retried.json()["text"] == "Hello world 13", retried.text
            assert session.get(location, params=parameters).json() == retried.json()
            twice = session.post(url, params=parameters, json=theirs)
            assert twice.status_code == 409 and twice.json()["text"] == "Hello world 13", twice.text
            deleted = session.delete(location, headers={"If-Match": retried.headers["ETag"]})
            assert deleted.status_code == 204 and not deleted.content, deleted.text
            assert session.get(location).status_code == 404
            assert session.post(location, params=parameters).status_code == 200
            found = session.get(url, params={"$filter": "text eq 'Hello world 13'", "$inlinecount": "allpages"})
            assert found.json()["count"] == 1, found.text
            assert session.delete(location).status_code == 204

        one = requests.Session()
        one.headers["x-zumo-application"] = key
        play(one, "__version", {"__systemproperties": "*"})
        two = requests.Session()
        two.headers.update({"X-ZUMO-AUTH": key, "ZUMO-API-VERSION": "2.0.0"})
        play(two, "version", {})
        wrong = requests.get(url, headers={"x-zumo-application": "wrong"})
        assert wrong.status_code == 401 and "Unauthorized" in wrong.json()["error"], wrong.text
        print("done")
        """

    /// Pulls as the iOS client does, and completes every todo.
    private static let pullingApp = """
        import requests, sys
        url, key = sys.argv[1:]
        session = requests.Session()
        session.headers["x-zumo-application"] = key
        items, token, skip = {}, "1970-01-01T00:00:00.000Z", 0
        while True:
            page = session.get(url, params={
                "$filter": f"(__updatedAt ge datetimeoffset'{token}')", "$orderby": "__updatedAt asc",
                "$skip": skip, "$top": 50, "__includeDeleted": "true", "__systemProperties": "*"}).json()
            if not page:
                break
            items.update((item["id"], item) for item in page)
            newest = max(item["__updatedAt"] for item in page)
            skip, token = (skip + len(page), token) if newest == token else (0, newest)
        for id, item in items.items():
            answer = session.patch(url + "/" + id, json={"id": id, "complete": True},
                                   headers={"If-Match": '"%s"' % item["__version"]})
            assert answer.status_code == 200, answer.text
        print(len(items))
        """
}

/// Runs programs in Python, if it is installed.
enum Python {
    /// Returns whether a module can be imported.
    static func has(_ module: String) -> Bool {
        (try? run("import \(module)", [], in: "/tmp"))?.status == 0
    }

    static func run(_ program: String, _ arguments: [String], in folder: String) throws -> Program.Result {
        let scratch = try ThrowAwayFolder()
        try scratch.write(program, to: "program.py")
        let words = (["python3", scratch.path + "/program.py"] + arguments).map { "'\($0)'" }
        return try Program.shell(
            words.joined(separator: " "), in: folder,
            environment: TestedEnvironment(home: folder, more: ["PYTHONPATH": Self.path]))
    }

    /// The folders with the modules that the tester has installed.
    private static var path: String { ProcessInfo.processInfo.environment["PYTHONPATH"] ?? "" }
}
