/// A web server for `git http-backend`: Python's own, with a thread for each request.
enum GitServer {
    /// A Python program that takes git's path and the repositories' folder as arguments.
    ///
    /// It prints the URL that it listens on.
    static let program = """
        import http.server, subprocess, sys

        git, root = sys.argv[1:]

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1

            def body(self):
                if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
                    return self.rfile.read(int(self.headers.get("Content-Length", 0)))
                chunks = []
                while size := int(self.rfile.readline().split(b";")[0], 16):
                    chunks.append(self.rfile.read(size))
                    self.rfile.readline()
                self.rfile.readline()
                return b"".join(chunks)

            def answer(self):
                body = self.body()
                path, _, query = self.path.partition("?")
                environment = {
                    "PATH": "/usr/bin:/bin", "GIT_PROJECT_ROOT": root, "GIT_HTTP_EXPORT_ALL": "1",
                    "GIT_CONFIG_NOSYSTEM": "1", "HOME": root, "REMOTE_ADDR": "127.0.0.1",
                    "REQUEST_METHOD": self.command, "PATH_INFO": path, "QUERY_STRING": query,
                    "CONTENT_TYPE": self.headers.get("Content-Type", ""), "CONTENT_LENGTH": str(len(body)),
                    "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                    "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
                }
                output = subprocess.run([git, "http-backend"], input=body, env=environment, stdout=-1).stdout
                head, _, content = output.partition(b"\\r\\n\\r\\n")
                fields = [line.split(": ", 1) for line in head.decode().split("\\r\\n")]
                status = next((value for name, value in fields if name == "Status"), "200")
                self.send_response(int(status.split()[0]))
                for name, value in fields:
                    if name != "Status":
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
                self.wfile.flush()

            do_GET = do_POST = answer

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
        server.serve_forever()
        """
}
