public import SquallKernel

/// Issues tokens, judges them, and exchanges old ones for new ones.
///
/// All services of a backend share one mint; each service names its tokens on the wire.
///
/// A token carries everything needed to judge it, and a signature; no table of tokens is kept. Only
/// where refreshing uses tokens up the server must remember something: one small record for each
/// sign-in that has been refreshed.
public final class TokenMint {
    /// What a token is for.
    public enum Kind: UInt8, Sendable {
        /// It opens what its user may see, for a while.
        case access = 0x61
        /// It is exchanged for access tokens.
        case refresh = 0x72
    }

    /// The server's judgement of a token.
    public enum Judgement: Hashable, Sendable {
        /// It is an account's, and good.
        case valid(user: Int)
        /// It is an account's, and its time is over.
        case expired(user: Int)
        /// It is not one of the mint's.
        case unverifiable
    }

    @exclusivity(unchecked) var policy: TokenPolicy
    /// Is told of every access token; not weak, because counting weak references takes longer, and
    /// the observer is also the client's.
    unowned(unsafe) var observer: (any BackendObserver)?
    /// The user whose phone gets what is issued; `nil` while the account's own phone gets it.
    ///
    /// They differ where a user has made a new account.
    @exclusivity(unchecked) var phone: UInt64?
    /// The tokens that are issued for the response that is being made; `nil` unless it is asked
    /// for.
    @exclusivity(unchecked) var newest: TokenTexts?
    /// How far the clock of the mint's present caller is ahead of virtual time.
    var clockOffsetNanoseconds: Int64 = 0
    /// Maps a user to the key of its random streams.
    var identity = StreamIdentity()
    private let signature: RandomStream
    private let jitter: RandomStream
    private let signIns: RandomStream
    /// The cutoffs that ended many tokens at once.
    @exclusivity(unchecked) private var cutoffs: [Cutoff] = []
    @exclusivity(unchecked) private var lately = ReadTokens()
    @exclusivity(unchecked) private var families: [FamilyKey: RefreshFamily] = [:]
    /// Sign-ins that were ended by a log-out; true where their access tokens ended with them.
    @exclusivity(unchecked) private var ended: [FamilyKey: Bool] = [:]

    /// Tokens of a kind that a fault concerns count as expired, if issued up to an instant.
    private struct Cutoff {
        let kind: Kind
        let instant: Instant
        let fault: ArmedFault?

        func ends(_ token: TokenFields) -> Bool {
            kind == token.kind && token.issuedAt <= instant
                && fault?.concerns(user: UInt64(token.user)) ?? true
        }
    }

    /// A sign-in of a user.
    private struct FamilyKey: Hashable {
        let user: UInt32
        let family: UInt32

        init(_ fields: TokenFields) {
            user = fields.user
            family = fields.family
        }
    }

    /// A mint that has issued nothing yet.
    public init(policy: TokenPolicy, randomness: RandomStream) {
        self.policy = policy
        signature = randomness.stream("token.signature")
        jitter = randomness.stream("token.jitter")
        signIns = randomness.stream("token.family")
    }

    /// How long a service says that an access token is good for.
    public var statedLifetimeNanoseconds: Int64 {
        policy.statedLifetimeNanoseconds ?? policy.accessLifetimeNanoseconds
    }

    /// How long a service says that an access token is good for which a refresh brings.
    public var statedRefreshedLifetimeNanoseconds: Int64 {
        policy.refreshedLifetimeNanoseconds ?? statedLifetimeNanoseconds
    }

    /// How long a refresh token is good for.
    public var refreshLifetimeNanoseconds: Int64 { policy.refreshLifetimeNanoseconds }

    /// When an access token ends by what the service says, where that is not the truth.
    public func statedEnd(of issue: Instant) -> Instant? {
        policy.statedLifetimeNanoseconds.map(issue.advanced(byNanoseconds:))
    }

    /// A token of a sign-in now, and the first instant at which it has expired; the policy's life
    /// unless given one.
    ///
    /// Tokens of one user and instant belong to the same sign-in.
    public func issue(
        _ kind: Kind, to user: Int, at now: Instant, lifetime: Int64? = nil
    ) -> (token: String, expiry: Instant) {
        let now = clock(at: now)
        let family =
            signIns.stream(number: identity.key(of: UInt64(user))).bits(at: UInt64(now.nanoseconds))
            >> 32
        let fields = TokenFields(
            kind: kind, user: UInt32(user), family: UInt32(family), generation: 0, issuedAt: now,
            expiry: now.advanced(byNanoseconds: lifetime ?? self.lifetime(kind, of: user, at: now)))
        return (write(fields), fields.expiry)
    }

