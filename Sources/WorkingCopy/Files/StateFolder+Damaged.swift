import Platform

extension StateFolder {
    /// Copies bytes that are about to be changed or truncated to a new folder `damaged-N`, and returns the
    /// folder's name.
    func keepDamaged(_ name: String, _ bytes: [UInt8]) throws(FileError) -> String {
        let (kept, folderName) = try newDamagedFolder()
        do throws(FileError) {
            guard let file = try fileSystem.open(FileName(name), in: kept, for: .creating) else {
                throw FileError(.create, "", code: EEXIST)
            }
            try fileSystem.write(bytes, to: file)
            try fileSystem.synchronize(file, .file)
            try fileSystem.synchronize(kept, .file)
            try fileSystem.synchronize(folder, .file)
            return folderName
        } catch {
            throw error.at("\(StateFolder.name)/\(folderName)/\(name)")
        }
    }

    /// Moves a file, a folder or a link to a new folder `damaged-N`.
    func moveDamaged(_ name: FileName) throws(FileError) {
        let (kept, _) = try newDamagedFolder()
        do throws(FileError) {
            _ = try fileSystem.rename(name, in: folder, to: name, in: kept, .replacing)
            try fileSystem.synchronize(folder, .file)
        } catch {
            throw error.at("\(StateFolder.name)/\(name)")
        }
    }

    private func newDamagedFolder() throws(FileError) -> (OpenFile, name: String) {
        for number in 1... {
            let name = "damaged-\(number)"
            do throws(FileError) {
                guard try fileSystem.makeFolder(FileName(name), in: folder) else { continue }
                return (try fileSystem.folder(FileName(name), in: folder), name)
            } catch {
                throw error.at("\(StateFolder.name)/\(name)")
            }
        }
        preconditionFailure("numbers do not end")
    }
}
