import Foundation
import TestSupport

/// Some edits on two sides, a power loss during a command, and what must hold when both sides have synced.
struct PowerLossRound {
    let folders: PowerLossFolders
    private let options: String
    private var disk: LoopDisk
    var random: SplitMix64
    var written: WrittenFields
    var events = PowerLossEvents()
    /// What happened, for the failure's message.
    private(set) var story: [String]
    private var commandCount = 0
    private let seed: UInt64

    init(_ folders: PowerLossFolders, seed: UInt64) throws {
        self.folders = folders
        self.seed = seed
        // Each file system gets different histories.
        random = SplitMix64(seed: seed &* 0x1234_5678_9ABC_DEF1 &+ UInt64(folders.kind.size))
        written = folders.written
        options = folders.kind.mountOptions.randomElement(using: &random) ?? "loop"
        disk = try folders.begin(options)
        story = ["\(folders.kind), -o \(options)"]
    }

    /// - Throws: ``PowerLossFailure``.
    mutating func run() throws {
        let sides = PowerLossFolders.sides.shuffled(using: &random)
        let (here, there) = (sides[0], sides[1])
        try edit(there, Int.random(in: 1...5, using: &random))
        if random.chance(0.9) { try command(random.chance(0.5) ? "push" : "sync", in: there) }
        if random.chance(0.3) { try edit(there, 1) }
        let unedited = files(here)
        try edit(here, Int.random(in: 0...4, using: &random))
        let before = files(here)
        try losePower(here)
        try checkWhole()
        if random.chance(0.5) { try actOnSeen(here, before, unedited) }
        if random.chance(0.25) { try edit(there, 1) }
        try comeToRest(from: random.chance(0.8) ? [here, there] : [there, here])
        try check()
        try disk.end()
    }

    func files(_ side: String) -> [TodoFileOfUser] { TodoFileOfUser.all(in: disk.path(of: side)) }

    // MARK: Users

    private mutating func edit(_ side: String, _ count: Int) throws {
        for _ in 0..<count { try withUser(side) { (user) throws in try user.act() } }
    }

    private mutating func actOnSeen(
        _ side: String, _ before: [TodoFileOfUser], _ unedited: [TodoFileOfUser]
    ) throws {
        try withUser(side) { (user) throws in try user.actOnSeen(before: before, unedited: unedited) }
    }

    private mutating func withUser(
        _ side: String, _ body: (inout PowerLossUser) throws -> (act: PowerLossUser.Act, what: String)?
    ) throws {
        var user = PowerLossUser(
            side: side, folder: disk.path(of: side), favorite: side == "a" ? "one" : "two", random: random,
            written: written)
        let done = try body(&user)
        (random, written) = (user.random, user.written)
        guard let done else { return }
        events.note(done.act)
        story.append("\(side): the user \(done.act.rawValue): \(done.what)")
    }

    // MARK: Commands

    /// Runs a command to its end.
    @discardableResult
    mutating func command(_ words: String, in side: String, isLogged: Bool = true) throws -> String {
        commandCount += 1
        let ended = try folders.run(words, in: side, on: disk, seed: commandSeed)
        if isLogged { story.append("\(side): todosync \(words): \(ended.status)\n\(ended.output)") }
        guard [0, 1].contains(ended.status) else { throw PowerLossFailure("\(words) failed", self) }
        return ended.output
    }

    private var commandSeed: Int { Int(seed % 1_000_000) * 100 + commandCount }

    /// The commands to interrupt, each with the approximate numbers of the system calls from its first write
    /// to disk to its end.
    private static let commands: [(words: String, event: PowerLossEvents.Event, calls: ClosedRange<Int>)] = [
        ("sync", .sync, 22...65), ("sync", .sync, 22...65), ("pull", .pull, 22...48),
        ("push", .push, 22...50),
    ]

    /// Stops a command, and drops everything that isn't on disk yet.
    private mutating func losePower(_ side: String) throws {
        let index = Int.random(in: 0..<Self.commands.count, using: &random)
        let (words, event, calls) = Self.commands[index]
        commandCount += 1
        var stop = StopTracer.Stop(number: Int.random(in: calls, using: &random), way: .kill)
        if random.chance(0.5) {
            stop.synchronized = Int.random(in: calls.lowerBound...stop.number, using: &random)
            events.note(.commit)
        }
        let ended = try folders.run(words, in: side, on: disk, seed: commandSeed, stop: stop)
        let stopped = ended.report.stopped.first.map { "\($0 + 1), \(ended.report.calls[$0])" }
        let synced =
            stop.synchronized.map { ", with all on disk that was written until call \($0)" } ?? ""
        events.note(stopped == nil ? .after : event)
        story.append(
            "\(side): todosync \(words): \(stopped.map { "stopped at call \($0)" } ?? "came to its end")\(synced)\n"
                + ended.output)
        try writeMore(side)
        let (files, journal) = (files(side), journal(side))
        disk = try folders.losePower(disk, options)
        let left = self.files(side)
        story.append("power loss; in \(side) are now")
        story += left.map { "\($0.path): \($0.text.debugDescription)" }
        if journal != self.journal(side) { events.note(.journalLost) }
        guard files != left else { return }
        events.note(.todoLost)
        let begun = self.journal(side).components(separatedBy: #""record":"begin""#).last ?? ""
        if begun.contains(#""record":"sent""#) { events.note(.sentAndLost) }
    }

    /// Writes something to disk that no program waits for, as a file system can at any time.
    private mutating func writeMore(_ side: String) throws {
        let folder = disk.path(of: side)
        guard random.chance(0.5) else { return }
        if random.chance(0.1) {
            _ = try LoopFileSystem.shell(#"sync -f "$1""#, [folder])
            events.note(.all)
            story.append("all is written")
            return
        }
        let names = (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? [])
            .sorted()
        guard let name = names.randomElement(using: &random) else { return }
        _ = try LoopFileSystem.shell(#"sync "$1""#, [folder + "/" + name])
        events.note(.file)
        story.append("\(side)/\(name) is written")
    }

    private func journal(_ side: String) -> String {
        let bytes = FileManager.default.contents(atPath: disk.path(of: side) + "/.todosync/journal")
        return String(decoding: bytes ?? Data(), as: UTF8.self)
    }
}

/// A rule that didn't hold after a power loss.
struct PowerLossFailure: Error, CustomStringConvertible {
    var description: String

    init(_ what: String, _ round: PowerLossRound) {
        var lines = [what] + round.story
        for side in PowerLossFolders.sides {
            lines.append("in \(side) are now")
            lines += round.files(side).map { "\($0.path): \($0.text.debugDescription)" }
        }
        description = lines.joined(separator: "\n")
    }
}
