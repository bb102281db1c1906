/// Sums over the whole run that self-checks compare; a warm-up does not reset them.
final class Totals: AttemptListener, ExchangeListener, RequestListener {
    static let observedRequests: EventTraits = []

    @exclusivity(unchecked) private(set) var found = Sums()

    init(_ run: MeasuredRun) {}

    struct Sums {
        /// Attempts the client handed to its transport.
        var attemptsSent: Int64 = 0
        /// Attempts whose outcome the client was told.
        var attemptsEnded: Int64 = 0
        /// Exchanges that the backend ended.
        var exchangesEnded: Int64 = 0
        /// First attempts, of which none is a refresh.
        var firstAttempts: Int64 = 0
        /// Attempts of requests that were sent before.
        var retries: Int64 = 0
        /// Refreshes, for any reason and including repeated ones.
        var refreshes: Int64 = 0
        /// Completions an interceptor called twice.
        var completionsRepeated: Int64 = 0
    }

    func attemptSent(_ attempt: SentAttempt) { found.attemptsSent += 1 }

    func attemptTaken(_ kind: AttemptKind, _ user: User) {
        switch kind {
        case .first: found.firstAttempts += 1
        case .retry: found.retries += 1
        case .refresh: found.refreshes += 1
        }
    }

    func attemptEnded() { found.attemptsEnded += 1 }

    func exchangeEnded(_ exchange: EndedExchange) { found.exchangesEnded += 1 }

    func completionRepeated() { found.completionsRepeated += 1 }
}
