import SquallBackend

/// Notes whether any access token expired in a run, the warm-up included, and how many journeys
/// began that could have met it.
final class ExpiryListener: ExchangeListener, VisitListener, BackendListener {
    static let observedExchanges: EventTraits = .token

    private(set) var found = ExpiryChance()

    init(_ run: MeasuredRun) {}

    func exchangeEnded(_ exchange: EndedExchange) {
        if exchange.finding.beginsExpiry { found.tookPlace = true }
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

/// Whether a token expired, and how many journeys began that could have met it.
struct ExpiryChance {
    /// Whether a call was answered that its token had expired.
    var tookPlace = false
    /// Whether a token was refreshed, for whatever reason.
    var hasRefreshed = false
    /// The statuses of answers to calls with an expired token.
    var statuses: Set<String> = []
    /// Journeys that began.
    var journeys: Int64 = 0
    /// Those that began after a fault had expired all users' tokens; `nil` without such a fault.
    var journeysSinceFault: Int64?
}
