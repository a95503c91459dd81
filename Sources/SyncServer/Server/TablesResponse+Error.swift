internal import Remotes

extension TablesResponse {
    /// Returns an error in the shape that clients of the tables protocol read.
    static func error(_ status: Int, _ message: String, isVersion2: Bool) -> TablesResponse {
        var response = Refusal(status, message).response(isVersion2 ? .v2 : .v1)
        response.headers["Content-Type"] = "application/json; charset=utf-8"
        response.headers["Cache-Control"] = "no-cache"
        response.headers["Vary"] = Flavour.headerName
        return response
    }

    /// Returns an error in the shape that the sender of a request reads.
    static func error(_ status: Int, _ message: String, to request: ReceivedRequest) -> TablesResponse {
        error(status, message, isVersion2: request.isVersion2)
    }
}
