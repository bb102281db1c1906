import SquallBackend

/// Notes if any access token expired in a run, the warm-up included, and how many journeys began
/// that could have met it.
final class ExpiryListener: ExchangeListener, VisitListener, BackendListener {
    static let observedExchanges: EventTraits = .token

    private(set) var found = ExpiryChance()

    init(_ run: MeasuredRun) {}

    func exchangeEnded(_ exchange: EndedExchange) {
        if exchange.finding.beginsExpiry || exchange.finding.countsExpiry {
            found.tookPlace = true
        }
        if exchange.isExpired { found.statuses.insert(exchange.record.outcome.name) }
        if exchange.finding.cause.isRefresh { found.hasRefreshed = true }
    }

    func journeyBegan(_ user: User, journey: Int) {
        found.journeys += 1
        if found.journeysSinceFault != nil { found.journeysSinceFault? += 1 }
    }

    func faultStruck(_ fault: Fault) {
        guard fault.expiresAccessTokens, fault.scope == Fault.Scope(),
            found.journeysSinceFault == nil
        else { return }
        found.journeysSinceFault = 0
    }
}

/// The evidence for an expiry, and the journeys that could have met one.
struct ExpiryChance {
    /// True if a call was refused as expired, or a client renewed a token at its end.
    var tookPlace = false
    /// True if a token was refreshed, for whatever reason.
    var hasRefreshed = false
    /// The statuses of responses to calls with an expired token.
    var statuses: Set<String> = []
    /// Journeys that began.
    var journeys: Int64 = 0
    /// Journeys that began after a fault had expired all users' tokens; `nil` without such a fault.
    var journeysSinceFault: Int64?
}
