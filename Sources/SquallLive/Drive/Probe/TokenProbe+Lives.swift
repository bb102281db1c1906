import SquallFormat
import SquallHTTP

/// How long tokens live, and whether use renews them.
extension TokenProbe {
    /// The ages at which leeways and lives of unknown length are asked, in seconds.
    private static let ages: [Double] = [
        1, 2, 3, 5, 7.5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 360, 600, 900, 1_800, 3_600,
    ]
    /// The share of the time that one round of waiting may take.
    private static let share = 0.4
    /// A token younger than this has not expired.
    static let young: Int64 = 900_000_000

    var longestAge: Int64 { Int64(Double(limits.nanoseconds) * Self.share) }

    func ages(upTo longest: Int64) -> [Int64] {
        Self.ages.map { Int64($0 * 1e9) }.filter { $0 <= longest }
    }

    /// Finds how long access tokens live; `nil` where no call shows it.
    func lifeSearch() -> AgeSearch? {
        guard isProtected else { return nil }
        // Where a sign-in ends the session before it, one token is all there is.
        guard sessionsMax == nil else { return lifeSearch(ofUsed: true) }
        usedLife = lifeSearch(ofUsed: true)
        return lifeSearch(ofUsed: false)
    }

    /// Finds up to which age access tokens are accepted, each of which is asked about once, or one
    /// that is used at each age.
    private func lifeSearch(ofUsed isUsed: Bool) -> AgeSearch {
        let search = AgeSearch(client, agenda, isRepeatable: isUsed, roundsMax: isUsed ? 1 : 3) {
            [self] () throws(ProbeEnd) in
            let session = try signIn().session
            return AgeSearch.Sample(since: session.since) { [self] () throws(ProbeEnd) in
                guard let exchange = try protected(session.access) else {
                    throw .failed("no call is known that needs an access token")
                }
                let isAccepted = isAccepted(exchange)
                if isAccepted == false, tokens.expired == nil {
                    tokens.expired = ProbedRefusal(exchange)
                    note(.expired, client.answer(exchange), [client.evidence(exchange)])
                }
                return (isAccepted, exchange)
            }
        }
        search.begin(ages(around: tokens.statedLife))
        return search
    }

    /// Finds how long unused refresh tokens live; `nil` where a session would end others.
    func refreshLifeSearch() -> AgeSearch? {
        guard tokens.refusesEarly == false, sessionsMax == nil else { return nil }
        let search = AgeSearch(client, agenda, isRepeatable: false, roundsMax: 2) {
            [self] () throws(ProbeEnd) in
            let session = try signIn().session
            return AgeSearch.Sample(since: session.since) { [self] () throws(ProbeEnd) in
                let late = try refresh(session)
                if late.isAccepted == false { outlivedRefusal = late.exchange }
                return (late.isAccepted, late.exchange)
            }
        }
        search.begin(ages(around: tokens.statedRefreshLife))
        return search
    }

    func noteRefreshLife() {
        guard let search = refreshLife, search.bracket != AgeBracket() else { return }
        tokens.refreshLife = search.bracket
        note(
            .refreshLife, lifeWords(search.bracket, tokens.statedRefreshLife), search.evidence)
    }

    /// Around the stated life where there is time for it.
    private func ages(around stated: Int64?) -> [Int64] {
        guard let stated, Double(stated) < 0.9 * Double(limits.nanoseconds)
        else { return ages(upTo: longestAge) }
        let around = [0.5, 0.8, 0.95].map { Int64($0 * Double(stated)) }
        let after: [(factor: Double, more: Int64)] = [
            (1, 300_000_000), (1.05, 500_000_000), (1.25, 1_000_000_000), (1.5, 5_000_000_000),
            (2, 30_000_000_000),
        ]
        let beyond = after.map { Int64($0.factor * Double(stated)) + $0.more }
            .filter { Double($0) <= 0.95 * Double(limits.nanoseconds) }
        return around + beyond
    }

