import Testing

@testable import todosync

/// The file `config.yaml` among the user's configuration.
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

    @Test func `without a place for the configuration, the machine's name counts`() throws {
        #expect(try deviceName(process([:], host: "pc")) == "pc")
        #expect(try deviceName(process([:], host: "")) == "")
    }

    @Test(arguments: [
        ("device: phone\n", "1:1: there is no setting device"),
        ("\n\ndevice: {name: [a]}\n", "3:1: device.name is a string (put it in quotes)"),
        ("merge: {labels: plain}\n", "1:1: there is no setting merge.labels"),
        ("device: [\n", "2:1: did not find expected node content"),
    ])
    func `a mistake is told with its place`(_ text: String, _ problem: String) throws {
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
