extension WorkingDirectory {
    /// Returns the resolutions that are remembered; nil where their file is damaged.
    package func resolutions() throws -> Resolutions? {
        try Resolutions.read(in: StateFolder(root: root, fileSystem: fileSystem))
    }

    /// Moves a damaged file of resolutions into a folder `damaged-N`.
    package func moveWrongResolutions(timeout: Duration) throws {
        let lock = try lock(timeout: timeout)
        defer { withExtendedLifetime(lock) {} }
        try Resolutions.moveDamaged(in: StateFolder(root: root, fileSystem: fileSystem))
    }
}

extension Transaction {
    /// Writes the resolutions that are remembered from now on; a damaged file is set aside first.
    package func write(_ resolutions: Resolutions) throws {
        try Resolutions.moveDamaged(in: stateFolder)
        try stateFolder.replaceWhole(Resolutions.name.description, with: resolutions.bytes)
    }
}

extension Resolutions {
    static let name: FileName = "resolutions"

    /// Returns what the file says; nil where no command has written it so.
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
