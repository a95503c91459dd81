import Foundation
import Testing

/// The program `stoptracer`, which runs another program and stops it at a system call that changes something
/// or talks to a remote.
enum StopTracer {
    static let path = TestedBinary.testsFolder.appendingPathComponent("stoptracer").path

    /// Whether the system lets `stoptracer` trace programs.
    static let isUsable: Bool = {
        guard let folder = try? ThrowAwayFolder() else { return false }
        let traced = command("report", .none) + " true"
        let environment = TestedEnvironment(home: folder.path)
        return (try? Program.shell(traced, in: folder.path, environment: environment))?.status == 0
    }()

    static let whyNot: Comment =
        "the system does not let a program be traced: it needs Linux on x86-64 or aarch64"

    /// Where and how a run is stopped.
    struct Stop: Sendable {
        var number: Int
        var way: Way
        /// If this isn't nil, everything is written to disk before the call with this number.
        var synchronized: Int?

        static let none = Stop(number: 0, way: .kill)
    }

    enum Way: String, Sendable, CaseIterable {
        case kill
        /// Ctrl-C.
        case interrupt
        case inputOutputError = "EIO"
        case noSpace = "ENOSPC"
        /// The disk is full from then on.
        case fullDisk = "a full disk"
        case interruptedCall = "EINTR"

        fileprivate func words(_ number: Int) -> String {
            switch self {
            case .kill, .interrupt: "\(number) \(rawValue)"
            case .inputOutputError: "\(number) \(EIO)"
            case .noSpace: "\(number) \(ENOSPC)"
            case .fullDisk: "\(number)+ \(ENOSPC)"
            case .interruptedCall: "\(number) \(EINTR)"
            }
        }
    }

    /// Returns the words to put before a shell's command in order to stop it.
    static func command(_ report: String, _ stop: Stop) -> String {
        let earlier = stop.synchronized.map { "\($0)/" } ?? ""
        return "\(path) \(report) \(earlier)\(stop.way.words(stop.number))"
    }

    /// A call, and its path or other object.
    struct Call: CustomStringConvertible {
        var name: String
        var object: String
        var description: String { "\(name) \(object)" }

        init(_ line: some StringProtocol) {
            let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            name = String(words[0])
            object = words.count > 1 ? String(words[1]) : ""
        }

        /// Whether a signal can interrupt the call, so that it has to be repeated.
        var isInterruptible: Bool {
            ["write", "writev", "pwrite64", "openat", "ftruncate"].contains(name)
                || object.hasPrefix("socket:") && !["connect", "shutdown"].contains(name)
        }
    }

    /// The calls of a run.
    struct Report {
        var calls: [Call] = []
        /// The indices of the calls that failed.
        var stopped: [Int] = []

        init(_ text: String) {
            for line in text.split(separator: "\n") {
                if line.hasPrefix("! ") { stopped.append(calls.count) }
                calls.append(Call(line.hasPrefix("! ") ? line.dropFirst(2) : line))
            }
        }
    }
}
