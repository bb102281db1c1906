public import SquallFormat

/// How long tokens live, and what a refresh does to them.
public struct TokenPolicy: Hashable, Sendable {
    /// The life of an access token.
    public var accessLifetimeNanoseconds: Int64
    /// The life of an access token that a refresh brings, where that is another one.
    public var refreshedLifetimeNanoseconds: Int64?
    /// What the service says of an access token's life; `nil` where it tells the truth.
    public var statedLifetimeNanoseconds: Int64?
    /// The life of a refresh token.
    public var refreshLifetimeNanoseconds: Int64
    /// An access token's life is shortened by up to this, evenly, by user and instant of issue.
    public var lifetimeJitterNanoseconds: Int64
    /// What happens to a refresh token that is shown.
    public var refresh: RefreshSemantics
    /// True if a refresh ends older access tokens, and a revocation ends all.
    public var refreshRevokesAccessTokens: Bool
    /// For how long the newest token of a revoked family still refreshes: a revocation that leaks.
    public var revocationLagNanoseconds: Int64
    /// True if reuse after a leeway or a replay revokes the family.
    public var reuseRevokesFamily: Bool
    /// True if a replay, or a parallel refresh, brings the same access token, too.
    public var replaysAccessToken: Bool
    /// How many refreshes with one token succeed that come together: a server without a lock reads
    /// that a token is good before another refresh has written that it is used.
    public var parallelRefreshes: Int
    /// How long after the first of them others succeed.
    public var parallelWindowNanoseconds: Int64

    /// False where a token alone tells all that a refresh needs to know, so that nothing is
    /// remembered.
    var keepsFamilies: Bool { refresh.isRotating || refresh.usesUp || refreshRevokesAccessTokens }
}

extension TokenPolicy {
    /// The names of ``RefreshSemantics`` in a profile.
    private enum RefreshRule: String, Hashable, Sendable, CaseIterable {
        case coexist, early409, rotatingStrict, rotatingWithLeeway, rotatingWithReplay, oneShot
        case rotatingCoexist, rotatingUntilUsed, once
    }

    /// The policy of a profile that says nothing about tokens.
    public static let standard = SettingFormat.section { TokenPolicy(&$0) }.placeholder()

    /// Reads the policy as a section of a profile's backend.
    public init(_ read: inout SettingsReader) {
        accessLifetimeNanoseconds = read(
            "accessLifetime", .duration(Span.second...Span.year), otherwise: "300s",
            "How long an access token is good for.")
        refreshedLifetimeNanoseconds = read.optional(
            "refreshedLifetime", .duration(Span.second...Span.year),
            "How long an access token is good for that a refresh brings; as accessLifetime by"
                + " default.")
        statedLifetimeNanoseconds = read.optional(
            "statedLifetime", .duration(Span.second...Span.year),
            "What the service says of that life, such as in expires_in; by default the truth.")
        refreshLifetimeNanoseconds = read(
            "refreshLifetime", .duration(Span.second...366 * Span.day), otherwise: "6h",
            "How long a refresh token is good for.")
        lifetimeJitterNanoseconds = read(
            "lifetimeJitter", .duration(0...Span.day), otherwise: "0s",
            "Random spread of the lifetimes of access tokens.")
        refresh = TokenPolicy.semantics(&read)
        refreshRevokesAccessTokens = read(
            "refreshRevokesAccessTokens", .flag, otherwise: .bool(false),
            "Whether a refresh ends older access tokens at once, and reuse of a token all of them.")
        revocationLagNanoseconds = read(
            "revocationLag", .duration(0...Span.hour), otherwise: "0s",
            "For how long the newest token of a revoked sign-in still refreshes.")
        reuseRevokesFamily = read(
            "reuseRevokesFamily", .flag, otherwise: .bool(true),
            "Whether reuse after the leeway or replay ends the session.")
        replaysAccessToken = read(
            "replaysAccessToken", .flag, otherwise: .bool(false),
            "Whether a replay or a parallel refresh brings the same access token, too.")
        parallelRefreshes = read(
            "parallelRefreshes", .integer(1...1_000), otherwise: 1,
            "How many refreshes with one token succeed together: more than 1 without a lock.")
        parallelWindowNanoseconds = read(
            "parallelWindow", .duration(0...60 * Span.second), otherwise: "50ms",
            "How long after the first of them the others come.")
        checkJitter(&read)
    }

