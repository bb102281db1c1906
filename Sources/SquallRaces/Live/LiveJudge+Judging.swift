import SquallBackend
import SquallHTTP
import SquallKernel

/// What a request breaks when it comes, and when it ends.
extension LiveJudge {
    func judge(
        _ sent: LiveRequest, _ endpoint: Endpoint, of user: LiveUser, after lastSeen: Int64,
        at now: Int64
    ) {
        let breach = user.calls.sent(
            sent, to: endpoint.name, isOrdinary: endpoint.role == .ordinary,
            atOnceMax: user.atOnceMax, pace
        ) { users.mayFollow($0, isAtOnce: $1, on: sent.connection, of: user) }
        report(breach, by: user)
        report(user.calls.lost(at: now, after: now - lastSeen, pace), by: user)
        guard user.number != 0 else { return }
        judgeOwner(sent, endpoint, of: user)
        if user.open.count == RaceInvariant.callsMax {
            found(
                .boundedWaiters, BrokenPromise.openCalls(user.open.count + 1), by: user,
                [Int(sent.number)])
        }
        if !user.open.isEmpty { seen.insert(.boundedWaiters) }
        switch endpoint.role {
        case .signIn: return
        case .refresh: judgeRefresh(sent, of: user)
        case .ordinary: judgeCall(sent, endpoint, of: user)
        }
        judgeToken(sent, endpoint, of: user)
    }

    private func judgeOwner(_ sent: LiveRequest, _ endpoint: Endpoint, of user: LiveUser) {
        for case let token? in [tokens[sent.access], tokens[sent.refresh]]
        where token.user != user.number {
            let owner = users[token.user]?.name ?? "another user"
            found(
                .isolation, "\(endpoint.name) went out with \(token.name) of \(owner)", by: user,
                [Int(sent.number)])
        }
        if users.all.count > 2, sent.access != nil { seen.insert(.isolation) }
    }

    /// A token that its app knows to be replaced, or to be of a user who has left.
    private func judgeToken(_ sent: LiveRequest, _ endpoint: Endpoint, of user: LiveUser) {
        guard let token = tokens[sent.access] ?? tokens[sent.refresh], token.user == user.number
        else { return }
        if let left = user.signedOut {
            seen.insert(.noZombie)
            if user.knew(left.at, at: sent.sentAt, pace), !isSignOut(endpoint.name) {
                found(
                    .noZombie, "\(endpoint.name) went out with \(token.name) after the sign-out",
                    by: user, [left.request, Int(sent.number)])
            }
        }
        guard endpoint.role == .ordinary, token.kind == .access else { return }
        if token.number > 0 || user.refreshedAt != nil { seen.insert(.noKnownDeadToken) }
    }

    /// An app that shows a token had one for the call that was refused before for want of it; one
    /// that never shows its token again has left without a word.
    private func judgeCall(_ sent: LiveRequest, _ endpoint: Endpoint, of user: LiveUser) {
        guard sent.access != nil else { return }
        guarded.insert(endpoint.number)
        seen.insert(.neverAnonymous)
        guard let call = user.tokenless, sent.number > call.request else { return }
        user.tokenless = nil
        guard user.isNamed || !users.isShared(call.connection, beside: user) else { return }
        found(
            .neverAnonymous, "\(call.endpoint) went out without a token", by: user,
            [call.request, Int(sent.number)])
    }

    private func judgeRefresh(_ sent: LiveRequest, of user: LiveUser) {
        user.sends(sent)
        // It may have had no token: a page that was loaded anew has none.
        user.tokenless = nil
        seen.formUnion([.noRefreshLoop, .singleFlight, .staleRefusal])
        if let ended = user.endedAt {
            seen.insert(.oneSignOut)
            if user.knew(ended, at: sent.sentAt, pace), user.isSessionOver {
                found(.oneSignOut, BrokenPromise.refreshedWhenOver, by: user, [Int(sent.number)])
            }
        }
        if let shown = tokens[sent.refresh] {
            seen.insert(.noReuse)
            let reuses = user.reuse.sent(at: sent.moment, shows: shown.place)
            if !user.mayLackTokens { report(reuses, by: user) }
        }
        let token = tokens[sent.access ?? user.newest]
        guard let token, token.expiry != nil else { return }
        seen.insert(.refreshIsNeeded)
        if !token.isRefused, !sent.isPrompted, !token.isDue(at: sent.sentAt),
            user.refusedAt ?? 0 <= user.refreshedAt ?? 0, !user.isRefused,
            sent.access != nil || user.refreshesUnasked(at: sent.sentAt, pace)
        {
            found(
                .refreshIsNeeded, BrokenPromise.refreshedEarly(token.name), by: user,
                [Int(sent.number)])
        }
    }

