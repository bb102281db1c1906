public import SquallBackend
public import SquallKernel

/// Anybody's API, by configuration: where its tokens stand, what it says of them, and its routes.
///
/// ```swift
/// var service = TokenService(.bearer, accessLifetime: .seconds(300), refresh: .rotatingStrict)
/// service.routes = [.get("/posts", json: #"[{"id": 1}]"#), .post("/posts", status: 201)]
/// ```
///
/// It signs in, refreshes and signs out by the calls of its `form`, with the mint of the far side
/// it is mounted on: lifetimes and the refresh semantics are those of real servers, and every
/// token is genuine.
public struct TokenService: Sendable {
    /// What it is called, also in the names of its random streams.
    public var name = "api"
    /// Where it answers, with scheme, host and port.
    public var origin = "https://api.example.com"
    /// How tokens travel, and what is answered to those that are no good.
    public var form: TokenForm
    /// How long tokens live, and what a refresh does to them.
    public var tokens: TokenPolicy
    /// The calls it knows beside those of its form; the first that fits a request answers it.
    public var routes: [TokenRoute]

    /// A service of a form.
    ///
    /// - Parameters:
    ///   - form: how tokens travel.
    ///   - accessLifetime: how long an access token is good.
    ///   - refreshLifetime: how long a refresh token is good.
    ///   - refresh: what becomes of a refresh token that is shown; ``RefreshSemantics`` has six
    ///     ways.
    ///   - routes: the calls it knows.
    public init(
        _ form: TokenForm, accessLifetime: Duration = .seconds(300),
        refreshLifetime: Duration = .seconds(14 * 86_400),
        refresh: RefreshSemantics = .coexist, routes: [TokenRoute] = []
    ) {
        self.form = form
        self.routes = routes
        tokens = TokenPolicy(
            accessLifetimeNanoseconds: Int64(accessLifetime / .nanoseconds(1)),
            refreshLifetimeNanoseconds: Int64(refreshLifetime / .nanoseconds(1)),
            lifetimeJitterNanoseconds: 0, refresh: refresh, refreshRevokesAccessTokens: false,
            revocationLagNanoseconds: 0)
    }

    /// What profiles and results call its calls.
    public var endpoints: [EndpointDescription] {
        form.calls.map { EndpointDescription($1.name, $1.method, $1.path, role: $0) }
            + routes.map { EndpointDescription($0.name, $0.method, $0.path) }
    }

    /// How long the work on a call takes where a route says so, by its name.
    public var serviceTimes: [String: Distribution] {
        let told = routes.compactMap { route in route.cost.map { (route.name, $0) } }
        return Dictionary(told) { first, _ in first }
    }

    /// The service itself, for a far side.
    public func service(randomness: RandomStream, userCount: Int) -> any Service {
        TokenAnswers(self, randomness: randomness, userCount: userCount)
    }
}
