import Foundation
import TestSupport

/// Two working directories on a disk that loses power, and their store on one that doesn't; each round begins
/// with the same state.
final class PowerLossFolders {
    let kind: LoopFileSystem
    /// The todos' values at the beginning.
    private(set) var written = WrittenFields()
    private let folder: ThrowAwayFolder

    var store: String { folder.path + "/store" }
    private var point: String { folder.path + "/disk" }
    private var report: String { folder.path + "/report" }

    static let sides = ["a", "b"]
    /// Small, so that users often work on the same todo.
    private static let todoCount = 3

    init(_ kind: LoopFileSystem) throws {
        self.kind = kind
        folder = try ThrowAwayFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/now", withIntermediateDirectories: true)
        try kind.make(in: folder.path + "/now/image")
        let disk = try LoopDisk(kind, kind.mountOptions[0], image: folder.path + "/now/image", at: point)
        try run("init --bare \(store)", on: disk)
        for side in Self.sides { try run("clone \(store) \(point)/\(side)", on: disk) }
        var user = PowerLossUser(
            side: "a", folder: disk.path(of: "a"), favorite: "one", random: SplitMix64(seed: 0),
            written: written)
        for _ in 0..<Self.todoCount { _ = try user.insert() }
        written = user.written
        for side in Self.sides { try run("sync -C \(point)/\(side)", on: disk) }
        try disk.end()
        try shell(
            """
            mkdir template
            cp --sparse=always now/image template
            cp -a store template
            """)
    }

    /// Mounts the disk in its initial state.
    func begin(_ options: String) throws -> LoopDisk {
        try shell(
            """
            rm -rf now store lost clone
            mkdir now
            cp --sparse=always template/image now
            cp -a template/store .
            """)
        return try LoopDisk(kind, options, image: folder.path + "/now/image", at: point)
    }

    /// Cuts the power, and returns the disk as it is afterward.
    func losePower(_ disk: LoopDisk, _ options: String) throws -> LoopDisk {
        try disk.copyImage(to: folder.path + "/lost")
        try disk.end()
        try shell("rm -r now; mv lost now")
        return try LoopDisk(kind, options, image: folder.path + "/now/image", at: point)
    }

    struct Ended {
        var status: Int32
        var output: String
        var report: StopTracer.Report
    }

    /// Runs todosync to its end, or stops it at one of its calls.
    ///
    /// - Parameters:
    ///   - command: The command's words; no word contains a space.
    ///   - seed: The seed for the command's random values.
    func run(
        _ command: String, in side: String, on disk: LoopDisk, seed: Int, stop: StopTracer.Stop? = nil
    ) throws -> Ended {
        let tracer = stop.map { StopTracer.command(report, $0) + " " } ?? ""
        let result = try disk.run(
            ["/bin/sh", "-c", "exec 2>&1\ncd \(point)/\(side) && exec \(tracer)todosync \(command)"],
            TestedEnvironment(home: folder.path, seed: seed))
        return Ended(
            status: result.status, output: String(decoding: result.output, as: UTF8.self),
            report: StopTracer.Report(stop == nil ? "" : try folder.read("report")))
    }

    /// Returns the todos in the store.
    func storedFiles() throws -> [TodoFileOfUser] {
        let clone = folder.path + "/clone"
        let result = try Program.todosync("clone", "--quiet", store, clone, in: folder.path)
        guard result.status == 0 else { throw LoopError("clone: \(result.errors)") }
        return TodoFileOfUser.all(in: clone)
    }

    private func run(_ command: String, on disk: LoopDisk) throws {
        let result = try disk.run(
            ["/bin/sh", "-c", "todosync \(command)"], TestedEnvironment(home: folder.path))
        guard result.status == 0 else { throw LoopError(String(decoding: result.errors, as: UTF8.self)) }
    }

    private func shell(_ command: String) throws {
        let result = try Program.shell(
            "set -e\n" + command, in: folder.path, environment: TestedEnvironment(home: folder.path))
        guard result.status == 0 else { throw LoopError(result.output) }
    }
}