    func ended(
        _ sent: LiveRequest, _ endpoint: Endpoint, _ meaning: AnswerMeaning, _ status: Int?,
        of user: LiveUser, at now: Int64
    ) {
        if sent.isTokenless, meaning == .expired || meaning == .refused || meaning == .signedOut {
            user.tokenless = (endpoint.name, Int(sent.number), sent.connection)
        }
        switch meaning {
        case .success:
            user.calls.writeWasAnswered(sent.number, at: now)
            if user.session.hasRefusedCalls(inStep: 0) {
                user.session.succeeded(TokenTrace(call: sent.request, shows: nil).call)
            }
            if user.number != 0, isSignOut(endpoint.name) {
                user.signedOut = (now, Int(sent.number))
                user.calls.signedOut()
            }
        case .expired: refused(sent, endpoint, of: user, at: now)
        case .signedOut: user.endedAt = user.endedAt ?? now
        case .refused, .failure, .none: break
        }
    }

    private func refused(
        _ sent: LiveRequest, _ endpoint: Endpoint, of user: LiveUser, at now: Int64
    ) {
        guard user.number != 0 else { return }
        // Where the server still takes the token, another page of the app may have kept it.
        if sent.isOutdated, let token = tokens[sent.access] {
            found(
                .noKnownDeadToken, BrokenPromise.sentReplaced(token.name), by: user,
                [Int(sent.number)])
        }
        var refusal = SessionExpiry.RefusedRequest(
            handedOverAt: Int64(sent.moment), access: sent.access)
        refusal.call = TokenTrace(call: sent.request, shows: nil).call
        let position = nextMoment()
        // A client that loops refreshes at once where its call is refused again.
        if user.wasRefused(refusal.call, sent, at: position) {
            user.session.succeeded(refusal.call)
        }
        if case .first = user.session.refused(refusal, at: Int64(position)) {
            summary.expiries += 1
        }
        tokens.refused(sent.access)
        (user.refusedAt, user.refusedToken) = (now, sent.access)
        if sent.access == user.newest { user.isRefused = true }
        if user.signedOut == nil {
            user.calls.wasRefused(sent.request, sent.number, by: endpoint.name, at: now)
        }
        seen.insert(.waitersGoOn)
    }

    func refreshEnded(
        _ sent: LiveRequest, _ meaning: AnswerMeaning, _ status: Int?, _ trace: TokenTrace?,
        of user: LiveUser, at now: Int64
    ) {
        summary.refreshes += 1
        var refresh = SessionExpiry.EndedRefresh(
            handedOverAt: Int64(sent.moment), isPrompted: sent.isPrompted, meaning)
        (refresh.access, refresh.refresh) = (sent.access, sent.refresh)
        let position = nextMoment()
        // When a user of a real app tries again is not known: only refreshes that bring a token
        // and change nothing are a loop.
        if meaning != .success { user.session.callsFailed() }
        let (reason, loops) = user.session.ended(refresh, at: Int64(position))
        summary.loops += Int(loops.calls)
        if reason.isRedundant, !user.mayLackTokens { summary.redundantRefreshes += 1 }
        let end = RefreshWatch.Refresh(
            sentIndex: sent.moment, endedIndex: position, replaces: sent.replaces,
            hasSucceeded: meaning == .success, reason: reason)
        // What a lost response would have brought never reached its client.
        let hasCome = status != nil && trace?.newRefresh != sent.refresh
        judgeEnd(end, sent, hasSuccessor: hasCome && trace?.newRefresh != nil, of: user)
        if status == 409 {
            let name = tokens.name(ofPlace: sent.replaces, of: user)
            found(
                .noEarlyRefresh, BrokenPromise.stillAccepted(name), by: user, [Int(sent.number)])
        }
        if loops.longest > 0 {
            found(
                .noRefreshLoop, BrokenPromise.loops(Int(loops.longest)), by: user,
                [Int(sent.number)])
        }
        seen.insert(.noEarlyRefresh)
        switch meaning {
        case .success:
            summary.refreshesSucceeded += 1
            got(trace, for: sent.refresh, by: user, at: now)
            (user.refreshedOn, user.mayLackTokens) = (sent.connection, false)
        case .signedOut:
            user.endedAt = user.endedAt ?? now
            user.isSessionOver = true
        default: break
        }
    }

