import SquallFormat

/// The evidence that tells a log's users apart, and its limits.
struct SenderEvidence: Sendable {
    /// The evidence of most requests that have any.
    let best: PersonEvidence
    /// The share of requests with it.
    let share: Double
    /// The reason for which users cannot be told apart; `nil` if they can.
    let refusal: String?

    /// The fewest addresses that are believed to be those of users.
    private static let addressesMin = 3
    private static let shareMin = 0.1
    /// The reason for this evidence and no other, and if lines about tokens have it.
    private let choice: String
    private let hasTokenLines: Bool

    init(_ log: TrafficLog) {
        let identity = log.reading.identity
        (best, share, choice) = (identity.evidence, identity.share, identity.note)
        hasTokenLines = identity.hasTokenLines
        let isMixed =
            log.reading.areClocksMixed && log.reading.skews.contains { $0.nanoseconds == nil }
        refusal =
            isMixed
            ? LogIdentity.mixedClocks
            : share >= Self.shareMin
                ? Self.refusal(best, log) : "no line tells a user, a token or an address"
    }

    /// Addresses of proxies have the requests of many users.
    private static func refusal(_ best: PersonEvidence, _ log: TrafficLog) -> String? {
        guard best == .address || best == .forwarded else { return nil }
        var counts: [UInt32: Int] = [:]
        for request in log.requests where request.person != 0 {
            counts[request.person, default: 0] += 1
        }
        guard counts.count >= addressesMin else {
            let all = counts.count == 1 ? "one address" : "\(counts.count) addresses"
            return "all requests come from \(all), as behind a proxy"
        }
        let busiest = counts.values.sorted(by: >).prefix(addressesMin)
        let share = Double(busiest.reduce(0, +)) / Double(max(1, log.requests.count))
        let most = busiest.first ?? 0
        let rate = Double(most) / max(1, Double(log.span) / 1e9)
        let others = (log.requests.count - most) / (counts.count - 1)
        if rate > 1, most * 2 > log.requests.count, most > 10 * others {
            let part = Units.percent(Double(most) / Double(log.requests.count))
            return "\(part) of requests come from one of \(counts.count) addresses: a robot, whose"
                + " lines are to be taken out, or a proxy"
        }
        return share >= 0.9 && rate > 1
            ? "\(Units.percent(share)) of requests come from three addresses, as behind proxies"
            : nil
    }

    /// The evidence and its limits, in a sentence.
    var sentence: String {
        if let refusal {
            return "Users cannot be identified: \(refusal). Calls arrive at the observed rate; log"
                + " a user, a token's hash or $http_x_forwarded_for for journeys and tokens."
        }
        let part = share > 0.995 ? "all" : Units.percent(share)
        let told = "Users are identified by \(words) (on \(part) of the requests)\(trust)"
        guard !choice.isEmpty else { return told }
        return told
            + (hasTokenLines
                ? " It is taken since \(choice)." : " Refreshes are not known: \(choice).")
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
