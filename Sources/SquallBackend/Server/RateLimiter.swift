import SquallKernel

/// Token buckets, one for each caller, each kept as the instant at which it will be full again.
///
/// That instant says as much as a count and the time of its last change, needs no refilling, and
/// stays exact in whole nanoseconds: the generic cell rate algorithm of ATM traffic management.
struct RateLimiter<Caller: Hashable> {
    private let limit: RateLimit
    private var fullAt: [Caller: Int64] = [:]

    init(_ limit: RateLimit) { self.limit = limit }

    /// The nanoseconds until a call is allowed; 0 when it is now.
    func wait(_ caller: Caller, at now: Instant) -> Int64 {
        guard let full = fullAt[caller] else { return 0 }
        let saved = (limit.burst - 1) * limit.intervalNanoseconds
        return max(0, full - saved - now.nanoseconds)
    }

    /// Counts a call that is allowed.
    mutating func charge(_ caller: Caller, at now: Instant) {
        fullAt[caller] = max(fullAt[caller] ?? 0, now.nanoseconds) + limit.intervalNanoseconds
    }
}

/// The limits of a server: for each user by its access token, and for each key.
struct RateLimits {
    private var users: RateLimiter<Int>?
    private var keys: RateLimiter<String>?

    /// The limits of a plan; `nil` when it has none.
    init?(_ plan: ServerPlan) {
        guard plan.userRate != nil || plan.keyRate != nil else { return nil }
        users = plan.userRate.map(RateLimiter.init)
        keys = plan.keyRate.map(RateLimiter.init)
    }

    /// Counts a call unless it comes too early; returns the wait until it is allowed, or 0.
    ///
    /// A call that one limit refuses counts against neither. Without a user only the key counts.
    mutating func admit(_ caller: Caller, at now: Instant) -> Int64 {
        let userWait = caller.user.flatMap { users?.wait($0, at: now) } ?? 0
        let wait = max(userWait, keys?.wait(caller.key, at: now) ?? 0)
        guard wait == 0 else { return wait }
        if let user = caller.user { users?.charge(user, at: now) }
        keys?.charge(caller.key, at: now)
        return 0
    }
}