    private static func semantics(_ read: inout SettingsReader) -> RefreshSemantics {
        let rule = read(
            "refresh", .choice(RefreshRule.self), otherwise: "coexist",
            "Whether a refresh replaces the refresh token, and what reuse of an old one does.")
        let window = read(
            "reuseWindow", .duration(0...Span.hour), otherwise: "10s",
            "How long a used refresh token is still good with leeway or replay.")
        let generations = read(
            "reuseGenerations", .integer(Int64(1)...1_000), otherwise: 1,
            "How old a token the leeway accepts; more than 1 is a known bug of one product.")
        let replaysUnusedChild = read(
            "replaysUnusedChild", .flag, otherwise: .bool(false),
            "With replay: whether the parent of a token that was never used is good at any time.")
        let endsSiblings = read(
            "reuseEndsSiblings", .flag, otherwise: .bool(false),
            "With rotatingUntilUsed: whether another use ends what the one before it brought.")
        return switch rule {
        case .coexist: .coexist
        case .early409: .early409
        case .rotatingStrict: .rotatingStrict
        case .rotatingWithLeeway:
            .rotatingWithLeeway(
                windowNanoseconds: window, generations: UInt32(generations))
        case .rotatingWithReplay:
            .rotatingWithReplay(
                windowNanoseconds: window, parentOfActive: replaysUnusedChild)
        case .oneShot: .oneShot
        case .rotatingCoexist: .rotatingCoexist
        case .rotatingUntilUsed: .rotatingUntilUsed(endsSiblings: endsSiblings)
        case .once: .once
        }
    }

    /// A token's life cannot be shortened by more than its length.
    private func checkJitter(_ read: inout SettingsReader) {
        var (key, life) = ("accessLifetime", accessLifetimeNanoseconds)
        if let refreshed = refreshedLifetimeNanoseconds, refreshed < life {
            (key, life) = ("refreshedLifetime", refreshed)
        }
        guard lifetimeJitterNanoseconds > life, read.isSound("lifetimeJitter", key) else { return }
        let (path, other) = (read.path.appending("lifetimeJitter"), read.path.appending(key))
        read.report(
            at: path,
            "\(path) must be at most \(other), which is"
                + " \(Units.exact(nanoseconds: life));"
                + " got \(Units.exact(nanoseconds: lifetimeJitterNanoseconds))")
    }
}

/// What a server does with a refresh token that is shown to it, above all with one shown twice.
///
/// Those of products and of RFC 9700, so that a client can be tried on the server it may meet next,
/// and two of an API from before them.
public enum RefreshSemantics: Hashable, Sendable {
    /// The refresh token stays good until it expires, and so does every access token.
    ///
    /// A response brings an access token only.
    case coexist
    /// As `coexist`, but a refresh whose access token is still good is refused with 409.
    ///
    /// The apps' server of 2023.
    case early409
    /// Each refresh token is good once; showing one again ends the whole family.
    ///
    /// RFC 9700 §4.14.2, which knows no grace.
    case rotatingStrict
    /// As strict, but for a while an exchanged token still buys a new child.
    ///
    /// Auth0's overlap period: of the exchanged tokens only the latest can be reused. A bound of
    /// more than one generation is the bug of django-oauth-toolkit's grace period (its issue 1617).
    case rotatingWithLeeway(windowNanoseconds: Int64, generations: UInt32)
    /// As strict, but for a while the exchanged token brings the same child again.
    ///
    /// Supabase's reuse interval. Its server also replays the parent of a child that was never
    /// used, however late: `parentOfActive`.
    case rotatingWithReplay(windowNanoseconds: Int64, parentOfActive: Bool)
    /// Each refresh token is good once; showing one again is refused and changes nothing.
    case oneShot
    /// Each refresh brings a new refresh token, and the old one stays good until its own end.
    ///
    /// djangorestframework-simplejwt with ROTATE_REFRESH_TOKENS and without its blacklist.
    case rotatingCoexist
    /// Each refresh brings a new refresh token, and the old one brings others until one of its
    /// children is used: until its access token is accepted, or its refresh token exchanged.
    ///
    /// Doorkeeper with previous_refresh_token, and Synapse (Matrix), where each use ends what the
    /// one before it brought.
    case rotatingUntilUsed(endsSiblings: Bool)
    /// The refresh token is good once and nothing comes in its place: the session ends with the
    /// second refresh, whatever the client does.
    ///
    /// Authlib with revoke_old_credential as its mixins suggest, and without
    /// INCLUDE_NEW_REFRESH_TOKEN.
    case once

