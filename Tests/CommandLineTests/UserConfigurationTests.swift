import LosslessYAML
import Testing
import WorkingCopy

@testable import todosync

/// The user's configuration file, `config.yaml`.
@Suite struct UserConfigurationTests {
    private func process(_ environment: [String: String], host: String) -> ProcessSurroundings {
        ProcessSurroundings(
            now: { "" }, milliseconds: { 0 }, randomBytes: { [UInt8](repeating: 0, count: $0) },
            environment: { environment[$0] }, hostName: { host })
    }

    @Test(arguments: [
        (nil, "pc"), ("", "pc"), ("# nothing\n\n", "pc"), ("device:\n", "pc"), ("device: {}\n", "pc"),
        ("device:\n  name:\n", "pc"), ("device:\n  name: phone.local\n", "phone.local"),
        ("device.name: phone\r\n", "phone"), ("device: {name: \"\"}\n", ""),
    ])
    func `a device has the name that the user gives it, else its machine's`(
        _ text: String?, _ name: String
    ) throws {
        let folder = try ThrowAwayFolder(device: "other")
        if let text { try folder.write(text, to: ".config/todosync/config.yaml") }
        let home = text == nil ? folder.path + "/none" : folder.path
        #expect(try deviceName(process(["HOME": home], host: "pc.example.org")) == name)
        let named = process(["XDG_CONFIG_HOME": home + "/.config", "HOME": "/none"], host: "pc")
        #expect(try deviceName(named) == name)
    }

    @Test(arguments: [
        ("filters: {urgent: due<+3d, x.y: 'tag:a b'}\n", ["urgent": "due<+3d", "x.y": "tag:a b"]),
        ("filters:\n  urgent: priority:high due<+3d\n", ["urgent": "priority:high due<+3d"]),
        ("filters: {}\n", [:]), ("filters:\n", [:]),
    ])
    func `filters are saved here for all folders, and in the folder's own configuration`(
        _ text: String, _ filters: [String: String]
    ) throws {
        let expected = Dictionary(uniqueKeysWithValues: filters.map { (ByteKey($0), $1) })
        let folder = try ThrowAwayFolder(device: "other")
        try folder.write(text, to: ".config/todosync/config.yaml")
        #expect(try UserConfiguration(process(["HOME": folder.path], host: "pc")).filters == expected)
        #expect(try Configuration(parsing: Array(text.utf8)).filters == expected)
    }

    @Test func `the folder's own filter counts instead of the user's`() throws {
        let folder = try ThrowAwayFolder(device: "other")
        try folder.write(
            "filters: {mine: text:one, both: text:one}\n", to: ".config/todosync/config.yaml")
        _ = try Program.todosync("init", "todos", in: folder.path)
        let todos = folder.path + "/todos"
        let home = ["HOME": folder.path]
        try folder.write("filters: {both: text:two}\n", to: "todos/.todosync/config.yaml")
        for name in ["one", "two"] { try folder.write("text: \(name)\n", to: "todos/\(name).yaml") }
        for (filter, expected) in [("@mine", "one.yaml"), ("@both", "two.yaml")] {
            let result = try Program.todosync("list", "--json", filter, in: todos, environment: home)
            #expect(result.output.contains("\"\(expected)\""), "\(result.errors)")
            #expect(result.output.split(separator: "\"path\"").count == 2)
        }
        try folder.write("filters: {both: [a]}\n", to: "todos/.todosync/config.yaml")
        let result = try Program.todosync("list", in: todos, environment: home)
        #expect(result.status == 78)
        #expect(result.errors.contains("each entry of filters must be a name and a filter"))
    }

    @Test func `without a folder for the configuration, the machine's name counts`() throws {
        #expect(try deviceName(process([:], host: "pc")) == "pc")
        #expect(try deviceName(process([:], host: "")) == "")
    }

    private static let filtersRule =
        "each entry of filters must be a name and a filter as a string, such as urgent: \"priority:high\""

    @Test(arguments: [
        ("device: phone\n", "1:1: unknown setting device"),
        ("\n\ndevice: {name: [a]}\n", "3:1: device.name must be a string (put it in quotes)"),
        ("merge: {labels: plain}\n", "1:1: unknown setting merge.labels"),
        ("filters: [a]\n", "1:1: \(filtersRule)"), ("\nfilters: {a: 5}\n", "2:1: \(filtersRule)"),
        ("device: [\n", "2:1: did not find expected node content"),
    ])
    func `a mistake is reported with its position`(_ text: String, _ problem: String) throws {
        let folder = try ThrowAwayFolder(device: "other")
        try folder.write(text, to: ".config/todosync/config.yaml")
        let failure = #expect(throws: Failure.self) {
            try deviceName(process(["HOME": folder.path], host: "pc"))
        }
        #expect(failure?.status == .configuration)
        #expect(
            failure?.lines.first == "error: \(folder.path)/.config/todosync/config.yaml:\(problem)")
    }
}
