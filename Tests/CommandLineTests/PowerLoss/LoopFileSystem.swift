import Foundation
import TestSupport
import Testing

/// A file system that can be created in a file and mounted from it.
enum LoopFileSystem: String, CaseIterable, Sendable {
    case btrfs, ext4, xfs

    /// Roughly its smallest possible size, in MiB; the file is sparse.
    var size: Int {
        switch self {
        case .btrfs: 128
        case .ext4: 64
        case .xfs: 300
        }
    }

    private var tool: String { "mkfs.\(rawValue)" }

    /// The mount options to try: the default, and options that guarantee less about the order of writes.
    var mountOptions: [String] {
        switch self {
        case .btrfs: ["loop"]
        // A copy has the same identity as the original disk. The original might still be mounted if another
        // test's program inherited one of its files, and only xfs refuses to mount both.
        case .xfs: ["loop,nouuid"]
        case .ext4: ["loop", "loop,data=writeback,noauto_da_alloc"]
        }
    }

    /// Creates the file, with an empty file system in it.
    func make(in image: String) throws {
        let made = try Self.shell(#"truncate -s \#(size)M "$1" && \#(tool) -q "$1""#, [image])
        guard made.status == 0 else { throw LoopError("\(tool): \(made.text)") }
    }

    // MARK: Availability

    /// Why power losses can't be tested on any file system; nil if they can.
    static let whyNoLoss: String? = {
        if geteuid() != 0 { return "only root can mount a file system" }
        if access("/dev/loop-control", R_OK | W_OK) != 0 { return "there are no loop devices" }
        if !StopTracer.isUsable { return StopTracer.whyNot.rawValue }
        return nil
    }()

    /// Whether the program that creates it is installed.
    var isInstalled: Bool { (try? Self.shell("command -v \(tool)", []))?.status == 0 }

    /// Why power losses can't be tested on this file system; nil if they can.
    var whyNot: String? { Self.reasons[self] }

    private static let reasons: [LoopFileSystem: String] = {
        var reasons: [LoopFileSystem: String] = [:]
        for kind in allCases { reasons[kind] = whyNoLoss ?? kind.whyNotMounted() }
        return reasons
    }()

    static let usable = allCases.filter { $0.whyNot == nil }

    private func whyNotMounted() -> String? {
        guard isInstalled else { return "\(tool) is not installed" }
        do {
            let folder = try ThrowAwayFolder()
            try make(in: folder.path + "/image")
            try LoopDisk(self, mountOptions[0], image: folder.path + "/image", at: folder.path + "/disk")
                .end()
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// An environment that finds the administrator's programs.
    static let environment = ["PATH": "/usr/sbin:/sbin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"]

    /// Runs a shell's command line in ``environment``.
    static func shell(_ command: String, _ arguments: [String]) throws -> (status: Int32, text: String) {
        let result = try ChildProcess.run(
            ["/bin/sh", "-c", "exec 2>&1\n" + command, "sh"] + arguments,
            environment: environment)
        return (result.status, String(decoding: result.output, as: UTF8.self))
    }
}

struct LoopError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
