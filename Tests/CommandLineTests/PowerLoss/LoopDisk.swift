import Foundation
import TestSupport

/// A mounted file system that is visible only to the programs that run in it.
///
/// When the program that holds the mount ends, the kernel unmounts the file system and frees its loop device.
/// This happens at the latest when the tests end, however they end.
final class LoopDisk {
    /// The mount point.
    let point: String
    private let image: String
    private let holder: ChildProcess
    private let number: String
    /// The holder's input; closing it ends the holder.
    private var input: Int32?

    /// - Parameter point: A folder, which is created if it doesn't exist.
    init(_ kind: LoopFileSystem, _ options: String, image: String, at point: String) throws {
        self.point = point
        self.image = image
        try FileManager.default.createDirectory(atPath: point, withIntermediateDirectories: true)
        let (theirInput, input) = try Self.pipe()
        let (output, theirOutput) = try Self.pipe()
        self.input = input
        let script =
            #"mount -t "$1" -o "$2" "$3" "$4" 2>&1 && echo "mounted $$" && cat; umount "$4" 2> /dev/null || umount --lazy "$4""#
        let words = ["/bin/sh", "-c", script, "sh", kind.rawValue, options, image, point]
        defer { close(output) }
        do {
            defer { for descriptor in [theirInput, theirOutput] { close(descriptor) } }
            holder = try ChildProcess(
                ["unshare", "--mount"] + words, environment: LoopFileSystem.environment,
                input: .descriptor(theirInput), output: .descriptor(theirOutput))
        }
        let answer = Self.line(from: output)
        number = answer.hasPrefix("mounted ") ? String(answer.dropFirst(8)) : ""
        guard !number.isEmpty else {
            release()
            throw LoopError(answer.isEmpty ? "nothing was mounted" : answer)
        }
    }

    deinit { release() }

    private func release() {
        if let input { close(input) }
        input = nil
    }

    /// Creates a pipe that no other program inherits.
    private static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Foundation.pipe(&ends) == 0 else {
            throw LoopError("pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func line(from descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Unmounts the file system.
    func end() throws {
        release()
        guard holder.wait() == 0 else { throw LoopError("\(point) was not unmounted") }
    }

    /// Returns a file's path for the tests, which don't see the mount.
    func path(of relative: String) -> String { "/proc/\(number)/root\(point)/\(relative)" }

    /// Runs a program that sees the file system.
    func run(_ words: [String], _ environment: TestedEnvironment) throws -> ChildProcess.Result {
        try ChildProcess.run(
            ["nsenter", "--mount=/proc/\(number)/ns/mnt", "--"] + words, environment: environment.variables)
    }

    /// Copies the image to a new folder, with only what has been written to disk, as after a power loss.
    func copyImage(to folder: String) throws {
        // Two equal copies contain everything that was written until the second one began, and nothing later.
        let copied = try LoopFileSystem.shell(
            """
            cd "$(dirname "$1")" && name=$(basename "$1") && mkdir "$2" || exit
            for try in $(seq 100); do
                for number in 1 2; do tar -S --mtime=@0 -cf "$2/$number.tar" "$name"; done
                cmp -s "$2/1.tar" "$2/2.tar" && cd "$2" && tar -xSf 1.tar && rm ?.tar && exit
            done
            exit 1
            """, [image, folder])
        guard copied.status == 0 else { throw LoopError("the disk was not copied: \(copied.text)") }
    }
}
