public import SquallHTTP
public import SquallKernel

/// Is told, at once and in order, what happens on the far side.
public protocol BackendObserver: AnyObject {
    /// The client has its answer, or knows that there will be none.
    func exchangeEnded(_ exchange: ExchangeRecord)
    /// A user was given an access token.
    func accessTokenIssued(to user: UInt64, expiresAt: Instant)
    /// A fault happened, or began.
    func faultStruck(_ fault: Fault)
    /// The payment page closed on a user and told the app this.
    func paymentPageClosed(on user: UInt64, _ answer: PaymentAnswer)
    /// Whether it wants to hear of every reply; asked each time.
    var keepsServerLog: Bool { get }
    /// The server has replied to a request.
    func requestReplied(_ record: ServerRecord)
}

extension BackendObserver {
    /// Does nothing.
    public func paymentPageClosed(on user: UInt64, _ answer: PaymentAnswer) {}

    /// No.
    public var keepsServerLog: Bool { false }

    /// Does nothing.
    public func requestReplied(_ record: ServerRecord) {}
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
    /// When it went on the wire; later than that when all connections were taken.
    public let sent: Instant
    /// When the client got the outcome.
    public let ended: Instant
    /// How many bytes the answer had.
    public let bytes: Int
    /// The page that was answered; `nil` when it was no page of a list.
    public let page: ListPage?

    /// What a client gets.
    public enum Outcome: Hashable, Sendable {
        /// An answer.
        case status(Int)
        /// None.
        case error(TransportError.Code)
    }
}
