public import SquallHTTP

/// Somebody on whose behalf code runs, in a world where many people's code does.
///
/// Tasks inherit it. Blocks of queues and timers carry it from whoever put them there, so that what
/// an unmodified client does in a completion handler is still its person's.
public protocol CodeOwner: AnyObject, Sendable {
    /// The number of the person.
    var user: Int { get }
    /// What the person is doing, for whoever has to find a place in code: `step 3`.
    var doing: String { get }
    /// The person whatever they are doing: itself, unless it is for one user action only.
    var person: any CodeOwner { get }
    /// Sends a request over the person's own network and waits for its answer.
    ///
    /// - Throws: `TransportError` when no answer comes.
    func send(_ request: URLRequest) async throws(TransportError) -> TransportResponse
}

extension CodeOwner {
    /// Itself.
    public var person: any CodeOwner { self }
}

/// On whose behalf the present code runs.
public enum OnBehalf {
    /// Whose code it is; `nil` where nobody has said.
    @TaskLocal public static var owner: (any CodeOwner)?

    /// Runs code of somebody's; of nobody's it runs as it would.
    static func of(_ owner: (any CodeOwner)?, _ body: () -> Void) {
        guard let owner else { return body() }
        $owner.withValue(owner, operation: body)
    }
}
