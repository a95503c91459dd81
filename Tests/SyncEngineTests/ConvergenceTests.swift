import Foundation
import LosslessYAML
import Remotes
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// Working directories with random edits become equal once nothing is pending, and nothing is lost.
@Suite(.serialized) struct ConvergenceTests {
    @Test(.covers(History.covered), arguments: PropertySeeds.range(default: 12))
    func `working directories that edit at random become equal and lose nothing`(seed: UInt64) async throws {
        var history = try History(seed: seed)
        try await history.check()
    }

    @Test(.covers(History.covered), arguments: PropertySeeds.range(default: 5))
    func `lost answers, repeated requests and dead connections change nothing about it`(seed: UInt64)
        async throws
    {
        var history = try History(seed: seed)
        let remote = MisbehavingRemote(
            history.world.remote,
            behaviors: [.throwsUnavailable, .losesRequests, .losesAnswers, .repeatsRequests, .answersStale],
            rate: 0.15, seed: seed)
        history.world.put(remote)
        try await history.check { await remote.setBehaviors([]) }
    }

    @Test(.covers(["a spoilt cache": 500]), arguments: PropertySeeds.range(default: 2), SpoiltCache.allCases)
    private func `a cache that is lost, damaged, older or another's changes nothing`(
        seed: UInt64, _ spoilt: SpoiltCache
    ) async throws {
        var history = try History(seed: seed, hasFineClock: true)
        var other = try History(seed: seed, hasFineClock: true)
        var spoiler = Spoiler(spoilt, seed: seed)
        for number in 0..<60 {
            try await history.step()
            try spoiler.spoil(other.machines.map(\.folder))
            try await other.step()
            for (machine, otherMachine) in zip(history.machines, other.machines) {
                #expect(
                    machine.folder.contentsBesidesCache() == otherMachine.folder.contentsBesidesCache(),
                    "step \(number)")
            }
        }
        for (machine, otherMachine) in zip(history.machines, other.machines) {
            let cached = try described(machine.status)
            try spoiler.spoil(other.machines.map(\.folder))
            #expect(try described(otherMachine.status) == cached)
        }
    }

    /// Returns everything that a status reports, without the names, which list the whole folder in no order.
    private func described(_ status: StatusReport) -> String {
        var status = status
        status.names = TodoNames()
        return "\(status)"
    }

    @Test(arguments: PropertySeeds.range(default: 2), [1, 2, 3])
    func `the same comes out of a pull however many records a page has`(seed: UInt64, pageSize: Int)
        async throws
    {
        var history = try History(seed: seed, pageSize: 1000)
        var other = try History(seed: seed, pageSize: pageSize)
        for number in 0..<60 {
            try await history.step()
            try await other.step()
            for (machine, otherMachine) in zip(history.machines, other.machines) {
                #expect(machine.files == otherMachine.files, "step \(number)")
                #expect(try described(machine.status) == described(otherMachine.status), "step \(number)")
            }
        }
    }

    @Test(arguments: PropertySeeds.range(default: 3))
    func `a store on disk is as good a remote`(seed: UInt64) async throws {
        var history = try History(seed: seed)
        let folder = try TemporaryFolder()
        let surroundings = StoreSurroundings(
            now: { 0 }, randomBytes: { count in (0..<count).map { _ in .random(in: 0...255) } })
        history.world.put(
            try Store.create(at: folder.path + "/store", surroundings: surroundings).table(.standard))
        try await history.check()
    }
}

/// How a cache changes behind todosync's back.
private enum SpoiltCache: CaseIterable { case deleted, damaged, cut, older, another }

private struct Spoiler {
    private let manner: SpoiltCache
    private var random: SplitMix64
    private var former: [[UInt8]] = []

    init(_ manner: SpoiltCache, seed: UInt64) {
        self.manner = manner
        random = SplitMix64(seed: seed)
    }

