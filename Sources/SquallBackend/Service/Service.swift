public import SquallHTTP
public import SquallKernel

/// An API's behaviour: which requests it knows, what it responds, and what its responses mean.
///
/// The backend carries requests, lets them wait, loses some and spoils others; only their service
/// knows what is in them. A service is asked twice for each request: where it goes, when a client
/// hands it over, and what the response is, at the instant at which the work on it is done. It may
/// change its state with every response. Everything else has a default:
///
/// ```swift
/// final class Greeter: Service {
///     let name = "greeter"
///     let origins = ["https://greeter.test"]
///     let endpoints = [EndpointDescription("greeting", .get, "/greetings/{person}")]
///
///     func answer(_ request: URLRequest, to route: Route?, in scene: ServiceScene) -> Answer {
///         guard let route else { return Answer(status: 404) }
///         return Answer(status: 200, body: Body("Hello, \(route.first)!"))
///     }
///
///     func answer(to error: ServiceError) -> Answer { Answer(status: error.usualStatus) }
/// }
/// ```
///
/// Everything happens on the simulation's thread. The same requests at the same instants must get
/// the same responses, so time comes from the scene and chance from a `RandomStream`.
public protocol Service: AnyObject {
    /// Its name, also in the names of its random streams.
    var name: String { get }
    /// Where it answers, each with scheme, host and port: `https://api.example.test:8443`.
    var origins: [String] { get }
    /// The calls it knows; a route names one by its position in this list.
    var endpoints: [EndpointDescription] { get }
    /// Where the work on its requests is done; the server by default.
    var workplace: Workplace { get }

    /// The endpoint of a request; `nil` when it is none of the service's.
    ///
    /// By default the router decides, by method and path.
    func route(_ request: URLRequest, by router: Router) -> Route?

    /// Does what is asked and returns the response.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - route: which endpoint it is; `nil` for a request that is none of the service's.
    ///   - scene: when and by which user it is asked, and the mint that judges its tokens.
    /// - Returns: the response, with what it cost to make it.
    func answer(_ request: URLRequest, to route: Route?, in scene: ServiceScene) -> Answer

    /// The response when something prevents a normal one.
    func answer(to error: ServiceError) -> Answer

    /// The meaning of one of its responses; by default by the class of its status.
    func meaning(of answer: Answer, to route: Route?) -> AnswerMeaning

    /// The caller that a request counts against where calls are limited; `nil` for none.
    ///
    /// By default the user of the token that it shows, or else of the device that sent it; all
    /// users of a service have one key.
    func caller(of request: URLRequest, to route: Route?, in scene: ServiceScene) -> Caller?

    /// True for routes that refuse a request without a valid access token; false by default.
    func needsToken(_ route: Route) -> Bool

    /// The tokens that a request shows, read as for a response; `nil` when the service does not
    /// say.
    ///
    /// Everything that follows single tokens uses this: nothing else looks for them in a request.
    /// The tokens of its own responses are known from the mint, which the service has issue them.
    func tokens(in request: URLRequest, to route: Route?) -> TokenTexts?

    /// The tokens that the response of a real server in its place brings; `nil` for none.
    func tokens(in answer: Answer, to route: Route?) -> TokenTexts?

    /// True if its responses with new tokens say how long they live; false by default.
    var statesLifetimes: Bool { get }

    /// The accounts from before the run; `nil` for a service without accounts.
    var accounts: (any Accounts)? { get }

    /// The audits that compare results with it when a run is over.
    var audits: [any Audit] { get }
}

extension Service {
    /// The server, which is shared by all services that have no workers of their own.
    public var workplace: Workplace { .server }

    /// The router's decision, by method and path.
    public func route(_ request: URLRequest, by router: Router) -> Route? { router.route(request) }

    /// By the class of its status, of which none says that a token has expired.
    public func meaning(of answer: Answer, to route: Route?) -> AnswerMeaning {
        AnswerMeaning(classOf: answer.status)
    }

    /// The user of the token that the request shows, or else of the device.
    public func caller(of request: URLRequest, to route: Route?, in scene: ServiceScene) -> Caller?
    {
        let shown = tokens(in: request, to: route)
        let owner = (shown?.access ?? shown?.refresh).flatMap { scene.tokens.owner(of: $0) }
        return Caller(user: Int(owner ?? scene.user), key: name)
    }

    /// False: anyone may call.
    public func needsToken(_ route: Route) -> Bool { false }

    /// `nil`: the service does not say where tokens stand.
    public func tokens(in request: URLRequest, to route: Route?) -> TokenTexts? { nil }

