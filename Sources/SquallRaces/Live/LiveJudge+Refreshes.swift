import SquallBackend
import SquallJudge
import SquallKernel

extension LiveJudge {
    func judgeRefresh(_ sent: LiveRequest, isTurn: Bool, of user: LiveUser, at now: Int64) {
        user.sends(sent)
        // It may have had no token: a page that was loaded anew has none.
        (user.tokenless, user.tokenlessRow) = (nil, TokenlessRow())
        if user.followUp.isOpen { seen.insert(.expiryIsFollowedUp) }
        user.followUp.renews()
        if user.calls.hasWaited { user.backoff.ended() }
        let refusedAt = user.refusedAt ?? .min
        let isAsked = user.failedRefresh.map { refusedAt > $0.at } ?? true
        user.backoff.sent(
            at: sent.sentAt, isAsked: isAsked && sent.sentAt < refusedAt + pace.grace,
            turn: isTurn ? pace.again : 0)
        judgeDead(sent, of: user)
        if let shown = tokens[sent.refresh] {
            let reuses = user.reuse.sent(
                at: sent.moment, shows: shown.place, now: sent.sentAt)
            if !user.isExcused { report(reuses, by: user) }
        }
        let token = tokens[sent.access ?? user.newest]
        guard let token else { return }
        if !heldBack.isEmpty, token.isDue(at: sent.sentAt) {
            (heldBack, wasRenewedByClock) = ([], true)
        }
        if token.isRefused || token.isDue(at: sent.sentAt) { seen.insert(.singleFlight) }
        if user.refusedAt != nil { seen.insert(.noRefreshLoop) }
        if token.life.expiry != nil { seen.insert(.refreshIsNeeded) }
    }

    /// Judges a refresh token that comes again after the server has refused it: a waiter may not
    /// know that yet, but not one after the other.
    private func judgeDead(_ sent: LiveRequest, of user: LiveUser) {
        guard let dead = user.dead, dead.token == sent.refresh, sent.sentAt >= dead.at else {
            return
        }
        user.dead?.shows += 1
        guard user.knew(dead.at, at: sent.sentAt) || dead.shows >= 1 else { return }
        found(
            .oneSignOut, BrokenPromise.refreshedWhenOver, by: user,
            [Int(dead.request), Int(sent.number)])
    }

    func refreshEnded(
        _ sent: LiveRequest, _ meaning: AnswerMeaning, _ status: Int?, isGone: Bool,
        _ trace: TokenTrace?, of user: LiveUser, at now: Int64
    ) {
        summary.refreshes += 1
        var refresh = SessionExpiry.EndedRefresh(
            handedOverAt: Int64(sent.moment), isPrompted: sent.isPrompted, RenewalEnding(meaning))
        (refresh.access, refresh.refresh) = (sent.access, sent.refresh)
        let position = nextMoment()
        // When a user of a real app tries again is not known: only refreshes that bring a token
        // and change nothing are a loop.
        if meaning != .success { user.session.callsFailed() }
        let (reason, loops) = user.session.ended(refresh, at: Int64(position))
        summary.loops += Int(loops.calls)
        if reason.isRedundant, !user.mayLackTokens, !user.isFleet {
            summary.redundantRefreshes += 1
        }
        let old = tokens.token(atPlace: sent.replaces, of: user)
        let end = RefreshWatch.Refresh(
            sentIndex: sent.moment, endedIndex: position, replaces: sent.replaces,
            hasSucceeded: meaning == .success, reason: reason,
            isDue: old.map { $0.isRefused || $0.life.isDue(at: sent.sentAt) ?? false })
        // What a lost response would have brought never reached its client.
        let hasCome = status != nil && trace?.newRefresh != sent.refresh
        judgeEnd(end, sent, hasSuccessor: hasCome && trace?.newRefresh != nil, of: user)
        if status == 409 {
            let name = tokens.name(ofPlace: sent.replaces, of: user)
            found(
                .noEarlyRefresh, BrokenPromise.stillAccepted(name), by: user, [Int(sent.number)])
        }
        if meaning == .success, !user.mayLackTokens, !user.isFleet {
            let name = tokens.name(ofPlace: sent.replaces, of: user)
            judgeNeed(sent.isNeedless, sent, name, life: old?.life, of: user, at: now)
        }
        if loops.longest > 0 {
            found(
                .noRefreshLoop, BrokenPromise.loops(Int(loops.longest)), by: user,
                [Int(sent.number)])
        }
        seen.insert(.noEarlyRefresh)
        renewed(sent, meaning, status, isGone: isGone, of: user, at: now)
        guard meaning == .success else { return }
        summary.refreshesSucceeded += 1
        if let old = user.newest {
            let expiry = tokens[trace?.newAccess]?.life.expiry
            withAccount(of: user) {
                $0.watch.exchanged(old, for: trace?.newAccess, expiry: expiry, at: now)
            }
        }
        if status != nil, let old = sent.access ?? user.newest,
            tokens[old]?.place == sent.replaces
        {
            report(
                user.staleRepeats.renewed(old, isAlone: user.isAlone, at: now, position), by: user)
        }
        got(trace, for: sent, by: user, at: now)
        (user.refreshedOn, user.mayLackTokens) = (sent.connection, now <= blindUntil)
    }

