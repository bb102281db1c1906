import SquallBackend
import SquallServices

/// The service of a drill and what lies before it, which the drill may change.
struct DrillSetting {
    var service: TokenService
    var conditions: FarConditions
    let server: DrillServer

    /// As many starts of the app as a drill may have, and as many accounts.
    static let users = 4

    init(_ service: TokenService, _ server: DrillServer) {
        self.service = service
        self.server = server
        self.service.tokens.refresh = server.refresh
        self.service.tokens.revocationLagNanoseconds = 0
        conditions = FarConditions(roundTrip: .milliseconds(80), users: DrillSetting.users)
    }

    /// How long an access token is good.
    var lifetime: Duration { .nanoseconds(service.tokens.accessLifetimeNanoseconds) }

    /// When the token of a sign-in at the beginning is over for certain, by the time of the world.
    var stale: Duration { lifetime + .seconds(60) }

    /// The calls that a person makes, by their names.
    var calls: Set<String> {
        names { $0 == .ordinary }.subtracting([service.form.logOut.name])
    }

    /// The calls that trade a refresh token.
    var refreshes: Set<String> { names { $0 == .refresh } }

    private func names(_ isMeant: (Endpoint.Role) -> Bool) -> Set<String> {
        Set(service.endpoints.filter { isMeant($0.role) }.map(\.name))
    }

    /// Adds a fault of some calls.
    mutating func strike(_ calls: Set<String>, _ fault: FarFault) {
        var fault = fault
        fault.scope.endpoints = calls
        conditions.faults.append(fault)
    }
}
