/// unison, which keeps two folders in sync; here, two folders sync through a third one.
struct Unison: Peer {
    let name = "unison"
    let maximumTodos = 10_000
    let transport = Transport.folder
    private let program: String

    /// - Returns: Nil if it is not installed.
    init?() {
        guard let program = installedProgram("unison") else { return nil }
        self.program = program
    }

    func prepare(_ files: TodoFiles, in folder: String, _ runner: CommandRunner) throws -> ServerProcess? {
        try files.write(to: folder + "/phone")
        try makeFolder(folder + "/remote")
        return nil
    }

    func commands(for job: PeerJob, in folder: String) -> [Command]? {
        let client =
            switch job {
            case .firstSync: "phone"
            case .secondCopy, .nothingNew: "laptop"
            case .list: nil as String?
            }
        guard let client else { return nil }
        return [
            Command(
                program: program,
                arguments: [folder + "/" + client, folder + "/remote", "-batch", "-silent"])
        ]
    }
}
