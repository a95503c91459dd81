/// vdirsyncer, which syncs a folder of calendar files with a CalDAV server, here radicale.
struct Vdirsyncer: Peer {
    let name = "vdirsyncer with radicale"
    /// This many todos take it half a minute.
    let maximumTodos = 1000
    let transport = Transport.http
    private let vdirsyncer: String
    private let radicale: String

    /// - Returns: Nil if the programs that it needs are not installed.
    init?() {
        guard let vdirsyncer = installedProgram("vdirsyncer"), let radicale = installedProgram("radicale")
        else { return nil }
        self.vdirsyncer = vdirsyncer
        self.radicale = radicale
    }

    func prepare(_ files: TodoFiles, in folder: String, _ runner: CommandRunner) throws -> ServerProcess? {
        let port = try freePort()
        let calendar = folder + "/server/collection-root/me/todos"
        try makeFolder(calendar)
        try writeText("{\"tag\": \"VCALENDAR\"}", to: calendar + "/.Radicale.props")
        try writeText(
            """
            [server]
            hosts = 127.0.0.1:\(port)
            [auth]
            type = none
            [storage]
            filesystem_folder = \(folder)/server

            """, to: folder + "/radicale")
        for client in ["phone", "laptop"] {
            try makeFolder(folder + "/" + client)
            try writeText(
                """
                [general]
                status_path = "\(folder)/\(client).status"
                [pair todos]
                a = "local"
                b = "remote"
                collections = null
                [storage local]
                type = "filesystem"
                path = "\(folder)/\(client)"
                fileext = ".ics"
                [storage remote]
                type = "caldav"
                url = "http://127.0.0.1:\(port)/me/todos/"
                username = "me"
                password = "me"

                """, to: folder + "/" + client + ".config")
        }
        for number in 0..<files.count {
            let content = files.content(of: number)
            let lines = [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//todosync//benchmarks//EN", "BEGIN:VTODO",
                "UID:\(content.id)", "DTSTAMP:20260101T120000Z", "SUMMARY:\(content.text)",
                "DUE;VALUE=DATE:\(content.due.replacing("-", with: ""))", "CATEGORIES:\(content.tag),home",
                "DESCRIPTION:\(content.notes.joined(separator: " "))", "END:VTODO", "END:VCALENDAR", "",
            ]
            try writeText(lines.joined(separator: "\r\n"), to: folder + "/phone/\(content.id).ics")
        }
        let server = try ServerProcess(
            Command(program: radicale, arguments: ["--config", folder + "/radicale"]),
            environment: runner.environment, log: folder + "/log", port: port)
        try runner.run(["phone", "laptop"].map { command($0, "discover", in: folder) })
        return server
    }

    func commands(for job: PeerJob, in folder: String) -> [Command]? {
        switch job {
        case .firstSync: [command("phone", "sync", in: folder)]
        case .secondCopy, .nothingNew: [command("laptop", "sync", in: folder)]
        case .list: nil
        }
    }

    private func command(_ client: String, _ verb: String, in folder: String) -> Command {
        Command(program: vdirsyncer, arguments: ["--config", folder + "/" + client + ".config", verb])
    }
}
