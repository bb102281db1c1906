public import SquallHTTP
public import SquallKernel

/// Is told what happens in the backend, at once and in order.
///
/// Each method has a default that ignores the event, so an observer implements only what it needs.
public protocol BackendObserver: AnyObject {
    /// A user's phone was given an access token, or had been given one before the run.
    func accessTokenIssued(to user: UInt64, expiresAt expiry: Instant)
    /// A token was issued; for an observer that follows single tokens.
    func tokenIssued(_ token: IssuedToken)
    /// All access tokens that the users concerned got so far have expired.
    func accessTokensExpired(at now: Instant, of isConcerned: (_ user: UInt64) -> Bool)
    /// True for an observer that follows single tokens; asked for every request, as reading tokens
    /// takes time.
    var followsTokens: Bool { get }
    /// A client has handed over a request that shows these tokens by the rules of its service;
    /// called only where tokens are followed. `nil` where the service does not say.
    func tokensShown(
        _ cause: RequestCause, _ endpoint: Endpoint, _ request: URLRequest, shows: TokenTexts?)
    /// The client's response brought tokens; called only where tokens are followed.
    func tokensReceived(_ tokens: TokenTexts, by cause: RequestCause)
    /// A client has handed over an attempt, which may wait for a connection.
    func attemptTaken(_ cause: RequestCause, _ endpoint: Endpoint)
    /// The client has its response, or knows that there will be none.
    func exchangeEnded(_ exchange: consuming ExchangeRecord)
    /// True to have the exchange's record name the token it carried; asked at the end of each.
    func namesToken(of cause: RequestCause, _ meaning: AnswerMeaning) -> Bool
    /// True to have the record say what the exchange tells about tokens; asked at the end of each.
    func tracesTokens(
        of cause: RequestCause, _ endpoint: Endpoint, _ meaning: AnswerMeaning
    ) -> Bool
    /// A fault happened, or began.
    func faultStruck(_ fault: Fault)
    /// True to be told of every reply; asked each time.
    var keepsServerLog: Bool { get }
    /// The server has replied to a request.
    func requestReplied(_ record: ServerRecord)
    /// A request has left the line: a worker took it, it waited too long, or its client gave up.
    ///
    /// The wait is 0 ns when a worker took it at once; not called for one that found no room.
    func lineLeft(_ cause: RequestCause, _ endpoint: Endpoint, afterNanoseconds wait: Int64)
    /// A worker has got the database connection that it waited for.
    func connectionFound(
        _ cause: RequestCause, _ endpoint: Endpoint, afterNanoseconds wait: Int64)
    /// The numbers of busy workers and of waiting requests have changed.
    func serverChanged(busy: Int, waiting: Int)
    /// Something has happened to a connection, or to a request because of it.
    ///
    /// Where connections are not set up, only requests are lost, by faults.
    func connectionChanged(_ event: ConnectionEvent, _ cause: RequestCause, _ endpoint: Endpoint)
}

// By default every event is ignored.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension BackendObserver {
    public func accessTokenIssued(to user: UInt64, expiresAt expiry: Instant) {}

    public func tokenIssued(_ token: IssuedToken) {}

    public func accessTokensExpired(at now: Instant, of isConcerned: (_ user: UInt64) -> Bool) {}

    /// False: tokens are not followed.
    public var followsTokens: Bool { false }

    public func tokensShown(
        _ cause: RequestCause, _ endpoint: Endpoint, _ request: URLRequest, shows: TokenTexts?
    ) {}

    public func tokensReceived(_ tokens: TokenTexts, by cause: RequestCause) {}

    public func attemptTaken(_ cause: RequestCause, _ endpoint: Endpoint) {}

    public func exchangeEnded(_ exchange: consuming ExchangeRecord) {}

    public func faultStruck(_ fault: Fault) {}

    /// False: the record names no token.
    public func namesToken(of cause: RequestCause, _ meaning: AnswerMeaning) -> Bool { false }

    /// False: the record has no trace of tokens.
    public func tracesTokens(
        of cause: RequestCause, _ endpoint: Endpoint, _ meaning: AnswerMeaning
    ) -> Bool { false }

    /// False: ``requestReplied(_:)`` is not called.
    public var keepsServerLog: Bool { false }

    public func requestReplied(_ record: ServerRecord) {}

    public func lineLeft(
        _ cause: RequestCause, _ endpoint: Endpoint, afterNanoseconds wait: Int64
    ) {}

    public func connectionFound(
        _ cause: RequestCause, _ endpoint: Endpoint, afterNanoseconds wait: Int64
    ) {}

    public func serverChanged(busy: Int, waiting: Int) {}

    public func connectionChanged(
        _ event: ConnectionEvent, _ cause: RequestCause, _ endpoint: Endpoint
    ) {}
}

