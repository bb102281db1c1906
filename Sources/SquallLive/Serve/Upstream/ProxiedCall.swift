import SquallBackend
import SquallHTTP
import SquallSockets

/// A request on its way through the proxy, and its response on the way back.
final class ProxiedCall {
    let client: SocketServer.Client
    let incoming: IncomingRequest
    /// On whose behalf it is, once the judge has said so.
    var cause = RequestCause()
    /// Under which number the backend waits for its response.
    var number: UInt64?
    var exchange: ClientExchange?
    /// The head of the server's response, for the client.
    var head: ResponseHead?
    /// What came of the body and was not passed on.
    var collected: [UInt8] = []
    /// Whether the body is passed on as it comes.
    var isStreaming = false
    /// Whether the head is on its way to the client.
    var isResponding = false
    /// Whether the server's response is whole.
    var hasEnded = false
    var isPaused = false

    init(_ incoming: IncomingRequest, of client: SocketServer.Client) {
        (self.incoming, self.client) = (incoming, client)
    }

    var request: URLRequest { incoming.request }

    /// Where the client believes that the server is.
    var base: String { "http://" + (incoming.host ?? "localhost") }

    /// Whether the response is looked at whole before it is passed on.
    func collects(_ head: ResponseHead) -> Bool {
        // A refusal may be one to learn from.
        if request.method == .head || head.length == nil && head.status >= 400 { return true }
        if let length = head.length { return length <= UpstreamPlan.wholeBytes }
        return head.headers["Content-Type"].map(BroughtTokens.isJSON) ?? false
    }
}