    private func judgeEnd(
        _ end: RefreshWatch.Refresh, _ sent: LiveRequest, hasSuccessor: Bool, of user: LiveUser
    ) {
        // A refresh that carries no access token is for the one whose refusal prompted it.
        let refused = sent.access == nil && sent.isPrompted ? tokens[user.refusedToken] : nil
        let name = refused?.name ?? tokens.name(ofPlace: sent.replaces, of: user)
        let other = user.singleFlight.ended(end)
        if user.mayLackTokens {
            // The refresh that brought them does not count.
        } else if let other {
            found(
                .singleFlight, BrokenPromise.refreshedTwice(name), by: user,
                user.refreshes(at: other.sentIndex, end.sentIndex))
        } else if end.reason == .late {
            let refused = tokens[user.refusedToken]?.name ?? "an older token"
            found(
                .staleRefusal, BrokenPromise.refreshedLate(name, refused: refused), by: user,
                [Int(sent.number)])
        }
        guard let shown = tokens[sent.refresh]?.place else { return }
        let reuses = user.reuse.ended(
            sent.moment, shows: shown, hasSuccessor: hasSuccessor, isAnswered: true,
            at: end.endedIndex)
        if !user.mayLackTokens { report(reuses, by: user) }
    }

    func signInEnded(_ meaning: AnswerMeaning, _ trace: TokenTrace?, of user: LiveUser) {
        guard meaning == .success else { return }
        summary.signIns += 1
        user.session.signedIn(at: Int64(nextMoment()))
        (user.signedOut, user.endedAt, user.tokenless) = (nil, nil, nil)
        user.isSessionOver = false
        user.calls.signedOut()
        got(trace, for: nil, by: user, at: simulation.now.nanoseconds)
        user.mayLackTokens = false
    }

    /// New tokens are on their way to the user's app.
    private func got(
        _ trace: TokenTrace?, for shown: TokenNumber?, by user: LiveUser, at now: Int64
    ) {
        user.session.got(access: trace?.newAccess, refresh: trace?.newRefresh, for: shown)
        user.refreshedAt = now
        user.isRefused = false
        user.calls.refreshed(at: now)
        guard let access = trace?.newAccess, let token = tokens[access] else { return }
        user.newest = access
        if user.pending.count >= 8 { user.pending.removeFirst() }
        user.pending.append((access, token.number, now, nil))
    }
}

/// Calls and pages.
extension LiveJudge {
    func noteFailure(
        _ sent: LiveRequest, _ outcome: ExchangeRecord.Outcome, _ meaning: AnswerMeaning,
        of user: LiveUser, at now: Int64
    ) {
        let hasFailed: Bool
        switch outcome {
        case .status(let status): hasFailed = meaning == .failure || status == 429
        case .error(let code): hasFailed = code != .cancelled
        case .neverEnded: return
        }
        if meaning != .success, meaning != .expired { user.calls.mayComeAgain(sent) }
        guard hasFailed else { return user.calls.hasSucceeded(sent.request) }
        seen.insert(.pausedRetries)
        user.calls.hasFailed(sent, at: now)
    }

    func read(_ page: ListPage, _ sent: LiveRequest, by user: LiveUser) {
        guard user.number != 0 else { return }
        if !page.isFirst { seen.insert(.wholeList) }
        guard let wrong = user.reading.read(page, sent.number) else { return }
        found(
            .wholeList, wrong.text, by: user, cause: wrong.requests.count == 1 ? "gap" : "twice",
            wrong.requests.map { Int($0) })
    }

    func report(_ breach: LiveCalls.Breach?, by user: LiveUser) {
        guard let breach else { return }
        found(breach.promise, breach.text, by: user, breach.requests.map { Int($0) })
    }

    func report(_ reuses: [ReuseWatch.Reuse], by user: LiveUser) {
        guard let reuse = reuses.first else { return }
        let name =
            user.tokens.lazy.compactMap { self.tokens[$0] }
            .first { $0.place == reuse.shows }?.name ?? "a refresh token"
        found(
            .noReuse, BrokenPromise.reused(name, isAfter: reuse.isAfter), by: user,
            cause: reuse.isAfter ? "after" : "at once",
            user.refreshes(at: reuse.earlier, reuse.later))
    }
}
