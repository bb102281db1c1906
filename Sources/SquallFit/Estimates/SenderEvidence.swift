import SquallFormat

/// What tells a log's users apart, and how far it can be trusted.
struct SenderEvidence: Sendable {
    /// The evidence of most requests that have any.
    let best: PersonEvidence
    /// The share of requests with it.
    let share: Double
    /// Why users cannot be told apart; nil if they can.
    let refusal: String?

    /// The fewest addresses that are believed to be those of users.
    private static let addressesMin = 3
    private static let shareMin = 0.1

    init(_ log: TrafficLog) {
        let all = log.reading.persons.values.reduce(0, +)
        let told = log.reading.persons.filter { $0.key != .none }
        best = told.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? .none
        share = Double(told[best] ?? 0) / Double(max(1, all))
        let isAny = Double(told.values.reduce(0, +)) >= Self.shareMin * Double(all)
        refusal = isAny ? Self.refusal(best, log) : "no line tells a user, a token or an address"
    }

    /// Addresses of proxies have the requests of many users.
    private static func refusal(_ best: PersonEvidence, _ log: TrafficLog) -> String? {
        guard best == .address || best == .forwarded else { return nil }
        var counts: [UInt64: Int] = [:]
        for request in log.requests where request.person != 0 {
            counts[request.person, default: 0] += 1
        }
        guard counts.count >= addressesMin else {
            let all = counts.count == 1 ? "one address" : "\(counts.count) addresses"
            return "all requests come from \(all), as behind a proxy"
        }
        let busiest = counts.values.sorted(by: >).prefix(addressesMin)
        let share = Double(busiest.reduce(0, +)) / Double(max(1, log.requests.count))
        let rate = Double(busiest.first ?? 0) / max(1, Double(log.span) / 1e9)
        return share >= 0.9 && rate > 1
            ? "\(Units.percent(share)) of requests come from three addresses, as behind proxies"
            : nil
    }

    /// What was used, and how far it can be trusted.
    var sentence: String {
        if let refusal {
            return "Users cannot be identified: \(refusal). Calls arrive at the observed rate; log"
                + " a user, a token's hash or $http_x_forwarded_for for journeys and tokens."
        }
        let part = share > 0.995 ? "all" : Units.percent(share)
        return "Users are identified by \(words) (on \(part) of the requests)\(trust)"
    }

    private var words: String {
        switch best {
        case .none: "nothing"
        case .address: "address (without its port)"
        case .forwarded: "the first address of X-Forwarded-For"
        case .token: "token"
        case .user: "user"
        }
    }

    private var trust: String {
        switch best {
        case .none: "."
        case .address, .forwarded:
            ": users behind one address count as one, and one user with two addresses as two."
        case .token: ": a user with a new token counts as another."
        case .user: "."
        }
    }

    /// The evidence, for the table of figures.
    var note: String { refusal ?? "by \(words)" }
}
