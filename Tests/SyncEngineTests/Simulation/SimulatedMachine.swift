import SyncEngine
import TestSupport
import TodoModel
import WorkingCopy

/// A working directory on its own disk, with the people and programs that change its files.
struct SimulatedMachine: Sendable {
    static let root = "work"
    let disk = MemoryDisk()
    let world: World
    let texts: UserTexts
    /// The intact content of `config.yaml`.
    let configuration: [UInt8]

    init(_ world: World, _ texts: UserTexts) throws {
        self.world = world
        self.texts = texts
        disk.makeFolder(Self.root)
        let directory = WorkingDirectory(root: Self.root, fileSystem: disk)
        try directory.create(Configuration(remote: World.url))
        configuration = disk.read(Self.root + "/.todosync/config.yaml") ?? []
    }

    /// Returns the working directory as a command sees it.
    func workspace(
        _ fileSystem: (any FileSystem)? = nil, _ surroundings: Surroundings? = nil
    ) -> Workspace {
        var surroundings = surroundings ?? world.surroundings(device: "machine")
        surroundings.lockTimeout = .zero
        return Workspace(
            directory: WorkingDirectory(root: Self.root, fileSystem: fileSystem ?? disk),
            surroundings: surroundings)
    }

    /// The files that the user sees.
    var files: [String: [UInt8]] { disk.visibleContents(in: Self.root) }

    /// The paths of the files that the user sees, in the same order in each replay.
    var paths: [String] { files.keys.sorted() }

    var stateFiles: [String: [UInt8]] { disk.contents(in: Self.root + "/.todosync") }

    subscript(path: String) -> [UInt8]? { disk.read(Self.root + "/" + path) }

    func text(at path: String) -> String? { self[path].map { String(decoding: $0, as: UTF8.self) } }

    /// How an editor writes a file.
    enum Saving: CaseIterable {
        case overwriting, byRename
    }

    /// Writes or removes a file, like a user who knows its content.
    func save(_ text: String?, to path: String, _ saving: Saving = .byRename) {
        let bytes = text.map { Array($0.utf8) }
        texts.wrote(bytes ?? [], over: self[path] ?? [])
        let path = Self.root + "/" + path
        switch (bytes, saving) {
        case (nil, _): disk.remove(path)
        case (let bytes?, .overwriting): disk.write(bytes, to: path)
        case (let bytes?, .byRename): disk.save(bytes, to: path)
        }
    }

    /// Moves a file to a path that no other file has.
    func move(_ path: String, to newPath: String) {
        guard self[newPath] == nil else { return }
        disk.move(Self.root + "/" + path, to: Self.root + "/" + newPath)
    }

    /// Whether the last command that wrote something came to its end.
    var hasEnded: Bool {
        let journal = String(decoding: stateFiles["journal"] ?? [], as: UTF8.self)
        return journal.split(separator: "\n").last?.contains(#""record":"end""#) == true
    }

    func writeState(_ bytes: [UInt8]?, to name: String) {
        let path = Self.root + "/.todosync/" + name
        if let bytes { disk.write(bytes, to: path) } else { disk.remove(path) }
    }

    /// Notes that a command may bring back any text in this working directory.
    func allowReturn() { texts.allowReturn(of: textsInFiles().union(textsInState())) }

    /// Returns the texts in the files of `.todosync`.
    func textsInState() -> Set<Int> { texts(inStateFiles: { _ in true }) }

    /// Returns the texts that stay in `.todosync`; the next command drops the cache and replaced files.
    func lastingTexts() -> Set<Int> { texts(inStateFiles: { $0 != "cache" && !$0.hasPrefix("tmp/") }) }

    private func texts(inStateFiles isMeant: (String) -> Bool) -> Set<Int> {
        stateFiles.reduce(into: []) { texts, file in
            if isMeant(file.key) { texts.formUnion(UserTexts.all(in: file.value)) }
        }
    }

    /// Returns the texts in files that show both sides of a conflict.
    func textsInConflicts() -> Set<Int> {
        files.values.reduce(into: []) { texts, bytes in
            if String(decoding: bytes, as: UTF8.self).contains("<<<<<<<") {
                texts.formUnion(UserTexts.all(in: bytes))
            }
        }
    }

    func textsInFiles() -> Set<Int> {
        files.values.reduce(into: []) { $0.formUnion(UserTexts.all(in: $1)) }
    }
}
