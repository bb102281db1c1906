import SquallFormat

extension TokenProbe {
    private static let generationsMax = 5

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
        var evidence = [first.evidence, again.evidence]
        var words = isAccepted ? "accepted: it is not replaced" : "refused, and no other came"
        tokens.reuse = isAccepted ? .same : .nothing
        if !isAccepted { usedRefusal = again.exchange }
        if isAccepted, let last = try askChain(session, after: 2), let most = tokens.refreshesMax {
            (tokens.reuse, usedRefusal) = (.nothing, last.exchange)
            words = "accepted \(most) times, and no other came"
            evidence.append(last.evidence)
        }
        note(.reuse, words, evidence)
        note(.leeway, isAccepted ? "none needed: it is not replaced" : "none", [again.evidence])
        unknown([.family, .accessAfterReuse], because: "a refresh token is not replaced")
    }

    /// Uses a refresh token again right after its use.
    private func askReuse() throws(ProbeEnd) {
        try askRefreshesOfSession()
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
        guard let newest = try askUses(session, used) ?? again.pair, tokens.usesMax == nil, !isSame,
            try !askSuccessor(session, used, newest)
        else { return }
        try askGenerations()
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
    func askFamily(_ session: ProbeSession, after reuse: ProbedRefresh) throws(ProbeEnd) {
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
        guard tokens.isRotating == true, tokens.usesMax == nil, tokens.refreshesMax == nil,
            tokens.reuse == .another || tokens.reuse == .same
        else { return nil }
        guard sessionsMax == nil else {
            unknown(
                .leeway,
                because: "a new sign-in ends an older session, so used tokens cannot be let grow"
                    + " old beside each other")
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
        guard tokens.revokesFamily == false, sessionsMax == nil, tokens.refreshesMax == nil else {
            return nil
        }
        var ready: [(session: ProbeSession, used: String)] = []
        let search = AgeSearch(client, agenda, isRepeatable: true) {
            [self] () throws(ProbeEnd) in
            if ready.isEmpty { ready = try usedTokens(9, agedBy: leeway) }
            guard let (session, used) = ready.popLast() else { return nil }
            let reuse = try refresh(session, with: used).exchange
            return AgeSearch.Sample(since: reuse.began...reuse.ended) {
                [self] () throws(ProbeEnd) in
                let age = client.now - session.since.lowerBound
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
        let evidence = search.evidence
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