    func noteLife() {
        if let dated, let stated = tokens.statedLife, dated < stated {
            tokens.statedLife = dated
            let words = Units.exact(nanoseconds: dated)
            note(.statedLife, words, ["exp of the JWT is \(words) after the response's date"])
        }
        guard let search = life, facts[.accessLife] == nil, search.bracket != AgeBracket() else {
            return
        }
        var bracket = search.bracket
        readMilliseconds(bracket)
        bracket.stated = tokens.statedLife
        tokens.life = bracket
        note(.accessLife, lifeWords(bracket, tokens.statedLife), search.evidence)
        noteUsedLife(bracket)
        guard bracket.refused == nil else { return }
        let stated = tokens.statedLife.map {
            "stated \(Units.exact(nanoseconds: $0)), and "
        }
        let reason =
            "no access token expired: \(stated ?? "")the longest that was tried is"
            + " \(Units.approximate(nanoseconds: bracket.accepted)); give a longer --for"
        unknown(.expired, because: reason)
    }

    /// A stated number that is a thousand times what was seen is one of milliseconds.
    private func readMilliseconds(_ bracket: AgeBracket) {
        guard let stated = tokens.statedLife, let refused = bracket.refused,
            calls.form.signInWay.lifetime != nil
        else { return }
        func agrees(_ stated: Int64) -> Bool {
            stated > bracket.accepted && stated < refused + Self.wholeSecond
        }
        guard !agrees(stated), agrees(stated / 1_000) else { return }
        tokens.statedLife = stated / 1_000
        calls.form.delivery.tellsMilliseconds = true
        calls.form.signInDelivery?.tellsMilliseconds = true
        let words = Units.exact(nanoseconds: stated / 1_000)
        facts[.statedLife]?.answer = words
        facts[.statedLife]?.evidence.append("as milliseconds they are \(words), as was seen")
    }

    /// Notes that a token lives longer where it is used.
    private func noteUsedLife(_ unused: AgeBracket) {
        guard let used = usedLife, let refused = unused.refused, !unused.isSpread,
            used.bracket.accepted > refused + max(Self.wholeSecond, refused / 10)
        else { return }
        let age = Units.approximate(nanoseconds: used.bracket.accepted)
        facts[.accessLife]?.answer? +=
            " where it is not used; each use renews it: accepted at \(age) where it was used before"
        facts[.accessLife]?.evidence.append(used.shown.accepted)
        remarks.append(
            "Each use of an access token renews it. In a written profile it ends at the age at"
                + " which an unused one does.")
    }

    private func lifeWords(_ bracket: AgeBracket, _ stated: Int64?) -> String {
        guard let limit = bracket.limit, let refused = bracket.refused else {
            return
                "longer than \(Units.approximate(nanoseconds: bracket.accepted)), the longest tried"
                + (stated.map { "; stated \(Units.exact(nanoseconds: $0))" } ?? "")
        }
        let span = { Units.approximate(nanoseconds: $0) }
        if bracket.isSpread {
            let range = "\(span(refused)) to \(span(bracket.accepted))"
            // Where seconds are cut, a token's life depends on when in a second it began.
            if let stated, stated - refused <= Self.wholeSecond, stated >= bracket.accepted {
                return "as stated, in whole seconds: \(range)"
            }
            return "\(range): it differs from token to token"
        }
        let range =
            "\(span(limit)) (accepted at \(span(bracket.accepted)), refused at \(span(refused)))"
        guard let stated else { return range }
        if stated > bracket.accepted, stated <= refused { return "as stated: \(range)" }
        if stated - refused < Self.wholeSecond, stated > refused {
            return "as stated, in whole seconds: \(range)"
        }
        let isLonger = stated <= bracket.accepted
        let difference = isLonger ? limit - stated : stated - limit
        return "\(span(difference)) \(isLonger ? "longer" : "shorter") than stated: \(range)"
    }
}
