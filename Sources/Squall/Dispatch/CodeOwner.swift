public import SquallHTTP

/// The user for whom code runs, in a world that runs the code of several users.
///
/// Tasks inherit it. Blocks of queues and timers carry it from the code that submitted them, so an
/// unmodified client's completion handler still runs for its user.
public protocol CodeOwner: AnyObject, Sendable {
    /// The number of the user.
    var user: Int { get }
    /// What the user does now, for finding a place in code: `step 3`.
    var doing: String { get }
    /// The user behind an owner that stands for one user action only; otherwise the owner itself.
    var person: any CodeOwner { get }
    /// Sends a request over the user's own network and waits for its answer.
    ///
    /// - Throws: `TransportError` when no answer comes.
    func send(_ request: URLRequest) async throws(TransportError) -> TransportResponse
}

extension CodeOwner {
    /// The owner itself, which is right for all but owners of one user action.
    public var person: any CodeOwner { self }
}

/// The user for whom the present code runs.
public enum CurrentOwner {
    /// The owner of the present code; `nil` where none is set.
    @TaskLocal public static var owner: (any CodeOwner)?

    /// Runs code for an owner; without one, just runs it.
    static func of(_ owner: (any CodeOwner)?, _ body: () -> Void) {
        guard let owner else { return body() }
        $owner.withValue(owner, operation: body)
    }
}
