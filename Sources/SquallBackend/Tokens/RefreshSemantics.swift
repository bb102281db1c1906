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
