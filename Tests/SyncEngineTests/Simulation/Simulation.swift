import SyncEngine
import Synchronization
import TestSupport
import TodoModel
import WorkingCopy

/// A history of several working directories and one remote, with people's edits and everything that can go
/// wrong, and the properties that must hold at its end.
struct Simulation {
    let seed: UInt64
    let world: World
    let remote: MisbehavingRemote
    let texts = UserTexts()
    var random: SplitMix64
    var machines: [SimulatedMachine] = []
    var events = SimulatedEvents()
    /// Whether the last command met a conflict, which its user resolves next.
    var hasConflict = false
    /// Whether the last command was a push, a pull or a sync.
    var isExchange = false
    /// Whether a machine has lost recorded state, so that todos are matched by id.
    var hasLostState = false
    /// Whether a machine's recorded state was damaged, so that base versions might be lost.
    var hasDamagedState = false
    /// Whether the remote might misbehave.
    var isRemoteTroubled = false
    /// Whether a dry run has changed a file.
    var hasDryRunWritten = false
    /// The backups of the machines' states, by machine number.
    private var backups: [Int: [String: [UInt8]]] = [:]
    /// The number of the machine that something happens to.
    private var number = 0
    let stepCount: Int
    let todoCount: Int
    /// Prints a history that is replayed.
    private var story: SimulationStory?

    /// Returns whether a history is a long one with many todos and machines, which takes a hundred times as
    /// long.
    static func isFullSize(_ seed: UInt64) -> Bool { seed % 400 == 399 }

    /// - Parameter prints: Whether each step is printed.
    init(seed: UInt64, prints: Bool = false) throws {
        self.seed = seed
        random = SplitMix64(seed: seed &* 0x1234_5678_9ABC_DEF1)
        world = World(seed: seed, pageSize: Int(seed % 7) + 1)
        remote = MisbehavingRemote(world.remote, behaviors: [], seed: seed)
        world.put(remote)
        let isFullSize = Self.isFullSize(seed)
        stepCount = isFullSize ? 200 : Int.random(in: 8...16, using: &random)
        todoCount = isFullSize ? 20 : Int.random(in: 1...3, using: &random)
        let machineCount = isFullSize ? Int.random(in: 3...8, using: &random) : 2
        for _ in 0..<machineCount { machines.append(try SimulatedMachine(world, texts)) }
        if prints { story = SimulationStory() }
    }

    /// Runs random steps, lets all machines come to rest, and checks the result.
    ///
    /// - Throws: ``SimulationFailure``.
    mutating func run() async throws {
        for number in 0..<todoCount {
            machines[0].save("text: \(texts.new())\npriority: low\n", to: "todo-\(number).yaml")
        }
        for machine in machines { _ = try await machine.workspace().sync(SyncOptions()) }
        await trace("start")
        for count in 0..<stepCount {
            do {
                try await step()
            } catch {
                await trace("step \(count), machine \(number), which failed")
                throw error
            }
            await trace("step \(count), machine \(number)")
        }
        try await comeToRest()
        try await check()
    }

    /// Prints what has happened since the last call.
    mutating func trace(_ title: String) async {
        await story?.trace(title, events, machines.map(\.files), await world.remote.liveRecords())
    }

    private mutating func step() async throws {
        if !hasConflict { number = Int.random(in: 0..<machines.count, using: &random) }
        let machine = machines[number]
        machine.disk.advance(nanoseconds: Int64.random(in: 0...60_000_000, using: &random))
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<50:
            var editor = SimulatedEditor(machine: machine, random: random)
            events.note(editor.act())
            random = editor.random
        case 50..<92: try await command(machine)
        case 92..<94: damageState(machine)
        case 94: restoreState(number)
        case 98: loseRecords(machine)
        case 95: backups[number] = machine.stateFiles
        case 96..<98: jump(machine)
        default: await troubleRemote()
        }
    }

    // MARK: What goes wrong by itself

    private mutating func jump(_ machine: SimulatedMachine) {
        machine.disk.advance(nanoseconds: Int64.random(in: -1 << 50...1 << 50, using: &random))
        events.note(.clockJump)
    }

    private mutating func troubleRemote() async {
        isRemoteTroubled = true
        let all: [MisbehavingRemote.Behavior] = [
            .throwsUnavailable, .losesRequests, .losesAnswers, .repeatsRequests, .answersStale,
            .delaysRequests,
        ]
        await remote.setBehaviors(
            Set(all.filter { _ in random.chance(0.4) }), rate: Double.random(in: 0...0.4, using: &random))
        events.note(.remoteTrouble)
    }

    /// Deletes, truncates or changes a file in `.todosync`.
    private mutating func damageState(_ machine: SimulatedMachine) {
        let files = machine.stateFiles
        guard let name = files.keys.sorted().randomElement(using: &random), var bytes = files[name] else {
            return
        }
        let before = machine.textsInState()
        machine.allowReturn()
        hasLostState = true
        hasDamagedState = true
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            machine.writeState(nil, to: name)
            events.note(.lostState)
        case 1:
            machine.writeState(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))), to: name)
            events.note(.cutState)
        default:
            guard let index = bytes.indices.randomElement(using: &random) else { return }
            bytes[index] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
            machine.writeState(bytes, to: name)
            events.note(.damagedState)
        }
        // Texts that only the damaged file had are gone; a journal also loses all lines after a bad one.
        if name == "journal" || name.hasPrefix("tmp/") {
            texts.giveUp(before.subtracting(others(than: machine)))
        }
    }

    /// Removes the newest records of the journal, like a disk that lost writes.
    ///
    /// The rest is a valid journal with older base versions.
    private mutating func loseRecords(_ machine: SimulatedMachine) {
        guard let journal = machine.stateFiles["journal"] else { return }
        let ends = journal.indices.filter { journal[$0] == UInt8(ascii: "\n") }
        guard let end = ends.dropLast().randomElement(using: &random) else { return }
        let before = machine.textsInState()
        hasLostState = true
        hasDamagedState = true
        machine.writeState(Array(journal[...end]), to: "journal")
        if random.chance(0.5) { machine.writeState(nil, to: "journal.length") }
        texts.giveUp(before.subtracting(others(than: machine)))
        events.note(.lostRecords)
    }

    /// Replaces `.todosync` with an older one.
    private mutating func restoreState(_ number: Int) {
        guard let backup = backups[number] else { return }
        let machine = machines[number]
        let before = machine.textsInState()
        machine.allowReturn()
        hasLostState = true
        hasDamagedState = true
        for name in machine.stateFiles.keys { machine.writeState(nil, to: name) }
        for (name, bytes) in backup { machine.writeState(bytes, to: name) }
        texts.giveUp(before.subtracting(others(than: machine)))
        events.note(.olderState)
    }

    /// Returns the texts that exist outside of a machine's `.todosync`.
    func others(than machine: SimulatedMachine) -> Set<Int> {
        var found = machine.textsInFiles()
        for other in machines where other.disk !== machine.disk {
            found.formUnion(other.lastingTexts())
            found.formUnion(other.textsInFiles())
        }
        return found
    }
}

/// A property that didn't hold in a history.
struct SimulationFailure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
