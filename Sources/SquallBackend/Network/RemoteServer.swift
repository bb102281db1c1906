public import SquallHTTP
import SquallKernel

/// A server outside the simulation, to which the requests for one origin go.
///
/// The backend gives each request a connection of its user, its time-out and an observer; only the
/// server decides how long it takes and what it responds.
public protocol RemoteServer: AnyObject {
    /// The origin whose service it takes the place of.
    var origin: String { get }
    /// Sends a request; ``Backend/answer(_:with:brings:)`` or ``Backend/fail(_:with:)`` ends it,
    /// between two runs of the simulation.
    func send(_ request: RemoteRequest)
    /// The client of a request has gone: no response is wanted any more.
    func drop(_ exchange: UInt64)
}

/// A request to a ``RemoteServer``.
public struct RemoteRequest {
    /// The number under which the backend takes the response.
    public let exchange: UInt64
    /// The request with the fields that the client sent.
    public let request: URLRequest
    /// The user, step and attempt for which it is sent.
    public let cause: RequestCause
    /// The call that results count it as.
    public let endpoint: Endpoint
}

extension Backend {
    /// Sends a request to a server outside the simulation; it goes through no simulated network.
    func sendOut(_ number: UInt64, _ exchange: Exchange, to server: any RemoteServer) {
        guard exchange.hasClient else { return abandon(number, exchange) }
        exchange.stage = .served
        exchange.started = simulation.now
        guard !isClosed else { return fail(number, with: .notConnectedToInternet) }
        watch(number, exchange, until: .max)
        server.send(
            RemoteRequest(
                exchange: number, request: exchange.request, cause: exchange.cause,
                endpoint: exchange.endpoint))
    }

    /// Ends a request that was sent out and gets no response; one that has ended is ignored.
    ///
    /// - Precondition: called from inside the simulation, or between two runs of it.
    public func fail(_ number: UInt64, with code: TransportError.Code) {
        simulation.checkThread()
        guard let exchange = exchanges[number], case .served = exchange.stage else { return }
        countOut(exchange)
        exchange.stage = .breaking(code)
        after(0, handlers?.broke, number)
    }

    /// Lets the server outside forget a request whose client has gone; `false` where it is inside.
    func dropOutside(_ exchange: Exchange, _ number: UInt64) -> Bool {
        guard case .remote(let server) = exchange.service.workplace, case .served = exchange.stage
        else { return false }
        server.drop(number)
        abandon(number, exchange)
        return true
    }
}

/// Requests that come from outside the simulation: no task of the simulation waits for them.
extension Backend {
    /// A request under way, for its sender.
    public struct LiveExchange {
        fileprivate let exchange: Exchange
        /// The service's endpoint, or an unknown one.
        public var endpoint: Endpoint { exchange.endpoint }
        /// The user for whom it is sent, and which of the user's requests it is.
        public var cause: RequestCause { exchange.cause }
    }

    /// The part of a request that is known before its user is named.
    public struct RequestPreview {
        /// The service's endpoint, or an unknown one.
        public let endpoint: Endpoint
        /// The tokens that it shows by the rules of its service; `nil` where that does not say.
        public let shows: TokenTexts?
    }

    /// Names the sign-in that a token of this backend's mint descends from.
    public struct SessionKey: Hashable, Sendable {
        /// The number of the account.
        public let account: UInt64
        /// The sign-in among the account's.
        public let family: UInt32
    }

    /// Takes a request at the present instant; its sender is named by what it shows.
    ///
    /// `told` is called once, from inside the simulation, unless the request is abandoned before.
    /// A number of a user may be of one who is new.
    ///
    /// - Precondition: called from inside the simulation, or between two runs of it.
    @discardableResult
    public func exchange(
        _ request: URLRequest, cause: (RequestPreview) -> RequestCause,
        told: @escaping (Result<TransportResponse, TransportError>) -> Void
    ) -> LiveExchange {
        simulation.checkThread()
        let destination = services.destination(of: request)
        let shows = destination.service.service.tokens(in: request, to: destination.route)
        let sight = RequestPreview(endpoint: destination.endpoint, shows: shows)
        let exchange = Exchange(
            request, cause: cause(sight), to: destination, at: simulation.now)
        guard !isClosed else {
            told(.failure(TransportError(.notConnectedToInternet)))
            return LiveExchange(exchange: exchange)
        }
        exchange.backend = self
        exchange.told = told
        begin(exchange)
        return LiveExchange(exchange: exchange)
    }

    /// Ends a request whose sender has gone; the server learns of it as planned.
    public func abandon(_ live: LiveExchange) {
        let exchange = live.exchange.newest
        exchange.told = nil
        cancel(exchange)
    }

    /// The sign-in that genuine tokens descend from; `nil` for any others.
    public func session(of shown: TokenTexts) -> SessionKey? {
        (shown.access ?? shown.refresh).flatMap { tokens.session(of: $0) }
    }
}
