import LosslessYAML
import TodoModel

/// The answers of a todosync server with the identity `store/todoitem`.
enum OurServer {
    static func page(
        _ records: [Value], next: String? = nil, delta: String? = nil, identity: Value = "store/todoitem"
    ) -> Value {
        var page: Mapping = ["@todosync.identity": identity, "value": .list(records)]
        page["@odata.nextLink"] = next.map { .string("http://elsewhere/tables/x?$deltatoken=\($0)") }
        page["@odata.deltaLink"] = delta.map { .string("/tables/x?a=b&%24deltatoken=\($0)") }
        return .mapping(page)
    }

    static func record(_ id: Value, version: Value = "v", _ more: Mapping = [:]) -> Value {
        var record: Mapping = ["id": id, "version": version, "deleted": .bool(false), "text": "a"]
        for (name, value) in more.entries { record[name] = value }
        return .mapping(record)
    }
}
