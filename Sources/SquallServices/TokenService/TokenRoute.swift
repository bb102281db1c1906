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
        with { $0.cost = .constant(nanoseconds: Int64(span / .nanoseconds(1))) }
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

/// A request, as it is given to a route's closure.
public struct ServiceCall: Sendable {
    let request: URLRequest
    /// The path's variables, in order.
    public let variables: [String]
    /// The user that its token belongs to; `nil` without a good one.
    public let user: Int?
    /// The present moment of virtual time, from the beginning of the world.
    public let now: Instant
    /// Issues, judges and ends tokens.
    public let mint: ServiceMint

    /// The verb, as it is sent.
    public var method: String { request.method.rawValue }
    /// The path, percent-encoded.
    public var path: String { request.url.path }
    /// The body as it was sent.
    public var body: [UInt8] { request.body.bytes }

    /// The address that it was sent to: scheme, host and port.
    public var origin: String { request.url.origin }

    /// A member of the body, of JSON or of a form; `nil` when it is not there or no text.
    public func field(_ name: String) -> String? { TokenPlace.body(name).token(in: request) }

    /// The value of a header field, whatever the case of its name.
    public func header(_ name: String) -> String? { request.value(forHTTPHeaderField: name) }

    /// The value of a name in the address, decoded; `nil` when it is not there.
    public func query(_ name: String) -> String? {
        FormFields.value(of: name, in: Array((request.url.query ?? "").utf8))
    }
}

/// The response that a route's closure returns.
public struct ServiceReply: Sendable {
    /// The HTTP status code, 100 to 599.
    public var status: Int
    /// The header fields, in order.
    public var headers: [(name: String, value: String)]
    /// The body, in one piece.
    public var body: [UInt8]
    /// The pieces of the body, where it comes in pieces: the gap before each, and its bytes.
    public var pieces: [(gap: Duration, bytes: [UInt8])] = []
    /// A body of chunks that many responses share, in place of `body`, and the page that it is.
    var shared: (body: Body, page: ListPage?)?

    /// A response of its parts.
    public init(
        status: Int = 200, headers: [(name: String, value: String)] = [], body: [UInt8] = []
    ) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A response with a body in JSON.
    public init(status: Int = 200, json: String) {
        self.init(
            status: status, headers: [("Content-Type", "application/json; charset=utf-8")],
            body: Array(json.utf8))
    }

    /// Sends the client to another address.
    public static func redirect(to address: String, status: Int = 302) -> ServiceReply {
        ServiceReply(status: status, headers: [("Location", address)])
    }

    /// A response whose body comes piece by piece, as from a server that streams.
    public static func stream(
        _ pieces: [String], every gap: Duration, type: String = "text/event-stream"
    ) -> ServiceReply {
        var reply = ServiceReply(
            headers: [("Content-Type", type)], body: pieces.flatMap { Array($0.utf8) })
        reply.pieces = pieces.map { (gap, Array($0.utf8)) }
        return reply
    }
}

/// Tokens that a service is about to hand out, for the members that it adds to them.
public struct TokenGrant: Hashable, Sendable {
    /// The user, by the number of the account.
    public let user: Int
    /// The user's e-mail address, which is what a sign-in shows.
    public let email: String
    /// The access token.
    public let access: String
    /// The refresh token; `nil` where a refresh keeps the old one.
    public let refresh: String?
    /// When the access token expires, in seconds since 1970, as the world's clocks show them.
    public let expiresAt: Int64
    /// The life of the access token in seconds.
    public let lifetime: Int64
    /// True if a sign-in brings them, false for a refresh.
    public let isSignIn: Bool
}

/// The effect of a log-out on the tokens of its session, as the server sees them.
public enum LogOutEffect: String, Hashable, Sendable, CaseIterable {
    /// Nothing: only the client forgets them, the only way with signed tokens.
    case clientForgets
    /// Refresh tokens are not accepted any more; access tokens stay good until their time is over.
    case endsRefreshTokens
    /// Access tokens are refused as well.
    case endsAllTokens
}
