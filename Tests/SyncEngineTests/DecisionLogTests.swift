import Logging
import SyncEngine
import Synchronization
import TestSupport
import Testing
import WorkingCopy

/// What the engine logs, by level.
@Suite struct DecisionLogTests {
    /// Collects the messages of a logger.
    private final class Messages: Sendable {
        let all = Mutex<[String]>([])

        func logger(_ level: Logger.Level) -> Logger {
            var logger = Logger(label: "test") { _ in Handler(messages: self) }
            logger.logLevel = level
            return logger
        }
    }

    private struct Handler: LogHandler {
        let messages: Messages
        var logLevel = Logger.Level.info
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { messages.all.withLock { $0.append("\(event.level) \(event.message)") } }
    }

    private func messages(
        _ level: Logger.Level, _ machine: Machine, _ run: (Workspace) async throws -> Void
    ) async throws -> [String] {
        let messages = Messages()
        var surroundings = machine.workspace.surroundings
        surroundings.logger = messages.logger(level)
        try await run(Workspace(directory: machine.workspace.directory, surroundings: surroundings))
        return messages.all.withLock(\.self)
    }

    @Test func `each level has its messages`() async throws {
        let machine = try await World().machines(1, ["a.yaml": "id: a\ntext: a\n"])[0]
        machine["a.yaml"] = "id: a\ntext: b\n"
        #expect(try await messages(.notice, machine) { _ = try $0.status() } == [])
        let status = try await messages(.info, machine) { _ = try $0.status() }
        #expect(status.count == 1)
        #expect(status.first?.hasPrefix("info pending a.yaml (update): it differs from version ") == true)
        let sync = try await messages(.debug, machine) { _ = try await $0.sync(SyncOptions()) }
        #expect(sync.contains { $0.hasPrefix("info push a.yaml (update of version ") })
        #expect(sync.filter { $0.hasPrefix("info pending") }.count == 1)
        let records = sync.filter { $0.hasPrefix("debug journal ") }
        #expect(records.first?.hasPrefix("debug journal {\"record\":\"begin\",") == true)
        #expect(records.last?.hasPrefix("debug journal {\"record\":\"end\",") == true)
    }
}
