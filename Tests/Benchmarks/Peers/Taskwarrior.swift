/// Taskwarrior 2 with its own server, which uses TLS with certificates on both sides.
struct Taskwarrior: Peer {
    let name = "Taskwarrior with taskd"
    let maximumTodos = 10_000
    let transport = Transport.http
    private let task: String
    private let taskd: String
    private let openssl: String

    /// - Returns: Nil if the programs that it needs are not installed.
    init?() {
        guard let task = installedProgram("task"), let taskd = installedProgram("taskd"),
            let openssl = installedProgram("openssl")
        else { return nil }
        self.task = task
        self.taskd = taskd
        self.openssl = openssl
    }

    func prepare(_ files: TodoFiles, in folder: String, _ runner: CommandRunner) throws -> ServerProcess? {
        let port = try freePort()
        let user = "00000000-0000-4000-8000-000000000001"
        try makeFolder(folder + "/server/orgs/Public/users/" + user)
        try writeText("user=me\n", to: folder + "/server/orgs/Public/users/\(user)/config")
        try writeText(
            """
            confirmation=off
            server=127.0.0.1:\(port)
            trust=allow all
            request.limit=100000000
            log=\(folder)/taskd.log
            ca.cert=\(folder)/certificate.pem
            server.cert=\(folder)/certificate.pem
            server.key=\(folder)/key.pem

            """, to: folder + "/server/config")
        // All sides use the same certificate, because only the sync is measured, not the trust between them.
        let certificate = [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
            "-keyout", folder + "/key.pem", "-out", folder + "/certificate.pem",
        ]
        try runner.run([Command(program: openssl, arguments: certificate)])
        for client in ["phone", "laptop"] {
            try makeFolder(folder + "/" + client)
            try writeText(
                """
                data.location=\(folder)/\(client)
                confirmation=no
                verbose=nothing
                taskd.server=127.0.0.1:\(port)
                taskd.credentials=Public/me/\(user)
                taskd.certificate=\(folder)/certificate.pem
                taskd.key=\(folder)/key.pem
                taskd.trust=allow all

                """, to: folder + "/" + client + "/taskrc")
        }
        let tasks = (0..<files.count).map { number in
            let content = files.content(of: number)
            let due = content.due.replacing("-", with: "") + "T120000Z"
            return """
                {"uuid":"\(content.id)","status":"pending","entry":"20260101T120000Z",\
                "description":"\(content.text)","due":"\(due)","tags":["\(content.tag)","home"],\
                "annotations":[{"entry":"20260101T120000Z","description":\
                "\(content.notes.joined(separator: " "))"}]}
                """
        }
        try writeText("[" + tasks.joined(separator: ",\n") + "]\n", to: folder + "/tasks.json")
        return try ServerProcess(
            Command(program: taskd, arguments: ["server", "--data", folder + "/server"]),
            environment: runner.environment, log: folder + "/log", port: port)
    }

    func commands(for job: PeerJob, in folder: String) -> [Command]? {
        func command(_ client: String, _ arguments: String...) -> Command {
            Command(program: task, arguments: ["rc:\(folder)/\(client)/taskrc"] + arguments)
        }
        return switch job {
        case .firstSync:
            [command("phone", "import", folder + "/tasks.json"), command("phone", "sync", "init")]
        case .secondCopy, .nothingNew: [command("laptop", "sync")]
        case .list: [command("laptop", "list")]
        }
    }
}
