import SquallFormat
import SquallHTTP
import SquallServices
import SquallSockets

/// Several refreshes at once, signing out, and calls as fast as allowed.
extension TokenProbe {
    private static let agedSessionsMax = 6
    private static let together = 10

    /// Lets sessions' access tokens expire, where no refresh is accepted before.
    func askExpired() throws(ProbeEnd) {
        try askSessionCount()
        if sessionsMax == nil { try askLateRefreshes() }
        var sessions: [ProbeSession] = []
        for _ in 0..<min(Self.agedSessionsMax, sessionsMax ?? .max) {
            sessions.append(try signIn().session)
        }
        try agenda.play()
        noteLife()
        guard let limit = tokens.life?.refused else {
            return unknown(
                Self.ofRefresh.filter { $0 != .early && facts[$0] == nil },
                because: "a refresh is refused while the access token is valid, and none has"
                    + " expired")
        }
        guard let last = sessions.last else { return }
        try client.wait(until: last.since.upperBound + limit)
        tokens.refusesEarly = true
        agedSessions = sessions
        guard let session = agedSessions.popLast() else { return }
        let old = session.refresh
        let late = try refresh(session)
        guard late.pair != nil else {
            tokens.refusesEarly = nil
            remarks.append(
                "If a refresh is called otherwise, say so: --refresh-path 'PUT /path',"
                    + " --refresh-token query:NAME, body:NAME or form:NAME, --field NAME=VALUE.")
            return unknown(
                Self.ofRefresh, because: "a refresh brings no token: \(late.evidence)")
        }
        facts[.early]?.evidence.append("\(late.evidence), after the access token expired")
        noteRotation(late, old)
    }

    /// Plans refreshes towards the end of an access token's stated life: some services accept them
    /// from a moment before it on.
    private func askLateRefreshes() throws(ProbeEnd) {
        guard let stated = tokens.statedLife else { return }
        for share in [0.5, 0.8, 0.95] {
            let session = try signIn().session
            agenda.at(session.since.upperBound + Int64(share * Double(stated))) {
                [self] () throws(ProbeEnd) in
                guard tokens.earlyWindow == nil else { return }
                let result = try refresh(session)
                guard result.isAccepted == true else { return }
                let left = session.since.lowerBound + stated - result.exchange.began
                tokens.earlyWindow = left
                let span = Units.approximate(nanoseconds: left)
                facts[.early]?.answer =
                    "refused at first, accepted \(span) before the access token's stated end"
                facts[.early]?.evidence.append("\(result.evidence), \(span) before that end")
                remarks.append(
                    "A refresh is accepted from a moment before the access token's end on; in a"
                        + " written profile it is refused until that end.")
            }
        }
    }

    /// Sends several refreshes with one token at once.
    func askAtOnce() throws(ProbeEnd) {
        guard tokens.isRotating != nil else { return }
        let count = Int(min(limits.atOnce, limits.requestsPerSecond))
        guard count > 1 else {
            return unknown(.atOnce, because: "no more than one request at once is allowed")
        }
        guard let session = try session() else { return }
        let began = client.now
        let name = client.name(session.refresh, "R")
        let call = refreshCall(session, session.refresh, name)
        let results = try client.ask(together: Array(repeating: call, count: count)).map(probed)
        let accepted = results.filter { $0.pair != nil }
        let limited = results.count { $0.exchange.isLimited }
        tokens.together = (
            accepted.count, client.now - began,
            accepted.count > 1 && Set(accepted.compactMap { $0.pair?.access }).count == 1
        )
        let refused = results.filter { $0.pair == nil }
        var evidence = ["\(count) × refresh with \(name) at once → \(accepted.count) × 200"]
        if let first = refused.first {
            evidence.append("\(refused.count) × \(client.answer(first.exchange))")
        }
        var words = "\(accepted.count) of \(count) accepted"
        if limited > 0 { words += ", \(limited) rate limited" }
        if let pair = accepted.last?.pair {
            let token = pair.refresh ?? session.refresh
            session.access = pair.access
            let later = try refresh(session, with: token)
            evidence.append(later.evidence)
            if let isAccepted = later.isAccepted {
                words += isAccepted ? "; the session goes on" : "; the session is over"
            }
        }
        note(.atOnce, words, evidence)
    }

