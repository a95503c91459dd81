extension StateFolder {
    /// Puts bytes that are to be changed or cut off into a new folder `damaged-N`, and returns its name.
    func keepDamaged(_ name: String, _ bytes: [UInt8]) throws(FileError) -> String {
        for number in 1... {
            let folderName = "damaged-\(number)"
            do throws(FileError) {
                guard try fileSystem.makeFolder(FileName(folderName), in: folder) else { continue }
                let kept = try fileSystem.folder(FileName(folderName), in: folder)
                guard let file = try fileSystem.open(FileName(name), in: kept, for: .creating) else {
                    continue
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
        preconditionFailure("numbers do not end")
    }
}