    /// Makes every token of a kind that was issued so far count as expired, of all users or of
    /// those whom a fault concerns.
    func expireAll(_ kind: Kind, at now: Instant, of fault: ArmedFault? = nil) {
        cutoffs.append(Cutoff(kind: kind, instant: now, fault: fault))
        guard kind == .access else { return }
        observer?.accessTokensExpired(at: now) { fault?.concerns(user: $0) ?? true }
    }

    /// Ends the sign-in of a genuine token of either kind: its refresh tokens are not accepted any
    /// more.
    ///
    /// With `accessToo` its access tokens count as expired from now on, as where a server looks
    /// each of them up; a signed one stays good until its time is over.
    public func endSession(of token: String, accessToo: Bool) {
        guard let fields = TokenFields(token, signedBy: signature) else { return }
        ended[FamilyKey(fields), default: false] = accessToo || ended[FamilyKey(fields)] ?? false
    }

    /// Judges a token by signature, kind and age; an access token that is good counts as used.
    public func judge(_ token: String, as kind: Kind, at now: Instant) -> Judgement {
        guard let fields = read(token, as: kind) else { return .unverifiable }
        let user = Int(fields.user)
        guard !isExpired(fields, at: clock(at: now)) else { return .expired(user: user) }
        if kind == .access, fields.generation > 0, policy.refresh.endsOnUse {
            families[FamilyKey(fields)]?.use(fields.generation)
        }
        return .valid(user: user)
    }

    /// True if the time of a genuine access token is over, and not only its session.
    public func hasOutlived(_ token: String, at now: Instant) -> Bool {
        read(token, as: .access).map { $0.expiry <= clock(at: now) } ?? false
    }

    /// The number of refreshes between a genuine token and its sign-in.
    func generation(of token: String) -> UInt32? {
        TokenFields(token, signedBy: signature)?.generation
    }

    /// The user of a genuine access token, expired or not.
    public func user(of token: String) -> Int? { read(token, as: .access).map { Int($0.user) } }

    /// The user of a genuine token of either kind, expired or not.
    func owner(of token: String) -> UInt64? {
        TokenFields(token, signedBy: signature).map { UInt64($0.user) }
    }

    /// The sign-in of a genuine token of either kind, expired or not.
    func session(of token: String) -> Backend.SessionKey? {
        TokenFields(token, signedBy: signature).map {
            Backend.SessionKey(account: UInt64($0.user), family: $0.family)
        }
    }

    private func read(_ token: String, as kind: Kind) -> TokenFields? {
        guard let fields = lately.read(token, signedBy: signature), fields.kind == kind else {
            return nil
        }
        return fields
    }

    private func isExpired(_ fields: TokenFields, at clock: Instant) -> Bool {
        if fields.expiry <= clock { return true }
        if !cutoffs.isEmpty, cutoffs.contains(where: { $0.ends(fields) }) { return true }
        if !ended.isEmpty, let accessToo = ended[FamilyKey(fields)] {
            if accessToo || fields.kind == .refresh { return true }
        }
        let endsOnUse = policy.refresh.endsOnUse
        guard endsOnUse || fields.kind == .access && policy.refreshRevokesAccessTokens,
            let family = families[FamilyKey(fields)]
        else { return false }
        if family.hasReplaced(fields, under: policy) { return true }
        guard fields.kind == .access, policy.refreshRevokesAccessTokens else { return false }
        let newest = endsOnUse ? family.used : family.generation
        return fields.generation < newest || family.revokedAt != nil
    }

    private func write(_ fields: TokenFields) -> String {
        if fields.kind == .access {
            observer?.accessTokenIssued(
                to: phone ?? UInt64(fields.user), expiresAt: fields.expiry)
        }
        let text = fields.text(signedBy: signature)
        let token = IssuedToken(
            text: text, kind: fields.kind, user: phone ?? UInt64(fields.user),
            account: UInt64(fields.user), generation: Int(fields.generation), expiry: fields.expiry)
        newest?.note(token)
        observer?.tokenIssued(token)
        return text
    }

