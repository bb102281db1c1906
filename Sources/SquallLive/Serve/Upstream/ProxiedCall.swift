import SquallHTTP
import SquallSockets

/// A request on its way through the proxy, and its response on the way back.
final class ProxiedCall {
    let client: SocketServer.Client
    let incoming: IncomingRequest
    /// The user for whom it is, once the judge has said so.
    var cause = RequestCause()
    /// The number under which the backend waits for its response.
    var number: UInt64?
    var exchange: ClientExchange?
    /// True for a sign-in or a refresh, whose tokens are read.
    var isAboutTokens = false
    /// The head of the server's response, for the client.
    var head: ResponseHead?
    /// The part of the body that came and was not passed on.
    var collected: [UInt8] = []
    /// True as soon as the body is passed on as it comes.
    var isStreaming = false
    /// True as soon as the head is on its way to the client.
    var isResponding = false
    /// True as soon as the server's response is whole.
    var hasEnded = false
    var isPaused = false

    init(_ incoming: IncomingRequest, of client: SocketServer.Client) {
        (self.incoming, self.client) = (incoming, client)
    }

    var request: URLRequest { incoming.request }

    /// The address at which the client believes the server to be.
    var base: String { "http://" + (incoming.host ?? "localhost") }

    /// True for a response that is looked at whole before it is passed on.
    func collects(_ head: ResponseHead) -> Bool {
        // A refusal may be one to learn from.
        if request.method == .head || head.length == nil && (head.status >= 400 || isAboutTokens) {
            return true
        }
        if let length = head.length { return length <= UpstreamPlan.wholeBytes }
        return head.headers["Content-Type"].map(BroughtTokens.isJSON) ?? false
    }
}
