import ArgumentParser
import Testing

@testable import todosync

/// Everyday commands that are read without the argument parser, with the same result.
@Suite struct EverydayCommandTests {
    @Test(arguments: [
        "status", "push", "pull", "sync", "status --json", "push --json", "pull --json --quiet",
        "sync -q --json", "prompt", "prompt --json", "-C todos prompt",
        "-q sync", "--quiet status --json", "-C todos status", "status -C todos", "-C -q", "-C ../a sync -q",
        "-q -C a pull --json", "push -C status", "list", "list --json", "-C todos list -q", "clone store",
        "clone store laptop", "clone --json store", "-q clone store laptop --json", "clone status push",
        "clone -C todos store laptop", "clone store -C todos laptop -q",
    ])
    func `the same words give the same command`(line: String) throws {
        let words = line.split(separator: " ").map(String.init)
        guard let command = EverydayCommand.reading(words) else {
            #expect(line == "-C -q")
            return
        }
        let parsed = try Todosync.parseAsRoot(words)
        #expect("\(command)" == "\(parsed)")
        #expect("\(command)".contains("quiet: \(words.contains("-q") || words.contains("--quiet"))"))
    }

    @Test(arguments: [
        "", "-q", "-C", "-C status", "--json status", "status status", "status todo.yaml", "push todo.yaml",
        "status --verbose", "status -q -q", "-C a status -C b", "status --json --json", "sync --dry-run",
        "sync -n", "pull --on-conflict local", "statu", "list milk", "status --help", "-qC a status",
        "status -Ca", "sync --", "status --json=true", "clone", "clone a b c", "clone -- a",
        "clone --verbose a", "list --all", "list -l", "clone -",
    ])
    func `all else is left to the argument parser`(line: String) {
        #expect(EverydayCommand.reading(line.split(separator: " ").map(String.init)) == nil)
    }
}
