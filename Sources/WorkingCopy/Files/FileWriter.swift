/// Changes users' files so that nothing is ever half-written and no edit is lost.
public final class FileWriter {
    public init(root: String, operation: String, fileSystem: any FileSystem = POSIXFileSystem())
        throws(FileError)
    {}
    public func apply(_ changes: [FileChange]) throws(FileError) -> [FileChangeOutcome] { [] }
    public func finish() throws(FileError) -> [Straggler] { [] }
    public func sync() throws(FileError) {}
    public func leftovers() throws(FileError) -> [Leftover] { [] }
    public func discard(_ name: String) throws(FileError) {}
}
