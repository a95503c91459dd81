internal import NIOCore
internal import NIOHTTP1
internal import Remotes

/// A response in the parts that NIO sends.
struct HTTPResponse {
    var head: HTTPResponseHead
    var body: ByteBuffer?

    /// Creates the response to a request; the request's header is nil if it couldn't be read.
    init(_ response: TablesResponse, to request: HTTPRequestHead?, closing: Bool) {
        var headers = HTTPHeaders(response.headers.fields.map { ($0.name, $0.value) })
        let status = HTTPResponseStatus(statusCode: response.status)
        if response.nextPart != nil {
            // NIO sends the body in chunks, or until the end of the connection to a client of HTTP/1.0.
            headers.remove(name: "Content-Length")
        } else if status.mayHaveResponseBody {
            headers.replaceOrAdd(name: "Content-Length", value: String(response.body.count))
            if request?.method != .HEAD, !response.body.isEmpty { body = ByteBuffer(bytes: response.body) }
        }
        if closing || response.headers["Connection"] == "close" || request?.leavesConnectionOpen != true {
            headers.replaceOrAdd(name: "Connection", value: "close")
        } else if request?.version == .http1_0 {
            headers.replaceOrAdd(name: "Connection", value: "keep-alive")
        }
        head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    }
}
