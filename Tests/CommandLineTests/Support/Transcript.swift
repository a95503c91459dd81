import Foundation

/// A Markdown page with blocks of commands and what they print, as a person would see them in a shell.
///
/// In a block ```` ```console ````, `/bin/sh` runs a line `$ command`; lines `> …` after it continue the
/// command. All blocks of a page run one after the other, in one throw-away folder that is the user's home. A
/// line with only a `cd` command changes the folder for the lines below it. The lines after a command are its
/// output, and `[exit status: 1]` if the status isn't 0.
///
/// While the test runs, a free port replaces port 8080. A page that starts a server writes the server's
/// process id to `server.pid`, and the server ends with the page.
struct Transcript {
    private enum Piece {
        case text(Substring)
        case command([Substring])
    }

    private let pieces: [Piece]

    /// The folder of programs that pages use.
    private static let tools = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Transcripts/Tools")

    /// The folder's path in the output, whatever its path is while the test runs.
    private static let homeName = "/home/ann"
    private static let portName = "8080"

    init(_ page: String) {
        var pieces: [Piece] = []
        var isInBlock = false
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isInBlock = line == "```console"
                pieces.append(.text(line))
            } else if isInBlock, line.hasPrefix("$ ") {
                pieces.append(.command([line.dropFirst(2)]))
            } else if isInBlock, line.hasPrefix("> "), case .command(let lines)? = pieces.last {
                pieces[pieces.count - 1] = .command(lines + [line.dropFirst(2)])
            } else if !isInBlock {
                pieces.append(.text(line))
            }
        }
        self.pieces = pieces
    }

    /// Runs the commands and returns the page with what they print now.
    func run() throws -> String {
        let home = try ThrowAwayFolder(device: "ann-pc")
        defer { endServer(of: home) }
        let port = try freePort()
        var folder = home.path
        var environment = TestedEnvironment(home: home.path)
        environment.more["PATH"] = "\(Self.tools.path):\(environment.variables["PATH"] ?? "")"
        var lines: [String] = []
        for piece in pieces {
            switch piece {
            case .text(let line): lines.append(String(line))
            case .command(let command):
                lines.append("$ \(command[0])")
                lines += command.dropFirst().map { "> \($0)" }
                if command.count == 1, command[0].hasPrefix("cd ") {
                    folder = URL(fileURLWithPath: folder + "/" + command[0].dropFirst(3)).standardized.path
                } else {
                    let command = command.joined(separator: "\n")
                        .replacingOccurrences(of: ":" + Self.portName, with: ":\(port)")
                    lines += try output(of: command, in: folder, environment, home.path).map {
                        $0.replacingOccurrences(of: ":\(port)", with: ":" + Self.portName)
                    }
                    environment.seed += 1
                }
            }
        }
        return lines.joined(separator: "\n")
    }

    private func output(
        of command: String, in folder: String, _ environment: TestedEnvironment, _ home: String
    ) throws -> [String] {
        let result = try Program.shell(command, in: folder, environment: environment)
        var lines = result.output.replacingOccurrences(of: home, with: Self.homeName).components(
            separatedBy: "\n")
        if lines.last == "" { lines.removeLast() }
        if result.status != 0 { lines.append("[exit status: \(result.status)]") }
        return lines
    }
}

extension Transcript {
    /// Ends the server that a page has left running.
    private func endServer(of home: ThrowAwayFolder) {
        guard let text = try? home.read("server.pid"),
            let process = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines))
        else { return }
        kill(process, SIGKILL)
    }

    /// Returns a port that no program on this machine listens on.
    private func freePort() throws -> UInt16 {
        #if canImport(Glibc)
            let type = Int32(SOCK_STREAM.rawValue)
        #else
            let type = SOCK_STREAM
        #endif
        let socket = socket(AF_INET, type, 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRINUSE) }
        return UInt16(bigEndian: address.sin_port)
    }
}
