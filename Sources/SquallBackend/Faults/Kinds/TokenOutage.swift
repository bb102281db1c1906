import SquallFormat

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
