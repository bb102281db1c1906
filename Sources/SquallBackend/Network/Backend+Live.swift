public import SquallHTTP
import SquallKernel

/// Requests from outside the simulation, for which no task waits.
extension Backend {
    /// A request under way, for its sender.
    public struct LiveExchange {
        fileprivate let exchange: Exchange
        /// The call that it is.
        public var endpoint: Endpoint { exchange.endpoint }
        /// On whose behalf it is sent, and which of the user's requests it is.
        public var cause: RequestCause { exchange.cause }
    }

    /// What a request shows before it is known on whose behalf it is sent.
    public struct RequestPreview {
        /// The call that it is.
        public let endpoint: Endpoint
        /// The tokens that it shows by the rules of its service; `nil` where that does not say.
        public let shows: TokenTexts?
    }

    /// Which sign-in a token of this backend's mint descends from.
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
        live.exchange.told = nil
        cancel(live.exchange)
    }

    /// The sign-in that genuine tokens descend from; `nil` for any others.
    public func session(of shown: TokenTexts) -> SessionKey? {
        (shown.access ?? shown.refresh).flatMap { tokens.session(of: $0) }
    }
}
