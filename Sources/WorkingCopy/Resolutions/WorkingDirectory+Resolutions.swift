extension WorkingDirectory {
    /// Returns the remembered resolutions; nil if their file is damaged.
    package func resolutions() throws -> Resolutions? {
        try Resolutions.read(in: StateFolder(root: root, fileSystem: fileSystem))
    }
}

extension Transaction {
    /// Writes the remembered resolutions, after moving a damaged file away.
    package func write(_ resolutions: Resolutions) throws {
        try Resolutions.moveDamaged(in: stateFolder)
        try stateFolder.replaceWhole(Resolutions.name.description, with: resolutions.bytes)
    }
}

extension Resolutions {
    static let name: FileName = "resolutions"

    /// Returns the resolutions in the file; nil if the file is damaged.
    static func read(in stateFolder: StateFolder) throws(FileError) -> Resolutions? {
        do throws(FileError) {
            switch try stateFolder.fileSystem.readFile(name, in: stateFolder.folder, limit: maximumSize) {
            case .missing: return Resolutions()
            case .notRegular: return nil
            case .content(let content): return Resolutions(content.bytes)
            }
        } catch {
            throw error.at("\(StateFolder.name)/\(name)")
        }
    }

    static func moveDamaged(in stateFolder: StateFolder) throws(FileError) {
        if try read(in: stateFolder) == nil { try stateFolder.moveDamaged(name) }
    }
}
