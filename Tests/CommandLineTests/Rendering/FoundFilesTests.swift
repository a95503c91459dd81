import Testing

@testable import todosync

@Suite struct FoundFilesTests {
    @Test(arguments: [
        (FoundFiles(todos: 0, invalid: 0, others: 0), String?.none),
        (FoundFiles(todos: 1, invalid: 0, others: 0), "found 1 todo"),
        (
            FoundFiles(todos: 5, invalid: 20, others: 34),
            "found 5 todos, 20 files that can't be read as todos, 34 other YAML files; use --only or .todosyncignore to exclude files"
        ),
        (
            FoundFiles(todos: 0, invalid: 0, others: 1),
            "found 1 other YAML file; use --only or .todosyncignore to exclude files"
        ),
    ])
    func `init prints what it found`(found: FoundFiles, line: String?) {
        #expect(found.line == line)
    }
}
