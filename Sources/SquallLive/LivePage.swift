public import SquallFormat
import SquallHTTP
public import SquallSockets

/// A page that shows how a command goes, for this machine alone.
///
/// It is served on the thread of who lets it enter; drawing it takes a few milliseconds every two
/// seconds while a browser shows it, and nothing otherwise.
public final class LivePage {
    /// Where it is.
    public let address: String
    private let sockets: SocketServer
    private let asking = WhoMayAsk()

    private static let refreshSeconds = 2

    /// A page on a port of 127.0.0.1, 0 for a free one.
    ///
    /// - Throws: `SocketServer.Problem`.
    public convenience init(port: UInt16) throws(SocketServer.Problem) {
        try self.init(port: port, watch: nil)
    }

    init(port: UInt16, watch: SocketWatch?) throws(SocketServer.Problem) {
        var limits = HTTPLimits()
        (limits.connections, limits.pendingRequests, limits.bodyBytes) = (16, 16, 0)
        sockets = try SocketServer(limits, origin: "http://localhost", watch: watch)
        let bound = try sockets.listen(on: "127.0.0.1", port: port)
        address = "http://127.0.0.1:\(bound)/"
    }

    /// Answers who has asked for it by the time that is given, in nanoseconds.
    public func enter(at now: Int64, _ document: () -> AnswerDocument) {
        guard sockets.poll() else { return }
        sockets.enter(at: now) { incoming, client in
            let answer = self.answer(incoming.request, document)
            sockets.respond(
                to: client, status: answer.status, headers: answer.headers, body: answer.body)
        }
        sockets.send(at: now)
    }

    private func answer(_ request: URLRequest, _ document: () -> AnswerDocument) -> ControlAnswer {
        guard asking.refusal(of: request, isControl: true) == nil else {
            return .problem("this page is for this machine alone: \(address)", status: 403)
        }
        guard request.method == .get, request.url.path == "/" else {
            return .problem("the page is at /", status: 404)
        }
        return ControlAnswer(html: Self.html(of: document()))
    }

    /// The page that a browser asks for again by itself.
    static func html(of document: AnswerDocument) -> String {
        document.page(refreshSeconds: refreshSeconds).html
    }
}
