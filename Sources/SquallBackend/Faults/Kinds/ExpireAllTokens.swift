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
