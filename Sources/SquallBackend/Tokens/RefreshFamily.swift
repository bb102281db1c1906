import SquallKernel

/// What a server remembers of the refresh tokens that descend from one sign-in.
///
/// A token's generation is its distance from the sign-in: the token of the sign-in has 0, a child
/// one more than its parent. Siblings share a generation, so a token's place relative to the
/// newest is all that has to be known, and a family is a few words however long it gets.
///
/// - living: the newest token is exchanged for a child; older ones are handled by the semantics.
/// - revoked: nothing is exchanged any more, except the newest token while the revocation leaks.
struct RefreshFamily: Equatable {
    /// The generation of the newest refresh token, and the number of exchanges so far.
    private(set) var generation: UInt32 = 0
    /// When that token was issued; meaningless in generation 0.
    private(set) var exchangedAt = Instant.start
    /// The newest generation of which an access token was accepted.
    private(set) var used: UInt32 = 0
    /// When reuse of a token revoked the family.
    private(set) var revokedAt: Instant?
    /// How many refreshes with the token before the newest one have succeeded together.
    private var together: UInt16 = 1

    /// The server's decision about a shown refresh token.
    enum Ruling: Equatable {
        /// A new access token; the refresh token stays.
        case keep
        /// A new access token and a new refresh token of the newest generation.
        case issue
        /// A new access token and the newest refresh token as it was issued before.
        case replay
        /// Nothing: the user has to sign in.
        case refuse
    }

    /// Rules on a genuine, unexpired token of a generation.
    mutating func show(_ shown: UInt32, at now: Instant, under policy: TokenPolicy) -> Ruling {
        if policy.refresh == .once {
            guard generation == 0 || isTogether(1, at: now, under: policy) else { return .refuse }
            if generation == 0 { advance(at: now) }
            return .keep
        }
        guard policy.refresh.isRotating else {
            advance(at: now)
            return .keep
        }
        if let revokedAt {
            let end = revokedAt.advanced(byNanoseconds: policy.revocationLagNanoseconds)
            guard shown == generation, now < end else { return .refuse }
        }
        guard shown < generation else {
            advance(at: now)
            return .issue
        }
        return ruling(onReuseOf: shown, at: now, under: policy)
    }

    /// True for a token that was issued beside the newest and ended by it.
    func hasReplaced(_ token: TokenFields, under policy: TokenPolicy) -> Bool {
        policy.refresh == .rotatingUntilUsed(endsSiblings: true)
            && token.generation == generation && token.issuedAt < exchangedAt && generation > 0
    }

    /// Notes that an access token of a generation was accepted.
    mutating func use(_ generation: UInt32) { used = max(used, generation) }

    /// Counts a refresh that comes together with the one that was exchanged.
    private mutating func isTogether(
        _ age: UInt32, at now: Instant, under policy: TokenPolicy
    ) -> Bool {
        guard age == 1, together < policy.parallelRefreshes,
            now.nanoseconds - exchangedAt.nanoseconds < policy.parallelWindowNanoseconds
        else { return false }
        together += 1
        return true
    }

    private mutating func ruling(
        onReuseOf shown: UInt32, at now: Instant, under policy: TokenPolicy
    ) -> Ruling {
        let age = generation - shown
        if isTogether(age, at: now, under: policy) {
            return policy.replaysAccessToken ? .replay : .issue
        }
        let elapsed = now.nanoseconds - exchangedAt.nanoseconds
        switch policy.refresh {
        case .rotatingWithLeeway(let window, let generations)
        where age <= generations && elapsed < window:
            return .issue
        case .rotatingWithReplay(let window, let parentOfActive)
        where age == 1 && (parentOfActive || elapsed < window):
            return .replay
        case .rotatingCoexist: return .issue
        case .rotatingUntilUsed(let endsSiblings) where age == 1 && used < generation:
            if endsSiblings { exchangedAt = now }
            return .issue
        case .rotatingWithLeeway where !policy.reuseRevokesFamily,
            .rotatingWithReplay where !policy.reuseRevokesFamily:
            return .refuse
        case .rotatingStrict, .rotatingWithLeeway, .rotatingWithReplay:
            revokedAt = now
            return .refuse
        case .oneShot, .coexist, .early409, .once, .rotatingUntilUsed:
            return .refuse
        }
    }

    private mutating func advance(at now: Instant) {
        generation += 1
        exchangedAt = now
        together = 1
    }
}
