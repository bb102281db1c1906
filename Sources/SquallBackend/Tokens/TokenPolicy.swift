public import SquallFormat

/// How long tokens live, and what a refresh does to them.
public struct TokenPolicy: Hashable, Sendable {
    /// Life of an access token.
    public var accessLifetimeNanoseconds: Int64
    /// What the service says of an access token's life; `nil` where it says how long it lives.
    public var statedLifetimeNanoseconds: Int64?
    /// Life of a refresh token.
    public var refreshLifetimeNanoseconds: Int64
    /// An access token's life is shortened by up to this, evenly, by user and instant of issue.
    public var lifetimeJitterNanoseconds: Int64
    /// What happens to a refresh token that is shown.
    public var refresh: RefreshSemantics
    /// Whether a refresh ends older access tokens, and a revocation ends all.
    public var refreshRevokesAccessTokens: Bool
    /// For how long the newest token of a revoked family still refreshes: a revocation that leaks.
    public var revocationLagNanoseconds: Int64

    /// Whether the server must remember families at all.
    var keepsFamilies: Bool { refresh.isRotating || refreshRevokesAccessTokens }
}

extension TokenPolicy {
    /// The names of ``RefreshSemantics`` in a profile.
    private enum RefreshRule: String, Hashable, Sendable, CaseIterable {
        case coexist, early409, rotatingStrict, rotatingWithLeeway, rotatingWithReplay, oneShot
    }

    /// The policy of a profile that says nothing about tokens.
    public static let standard = SettingFormat.section { TokenPolicy(&$0) }.placeholder()

    /// Reads the policy as a section of a profile's backend.
    public init(_ read: inout SettingsReader) {
        accessLifetimeNanoseconds = read(
            "accessLifetime", .duration(Span.second...Span.year), otherwise: "300s",
            "How long an access token is good for.")
        statedLifetimeNanoseconds = read.optional(
            "statedLifetime", .duration(Span.second...Span.year),
            "What the service says of that life, such as in expires_in; by default the truth.")
        refreshLifetimeNanoseconds = read(
            "refreshLifetime", .duration(Span.second...366 * Span.day), otherwise: "6h",
            "How long a refresh token is good for.")
        lifetimeJitterNanoseconds = read(
            "lifetimeJitter", .duration(0...Span.day), otherwise: "0s",
            "Random spread of the lifetimes of access tokens.")
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
        refreshRevokesAccessTokens = read(
            "refreshRevokesAccessTokens", .flag, otherwise: .bool(false),
            "Whether a refresh ends older access tokens at once, and reuse of a token all of them.")
        revocationLagNanoseconds = read(
            "revocationLag", .duration(0...Span.hour), otherwise: "0s",
            "For how long the newest token of a revoked sign-in still refreshes.")
        refresh =
            switch rule {
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
            }
        checkJitter(&read)
    }

    /// A token's life cannot be shortened by more than its length.
    private func checkJitter(_ read: inout SettingsReader) {
        guard lifetimeJitterNanoseconds > accessLifetimeNanoseconds,
            read.isSound("lifetimeJitter", "accessLifetime")
        else { return }
        let (path, other) = (
            read.path.appending("lifetimeJitter"), read.path.appending("accessLifetime")
        )
        read.report(
            at: path,
            "\(path) must be at most \(other), which is"
                + " \(Units.exact(nanoseconds: accessLifetimeNanoseconds));"
                + " got \(Units.exact(nanoseconds: lifetimeJitterNanoseconds))")
    }
}

/// What a server does with a refresh token that is shown to it, above all with one shown twice.
///
/// Of the apps' own server only the 2024 and 2023 rules are known; the others are those of products
/// and of RFC 9700, so that a client can be held against the server it may meet next.
public enum RefreshSemantics: Hashable, Sendable {
    /// The refresh token stays good until it expires, and so does every access token.
    ///
    /// The apps' server of 2024: an answer brings an access token only.
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

    /// Whether an answer brings a new refresh token too.
    public var isRotating: Bool {
        switch self {
        case .coexist, .early409: false
        case .rotatingStrict, .rotatingWithLeeway, .rotatingWithReplay, .oneShot: true
        }
    }
}