    private func clock(at now: Instant) -> Instant {
        guard clockOffsetNanoseconds != 0 else { return now }
        return Instant(nanoseconds: max(0, now.nanoseconds + clockOffsetNanoseconds))
    }

    private func lifetime(
        _ kind: Kind, of user: Int, at clock: Instant, isRefreshed: Bool = false
    ) -> Int64 {
        guard kind == .access else { return policy.refreshLifetimeNanoseconds }
        let own = isRefreshed ? policy.refreshedLifetimeNanoseconds : nil
        let life = own ?? policy.accessLifetimeNanoseconds
        guard policy.lifetimeJitterNanoseconds > 0 else { return life }
        let bound = UInt64(policy.lifetimeJitterNanoseconds)
        let cut = jitter.stream(number: identity.key(of: UInt64(user)))
            .integer(below: bound, at: UInt64(clock.nanoseconds))
        return max(0, life - Int64(cut))
    }
}

extension TokenMint {
    /// What a refresh brings.
    public struct Refreshed: Hashable, Sendable {
        /// The new access token.
        public let access: String
        /// The new refresh token, where refreshing rotates it.
        public let refresh: String?
    }

    /// Why a refresh brings nothing, in the order in which the reasons are checked.
    public enum RefreshRefusal: Error {
        /// One of the tokens is not genuine.
        case unverifiable
        /// There is no such user any more.
        case unknownUser
        /// The refresh token's own life is over.
        case outlived
        /// The refresh token was used up, or its family was ended or revoked.
        case expired
        /// The access token is still good, which this server does not want.
        case early
    }

    /// Exchanges a refresh token for new tokens, together with the access token that it follows, or
    /// alone where an API does not ask for that.
    ///
    /// With `refusesEarly` a good access token makes it refuse, whatever the policy says.
    public func refresh(
        access: String?, refresh: String, at now: Instant, refusesEarly: Bool = false,
        isKnown: (Int) -> Bool
    ) -> Result<Refreshed, RefreshRefusal> {
        let old = access.map { read($0, as: .access) }
        guard old != .some(nil), let shown = read(refresh, as: .refresh) else {
            return .failure(.unverifiable)
        }
        guard isKnown(Int(shown.user)) else { return .failure(.unknownUser) }
        let clock = clock(at: now)
        let last = TokenFields.lastGeneration
        let followed = (old ?? nil) ?? shown
        guard shown.expiry > clock else { return .failure(.outlived) }
        // A sign-in ends after sixteen million refreshes.
        guard !isExpired(shown, at: clock), followed.generation < last, shown.generation < last
        else { return .failure(.expired) }
        if let old = old ?? nil, refusesEarly || policy.refresh == .early409,
            !isExpired(old, at: clock)
        {
            return .failure(.early)
        }
        guard policy.keepsFamilies else {
            let access = write(child(of: shown, .access, followed.generation + 1, at: clock))
            return .success(Refreshed(access: access, refresh: nil))
        }
        return exchange(shown, at: clock)
    }

    private func exchange(
        _ shown: TokenFields, at clock: Instant
    ) -> Result<Refreshed, RefreshRefusal> {
        var family = families[FamilyKey(shown)] ?? RefreshFamily()
        let ruling = family.show(shown.generation, at: clock, under: policy)
        families[FamilyKey(shown)] = family
        let refreshIssuedAt: Instant
        switch ruling {
        case .refuse: return .failure(.expired)
        case .keep:
            let access = write(child(of: shown, .access, family.generation, at: clock))
            return .success(Refreshed(access: access, refresh: nil))
        case .issue: refreshIssuedAt = clock
        case .replay: refreshIssuedAt = family.exchangedAt
        }
        let accessIssuedAt =
            ruling == .replay && policy.replaysAccessToken ? family.exchangedAt : clock
        let access = write(child(of: shown, .access, family.generation, at: accessIssuedAt))
        let refresh = write(child(of: shown, .refresh, family.generation, at: refreshIssuedAt))
        return .success(Refreshed(access: access, refresh: refresh))
    }

    private func child(
        of parent: TokenFields, _ kind: Kind, _ generation: UInt32, at clock: Instant
    ) -> TokenFields {
        TokenFields(
            kind: kind, user: parent.user, family: parent.family, generation: generation,
            issuedAt: clock,
            expiry: clock.advanced(
                byNanoseconds: lifetime(
                    kind, of: Int(parent.user), at: clock, isRefreshed: true)))
    }
}
