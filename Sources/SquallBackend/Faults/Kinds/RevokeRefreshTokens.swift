import SquallFormat

/// Every refresh token issued so far counts as expired.
struct RevokeRefreshTokens: FaultKind {
    static let name = "revokeRefreshTokens"
    static let reach = FaultReach.usersAtOnce

    var effect: FaultEffect { .tokens(.refresh) }
}

extension RevokeRefreshTokens {
    init(_ read: inout SettingsReader) { self.init() }
}
