internal import LosslessYAML
internal import TodoModel

extension TablesResponse {
    /// Returns an error in the shape that clients of the tables protocol read.
    static func error(_ status: Int, _ message: String, isVersion2: Bool) -> TablesResponse {
        let text = isVersion2 ? message : "Error: " + message
        var body = Mapping()
        body["code"] = .number(Number(status))
        body["error"] = .string(text)
        body["message"] = .string(text)
        return TablesResponse(
            status: status,
            headers: Headers([
                Headers.Field(name: "Content-Type", value: "application/json; charset=utf-8"),
                Headers.Field(name: "Cache-Control", value: "no-cache"),
            ]),
            body: JSON.write(.mapping(body)))
    }

    /// Returns an error in the shape that the sender of a request reads.
    static func error(_ status: Int, _ message: String, to request: ReceivedRequest) -> TablesResponse {
        error(status, message, isVersion2: request.isVersion2)
    }
}
