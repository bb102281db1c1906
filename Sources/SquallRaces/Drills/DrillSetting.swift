public import SquallBackend

/// The service of a drill and what goes wrong before it, which the drill may change.
public struct DrillSetting: Sendable {
    /// How long tokens live, and what a refresh does to them.
    public internal(set) var tokens: TokenPolicy
    /// What goes wrong.
    public internal(set) var faults: [Fault] = []
    /// Header fields of an answer that a fault makes, by their names.
    public internal(set) var failureHeaders: [String: String] = [:]
    let ground: any DrillGround
    let server: DrillServer

    /// As many starts of the app as a drill may have, and as many accounts.
    public static let users = 4
    /// How long requests and answers travel together.
    public static let roundTrip: Duration = .milliseconds(80)

    init(_ ground: any DrillGround, _ server: DrillServer) {
        self.ground = ground
        self.server = server
        tokens = ground.tokens
        tokens.refresh = server.refresh
        tokens.revocationLagNanoseconds = 0
        // The end of a refresh token is a drill of its own.
        tokens.refreshLifetimeNanoseconds = max(
            tokens.refreshLifetimeNanoseconds, 14 * 86_400_000_000_000)
    }

    /// How long an access token is good.
    var lifetime: Duration { .nanoseconds(tokens.accessLifetimeNanoseconds) }

    /// When the token of a sign-in at the beginning is over for certain, by the time of the world.
    var stale: Duration { lifetime + .seconds(60) }

    /// The calls that a person makes, by their names.
    var calls: Set<String> {
        var all = names { $0 == .ordinary }
        if let logOut = ground.logOut { all.remove(logOut) }
        return all
    }

    /// The calls that trade a refresh token.
    var refreshes: Set<String> { names { $0 == .refresh } }

    private func names(_ isMeant: (Endpoint.Role) -> Bool) -> Set<String> {
        Set(ground.endpoints.filter { isMeant($0.role) }.map(\.name))
    }

    /// Adds a fault of some calls.
    mutating func strike(_ calls: Set<String>, _ fault: Fault) {
        var fault = fault
        fault.scope.endpoints = calls
        faults.append(fault)
    }
    /// Answers refreshes so much later, from when the first token is over and for so long.
    mutating func answerRefreshLate(by delay: Duration, for span: Duration) {
        strike(refreshes, Fault.answerLate(by: delay).between(stale, and: stale + span))
    }
}