    /// `nil`: the service does not say where tokens stand.
    public func tokens(in answer: Answer, to route: Route?) -> TokenTexts? { nil }

    /// False: clients cannot know when a token expires.
    public var statesLifetimes: Bool { false }

    /// `nil`: users have no accounts.
    public var accounts: (any Accounts)? { nil }

    /// No audits.
    public var audits: [any Audit] { [] }
}

/// The time and the user of a call to a service.
public struct ServiceScene {
    /// The present moment of virtual time.
    public let now: Instant
    /// Where virtual time begins in the calendar.
    public let epoch: Epoch
    /// The user whose phone asks.
    public let user: UInt64
    /// The key of that user's streams; a service may choose random words only by it.
    public let streamKey: UInt64
    /// The number of this attempt's words on those streams.
    public let ordinal: UInt64
    /// The number of the exchange among the user's.
    public let exchange: UInt64
    /// Issues and judges tokens, by the clock of the worker that does the work.
    public let tokens: TokenMint

    /// A scene of its parts.
    public init(
        now: Instant, epoch: Epoch = .standard, user: UInt64 = 0, streamKey: UInt64 = 0,
        ordinal: UInt64 = 0, exchange: UInt64 = 0, tokens: TokenMint
    ) {
        self.now = now
        self.epoch = epoch
        self.user = user
        self.streamKey = streamKey
        self.ordinal = ordinal
        self.exchange = exchange
        self.tokens = tokens
    }
}

/// Where the work on a service's requests is done.
public enum Workplace {
    /// On the server: they wait in its line for its workers and take its service times.
    case server
    /// By workers of its own: always enough of them, and no line.
    ///
    /// The response is made when the request arrives, and takes as many nanoseconds as the law
    /// says.
    case own((ServiceScene, Answer) -> Int64)
    /// Outside the simulation: a request is handed over when it arrives, by the number under which
    /// `Backend.answer(_:with:brings:)` takes its response, at once or at any later instant.
    ///
    /// The service's own `answer(_:to:in:)` is not asked. Each request handed over must be
    /// answered, also when its client has gone.
    case outside((_ exchange: UInt64, URLRequest, Route?, ServiceScene) -> Void)
    /// On a real server, to which its requests are sent.
    case remote(any RemoteServer)
}

/// What prevents a normal response.
public enum ServiceError: Hashable, Sendable {
    /// The line is full, or the request has waited in it for too long; clients are asked to stay
    /// away for this many seconds, or not at all with 0.
    case overloaded(retryAfterSeconds: Int)
    /// The caller calls too often; asks clients to stay away likewise.
    case tooManyCalls(retryAfterSeconds: Int)
    /// A fault makes the server fail with a status.
    case failure(status: Int)
    /// The access token has expired.
    case accessTokenExpired
    /// The session is over; only signing in helps.
    case signedOut

    /// The status code that HTTP itself has for it.
    public var usualStatus: Int {
        switch self {
        case .overloaded: 503
        case .tooManyCalls: 429
        case .failure(let status): status
        case .accessTokenExpired, .signedOut: 401
        }
    }
}

/// The caller that a call counts against.
public struct Caller: Hashable, Sendable {
    /// The user, by the number of the account; `nil` when the call shows none.
    public let user: Int?
    /// What all users of one project have in common.
    public let key: String

    /// A user of a project.
    public init(user: Int?, key: String) {
        self.user = user
        self.key = key
    }
}

/// The people who had an account with a service before the run, by the numbers of users.
public protocol Accounts: AnyObject {
    /// What a user types to sign in.
    func credentials(of user: UInt64) -> (email: String, password: String)

    /// Makes a user one who signed in before the run, with a refresh token issued now and an access
    /// token that lives for this long from now: its whole life when `nil`, and no time with 0.
    func signIn(
        _ user: UInt64, accessLifetime: Int64?, at now: Instant, tokens: TokenMint
    ) -> SignedInUser
}

/// What a sign-in brings.
public struct SignedInUser: Sendable, Hashable {
    /// The server's identifier of the user.
    public let userID: String
    /// The e-mail address.
    public let email: String
    /// The name that other users see.
    public let nick: String
    /// The short-lived token.
    public let accessToken: String
    /// The token that buys new access tokens.
    public let refreshToken: String
    /// When the access token expires; `nil` where the service does not tell.
    public let accessExpiry: Instant?

    /// A signed-in user of its parts.
    public init(
        userID: String, email: String, nick: String, accessToken: String, refreshToken: String,
        accessExpiry: Instant? = nil
    ) {
        self.userID = userID
        self.email = email
        self.nick = nick
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.accessExpiry = accessExpiry
    }
}
