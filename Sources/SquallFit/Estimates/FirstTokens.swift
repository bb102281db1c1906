/// The rest of the lifetimes of tokens with which users first come.
///
/// A log begins in the middle of its users' lives, or with the tokens of a test that just began:
/// both show in when a user's first token was refused, counted from the user's first request.
/// A token's end lies between its last use and its refusal, and is later than its last use if it
/// was never refused. The shares of eighths of a lifetime follow from these intervals by maximum
/// likelihood (Turnbull, "The empirical distribution function with arbitrarily grouped, censored
/// and truncated data", JRSS B 1976).
struct FirstTokens: Sendable {
    /// The share of tokens with so many eighths of their life left, of those that were neither new
    /// nor expired when their users came.
    let shares: [Double]
    /// True if far fewer of them end in the first half of a life than in the long run.
    let areYoung: Bool

    private static let parts = 8
    private static let rounds = 60
    /// The fewest users with tokens of which the half of life is known in which they ended.
    private static let usersMin = 20
    /// Two deviations of the count of tokens that end early, at a half for each.
    private static let clearly = 2.0

    /// nil where no token tells when it ended.
    init?(_ people: [ArraySlice<LoggedRequest>], _ tokens: TokenTraffic) {
        guard let lifetime = tokens.lifetime?.value, lifetime > 0 else { return nil }
        let spans = people.compactMap { tokens.firstToken(of: $0) }.map {
            (low: min(0.999, $0.low / lifetime), high: min(1, $0.high / lifetime))
        }
        guard spans.contains(where: { $0.high < 1 || $0.low > 0.5 }) else { return nil }
        let (early, late) = (spans.count { $0.high <= 0.5 }, spans.count { $0.low >= 0.5 })
        let known = Double(early + late)
        areYoung =
            early + late >= Self.usersMin
            && Double(early) < known / 2 - Self.clearly * known.squareRoot() / 2
        shares = Self.likeliest(spans)
    }

    /// The pieces of a life, and its part that tokens have left which end in each; without tokens
    /// that tell, they end at any time.
    ///
    /// Most visits end soon, so the first pieces are the shortest.
    static func pieces(_ own: FirstTokens?) -> [(place: Double, share: Double)] {
        let shares = own?.shares ?? [Double](repeating: 1 / Double(parts), count: parts)
        return (0..<8).flatMap { doubling -> [(place: Double, share: Double)] in
            let high = 1 / Double(1 << (7 - doubling))
            let low = doubling == 0 ? 0 : high / 2
            return (0..<4).map { quarter in
                let place = low + (high - low) * (Double(quarter) + 0.5) / 4
                let density = shares[Int(place * Double(parts))] * Double(parts)
                return (place, density * (high - low) / 4)
            }
        }
    }

    /// Shares by expectation and maximisation, as if one more token had ended at any time.
    private static func likeliest(_ spans: [(low: Double, high: Double)]) -> [Double] {
        let overlaps = spans.map { span in
            (0..<parts).map { part in
                let low = max(span.low * Double(parts), Double(part))
                let high = min(max(span.high, span.low + 1e-6) * Double(parts), Double(part + 1))
                return max(0, high - low)
            }
        }
        var shares = [Double](repeating: 1 / Double(parts), count: parts)
        for _ in 0..<rounds {
            var sums = [Double](repeating: 1 / Double(parts), count: parts)
            for overlap in overlaps {
                let whole = zip(overlap, shares).reduce(0) { $0 + $1.0 * $1.1 }
                guard whole > 0 else { continue }
                for part in 0..<parts { sums[part] += overlap[part] * shares[part] / whole }
            }
            let all = sums.reduce(0, +)
            shares = sums.map { $0 / all }
        }
        return shares
    }
}

extension TokenTraffic {
    /// The time from a user's first request between the ends of which the token ended that was used
    /// for it, in nanoseconds; nil if it was new, or refused at once.
    fileprivate func firstToken(of person: ArraySlice<LoggedRequest>) -> (
        low: Double, high: Double
    )? {
        var (first, last) = (Int64?.none, Int64(0))
        for request in person where !neverAccepted.contains(request.call) && request.status < 500 {
            let isOfTokens = [refresh, logIn].contains(Int(request.call))
            guard isOfTokens || guarded.contains(request.call) else { continue }
            let isRefused = isRefused(request)
            guard let begin = first else {
                if isOfTokens || isRefused { return nil }
                first = request.began
                continue
            }
            if isRefused { return (Double(last), Double(request.ended - begin)) }
            if isOfTokens { break }
            last = request.began - begin
        }
        return first.map { _ in (Double(last), .infinity) }
    }

    /// The lifetime of which as many tokens that users bring end in use as did, in nanoseconds; nil
    /// where few did.
    ///
    /// It is the likeliest one if their ages are any. Then the rest of a life is uniform, and of n
    /// tokens that ended and others that were good for t the likeliest life L is that for which the
    /// sum of t/(L - t) over all is n.
    func lifeInUse(_ people: [ArraySlice<LoggedRequest>]) -> Double? {
        let spans = people.compactMap(firstToken)
        let ended = spans.count { $0.high < .infinity }
        guard ended >= Self.refusalsMin, let most = spans.map(\.low).max() else { return nil }
        var low = max(most, 1)
        var high = low + spans.reduce(0) { $0 + $1.low } / Double(ended)
        for _ in 0..<60 {
            let life = (low + high) / 2
            let sum = spans.reduce(0) { $0 + $1.low / max(1e-9, life - $1.low) }
            if sum > Double(ended) { low = life } else { high = life }
        }
        return high
    }

    /// True if far more calls are refused in the first half of a token's life than later.
    func areRefusalsEarly(
        _ people: [ArraySlice<LoggedRequest>], _ span: (first: Int64, last: Int64)
    ) -> Bool {
        guard let lifetime, Double(span.last - span.first) > 2 * lifetime.value else {
            return false
        }
        let cut = span.first + Int64(lifetime.value / 2)
        var (early, late) = ((refused: 0.0, all: 0.0), (refused: 0.0, all: 0.0))
        for request in people.joined() where guarded.contains(request.call) {
            let refused = isRefused(request) ? 1.0 : 0
            if request.began < cut {
                early = (early.refused + refused, early.all + 1)
            } else {
                late = (late.refused + refused, late.all + 1)
            }
        }
        let usual = late.refused / max(1, late.all)
        let deviation = (early.all * usual * (1 + early.all / max(1, late.all))).squareRoot()
        return early.refused - early.all * usual > Self.clearly * max(1, deviation)
    }

    /// Deviations that are no chance, for refusals of which several are of one expiry.
    private static let clearly = 6.0
}