    mutating func spoil(_ folders: [TemporaryFolder]) throws {
        let caches = folders.map { $0.bytes(".todosync/cache") }
        for (index, folder) in folders.enumerated() {
            guard var bytes = caches[index], !bytes.isEmpty else { continue }
            cover("a spoilt cache")
            former.append(bytes)
            switch manner {
            case .deleted:
                try folder.remove(".todosync/cache")
                continue
            case .damaged: bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1
            case .cut: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
            case .older: bytes = former.randomElement(using: &random) ?? bytes
            case .another: bytes = caches[(index + 1) % caches.count] ?? []
            }
            try Data(bytes).write(to: URL(filePath: folder.path(of: ".todosync/cache")))
        }
    }
}

/// A history of random edits and commands on several machines.
private struct History {
    let world: World
    private var random: SplitMix64
    private(set) var machines: [Machine] = []
    private var tokenCount = 0
    /// The events that must happen in the histories, with the minimum for a hundred histories.
    static let covered = ["a command that ends": 700, "a conflict": 15, "a value that is kept": 440]

    /// Values that an editor wrote and hasn't replaced since.
    private var tokens: Set<String> = []

    init(seed: UInt64, pageSize: Int? = nil, hasFineClock: Bool = false) throws {
        var fileSystem = FailingFileSystem()
        fileSystem.hasFineClock = hasFineClock

        world = World(seed: seed, pageSize: pageSize ?? Int(seed % 7) + 1)
        random = SplitMix64(seed: seed &* 0x1234_5678_9ABC_DEF1)
        for _ in 0..<Int.random(in: 2...4, using: &random) {
            machines.append(try world.machine(fileSystem: fileSystem))
        }
        if random.chance(0.3) { machines[machines.count - 1][Self.foreignPath] = Self.foreignContent }
    }

    /// Runs random steps, comes to rest, and checks the result.
    mutating func check(calming calm: () async -> Void = {}) async throws {
        for _ in 0..<60 { try await step() }
        await calm()
        try await comeToRest()
        let files = machines[0].files
        for machine in machines {
            let own = machine.files
            #expect(try machine.isClean)
            guard own[Self.foreignPath] == Self.foreignContent else {
                #expect(own == files)
                continue
            }
            // Here, a todo can have a name that applies to this machine only.
            #expect(own.values.sorted() == (files.values + [Self.foreignContent]).sorted())
            #expect(Set(own.keys).subtracting(files.keys).count <= 1)
        }
        let history = machines.compactMap { $0[".todosync/journal"] }.joined()
        let contents = files.values.joined()
        for token in tokens {
            cover("a value that is kept")
            #expect(contents.contains(token) || history.contains(token), "\(token) is lost")
        }
        var ids: Set<String> = []
        for content in files.values {
            let todo = try Todo(parsing: Array(content.utf8))
            #expect(ids.insert(try #require(todo.id).string).inserted)
        }
    }

