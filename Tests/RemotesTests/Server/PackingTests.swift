import LosslessYAML
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPCompression
import Synchronization
import TestSupport
import Testing
import TodoModel

@testable import HTTPTransport
@testable import Remotes

@Suite struct PackingTests {
    @Test func `only large batches to another machine are compressed`()
        async throws
    {
        let sent = Mutex<[FakeRequest]>([])
        let server: FakeServer.Respond = { request in
            guard request.target.hasSuffix("/$batch") else {
                return .json(
                    200,
                    .mapping([
                        "@todosync.identity": .string("store/a"), "value": .list([]),
                        "@odata.deltaLink": .string("http://h/tables/a?$deltatoken=0"),
                    ]))
            }
            sent.withLock { $0.append(request) }
            return .text(400, "no")
        }
        try await FakeServer.running(server) { proxy in
            let elsewhere = try HTTPRemote.testing(
                "http://example.org/tables/a",
                .testing(environment: ["http_proxy": "http://127.0.0.1:\(proxy.port)"]))
            let here = try HTTPRemote.testing(proxy.url(table: "a"))
            let text = String(repeating: "packed ", count: 1000)
            for (remote, text) in [(elsewhere, text), (elsewhere, "small"), (here, text)] {
                let insert = PushOperation.Change.insert(
                    fields: ["text": .string(text)], layout: Layout(path: nil, yaml: nil))
                _ = try? await remote.push([PushOperation(operationID: "1", id: "one", change: insert)])
            }
            let requests = sent.withLock { $0 }
            let encodings = requests.map { request in
                ["content-encoding", "accept-encoding"].map { request.headers[$0] }
            }
            try #require(encodings == [[["gzip"], ["gzip"]], [[], ["gzip"]], [[], ["identity"]]])
            #expect(requests[0].body.count < 500)
            let channel = EmbeddedChannel(handler: NIOHTTPRequestDecompressor(limit: .size(1 << 20)))
            var head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/")
            head.headers = requests[0].headers
            try channel.writeInbound(HTTPServerRequestPart.head(head))
            try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(bytes: requests[0].body)))
            var unpacked: [UInt8] = []
            while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
                if case .body(let bytes) = part { unpacked += bytes.readableBytesView }
            }
            #expect(unpacked == requests[2].body)
        }
    }
}