    /// True if a response brings a new refresh token, too.
    public var isRotating: Bool {
        switch self {
        case .coexist, .early409, .once: false
        case .rotatingStrict, .rotatingWithLeeway, .rotatingWithReplay, .oneShot,
            .rotatingCoexist, .rotatingUntilUsed:
            true
        }
    }

    /// True if a refresh token that was shown is no good for ever after.
    public var usesUp: Bool {
        switch self {
        case .coexist, .early409, .rotatingCoexist: false
        case .rotatingStrict, .rotatingWithLeeway, .rotatingWithReplay, .oneShot, .once,
            .rotatingUntilUsed:
            true
        }
    }
}

extension RefreshSemantics {
    /// True if what a refresh brought ends the token that was shown, as soon as it is used.
    var endsOnUse: Bool { if case .rotatingUntilUsed = self { true } else { false } }

    /// The settings of a profile's `backend.tokens` that give these semantics.
    public var settings: [(key: String, value: JSON)] {
        switch self {
        case .coexist: [("refresh", "coexist")]
        case .early409: [("refresh", "early409")]
        case .rotatingStrict: [("refresh", "rotatingStrict")]
        case .oneShot: [("refresh", "oneShot")]
        case .rotatingCoexist: [("refresh", "rotatingCoexist")]
        case .rotatingUntilUsed(let endsSiblings):
            [("refresh", "rotatingUntilUsed")]
                + (endsSiblings ? [("reuseEndsSiblings", .bool(true))] : [])
        case .once: [("refresh", "once")]
        case .rotatingWithLeeway(let window, let generations):
            [
                ("refresh", "rotatingWithLeeway"), ("reuseWindow", .span(window)),
                ("reuseGenerations", .integer(Int64(generations))),
            ]
        case .rotatingWithReplay(let window, let parentOfActive):
            [
                ("refresh", "rotatingWithReplay"), ("reuseWindow", .span(window)),
                ("replaysUnusedChild", .bool(parentOfActive)),
            ]
        }
    }
}

extension TokenPolicy {
    /// The settings of a profile's `backend.tokens` that give this policy: both lives, and what
    /// differs from the defaults.
    public var settings: [(key: String, value: JSON)] {
        let usual = TokenPolicy.standard
        var all: [(key: String, value: JSON)] = [
            ("accessLifetime", .span(accessLifetimeNanoseconds)),
            ("refreshLifetime", .span(refreshLifetimeNanoseconds)),
        ]
        if let life = refreshedLifetimeNanoseconds {
            all.append(("refreshedLifetime", .span(life)))
        }
        if let stated = statedLifetimeNanoseconds { all.append(("statedLifetime", .span(stated))) }
        all += refresh.settings
        if refreshRevokesAccessTokens { all.append(("refreshRevokesAccessTokens", .bool(true))) }
        if !reuseRevokesFamily { all.append(("reuseRevokesFamily", .bool(false))) }
        if replaysAccessToken { all.append(("replaysAccessToken", .bool(true))) }
        if parallelRefreshes != usual.parallelRefreshes {
            all.append(("parallelRefreshes", .integer(Int64(parallelRefreshes))))
            all.append(("parallelWindow", .span(parallelWindowNanoseconds)))
        }
        if lifetimeJitterNanoseconds != usual.lifetimeJitterNanoseconds {
            all.append(("lifetimeJitter", .span(lifetimeJitterNanoseconds)))
        }
        if revocationLagNanoseconds != usual.revocationLagNanoseconds {
            all.append(("revocationLag", .span(revocationLagNanoseconds)))
        }
        return all
    }
}

extension JSON {
    /// A span of time as settings have it.
    public static func span(_ nanoseconds: Int64) -> JSON {
        .string(Units.exact(nanoseconds: nanoseconds))
    }
}
