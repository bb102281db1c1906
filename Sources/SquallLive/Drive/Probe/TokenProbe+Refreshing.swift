import SquallFormat
import SquallHTTP

enum RefreshOutcome {
    case works
    /// It was refused while the access token was valid.
    case tooEarly
    /// There is no refresh token, or it buys nothing.
    case none
}

extension TokenProbe {
    func askSignIn() throws(ProbeEnd) -> ProbeSession {
        let (session, pair, exchange, evidence) = try firstSignIn()
        calls.learn(from: pair)
        calls.form.logIn.status = exchange.status ?? 200
        calls.tokenHeaders = ["Cache-Control", "Pragma"].compactMap { name in
            exchange.headers[name].map { "\(name): \($0)" }
        }
        note(
            .signIn,
            session.hasRefreshToken
                ? "an access token and a refresh token" : "an access token, no refresh token",
            [evidence])
        (tokens.statedLife, tokens.statedRefreshLife) = (
            pair.stated.first?.nanoseconds, pair.statedRefresh
        )
        guard let first = pair.stated.first else {
            unknown(.statedLife, because: pair.whyNoLife)
            return session
        }
        let texts = pair.stated.map {
            "\($0.by.words) says \(Units.exact(nanoseconds: $0.nanoseconds))"
        }
        note(.statedLife, Units.exact(nanoseconds: first.nanoseconds), texts)
        if let other = pair.stated.first(where: { $0.nanoseconds != first.nanoseconds }) {
            remarks.append(
                "The service states two lives of an access token: \(first.by.words)"
                    + " \(Units.exact(nanoseconds: first.nanoseconds)), \(other.by.words)"
                    + " \(Units.exact(nanoseconds: other.nanoseconds)).")
        }
        return session
    }

    private static let ofAccess: [ProbeQuestion] = [
        .accessLife, .expired, .invalid, .oldAccess, .accessAfterReuse,
    ]
    static let ofRefresh: [ProbeQuestion] = [
        .rotation, .early, .refreshLife, .oldAccess, .reuse, .leeway, .family, .accessAfterReuse,
        .revoked,
        .atOnce,
    ]

    /// Calls without a token and with an unknown one.
    func askWithoutToken(_ session: ProbeSession) throws(ProbeEnd) {
        guard let without = try protected(nil) else {
            return unknown(
                Self.ofAccess,
                because: "no call is known that needs an access token; give --protected-path")
        }
        guard let unfit = try protected(Self.madeUp, "an unknown token") else { return }
        (tokens.invalid, tokens.missing) = (ProbedRefusal(unfit), ProbedRefusal(without))
        let evidence = [unfit, without].map(client.evidence)
        var isSaid = tokens.invalid != nil
        if !isSaid { isSaid = try saysNoInBody([unfit, without], session) }
        guard isSaid else {
            return unknown(
                Self.ofAccess, because: "\(evidence[0]): that call needs no access token")
        }
        note(.invalid, client.answer(unfit), evidence)
        isProtected = true
    }

    /// True if a new access token brings other members than none and an unknown one do, where all
    /// are successes: the service says no in its body.
    private func saysNoInBody(
        _ refused: [ProbeExchange], _ session: ProbeSession
    ) throws(ProbeEnd) -> Bool {
        let members = refused[0].members
        guard refused.allSatisfy({ $0.isSuccess && $0.members == members }), !members.isEmpty,
            let good = try protected(session.access), good.isSuccess, good.members != members
        else { return false }
        refusedMembers = members
        remarks.append(
            "An access token that is no good is answered \(refused[0].status ?? 200) with"
                + " \(members.sorted().joined(separator: ", ")): a client that goes by the status"
                + " never refreshes.")
        return true
    }

