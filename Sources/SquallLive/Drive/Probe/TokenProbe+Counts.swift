import SquallFormat

/// Limits by number: of an account's sessions, of a session's refreshes, of a token's uses.
extension TokenProbe {
    /// The number of times that something is done which may have a limit.
    private static let countTried = 10

    /// Signs in again and again, and asks which of these sessions that has ended.
    func askSessionCount() throws(ProbeEnd) {
        guard isProtected || tokens.refusesEarly == false else { return }
        var sessions: [(session: ProbeSession, evidence: String)] = []
        for _ in 0..<Self.countTried {
            let made = try signIn()
            sessions.append((made.session, made.evidence))
        }
        var evidence: [String] = []
        for (index, made) in sessions.enumerated() {
            let (isGood, shown): (Bool?, String)
            if tokens.refusesEarly == false {
                let result = try refresh(made.session)
                (isGood, shown) = (result.isAccepted, result.evidence)
            } else {
                guard let exchange = try protected(made.session.access) else { return }
                (isGood, shown) = (isAccepted(exchange), client.evidence(exchange))
            }
            guard isGood == false else {
                guard index > 0, isGood == true else { return }
                sessionsMax = sessions.count - index
                break
            }
            let later = Units.counted(sessions.count - index - 1, "sign-in")
            evidence = [made.evidence, "\(shown), \(later) later"]
        }
        guard let sessionsMax, !hasManyAccounts else { return }
        note(
            .otherSession,
            "\(Units.counted(sessionsMax, "session")) at a time: one more sign-in ends the oldest",
            evidence)
    }

    /// Refreshes a session again and again; the refusal where it is over.
    func askChain(
        _ session: ProbeSession, after count: Int
    ) throws(ProbeEnd) -> ProbedRefresh? {
        let end = client.now + limits.nanoseconds / 10
        for count in count..<Self.countTried where client.now < end {
            var next = try refresh(session)
            guard next.isAccepted == false else { continue }
            // Some refuse what comes too soon after another.
            try client.wait(until: client.now + Self.clockDifference)
            next = try refresh(session)
            guard next.isAccepted == false else { return nil }
            tokens.refreshesMax = count
            return next
        }
        return nil
    }

    /// Asks how many refreshes a session has, each with what the one before it brought.
    func askRefreshesOfSession() throws(ProbeEnd) {
        guard tokens.refusesEarly == false, let session = try session(),
            let last = try askChain(session, after: 0), let most = tokens.refreshesMax
        else { return }
        facts[.rotation]?.answer? += "; a session is over after \(Units.counted(most, "refresh"))"
        facts[.rotation]?.evidence.append(last.evidence)
    }

    /// Uses a token that was accepted twice again and again, and nothing of what it brings; the
    /// tokens of its last use.
    func askUses(_ session: ProbeSession, _ used: String) throws(ProbeEnd) -> BroughtPair? {
        var last: BroughtPair?
        for count in 2..<Self.countTried {
            let again = try refresh(session, with: used)
            guard again.isAccepted == false else {
                last = again.pair ?? last
                continue
            }
            (tokens.usesMax, usedRefusal) = (count, again.exchange)
            facts[.reuse]?.answer? += ", \(count) times in all"
            facts[.reuse]?.evidence.append(again.evidence)
            note(.leeway, "none by time: a token is good \(count) times", [again.evidence])
            break
        }
        return last
    }
}
