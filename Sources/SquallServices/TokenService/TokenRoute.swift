import SquallBackend
public import SquallHTTP
public import SquallKernel

/// One call of a ``TokenService``: its access, its response and its cost.
public struct TokenRoute: Sendable {
    /// The call's name in results; verb and path if it is given none.
    public var name: String
    /// The verb, such as `GET`.
    public var method: HTTPMethod
    /// The path with its variables in braces: `/posts/{id}`.
    public var path: String
    /// True if it needs a good access token; so by default.
    public var needsToken = true
    /// The worker's time; `nil` for the backend's own.
    public var cost: Distribution?
    /// The probability that it fails after the work, and the status of that failure.
    public var failure: (probability: Double, status: Int)?
    /// The role that results count it as; ``asRefresh(token:)`` and ``asSignIn()`` set it.
    private(set) var role = Endpoint.Role.ordinary
    /// Where its refresh token stands; `nil` when it shows none.
    private(set) var refreshToken: TokenPlace?
    /// Makes the response, at the instant at which the work is done.
    public var answer: @Sendable (ServiceCall) -> ServiceReply

    /// A call with a response that is made for each request.
    public init(
        _ method: HTTPMethod, _ path: String, name: String? = nil,
        answer: @escaping @Sendable (ServiceCall) -> ServiceReply
    ) {
        self.method = method
        self.path = path
        self.name = name ?? "\(method) \(path)"
        self.answer = answer
    }

    /// A `GET` that always gets the same JSON.
    public static func get(
        _ path: String, json: String = "{}", status: Int = 200
    ) -> TokenRoute { TokenRoute(.get, path, json: json, status: status) }

    /// A `GET` with a response that is made for each request.
    public static func get(
        _ path: String, answer: @escaping @Sendable (ServiceCall) -> ServiceReply
    ) -> TokenRoute { TokenRoute(.get, path, answer: answer) }

    /// A `POST` that always gets the same JSON.
    public static func post(
        _ path: String, json: String = "{}", status: Int = 200
    ) -> TokenRoute { TokenRoute(.post, path, json: json, status: status) }

    /// A `POST` with a response that is made for each request.
    public static func post(
        _ path: String, answer: @escaping @Sendable (ServiceCall) -> ServiceReply
    ) -> TokenRoute { TokenRoute(.post, path, answer: answer) }

    /// A call that always gets the same JSON.
    public init(_ method: HTTPMethod, _ path: String, json: String, status: Int = 200) {
        let reply = ServiceReply(status: status, json: json)
        self.init(method, path) { _ in reply }
    }

    /// A copy for all callers, with or without a token.
    public func withoutToken() -> TokenRoute { with { $0.needsToken = false } }

    /// A copy that is the call that exchanges a refresh token, found at this place: results count
    /// it as a refresh, and its closure refreshes by ``ServiceCall/mint``.
    public func asRefresh(token: TokenPlace) -> TokenRoute {
        withoutToken().with { ($0.role, $0.refreshToken) = (.refresh, token) }
    }

    /// A copy that is the call that brings the tokens of a new session.
    public func asSignIn() -> TokenRoute { withoutToken().with { $0.role = .signIn } }

    /// A copy that takes this much of a worker's time.
    public func costing(_ span: Duration) -> TokenRoute {
        with { $0.cost = .constant(nanoseconds: span.nanosecondsClamped) }
    }

    /// A copy that fails with this probability, 0 to 1, after the work.
    public func failing(_ probability: Double, status: Int = 500) -> TokenRoute {
        with { $0.failure = (probability, status) }
    }

    private func with(_ change: (inout TokenRoute) -> Void) -> TokenRoute {
        var copy = self
        change(&copy)
        return copy
    }
}
