import SquallFormat
import SquallSockets

extension TokenProbe {
    /// The ages at which leeways and lives of unknown length are asked, in seconds.
    private static let ages: [Double] = [
        1, 2, 3, 5, 7.5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 360, 600, 900, 1_800, 3_600,
    ]
    /// The share of the time that one round of waiting may take.
    private static let share = 0.4
    private static let generationsMax = 5
    /// A token younger than this has not expired.
    static let young: Int64 = 900_000_000

    private var longestAge: Int64 { Int64(Double(limits.nanoseconds) * Self.share) }

    private func ages(upTo longest: Int64) -> [Int64] {
        Self.ages.map { Int64($0 * 1e9) }.filter { $0 <= longest }
    }

    /// Finds how long access tokens live; `nil` where no call shows it.
    func lifeSearch() -> AgeSearch? {
        guard isProtected else { return nil }
        // Where a sign-in ends the session before it, one token is all there is.
        let rounds = hasOneSession ? 1 : 3
        let search = AgeSearch(client, agenda, isRepeatable: true, roundsMax: rounds) {
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
    private func refreshLifeSearch() -> AgeSearch? {
        guard tokens.refusesEarly == false, !hasOneSession else { return nil }
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

    private func noteRefreshLife() {
        guard let search = refreshLife, search.bracket != AgeBracket() else { return }
        tokens.refreshLife = search.bracket
        let evidence = [search.shown.accepted, search.shown.refused].filter { !$0.isEmpty }
        note(.refreshLife, lifeWords(search.bracket, tokens.statedRefreshLife), evidence)
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
        let bracket = search.bracket
        tokens.life = bracket
        let evidence = [search.shown.accepted, search.shown.refused].filter { !$0.isEmpty }
        note(.accessLife, lifeWords(bracket, tokens.statedLife), evidence)
        guard bracket.refused == nil else { return }
        let stated = tokens.statedLife.map {
            "stated \(Units.exact(nanoseconds: $0)), and "
        }
        let reason =
            "no access token expired: \(stated ?? "")the longest that was tried is"
            + " \(Units.approximate(nanoseconds: bracket.accepted)); give a longer --for"
        unknown(.expired, because: reason)
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

    /// Uses refresh tokens twice, and lets time pass for everything that needs it.
    func askUsedTokens(_ outcome: RefreshOutcome) throws(ProbeEnd) {
        defer {
            noteLife()
            noteRefreshLife()
        }
        if outcome != .none, tokens.isRotating != nil {
            try tokens.isRotating == true ? askReuse() : askKeptToken()
            try askAtOnce()
        }
        try askSignOut()
        if outcome == .works { refreshLife = refreshLifeSearch() }
        var searches: [(ProbeQuestion, AgeSearch)] = []
        if let leeway = leewaySearch() { searches.append((.leeway, leeway)) }
        if tokens.reuse == .nothing, let lag = lagSearch() { searches.append((.family, lag)) }
        defer { for (question, search) in searches { note(search, question) } }
        try agenda.play()
        guard let refused = searches.first?.1.bracket.refused, tokens.reuse != .nothing,
            let lag = lagSearch(after: refused)
        else { return }
        searches.append((.family, lag))
        try agenda.play()
    }

    /// Asks how a refresh token that is not replaced is handled.
    private func askKeptToken() throws(ProbeEnd) {
        guard let (session, _, first) = try refreshNew(self.session), first.isAccepted == true
        else {
            return
        }
        let again = try refresh(session)
        guard let isAccepted = again.isAccepted else { return }
        let evidence = [first.evidence, again.evidence]
        tokens.reuse = isAccepted ? .same : .nothing
        if !isAccepted { usedRefusal = again.exchange }
        note(
            .reuse, isAccepted ? "accepted: it is not replaced" : "refused, and no other came",
            evidence)
        note(.leeway, isAccepted ? "none needed: it is not replaced" : "none", [again.evidence])
        unknown(.family, because: "a refresh token is not replaced")
        unknown(.accessAfterReuse, because: "a refresh token is not replaced")
    }

    /// Uses a refresh token again right after its use.
    private func askReuse() throws(ProbeEnd) {
        guard let (session, used, first) = try refreshNew(self.session), first.isAccepted == true
        else { return }
        let again = try refresh(session, with: used)
        guard let isAccepted = again.isAccepted else { return }
        let evidence = [first.evidence, again.evidence + ", right after it"]
        guard isAccepted else {
            tokens.reuse = .nothing
            usedRefusal = again.exchange
            note(.reuse, "refused at once", evidence)
            note(.leeway, "none", [again.evidence])
            return try askFamily(session, after: again)
        }
        let isSame = again.pair?.refresh == session.refresh
        tokens.reuse = isSame ? .same : .another
        tokens.replaysAccess = isSame && again.pair?.access == session.access
        note(
            .reuse,
            isSame ? "accepted: it brings the same new one" : "accepted: it brings another new one",
            evidence)
        if !isSame, let newest = again.pair, try !askSuccessor(session, used, newest) {
            try askGenerations()
        }
    }

    /// Uses what a used refresh token brought, and then that one again; true if it is refused by
    /// then.
    private func askSuccessor(
        _ session: ProbeSession, _ used: String, _ newest: BroughtPair
    ) throws(ProbeEnd) -> Bool {
        guard isProtected, let use = try protected(newest.access), isAccepted(use) == true else {
            return false
        }
        let late = try refresh(session, with: used)
        guard late.isAccepted == false else { return false }
        var evidence = [client.evidence(use), late.evidence]
        var words = "accepted until the access token that it brought is used"
        let sibling = try protected(session.access)
        let endsSiblings = sibling.flatMap(isAccepted) == false
        if endsSiblings, let sibling {
            words += "; each use ends what the one before it brought"
            evidence.append(client.evidence(sibling))
            (session.access, session.refresh) = (newest.access, newest.refresh ?? "")
        }
        (tokens.reuse, usedRefusal) = (.untilUsed(endsSiblings: endsSiblings), late.exchange)
        facts[.reuse]?.answer = words
        facts[.reuse]?.evidence += evidence
        note(.leeway, "until the new access token is used", [late.evidence])
        if let old = try protected(session.firstAccess), isAccepted(old) == false {
            tokens.refreshEndsAccess = true
            note(.oldAccess, "ended by the first use of the new one", [client.evidence(old)])
        }
        try askFamily(session, after: late)
        return true
    }

    /// Asks what reuse does to the tokens that came of the session.
    private func askFamily(_ session: ProbeSession, after reuse: ProbedRefresh) throws(ProbeEnd) {
        var before = [reuse.evidence]
        if isProtected, let exchange = try protected(session.access),
            let isAccepted = isAccepted(exchange)
        {
            let age = exchange.ended - session.renewed
            let known = life?.bracket.accepted ?? 0
            if isAccepted || age < max(Self.young, known) {
                // Some services accept what a refresh brought a moment later, reused or not.
                var isGood = isAccepted
                if !isGood, age + Self.clockDifference < known {
                    isGood = try isGoodLater(session.access)
                }
                note(
                    .accessAfterReuse, isGood ? "stays valid" : "ended by reuse",
                    before + [client.evidence(exchange)])
            } else {
                unknown(.accessAfterReuse, because: "the access token may have expired by then")
            }
        }
        let newest = try refresh(session)
        guard let isAccepted = newest.isAccepted else { return }
        tokens.revokesFamily = !isAccepted
        before.append(newest.evidence)
        if !isAccepted { revokedRefusal = newest.exchange }
        note(.family, isAccepted ? "goes on" : "revoked by reuse", before)
    }

    /// Asks how many refreshes ago a token may have been used.
    private func askGenerations() throws(ProbeEnd) {
        for count in 2...Self.generationsMax {
            guard let session = try session() else { return }
            let used = session.refresh
            for _ in 0..<count { _ = try refresh(session) }
            let again = try refresh(session, with: used)
            guard again.isAccepted == true else {
                facts[.reuse]?.evidence.append(
                    "\(again.evidence), \(count) refreshes after its use")
                return
            }
            tokens.generations = count
            facts[.reuse]?.answer =
                "accepted, also \(count) refreshes after its use: it brings another new one"
            facts[.reuse]?.evidence.append("\(again.evidence), \(count) refreshes after its use")
        }
    }

    /// Finds for how long a used refresh token is accepted; `nil` where it is refused at once.
    private func leewaySearch() -> AgeSearch? {
        guard tokens.isRotating == true, tokens.reuse == .another || tokens.reuse == .same else {
            return nil
        }
        guard !hasOneSession else {
            unknown(
                .leeway,
                because: "a new sign-in ends the session before it, so used tokens cannot be let"
                    + " grow old beside each other")
            return nil
        }
        let search = AgeSearch(client, agenda, isRepeatable: false) {
            [self] () throws(ProbeEnd) in
            guard let (session, used, first) = try refreshNew(self.session),
                first.isAccepted == true
            else { return nil }
            let since = first.exchange.began...first.exchange.ended
            // What ends an unused one of the same age is no end of a leeway.
            let twin = tokens.refusesEarly == true ? nil : try signIn().session
            return AgeSearch.Sample(since: since) { [self] () throws(ProbeEnd) in
                let again = try refresh(session, with: used)
                guard again.isAccepted == false else { return (again.isAccepted, again.exchange) }
                if let twin, try refresh(twin).isAccepted == false {
                    outlivedRefusal = again.exchange
                    return (nil, again.exchange)
                }
                usedRefusal = again.exchange
                if facts[.family] == nil { try askFamily(session, after: again) }
                return (false, again.exchange)
            }
        }
        search.begin(ages(upTo: longestAge))
        return search
    }

    /// Finds for how long the newest token of a revoked family is still accepted.
    private func lagSearch(after leeway: Int64 = 0) -> AgeSearch? {
        guard tokens.revokesFamily == false, !hasOneSession else { return nil }
        var ready: [(session: ProbeSession, used: String)] = []
        let search = AgeSearch(client, agenda, isRepeatable: true) {
            [self] () throws(ProbeEnd) in
            if ready.isEmpty { ready = try usedTokens(9, agedBy: leeway) }
            guard let (session, used) = ready.popLast() else { return nil }
            let reuse = try refresh(session, with: used).exchange
            return AgeSearch.Sample(since: reuse.began...reuse.ended) {
                [self] () throws(ProbeEnd) in
                let age = client.now - session.renewed
                let newest = try refresh(session)
                guard newest.isAccepted == false else {
                    return (newest.isAccepted, newest.exchange)
                }
                // So old that it may have ended by itself.
                if let life = refreshLife?.bracket, life.refused != nil, age > life.accepted {
                    return (nil, newest.exchange)
                }
                revokedRefusal = newest.exchange
                return (false, newest.exchange)
            }
        }
        let longest = leeway > 0 ? limits.nanoseconds / 10 : longestAge
        search.begin(ages(upTo: min(longest, 60_000_000_000)))
        return search
    }

    /// Sessions whose first refresh tokens were used so long ago; none where there is no time.
    private func usedTokens(
        _ count: Int, agedBy age: Int64
    ) throws(ProbeEnd) -> [(session: ProbeSession, used: String)] {
        guard client.now + age < agenda.end else { return [] }
        var all: [(session: ProbeSession, used: String)] = []
        var last = client.now
        for _ in 0..<(age > 0 ? count : 1) {
            guard let session = try session() else { break }
            let used = session.refresh
            last = try refresh(session).exchange.ended
            all.append((session, used))
        }
        if age > 0 { try client.wait(until: last + age) }
        return all
    }

    private func note(_ search: AgeSearch, _ question: ProbeQuestion) {
        let bracket = search.bracket
        guard bracket != AgeBracket() else { return }
        let span = { Units.approximate(nanoseconds: $0) }
        let evidence = [search.shown.accepted, search.shown.refused].filter { !$0.isEmpty }
        let tried = span(bracket.accepted)
        guard question == .leeway else {
            guard let limit = bracket.limit else {
                facts[.family]?.answer =
                    "goes on: the newest token is accepted \(tried) later, the longest tried"
                facts[.family]?.evidence += evidence
                return
            }
            if let refused = bracket.refused, let end = refreshLife?.bracket.refused, refused >= end
            {
                facts[.family]?.answer =
                    "goes on: the newest token is accepted \(tried) later; then its life is over"
                return
            }
            (tokens.revokesFamily, tokens.revocationLag) = (true, bracket)
            return note(.family, "revoked \(span(limit)) after reuse", evidence)
        }
        tokens.leeway = bracket
        guard let limit = bracket.limit, let refused = bracket.refused else {
            return note(.leeway, "still after \(tried), the longest tried", evidence)
        }
        note(
            .leeway, "\(span(limit)) (accepted at \(tried), refused at \(span(refused)))", evidence)
    }
}
