public import SquallHTTP
import SquallKernel

/// What a world does with its backend.
extension Backend {
    /// Measuring begins now: what ``BackendCounters/server`` tells covers only what follows.
    public func startMeasuring() {
        counters.server.restart(at: simulation.now.nanoseconds)
    }

    /// The load is over: how busy the server is from now on says nothing about it.
    public func stopMeasuring() {
        counters.server.stop(at: simulation.now.nanoseconds)
    }

    /// Ends the world: a request that is sent from now on fails after a second, so that loops in
    /// clients end, and a service changes nothing for a request that still reaches it.
    public func close() { isClosed = true }

    /// How many exchanges are under way, those without a client included.
    public var inFlight: Int { exchanges.count }

    /// Which endpoint a request is.
    public func endpoint(of request: URLRequest) -> Endpoint {
        services.destination(of: request).endpoint
    }

    /// The user that a request's tokens were issued to; `nil` when it shows no genuine one.
    public func owner(of shown: TokenTexts) -> UInt64? {
        (shown.access ?? shown.refresh).flatMap { tokens.owner(of: $0) }
    }

    /// The services' audits, which hold results against them when the run is over.
    ///
    /// What a real server knows cannot be looked at.
    public var audits: [any Audit] {
        services.all.filter { !$0.isOutside }.flatMap(\.service.audits)
    }

    /// What a user types to sign in with the service on an origin, by default the first one's.
    ///
    /// - Precondition: the service has accounts.
    public func credentials(
        of user: UInt64, at origin: String = ""
    ) -> (email: String, password: String) {
        accounts(at: origin).credentials(of: user)
    }

    /// Makes a user one who signed in before the run with the service on an origin, by default the
    /// first one's; with tokens issued now, or just expired.
    ///
    /// - Precondition: the service has accounts.
    public func signIn(user: UInt64, at origin: String = "", expired: Bool) -> SignedInUser {
        signIn(user: user, at: origin, accessLifetime: expired ? 0 : nil)
    }

    /// The same with an access token that lives this many nanoseconds more; `nil` for a whole life.
    ///
    /// - Precondition: the service has accounts.
    public func signIn(
        user: UInt64, at origin: String = "", accessLifetime: Int64?
    ) -> SignedInUser {
        accounts(at: origin).signIn(
            user, accessLifetime: accessLifetime, at: simulation.now, tokens: tokens)
    }

    /// Makes every access token that was issued so far count as expired.
    public func expireAccessTokens() { tokens.expireAll(.access, at: simulation.now) }

    /// Makes every refresh token that was issued so far count as expired.
    public func revokeRefreshTokens() { tokens.expireAll(.refresh, at: simulation.now) }

    /// How long tokens live that are issued from now on, and what a refresh does to any.
    public var tokenPolicy: TokenPolicy {
        get { tokens.policy }
        set { tokens.policy = newValue }
    }

    /// A token of a sign-in now, for code that is given its tokens from outside.
    public func issue(_ kind: TokenMint.Kind, to user: Int, isExpired: Bool = false) -> String {
        tokens.issue(
            kind, to: user, at: simulation.now, lifetime: isExpired ? 0 : nil
        ).token
    }

    /// The service at an origin; the first one where none is.
    public func service(at origin: String) -> any Service {
        services.service(at: origin).service
    }

    private func accounts(at origin: String) -> any Accounts {
        let service = service(at: origin)
        guard let accounts = service.accounts else {
            preconditionFailure("the service \(service.name) on '\(origin)' has no accounts")
        }
        return accounts
    }
}

/// Messages of pages in web views: they take no connection of the app's, meet no fault and no line,
/// and are not counted.
extension Backend {
    /// Takes a message from a page; its continuation gets the answer.
    func visit(_ exchange: Exchange) {
        after(0, handlers?.visited, visits.insert(exchange))
    }

    /// The message has reached its service; the answer goes straight back.
    func answerVisit(_ number: UInt64) {
        guard let exchange = visits[number] else { return }
        visits.remove(number)
        let answer = askElsewhere(exchange)
        exchange.resume(
            .success(
                TransportResponse(
                    url: exchange.request.url, statusCode: answer.status, headers: answer.headers,
                    body: answer.body)))
    }
}
