import SquallFormat

/// Every access token issued so far counts as expired, as when its key is rotated.
struct ExpireAllTokens: FaultKind {
    static let name = "expireAllTokens"
    static let reach = FaultReach.everybodyAtOnce

    var effect: FaultEffect { .tokens(.access) }
}

extension ExpireAllTokens {
    init(_ read: inout SettingsReader) { self.init() }
}

/// Every refresh token issued so far counts as expired.
struct RevokeRefreshTokens: FaultKind {
    static let name = "revokeRefreshTokens"
    static let reach = FaultReach.usersAtOnce

    var effect: FaultEffect { .tokens(.refresh) }
}

extension RevokeRefreshTokens {
    init(_ read: inout SettingsReader) { self.init() }
}

/// Signing in and refreshing are answered 503 by a worker that does nothing else.
struct TokenOutage: FaultKind {
    static let name = "tokenOutage"
    static let reach = FaultReach.attemptsOfItsOwn

    var effect: FaultEffect {
        .work { $0.endpoint.role == .ordinary ? nil : FaultFailure(status: 503) }
    }
}

extension TokenOutage {
    init(_ read: inout SettingsReader) { self.init() }
}
