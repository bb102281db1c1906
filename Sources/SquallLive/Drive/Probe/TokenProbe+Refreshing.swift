import SquallFormat
import SquallSockets

/// What a first refresh shows.
enum RefreshOutcome {
    case works
    /// It was refused while the access token was valid.
    case tooEarly
    /// There is no refresh token, or it buys nothing.
    case none
}

/// Signing in and refreshing once.
extension TokenProbe {
    func askSignIn() throws(ProbeEnd) -> ProbeSession {
        let (session, pair, evidence) = try signIn()
        calls.learn(from: pair)
        note(
            .signIn,
            session.hasRefreshToken
                ? "an access token and a refresh token" : "an access token, no refresh token",
            [evidence])
        (tokens.statedLife, tokens.statedRefreshLife) = (
            pair.stated.first?.nanoseconds, pair.statedRefresh
        )
        guard let first = pair.stated.first else {
            unknown(
                .statedLife,
                because: "the response has no expires_in, and the access token is not a JWT")
            return session
        }
        let texts = pair.stated.map {
            "\($0.words) says \(Units.exact(nanoseconds: $0.nanoseconds))"
        }
        note(.statedLife, Units.exact(nanoseconds: first.nanoseconds), texts)
        if let other = pair.stated.first(where: { $0.nanoseconds != first.nanoseconds }) {
            remarks.append(
                "The service states two lives of an access token: \(first.words)"
                    + " \(Units.exact(nanoseconds: first.nanoseconds)), \(other.words)"
                    + " \(Units.exact(nanoseconds: other.nanoseconds)).")
        }
        return session
    }

    private static let ofAccess: [ProbeQuestion] = [
        .accessLife, .expired, .invalid, .oldAccess, .accessAfterReuse,
    ]
    static let ofRefresh: [ProbeQuestion] = [
        .rotation, .early, .oldAccess, .reuse, .leeway, .family, .accessAfterReuse, .revoked,
        .atOnce,
    ]

    /// Calls without a token and with an unknown one.
    func askWithoutToken() throws(ProbeEnd) {
        guard let without = try protected(nil) else {
            for question in Self.ofAccess {
                unknown(
                    question,
                    because: "no call is known that needs an access token; give --protected-path")
            }
            return
        }
        guard let unfit = try protected(Self.madeUp, "an unknown token") else { return }
        tokens.invalid = ProbedRefusal(unfit)
        let evidence = [unfit, without].map(client.evidence)
        guard tokens.invalid != nil else {
            for question in Self.ofAccess {
                unknown(question, because: "\(evidence[0]): that call needs no access token")
            }
            return
        }
        note(.invalid, client.answer(unfit), evidence)
        isProtected = true
    }

    /// Calls with a new token.
    func askProtected(_ session: ProbeSession) throws(ProbeEnd) {
        guard isProtected, let exchange = try protected(session.access), !exchange.isSuccess
        else { return }
        isProtected = false
        for question in Self.ofAccess where question != .invalid {
            unknown(
                question,
                because: "a new access token is refused: \(client.evidence(exchange))")
        }
    }

    /// Refreshes a new session.
    func askRefresh(_ session: ProbeSession) throws(ProbeEnd) -> RefreshOutcome {
        guard session.hasRefreshToken else {
            for question in Self.ofRefresh {
                unknown(question, because: "the sign-in brings no refresh token")
            }
            return .none
        }
        let unfit = try refresh(session, with: Self.madeUp)
        unknownRefusal = unfit.isAccepted == false ? unfit.exchange : nil
        let old = (access: session.access, refresh: session.refresh)
        let first = try refresh(session)
        guard first.pair != nil else {
            tokens.early = ProbedRefusal(first.exchange)
            note(
                .early, "refused: \(client.answer(first.exchange))",
                [first.evidence, unfit.evidence])
            return .tooEarly
        }
        tokens.refusesEarly = false
        note(.early, "accepted while the access token is valid", [first.evidence])
        noteRotation(first, old.refresh)
        try askOldAccess(old.access, of: session)
        try askOtherSession(session)
        return .works
    }

    func noteRotation(_ refresh: ProbedRefresh, _ old: String) {
        let new = refresh.pair?.refresh
        let isNew = new != nil && new != old
        tokens.isRotating = isNew
        let kept = new == nil ? "a refresh brings no new one" : "a refresh brings the same"
        note(
            .rotation, isNew ? "each refresh brings a new one" : "none: \(kept)",
            [refresh.evidence])
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

    private func askOtherSession(_ first: ProbeSession) throws(ProbeEnd) {
        // Of one account, however many there are.
        guard let other = try signInAgain() else { return }
        let old = try refresh(first)
        guard let isAccepted = old.isAccepted else { return }
        hasOneSession = !isAccepted
        note(
            .otherSession,
            isAccepted ? "goes on after another sign-in" : "ended by another sign-in",
            [other, old.evidence])
    }

    /// Signs the first session's account in again; `nil` where that has to be another's.
    private func signInAgain() throws(ProbeEnd) -> String? {
        guard !hasManyAccounts else {
            unknown(.otherSession, because: "asked with one account only")
            return nil
        }
        return try signIn().evidence
    }
}
