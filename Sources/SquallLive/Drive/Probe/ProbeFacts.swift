public import SquallBackend
import SquallHTTP
import SquallServices

/// What a probe asks of a token service, in the order of its table.
enum ProbeQuestion: String, Sendable, CaseIterable {
    case signIn, statedLife, accessLife, expired, invalid, rotation, early, refreshLife, oldAccess
    case reuse, leeway, family, accessAfterReuse, revoked, signOut, otherSession, atOnce
    case rateLimit

    /// The question as a table has it.
    var words: String {
        switch self {
        case .signIn: "sign-in"
        case .statedLife: "stated access token life (expires_in, exp)"
        case .accessLife: "access token life"
        case .expired: "expired access token"
        case .invalid: "unknown access token"
        case .rotation: "refresh token rotation"
        case .early: "early refresh"
        case .refreshLife: "refresh token life"
        case .oldAccess: "old access token"
        case .reuse: "refresh token reuse"
        case .leeway: "reuse leeway"
        case .family: "token family after reuse"
        case .accessAfterReuse: "access token after reuse"
        case .revoked: "refused refresh token"
        case .signOut: "sign-out"
        case .otherSession: "earlier session"
        case .atOnce: "parallel refreshes"
        case .rateLimit: "rate limit"
        }
    }
}

/// The answer to a question, with what shows it.
struct ProbeFact {
    var question: ProbeQuestion
    /// The answer; `nil` where it is not known.
    var answer: String?
    /// Requests and their responses; or the reason why there is no answer.
    var evidence: [String]
}

/// The status and body of a refusal.
struct ProbedRefusal: Hashable, Sendable {
    let status: Int
    /// The body, as it came.
    let body: String
    /// The header fields that clients go by.
    let headers: [String: String]

    private static let fields = ["WWW-Authenticate", "Location", "Cache-Control", "Content-Type"]

    init?(_ exchange: ProbeExchange) {
        guard let status = exchange.status, exchange.isRefusal else { return nil }
        self.status = status
        body = String(decoding: exchange.body.prefix(4_000), as: UTF8.self)
        let told = Self.fields.compactMap { name in exchange.headers[name].map { (name, $0) } }
        headers = Dictionary(told) { $1 }.filter {
            $0.key != "Content-Type" || !$0.value.hasPrefix("application/json")
        }
    }
}

/// How a token service behaves, as far as it was seen.
public struct ProbedTokens: Sendable {
    /// How long access tokens live by what the service says.
    var statedLife: Int64?
    /// How long they live by what it does.
    var life: AgeBracket?
    /// How long refresh tokens live by what the service says.
    var statedRefreshLife: Int64?
    /// How long they live by what it does.
    var refreshLife: AgeBracket?
    /// True if a refresh that keeps the refresh token sends it again.
    var repeatsRefreshToken = false
    /// True if a refresh brings a new refresh token; `nil` where none was seen.
    var isRotating: Bool?
    /// The age at which one that stays while it is young was replaced; `nil` where none was.
    var replacedAt: Int64?
    /// True if a refresh is refused while the access token is valid; `nil` where that was not
    /// asked.
    var refusesEarly: Bool?
    /// How long before an access token's end the first early refresh was accepted; `nil` where each
    /// was treated alike.
    var earlyWindow: Int64?
    /// The number of refreshes after which a session is over; `nil` where none was refused.
    var refreshesMax: Int?
    /// The number of times that one refresh token is accepted; `nil` where none was refused.
    var usesMax: Int?
    var reuse: Reuse?
    /// How long a used refresh token is accepted.
    var leeway: AgeBracket?
    /// The number of refreshes back to which a used token is accepted.
    var generations = 1
    /// True if reuse revokes the family; `nil` where that was not seen.
    var revokesFamily: Bool?
    /// For how long the newest token of a revoked family is still accepted.
    var revocationLag: AgeBracket?
    /// True if a refresh, or reuse, ends access tokens before their time; `nil` where that was not
    /// seen.
    var refreshEndsAccess: Bool?
    /// Of refreshes sent together with one token, how many brought tokens, how long all took, and
    /// whether they brought one access token.
    var together: (accepted: Int, nanoseconds: Int64, isSame: Bool)?
    /// True if a used refresh token that is accepted brings the first use's access token, too.
    var replaysAccess = false
    var signOut: LogOutEffect?
    /// The responses to an expired and an unknown access token and to none.
    var expired, invalid, missing: ProbedRefusal?
    /// The responses to a used or revoked refresh token, to one whose life is over, to an unknown
    /// one, and to an early refresh.
    var revoked, outlived, unknownRefresh, early: ProbedRefusal?

    /// What a used refresh token buys.
    enum Reuse: Hashable, Sendable {
        case nothing
        /// Another new refresh token.
        case another
        /// The refresh token that its first use brought.
        case same
        /// Another new refresh token, until the access token that it brought is used; true where
        /// that ends what it brought before.
        case untilUsed(endsSiblings: Bool)
    }

    /// The rule of a refresh; `nil` where too little of it was seen.
    public var semantics: RefreshSemantics? {
        // No rule has limits to the number of refreshes.
        guard refreshesMax ?? 1 == 1, usesMax == nil else { return nil }
        if refusesEarly == true, isRotating != true { return .early409 }
        switch (isRotating, reuse) {
        case (false?, .nothing?): return .once
        case (false?, _): return .coexist
        case (true?, .nothing?):
            guard let revokesFamily else { return nil }
            return revokesFamily ? .rotatingStrict : .oneShot
        // What was accepted at every age that was tried lives on: the longest age is no limit.
        case (true?, .another?) where leeway.map { $0.refused == nil } ?? false:
            return .rotatingCoexist
        case (true?, .another?):
            return window.map {
                .rotatingWithLeeway(windowNanoseconds: $0, generations: UInt32(generations))
            }
        case (true?, .same?):
            return window.map {
                .rotatingWithReplay(windowNanoseconds: $0, parentOfActive: leeway?.refused == nil)
            }
        case (true?, .untilUsed(let endsSiblings)?):
            return .rotatingUntilUsed(endsSiblings: endsSiblings)
        case (true?, nil), (nil, _): return nil
        }
    }

    /// The life that a service states of tokens of another life, if it is as wrong about that as
    /// about its own; `nil` where it states none, or the truth as far as was seen.
    ///
    /// A client that refreshes ahead of the stated end is late by a span, and early by a share.
    func statedLife(ofLife other: Int64) -> Int64? {
        guard let stated = statedLife, let life, let limit = life.limit, let refused = life.refused
        else { return nil }
        // A service that counts whole seconds is up to one of them early, and right.
        guard stated <= refused || stated - refused >= TokenProbe.wholeSecond else { return nil }
        if stated > refused { return other + stated - (life.isSpread ? refused : limit) }
        guard stated <= life.accepted, !life.isSpread else { return nil }
        let seconds = Double(other) * Double(stated) / Double(limit) / 1e9
        return max(1, Int64(seconds.rounded())) * 1_000_000_000
    }

    /// The stated life, where access tokens live up to a second less: ends are cut to seconds.
    var wholeSeconds: Int64? {
        guard let stated = statedLife, let refused = life?.refused, life?.isSpread == false,
            stated > refused, stated - refused < TokenProbe.wholeSecond
        else { return nil }
        return stated
    }

    /// The leeway, which profiles have up to an hour.
    private var window: Int64? {
        leeway.map { min($0.limit ?? $0.accepted, 3_600_000_000_000) }
    }
}