    /// The end of a refresh, for its session and for the pauses before the next.
    private func renewed(
        _ sent: LiveRequest, _ meaning: AnswerMeaning, _ status: Int?, isGone: Bool,
        of user: LiveUser, at now: Int64
    ) {
        if meaning == .success {
            user.turns = TurnWatch()
        } else {
            user.turns.failed(at: now)
            user.calls.refreshFailed(sentAt: sent.sentAt)
        }
        switch meaning {
        case .success:
            user.followUp.renewed(.succeeded, at: now)
            user.backoff.ended()
            (user.failedRefresh, user.dead) = (nil, nil)
            user.who.goesOn(at: (now, Int(sent.number)))
            user.refusedSends = []
        case .signedOut:
            user.followUp.renewed(.refused, at: now)
            // What a lost response had replaced is all that its client has:
            // LiveInnocenceTests.answerLost.
            user.failedRefresh = nil
            if user.dead?.token != sent.refresh { user.dead = (sent.refresh, now, sent.number, 0) }
            sessionEnded(of: user, at: now)
            // The refusal of a token that was replaced ends no session, though its client may sign
            // in for that: LiveArguableTests.superseded, LiveUsersTests.signsInAfterStorm.
            guard sent.refresh == nil || sent.refresh == user.newestRefresh else { return }
            seen.insert(.oneSignOut)
            user.backoff.ended()
            user.who.ended(at: (now, Int(sent.number)))
        case .refused where status != 429:
            user.followUp.renewed(.refused, at: now)
            if let status {
                arguable(.oneSignOut, BrokenPromise.refusedOtherwise(status))
            }
        case .refused, .failure, .expired, .none:
            user.followUp.renewed(status == nil ? .lost : .failed, at: now)
            // A client that went away at once may have been ended.
            if status != nil || now - sent.sentAt >= pace.lost || !isGone {
                user.failedRefresh = (status, now, Int(sent.number), false)
            }
            sessionEnded(of: user, at: now)
            seen.insert(.noFalseSignOut)
            if let row = user.backoff.failed(at: now, limit: pace.patient) {
                judge(row, endingWith: sent, of: user)
            }
        }
    }

    /// Judges refreshes that failed at one interval.
    private func judge(
        _ row: BackoffWatch.Row, endingWith sent: LiveRequest, of user: LiveUser
    ) {
        let text = BrokenPromise.refreshedEvenly(row.pause)
        let isQuick = row.pause < pace.load || row.isTimer && row.pause < pace.prompt
        switch (row.isAsked, isQuick) {
        // Refused calls at a person's pace.
        case (true, false): break
        // LiveArguableTests.askedQuickly, inStep.
        case (true, true): arguable(.pausedRetries, text + BrokenPromise.askedByEach)
        // A client by the clock that fails its calls: LiveArguableTests.atUsersPace, besideCalls.
        case (false, false):
            arguable(
                .pausedRetries,
                text + (row.hasCalls ? BrokenPromise.besideCalls : BrokenPromise.atUsersPace))
        case (false, true):
            found(.pausedRetries, text, by: user, cause: "evenly", [Int(sent.number)])
        }
    }