    /// Signs out, and uses the tokens after it.
    func askSignOut() throws(ProbeEnd) {
        guard calls.signsOut else {
            return unknown(
                .signOut, because: "no call that signs out is known; give --sign-out-path")
        }
        let session = try signIn().session
        let form = calls.form.logOut
        let request = calls.signOut(
            session.hasRefreshToken ? session.refresh : nil, access: session.access,
            session.guards)
        let call = ProbeCall(words: "\(form.method) \(form.path)", request: request)
        let exchange = try client.ask(call)
        let evidence = client.evidence(exchange)
        guard exchange.isSuccess else { return unknown(.signOut, because: evidence) }
        calls.form.logOut.status = exchange.status ?? 200
        var (ended, all) = ([EndedTokens](), [evidence])
        if isProtected, let after = try protected(session.access), isAccepted(after) == false {
            ended.append(.access)
            all.append(client.evidence(after))
        }
        if session.hasRefreshToken, tokens.refusesEarly == false {
            let after = try refresh(session)
            all.append(after.evidence)
            if after.isAccepted == false {
                ended.append(.refresh)
                revokedRefusal = revokedRefusal ?? after.exchange
            }
        }
        tokens.signOut =
            ended.contains(.access)
            ? .endsAllTokens : ended.isEmpty ? .clientForgets : .endsRefreshTokens
        let words =
            ended.isEmpty
            ? "no token" : ended.map { "\($0.rawValue) tokens" }.joined(separator: " and ")
        note(.signOut, "ends \(words)", all)
    }

    /// Notes the responses to refresh tokens that are no good.
    func noteRevoked() {
        let seen = [
            (usedRefusal, "a used"), (revokedRefusal, "a revoked"), (outlivedRefusal, "an expired"),
            (unknownRefusal, "an unknown"),
        ].compactMap { exchange, kind in exchange.map { (kind, $0) } }
        tokens.revoked = seen.compactMap { ProbedRefusal($0.1) }.first
        tokens.outlived = outlivedRefusal.flatMap(ProbedRefusal.init)
        tokens.unknownRefresh = unknownRefusal.flatMap(ProbedRefusal.init)
        guard !seen.isEmpty else { return }
        let words = seen.map { "\(client.answer($0.1)) for \($0.0) refresh token" }
        note(.revoked, words.joined(separator: "; "), seen.map { client.evidence($0.1) })
    }

    /// Says what takes clients by surprise.
    func noteWarnings() {
        if let failed = client.failed {
            let count = Units.counted(failed.count, "time")
            remarks.append("The service failed \(count), first: \(failed.evidence).")
        }
        if let status = tokens.expired?.status ?? tokens.invalid?.status, status != 401 {
            remarks.append(
                "An access token that is no good is answered \(status): a client that refreshes on"
                    + " 401 never refreshes.")
        }
    }

    /// Calls as fast as allowed.
    func askRateLimit() throws(ProbeEnd) {
        guard client.limited == nil else { return noteRateLimit(asked: nil) }
        let session = try signIn().session
        let began = client.now
        var count = 0
        while count < Int(limits.burst), client.limited == nil {
            guard isProtected, let request = calls.protected(session.access) else {
                return unknown(
                    .rateLimit, because: "no call is known that could be repeated safely")
            }
            let allowed = min(Self.together, Int(limits.requestsPerSecond))
            let together = min(allowed, Int(limits.burst) - count)
            let words = "\(request.method) \(request.target)"
            _ = try client.ask(
                together: Array(
                    repeating: ProbeCall(words: words, request: request), count: together))
            count += together
        }
        noteRateLimit(asked: (count, client.now - began))
    }

    private func noteRateLimit(asked: (count: Int, span: Int64)?) {
        guard let limited = client.limited else {
            guard let asked, asked.count > 0 else {
                return unknown(.rateLimit, because: "no burst of calls was sent (--burst)")
            }
            let rate = Units.rate(perSecond: Double(asked.count) * 1e9 / Double(max(1, asked.span)))
            let calls = Units.counted(asked.count, "call")
            return note(
                .rateLimit, "none for \(calls) at \(rate)",
                ["\(calls) in \(Units.approximate(nanoseconds: asked.span)) were not limited"])
        }
        let pause = limited.exchange.headers["Retry-After"].map { client.shown($0, 30) }
        note(
            .rateLimit,
            "\(client.answer(limited.exchange)); "
                + (pause.map { "Retry-After: \($0)" } ?? "no Retry-After"),
            [
                "\(client.evidence(limited.exchange)), after"
                    + " \(Units.counted(limited.after, "request"))"
            ])
    }
}

/// Tokens that a sign-out ended.
private enum EndedTokens: String {
    case access, refresh
}