    mutating func step() async throws {
        let machine = machines[Int.random(in: 0..<machines.count, using: &random)]
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<11: edit(machine)
        case 11..<13: create(machine)
        case 13: resolveOne(machine)
        default:
            let verb = Verb.allCases.randomElement(using: &random) ?? .sync
            let policies: [ConflictPolicy] = [.markers, .markers, .use(.local), .use(.remote)]
            // A misbehaving remote can stop a command, but not undo what the command did.
            let report = try? await machine.run(verb, policies.randomElement(using: &random) ?? .markers)
            cover("a command that ends", report != nil)
            cover("a conflict", report?.conflicts.isEmpty == false)
        }
    }

    // MARK: The editor

    private mutating func edit(_ machine: Machine) {
        guard let path = machine.files.keys.sorted().randomElement(using: &random), let old = machine[path],
            !old.contains("<<<<<<<"), old != Self.foreignContent
        else { return }
        switch Int.random(in: 0..<13, using: &random) {
        case 0...1: replace(machine, path, setting("text", token(), in: old))
        case 2: replace(machine, path, setting("priority", token(), in: old))
        case 3: replace(machine, path, setting("tags", "[\(token()), shop]", in: old))
        case 4: replace(machine, path, old + "# \(token())\n")
        case 5: replace(machine, path, setting("notes", "|\n  first\n  \(token())\n  last", in: old))
        case 6:
            replace(
                machine, path,
                old.split(separator: "\n").filter { !$0.hasPrefix("priority:") }.joined(separator: "\n")
                    + "\n")
        case 7...8:
            let newPath = Self.paths.randomElement(using: &random) ?? path
            if machine[newPath] == nil { machine.rename(path, to: newPath) }
        case 9: replace(machine, path, nil)
        case 10:
            let newPath = Self.paths.randomElement(using: &random) ?? path
            if machine[newPath] == nil { machine[newPath] = old }
        case 11:
            // A todosync command changes neither a todo in conflict nor another todo's copy.
            let value = token()
            _ = try? machine.workspace.change([path], set: [("owner", .string(value))], unset: [])
            forgetReplaced(old + value, machine[path])
        default:
            // An old buffer without the id is written back.
            replace(
                machine, path,
                old.split(separator: "\n").filter { !$0.hasPrefix("id:") }.joined(separator: "\n") + "\n")
        }
    }

    private mutating func create(_ machine: Machine) {
        let path = Self.paths.randomElement(using: &random) ?? "new.yaml"
        if machine[path] == nil { machine[path] = "text: \(token())\n" }
    }

    /// The path of a file that isn't a todo on some machines, but can be one on others.
    private static let foreignPath = "d.yml"
    private static let foreignContent = "- no todo\n"

    private static let paths = [
        "a.yaml", "b.yaml", "c.yaml", "d.yml", "work/a.yaml", "work/b.yaml", "home/deep/a.yaml", "e.yaml",
    ]

    /// Writes like an editor, which knowingly replaces the file's text.
    private mutating func replace(_ machine: Machine, _ path: String, _ new: String?) {
        forgetReplaced(machine[path] ?? "", new)
        machine[path] = new
    }

    private mutating func forgetReplaced(_ old: String, _ new: String?) {
        tokens = tokens.filter { !old.contains($0) || new?.contains($0) == true }
    }

    private mutating func token() -> String {
        tokenCount += 1
        let token = "v\(tokenCount)x"
        tokens.insert(token)
        return token
    }

    /// Returns the text with a field instead of the one with this name and its continuation lines.
    private func setting(_ field: String, _ value: String, in text: String) -> String {
        var lines: [Substring] = []
        var isSkipping = false
        for line in text.split(separator: "\n") {
            if !line.hasPrefix(" ") { isSkipping = line.hasPrefix(field + ":") }
            if !isSkipping { lines.append(line) }
        }
        return (lines + ["\(field): \(value)"]).joined(separator: "\n") + "\n"
    }

    // MARK: Coming to rest

    private mutating func resolveOne(_ machine: Machine) {
        guard let conflict = try? machine.status.conflicts.randomElement(using: &random) else { return }
        let sides: [Side] = [.local, .remote]
        let side = sides.randomElement(using: &random) ?? .local
        _ = try? machine.workspace.resolve(
            [conflict.id.string], Bool.random(using: &random) ? .use(side) : .abort)
    }

    private mutating func comeToRest() async throws {
        for _ in 0..<30 {
            var isAtRest = true
            for machine in machines {
                for duplicate in try machine.status.duplicates {
                    _ = try machine.workspace.track([duplicate.path])
                }
                let side: Side = Bool.random(using: &random) ? .local : .remote
                let resolved = try machine.workspace.resolve([], .use(side))
                for todo in resolved.unresolved {
                    // Its file is gone, or was written back without markers.
                    _ = try machine.workspace.resolve([todo.name], .file)
                }
                let report = try await machine.sync(allowing: 1000)
                if !(report.pushed.isEmpty && report.pulled.isEmpty && report.merged.isEmpty
                    && !report.needsUser)
                {
                    isAtRest = false
                }
            }
            if isAtRest { return }
        }
        Issue.record("the machines do not come to rest")
        for machine in machines {
            print(try machine.status, machine.files)
        }
    }
}