    /// Calls with a new token, and shows it in other ways where that was not told.
    func askProtected(_ session: ProbeSession) throws(ProbeEnd) {
        guard isProtected, let exchange = try protected(session.access) else { return }
        hasWorkingCall = isAccepted(exchange) == true
        guard !hasWorkingCall else { return }
        let other = try search(calls.accessWays, about: .access) { () throws(ProbeEnd) in
            let other = try protected(session.access)
            return other?.isSuccess == true ? other : nil
        }
        hasWorkingCall = other != nil
        guard !hasWorkingCall else { return }
        if try isGoodLater(session.access) { return }
        isProtected = false
        let schemes = exchange.headers.values(for: "WWW-Authenticate").joined(separator: ", ")
        let asked = schemes.isEmpty ? "" : "; the service asks for \(client.shown(schemes, 60))"
        remarks.append(
            "Every call with a new access token was refused\(asked). Say how it is shown:"
                + " --token-scheme or --token-header.")
        unknown(
            Self.ofAccess.filter { $0 != .invalid },
            because: "a new access token is refused: \(client.evidence(exchange))")
    }

    /// True if a new token that is refused at first is accepted a moment later, as where the clock
    /// that issued it is ahead of the one that checks it.
    func isGoodLater(_ access: String) throws(ProbeEnd) -> Bool {
        try client.wait(until: client.now + Self.clockDifference)
        guard let exchange = try protected(access), exchange.isSuccess else { return false }
        hasWorkingCall = true
        remarks.append(
            "A new access token is refused at first and accepted"
                + " \(Units.exact(nanoseconds: Self.clockDifference)) later, as if issued by a"
                + " clock that is ahead.")
        return true
    }

    static let clockDifference: Int64 = 2_000_000_000

    /// Where no refresh token comes, a call of its own that refreshes may renew the access token
    /// that it is shown.
    private func renewItself(_ first: ProbeSession) throws(ProbeEnd) {
        let call = calls.form.refresh
        guard !first.hasRefreshToken, calls.form.logIn.target != call.target else { return }
        let plain = calls
        calls.renewsItself = true
        first.refresh = first.access
        let result = try refresh(first)
        if result.isAccepted != true, try searchedRefresh(first) == nil,
            result.exchange.status == 404 || result.exchange.status == 405
        {
            (calls, first.refresh) = (plain, "")
            return
        }
        calls.form.delivery.refresh = TokenCalls.stand
        remarks.append(
            "The sign-in brings no refresh token: the access token is shown to \(call.method)"
                + " \(call.target), which may renew it. In a written profile a cookie,"
                + " refresh_token, stands for it.")
    }

    func askRefresh(_ first: ProbeSession) throws(ProbeEnd) -> RefreshOutcome {
        try renewItself(first)
        guard first.hasRefreshToken else {
            unknown(Self.ofRefresh, because: "the sign-in brings no refresh token")
            return .none
        }
        var given: ProbeSession? = first
        let found = try refreshNew { () throws(ProbeEnd) in
            if let session = given {
                given = nil
                return session
            }
            return try signIn().session
        }
        guard let (session, used, plain) = found else { return .none }
        var result = plain
        if result.isAccepted == false { result = try searchedRefresh(session) ?? result }
        let unfit = try refresh(session, with: Self.madeUp)
        unknownRefusal = unfit.isAccepted == false ? unfit.exchange : nil
        guard result.isAccepted == true else {
            guard result.isAccepted == false else {
                unknown(Self.ofRefresh, because: "the service fails: \(result.evidence)")
                return .none
            }
            tokens.early = ProbedRefusal(result.exchange)
            note(
                .early, "refused: \(client.answer(result.exchange))",
                [result.evidence, unfit.evidence])
            return .tooEarly
        }
        tokens.refusesEarly = false
        let bringsSame = result.pair?.access == session.firstAccess
        note(
            .early,
            "accepted while the access token is valid"
                + (bringsSame ? ", which it brings again" : ""), [result.evidence])
        noteRotation(result, used)
        try askOldAccess(session.firstAccess, of: session)
        try askOtherSession()
        return .works
    }