    private func judgeEnd(
        _ end: RefreshWatch.Refresh, _ sent: LiveRequest, hasSuccessor: Bool, of user: LiveUser
    ) {
        // A refresh that carries no access token is for the one whose refusal prompted it.
        let refused = sent.access == nil && sent.isPrompted ? tokens[sent.refused] : nil
        let other = user.singleFlight.ended(end)
        user.redundant = end.reason?.isRedundant == true ? user.redundant + 1 : 0
        let isDead = user.dead.map { $0.token == sent.refresh && $0.at <= sent.sentAt } ?? false
        if user.isExcused || isDead || sent.misuse != nil {
            // The refresh that brought them does not count; one of an ended session is that, and
            // one with no refresh token is told as such.
        } else if let other {
            let first = tokens.name(ofPlace: other.replaces, of: user)
            let text = BrokenPromise.refreshedTwice(
                refused?.name ?? first, isDue: refused != nil || other.isDue != false)
            // The server means it for clients that cannot wait for each other
            // (LiveArguableTests.replayed); a third is a storm.
            if reuseWindow != nil, user.redundant == 1 {
                arguable(.singleFlight, text + BrokenPromise.replayed)
            } else {
                foundOfOne(
                    .singleFlight, text, by: user,
                    user.refreshes(at: other.sentIndex, end.sentIndex))
            }
        } else if end.reason == .late {
            let text = BrokenPromise.refreshedLate(
                tokens[sent.newest]?.name ?? "the token",
                refused: sent.refused == sent.newest
                    ? "an older token" : tokens[sent.refused]?.name ?? "an older token")
            foundOfOne(.staleRefusal, text, by: user, [Int(sent.number)])
        }
        guard let shown = tokens[sent.refresh]?.place else { return }
        let reuses = user.reuse.ended(
            sent.moment, shows: shown, hasSuccessor: hasSuccessor, isAnswered: true,
            at: end.endedIndex, now: simulation.now.nanoseconds)
        if hasSuccessor { seen.insert(.noReuse) }
        if !user.isExcused { report(reuses, by: user) }
    }

    func signInEnded(
        _ sent: LiveRequest, _ meaning: AnswerMeaning, _ trace: TokenTrace?, of user: LiveUser
    ) {
        let now = simulation.now.nanoseconds
        let ending = meaning == .success ? RenewalEnding.succeeded : .failed
        for one in [user] + others(signingInAs: user) { one.followUp.renewed(ending, at: now) }
        guard meaning == .success else { return }
        summary.signIns += 1
        if trace?.newRefresh == nil, user.account != nil { user.isPool = true }
        signedInAgain(sent, trace, of: user, at: now)
        user.session.signedIn(at: Int64(nextMoment()))
        user.who.signedIn(at: (now, Int(sent.number)))
        (user.tokenless, user.dead, user.tokenlessRow) = (nil, nil, TokenlessRow())
        user.failedRefresh = nil
        user.calls.signedOut()
        got(trace, for: sent, by: user, at: now)
        user.mayLackTokens = false
    }

    /// New tokens are on their way to the user's app.
    private func got(
        _ trace: TokenTrace?, for sent: LiveRequest, by user: LiveUser, at now: Int64
    ) {
        user.session.got(access: trace?.newAccess, refresh: trace?.newRefresh, for: sent.refresh)
        user.refreshedAt = now
        user.isRefused = false
        user.calls.refreshed(at: now, pace)
        guard let access = trace?.newAccess, let token = tokens[access] else { return }
        user.newest = access
        tokens.note(access, issuedBefore: sent.issuedBefore)
        if user.pending.count >= 8 { user.pending.removeFirst() }
        user.pending.append((access, min(token.number, sent.issuedBefore), now, nil))
    }
}
