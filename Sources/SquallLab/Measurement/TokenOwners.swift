import SquallBackend
import SquallHTTP
import SquallKernel

/// Finds requests with a token of another user's account, as a static that several users' code
/// shares causes; they make every result about users worthless.
struct TokenOwners {
    /// Gives the account of shown tokens, if a phone had it before the run; `nil` for no check.
    var find: ((TokenTexts) -> UInt64?)?
    /// The number of such requests, including the warm-up's.
    private(set) var count: Int64 = 0
    /// The first of them, in words.
    private(set) var example = ""

    /// Checks a request that a client has handed over.
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
