import SquallBackend
import SquallHTTP
import SquallKernel

/// Finds requests that carry the token of somebody else's account: what a static that several
/// people's code reaches leads to, and the end of everything that a run says about users.
struct TokenOwners {
    /// Whose account tokens are, among those that phones had before the run; `nil`: nobody looks.
    var find: ((TokenTexts) -> UInt64?)?
    /// How many such requests there were, the warm-up included.
    private(set) var count: Int64 = 0
    /// The first of them, in words.
    private(set) var example = ""

    /// A client has handed over a request.
    mutating func look(
        at cause: RequestCause, _ endpoint: Endpoint, shows: TokenTexts?, at now: Instant
    ) {
        guard let shows, let owner = find?(shows), owner != cause.user else { return }
        count += 1
        guard count == 1 else { return }
        example =
            "user \(cause.user) at \(now), \(endpoint.name) with the token of user \(owner)"
    }
}