/// A happening to a connection, or to a request because of one.
public enum ConnectionEvent: Hashable, Sendable {
    /// One is being set up; how many are, with it.
    case begun(settingUp: Int)
    /// One is there; how many others are being set up.
    case opened(settingUp: Int)
    /// None came about; how many others are being set up.
    case failed(settingUp: Int)
    /// A request has taken one that was there.
    case reused
    /// One that carried requests has ended.
    case ended
    /// A request's connection has ended before its response came.
    case requestLost
    /// Its client sends it again by itself.
    case requestRepeated
    /// The server has done what was asked both times.
    case requestDoneTwice
    /// A part of a request's time is over and took these nanoseconds.
    case passed(RequestPart, nanoseconds: Int64)
}

/// The parts of a request's time, in their order.
public enum RequestPart: String, Hashable, Sendable, CaseIterable {
    /// All connections are taken.
    case place
    /// The radio wakes.
    case radio
    /// The name is looked up.
    case name
    /// TCP connects.
    case connect
    /// TLS or QUIC shakes hands.
    case secure
    /// Until the first byte of the answer.
    case wait
    /// Until the last.
    case transfer
}

/// A token as it is told to observers that follow single tokens.
public struct IssuedToken: Sendable {
    /// The text that travels.
    public let text: String
    /// What it is for.
    public let kind: TokenMint.Kind
    /// The user whose phone gets it.
    public let user: UInt64
    /// The user whose account it opens.
    public let account: UInt64
    /// How many refreshes lie between the sign-in and this token.
    public let generation: Int
    /// The first instant at which it has expired.
    public let expiry: Instant
    /// What the call was that brought it, where only its response tells; `nil` where the call does.
    public var role: Endpoint.Role?

    /// A token by its parts, also of one that another server issued.
    public init(
        text: String, kind: TokenMint.Kind, user: UInt64, account: UInt64, generation: Int,
        expiry: Instant = Instant(nanoseconds: .max)
    ) {
        self.text = text
        self.kind = kind
        self.user = user
        self.account = account
        self.generation = generation
        self.expiry = expiry
    }
}

/// Ignores everything, for worlds without an observer.
public final class SilentObserver: BackendObserver {
    /// An observer that ignores every event.
    public init() {}
}

/// One wire exchange from the client's send to the client's receipt.
public struct ExchangeRecord: Sendable {
    /// Why it was sent.
    public let cause: RequestCause
    /// Which endpoint it was for.
    public let endpoint: Endpoint
    /// What the client got.
    public let outcome: Outcome
    /// What that means by the rules of the service that answered.
    public let meaning: AnswerMeaning
    /// When the client handed it over.
    public let handedOver: Instant
    /// When it went on the wire, later than that when all connections were taken; nil when it
    /// ended before it had one.
    public let sent: Instant?
    /// When the client got the outcome.
    public let ended: Instant
    /// The size of the response's body in bytes.
    public let bytes: Int
    /// The page of a list that the response is; `nil` when it is none.
    public let page: ListPage?
    /// How many refreshes lay between the access token it carried and its sign-in; `nil` when it
    /// carried none, and unless the observer wanted to know.
    public let tokenGeneration: UInt32?
    /// What it says about tokens; `nil` unless the observer wanted to know.
    public var tokens: TokenTrace?

    /// What a client gets.
    public enum Outcome: Hashable, Sendable {
        /// A response with this status.
        case status(Int)
        /// No response, and why.
        case error(TransportError.Code)
        /// Still under way at the end of the run.
        case neverEnded
    }
}
