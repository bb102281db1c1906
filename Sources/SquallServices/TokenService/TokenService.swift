public import SquallBackend
public import SquallHTTP
public import SquallKernel

/// Any API, by configuration: the places of its tokens, its responses to them, and its routes.
///
/// ```swift
/// var service = TokenService(.bearer, accessLifetime: .seconds(300), refresh: .rotatingStrict)
/// service.routes = [.get("/posts", json: #"[{"id": 1}]"#), .post("/posts", status: 201)]
/// ```
///
/// Common token endpoints are ready: ``oauth2(at:revoke:refresh:routes:)``,
/// ``auth0(tenant:api:refresh:routes:)``, ``supabase(origin:refresh:routes:)``,
/// ``firebase(project:api:routes:)``, ``jsonPair(refresh:routes:)``, and cookies with
/// ``TokenForm/sessionCookie``. A route for the same verb and path replaces a call of the form, and
/// can exchange tokens itself, by ``ServiceCall/mint``.
///
/// It signs in, refreshes and signs out by the calls of its `form`, with the mint of its backend:
/// lifetimes and the refresh semantics are those of real servers, and every token is genuine.
public struct TokenService: Sendable {
    /// The service's name, also in the names of its random streams.
    public var name = "api"
    /// The address on which it responds, with scheme, host and port.
    public var origin = "https://api.example.com"
    /// Further addresses, as where tokens have a host of their own.
    public var otherOrigins: [String] = []
    /// How tokens travel, and the responses to bad ones.
    public var form: TokenForm
    /// Members that it adds to a response that brings tokens, as the text of a JSON object; they
    /// replace members of the same name.
    ///
    /// ```swift
    /// service.members = { #"{"user": {"id": "\($0.user)"}, "expires_at": \($0.expiresAt)}"# }
    /// ```
    public var members: (@Sendable (TokenGrant) -> String)?
    /// True to send the refresh token again in a response to a refresh that keeps it.
    public var repeatsRefreshToken = false
    /// Header fields of a response that brings tokens, by their names.
    public var tokenHeaders: [String: String] = [:]
    /// Header fields of a response that a fault makes, by their names: `Retry-After`.
    public var failureHeaders: [String: String] = [:]
    /// The effect of a log-out on the session's tokens, as the server sees them.
    public var logOut = LogOutEffect.clientForgets
    /// The lives of tokens, and what a refresh does to them.
    public var tokens: TokenPolicy
    /// Its calls beside those of its form; the first that fits a request responds to it.
    public var routes: [TokenRoute]

    /// A service of a form.
    ///
    /// - Parameters:
    ///   - form: how tokens travel.
    ///   - accessLifetime: how long an access token is good.
    ///   - refreshLifetime: how long a refresh token is good.
    ///   - refresh: the server's action on a refresh token that is shown.
    ///   - routes: the calls beside those of the form.
    public init(
        _ form: TokenForm, accessLifetime: Duration = .seconds(300),
        refreshLifetime: Duration = .seconds(14 * 86_400),
        refresh: RefreshSemantics = .coexist, routes: [TokenRoute] = []
    ) {
        self.form = form
        self.routes = routes
        tokens = .standard
        tokens.accessLifetimeNanoseconds = accessLifetime.nanosecondsClamped
        tokens.refreshLifetimeNanoseconds = refreshLifetime.nanosecondsClamped
        tokens.refresh = refresh
    }

    /// Every address on which it answers.
    public var origins: [String] { [origin] + otherOrigins }

    /// Its calls as profiles and results name them.
    public var endpoints: [EndpointDescription] {
        form.calls.map { EndpointDescription($1.name, $1.method, $1.path, role: $0) }
            + routes.map { EndpointDescription($0.name, $0.method, $0.path, role: $0.role) }
    }

    /// The time of the work on a call where a route sets it, by its name.
    public var serviceTimes: [String: Distribution] {
        let told = routes.compactMap { route in route.cost.map { (route.name, $0) } }
        return Dictionary(told) { first, _ in first }
    }

    /// The service itself, for a backend.
    public func service(
        randomness: RandomStream, userCount: Int, epoch: Epoch = .standard
    ) -> any Service {
        TokenAnswers(self, randomness: randomness, userCount: userCount, epoch: epoch)
    }
}

extension TokenForm {
    /// The calls that deal with tokens, and the role of each.
    var calls: [(Endpoint.Role, TokenCall)] {
        [(.signIn, logIn), (.refresh, refresh), (.ordinary, logOut)]
    }
}

/// A service that writes some of its responses piece by piece.
///
/// The backend carries a response as one message; the code that hands the response to a client
/// decides when each piece after the first byte comes.
public protocol PacedService: AnyObject {
    /// The gaps and sizes of the pieces of an attempt's response body, in order; `nil` when the
    /// body comes at once. It is asked for once.
    func pace(user: UInt64, exchange: UInt64) -> [(gap: Duration, count: Int)]?
}
