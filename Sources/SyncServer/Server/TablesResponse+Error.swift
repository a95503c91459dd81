internal import Remotes

extension TablesResponse {
    /// Returns an error response in the format of a version of the tables protocol.
    static func error(_ status: Int, _ message: String, isVersion2: Bool) -> TablesResponse {
        var response = Refusal(status, message).response(isVersion2 ? .v2 : .v1)
        response.headers["Content-Type"] = "application/json; charset=utf-8"
        response.headers["Cache-Control"] = "no-cache"
        response.headers["Vary"] = Flavor.headerName
        return response
    }

    /// Returns an error response in the format that a request's client expects.
    static func error(_ status: Int, _ message: String, to request: ReceivedRequest) -> TablesResponse {
        error(status, message, isVersion2: request.isVersion2)
    }
}