    /// Refreshes in other ways, where that was not told; `nil` where each is refused.
    ///
    /// Where a refresh needs an expired access token, each is; but one by which the service reads
    /// the token refuses an unknown one otherwise.
    private func searchedRefresh(_ session: ProbeSession) throws(ProbeEnd) -> ProbedRefresh? {
        let ways = calls.refreshWays
        let working = try search(ways, about: .refresh) { () throws(ProbeEnd) in
            let other = try refresh(session)
            return other.isAccepted == true ? other : nil
        }
        if let working { return working }
        guard !ways.isEmpty, try reads(session) == nil else { return nil }
        return try search(ways, about: .refresh) { () throws(ProbeEnd) in try reads(session) }
    }

    /// A refresh that is refused with another status than one with an unknown token.
    private func reads(_ session: ProbeSession) throws(ProbeEnd) -> ProbedRefresh? {
        let (own, unfit) = (try refresh(session), try refresh(session, with: Self.madeUp))
        guard own.isAccepted == false, unfit.isAccepted == false,
            own.exchange.status != unfit.exchange.status
        else { return nil }
        return own
    }

    func noteRotation(_ refresh: ProbedRefresh, _ old: String) {
        let new = refresh.pair?.refresh
        let isNew = new != nil && new != old
        tokens.isRotating = isNew
        refresh.pair.map { calls.learnRefresh(from: $0) }
        tokens.repeatsRefreshToken = new == old
        calls.form.refresh.status = refresh.exchange.status ?? 200
        let kept = new == nil ? "a refresh brings no new one" : "a refresh brings the same"
        note(
            .rotation, isNew ? "each refresh brings a new one" : "none: \(kept)",
            [refresh.evidence])
    }

    /// Notes that a refresh token that used to stay was replaced, as some services do with old
    /// ones, and what the replaced one is good for.
    func noteLateRotation(
        _ late: ProbedRefresh, _ old: String, _ session: ProbeSession
    ) throws(ProbeEnd) {
        guard tokens.replacedAt == nil else { return }
        let age = late.exchange.ended - session.since.lowerBound
        tokens.replacedAt = age
        let span = Units.approximate(nanoseconds: age)
        facts[.rotation]?.answer = "the same while it is young, a new one at the age of \(span)"
        facts[.rotation]?.evidence.append("\(late.evidence) at the age of \(span)")
        let again = try refresh(session, with: old)
        guard let isAccepted = again.isAccepted else { return }
        facts[.reuse]?.answer =
            "accepted; one that was replaced is \(isAccepted ? "accepted, too" : "refused")"
        facts[.reuse]?.evidence.append(again.evidence)
        guard !isAccepted else { return }
        (tokens.isRotating, tokens.reuse, usedRefusal) = (true, .nothing, again.exchange)
        note(.leeway, "none where it is replaced", [again.evidence])
        try askFamily(session, after: again)
    }

    private func askOldAccess(
        _ access: String, of session: ProbeSession
    ) throws(ProbeEnd) {
        guard isProtected, let exchange = try protected(access),
            let isAccepted = isAccepted(exchange)
        else { return }
        let age = exchange.ended - session.since.lowerBound
        guard isAccepted || age < max(Self.young, tokens.statedLife ?? 0) else {
            return unknown(.oldAccess, because: "the access token may have expired by then")
        }
        tokens.refreshEndsAccess = !isAccepted
        note(
            .oldAccess, isAccepted ? "stays valid after a refresh" : "ended by a refresh",
            ["\(client.evidence(exchange)), right after the refresh"])
    }

    private func askOtherSession() throws(ProbeEnd) {
        // Of one account, however many there are.
        guard !hasManyAccounts else {
            unknown(.otherSession, because: "asked with one account only")
            return try askSessionCount()
        }
        var other = ""
        let found = try refreshNew { () throws(ProbeEnd) in
            let session = try signIn().session
            other = try signIn().evidence
            return session
        }
        guard let old = found?.refresh, let isAccepted = old.isAccepted else { return }
        sessionsMax = isAccepted ? nil : 1
        note(
            .otherSession,
            isAccepted ? "goes on after another sign-in" : "ended by another sign-in",
            [other, old.evidence])
        if isAccepted { try askSessionCount() }
    }
}
