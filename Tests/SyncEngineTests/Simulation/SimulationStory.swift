import LosslessYAML
import TodoModel
import Values

/// Prints a history step by step: what happened, and which files and records changed.
struct SimulationStory {
    private var events: [SimulatedEvent: Int] = [:]
    private var folders: [[String: [UInt8]]] = []
    private var records: [String: String] = [:]

    mutating func trace(
        _ title: String, _ newEvents: SimulatedEvents, _ newFolders: [[String: [UInt8]]],
        _ newRecords: [RemoteRecord]
    ) async {
        let happened = SimulatedEvent.allCases.filter { newEvents.counts[$0] != events[$0] }
        print("\(title): \(happened.map(\.rawValue).joined(separator: ", "))")
        for (number, files) in newFolders.enumerated() {
            let before = number < folders.count ? folders[number] : [:]
            for path in Set(files.keys).union(before.keys).sorted() where files[path] != before[path] {
                let text = files[path].map { "\(String(decoding: $0, as: UTF8.self).debugDescription)" }
                print("  \(number)/\(path): \(text ?? "gone")")
            }
        }
        let nowRecords = Dictionary(
            newRecords.map { record in
                let fields = String(decoding: JSON.write(.mapping(record.fields)), as: UTF8.self)
                return (record.id, "\(record.version.string) \(fields)")
            }, uniquingKeysWith: { first, _ in first })
        for id in Set(nowRecords.keys).union(records.keys).sorted() where nowRecords[id] != records[id] {
            print("  remote \(id.prefix(8)): \(nowRecords[id] ?? "gone")")
        }
        (events, folders, records) = (newEvents.counts, newFolders, nowRecords)
    }
}
