import SquallBackend
import SquallHTTP
import SquallJudge
import SquallKernel

extension LiveJudge {
    func judge(
        _ sent: LiveRequest, _ endpoint: Endpoint, of user: LiveUser, after lastSeen: Int64,
        at now: Int64
    ) {
        if endpoint.role == .ordinary {
            let idle = user.open.isEmpty ? sent.sentAt - user.quietSince : 0
            let isDrilled = follower != nil
            report(
                user.calls.overtakes(sent, idle: idle, isDrilled: isDrilled, pace), by: user)
            report(
                user.staleRepeats.sent(sent, quiet: idle, isAlone: user.isAlone, pace), by: user)
        } else {
            user.staleRepeats.isSettled()
        }
        if sent.isRefresh { turnsGoOn(of: user, at: sent.sentAt) }
        let isTurn = sent.isRefresh && user.turns.sent(atOnce: user.crowd, inTurn: user.inTurnMax)
        var breach = user.calls.sent(
            sent, to: endpoint.name, isOrdinary: endpoint.role == .ordinary, isTurn: isTurn,
            atOnceMax: atOnceMax(of: user, endpoint), pace
        ) { users.mayFollow($0, isAtOnce: $1, on: sent.connection, of: user) }
        if sent.isRefresh, user.turns.areTooMany { report(user.calls.wereTries(), by: user) }
        if user.calls.hasGoneOn { seen.insert(.waitersGoOn) }
        // What comes again after the session's end breaks the promise about that.
        if sent.isRefresh, user.dead?.token == sent.refresh { breach?.isArguable = true }
        report(breach, by: user)
        report(user.calls.lost(at: now, after: now - lastSeen, pace), by: user)
        judgeText(sent, endpoint, of: user)
        guard user.number != 0 else { return }
        judgeOwner(sent, endpoint, of: user)
        judgeCrowd(sent, of: user)
        switch endpoint.role {
        case .signIn:
            if user.followUp.isOpen { seen.insert(.expiryIsFollowedUp) }
            user.followUp.renews()
            for other in others(signingInAs: user) { other.signsInAgain(at: now, pace) }
            users.user(onConnection: sent.connection)?.followUp.left()
            return
        case .refresh: judgeRefresh(sent, isTurn: isTurn, of: user, at: now)
        case .ordinary: judgeCall(sent, endpoint, of: user)
        }
        judgeToken(sent, endpoint, of: user)
    }

    /// Reports what were tries of one client, once they are over.
    private func turnsGoOn(of user: LiveUser, at now: Int64) {
        let isRefreshing = user.open.contains(where: \.isRefresh)
        if user.turns.goesOn(at: now, pause: pace.again, isRefreshing: isRefreshing) {
            report(user.calls.wereTries(), by: user)
        }
    }

    /// How many calls to an endpoint may be of screens, or of processes, that know nothing of each
    /// other (LiveInnocenceTests.waitingPods).
    private func atOnceMax(of user: LiveUser, _ endpoint: Endpoint) -> Int {
        guard endpoint.role == .signIn else { return user.atOnceMax }
        let isPool = user.isPool
        let processes = withAccount(of: user) {
            isPool || $0.isClient ? $0.watch.processesMax : 1
        }
        return max(user.atOnceMax, processes ?? 1)
    }

    /// Judges placeholders in the place of tokens, and lost bodies.
    private func judgeText(_ sent: LiveRequest, _ endpoint: Endpoint, of user: LiveUser) {
        if let misuse = sent.misuse {
            found(.issuedTokens, misuse, by: user, [Int(sent.number)])
        }
        guard endpoint.role == .ordinary, LiveCalls.isWrite(sent.request) else { return }
        let write = WriteWatch.Write(sent, isWhole: false)
        guard let (earlier, bytes) = user.writes.sent(write) else { return }
        found(
            .wholeBodies, BrokenPromise.lostBody(endpoint.name, bytes, for: write.bytes), by: user,
            [earlier, Int(sent.number)])
    }

    private func judgeCrowd(_ sent: LiveRequest, of user: LiveUser) {
        let open = user.open.count + 1
        if open > 1 { seen.insert(.boundedWaiters) }
        if open == RaceInvariant.callsMax + 1 {
            arguable(
                .boundedWaiters,
                "\(BrokenPromise.openCalls(open)): right where they share a connection of HTTP/2,"
                    + " on which 100 may be open (RFC 9113 §6.5.2)")
        }
        guard open == Self.openMax + 1 else { return }
        found(.boundedWaiters, BrokenPromise.openCalls(open), by: user, [Int(sent.number)])
    }

    /// As many requests as RFC 9113 §6.5.2 advises for a connection (LiveArguableTests.gallery).
    private static let openMax = 100

    private func judgeOwner(_ sent: LiveRequest, _ endpoint: Endpoint, of user: LiveUser) {
        for case let token? in [tokens[sent.access], tokens[sent.refresh]]
        where users[token.user]?.origin !== user.origin {
            let owner = users[token.user]?.name ?? "another user"
            found(
                .isolation, "\(endpoint.name) went out with \(token.name) of \(owner)", by: user,
                [Int(sent.number)])
        }
        if users.all.count > 2, sent.access != nil { seen.insert(.isolation) }
    }

    /// Judges a token that its app knows to be replaced, or to be of a user who has left.
    private func judgeToken(_ sent: LiveRequest, _ endpoint: Endpoint, of user: LiveUser) {
        guard let token = tokens[sent.access] ?? tokens[sent.refresh], token.user == user.number
        else { return }
        if let left = user.who.leftAt {
            if user.knew(left.at, at: sent.sentAt), !sent.isSignOut {
                found(
                    .noZombie, "\(endpoint.name) went out with \(token.name) after the sign-out",
                    by: user, [left.request, Int(sent.number)])
            }
        }
        guard endpoint.role == .ordinary, token.kind == .access else { return }
        if token.number > 0, !user.isPool { seen.insert(.noKnownDeadToken) }
        let call = TokenTrace(call: sent.request, shows: nil).call
        guard token.isRefused, let access = sent.access,
            user.sendsAgain(call, with: access, at: sent.sentAt, pace)
        else { return }
        found(
            .noKnownDeadToken, BrokenPromise.sentRefused(token.name), by: user, cause: "refused",
            [Int(sent.number)])
    }

    /// Judges a call without a token.
    ///
    /// An app that shows a token had one for the call that was refused before for want of it; one
    /// that never shows its token again has left without a word.
    private func judgeCall(_ sent: LiveRequest, _ endpoint: Endpoint, of user: LiveUser) {
        guard let access = sent.access else { return }
        user.needless.calls(at: sent.sentAt)
        user.unused.shows(access)
        report(user.retries.sent(sent), by: user)
        guarded.insert(endpoint.number)
        seen.insert(.neverAnonymous)
        user.tokenlessRow = TokenlessRow()
        if sent.request.value(forHTTPHeaderField: "Cookie") != nil { user.sendsCookies = true }
        guard let call = user.tokenless, sent.number > call.request else { return }
        user.tokenless = nil
        guard user.isNamed || !users.isShared(call.connection, beside: user) else { return }
        found(
            .neverAnonymous, "\(call.endpoint) went out without a token", by: user,
            [call.request, Int(sent.number)])
    }

    func ended(
        _ sent: LiveRequest, _ endpoint: Endpoint, _ meaning: AnswerMeaning, _ status: Int?,
        of user: LiveUser, at now: Int64
    ) {
        if status == 401 || status == 403, misplaced(sent) { return }
        if let status { tokenless(sent, endpoint, meaning, status, of: user) }
        switch meaning {
        case .success:
            accepted(sent, of: user)
            user.hasSucceeded(sent, at: now, pace)
            if user.session.hasRefusedCalls(inStep: 0) {
                user.session.succeeded(TokenTrace(call: sent.request, shows: nil).call)
            }
            if user.number != 0, sent.isSignOut { left(user, by: sent, at: now) }
        case .expired: refused(sent, endpoint, of: user, at: now)
        case .signedOut:
            user.who.ended(at: (now, Int(sent.number)))
            sessionEnded(of: user, at: now)
        case .refused, .failure, .none:
            if let status, [401, 403].contains(status), sent.access == user.newest {
                user.otherRefusal = (sent.access, status, now)
            }
            if adoptsUnknownTokens, status == 403 {
                summary.refusedLate += user.lateRefusals.refused(sent, at: now)
            }
        }
    }

    /// Notes a refused call that shows its user's token where the service does not look for it, so
    /// that no refresh helps (LiveArguableTests.misplaced).
    private func misplaced(_ sent: LiveRequest) -> Bool {
        // A proxy knows a token wherever it stands; one that was issued has an end, as a rule.
        guard !adoptsUnknownTokens, tokens[sent.access]?.life.expiry == nil,
            let (token, place) = tokens.misplaced(in: sent.request), let user = users[token.user]
        else { return false }
        user.isRefused = true
        summary.misplaced += 1
        summary.misplacedAs = place
        arguable(.refreshIsNeeded, BrokenPromise.misplaced(place))
        return true
    }

    /// The server has taken a call's token.
    private func accepted(_ sent: LiveRequest, of user: LiveUser) {
        guard let access = sent.access else { return }
        user.needless.accepted()
        if let token = tokens[access], token.user == user.number {
            if token.number >= user.shownMax {
                user.isFleet = user.isFleet || sent.sentAt > user.olderAt
            } else if sent.sentAt > user.shownMaxAt + pace.queue {
                user.olderAt = min(user.olderAt, sent.sentAt)
            }
        }
        // What a real server refuses may be about something else than the token.
        if adoptsUnknownTokens {
            user.followUp.accepted(access)
            user.lateRefusals.accepted(sent, with: access)
        }
        showed(access, sent, of: user)
    }

    private func left(_ user: LiveUser, by sent: LiveRequest, at now: Int64) {
        seen.insert(.noZombie)
        user.who.left(at: (now, Int(sent.number)))
        user.failedRefresh = nil
        user.calls.signedOut()
        user.staleRepeats.isSettled()
        user.followUp.left()
        sessionEnded(of: user, at: now)
    }

    private func refused(
        _ sent: LiveRequest, _ endpoint: Endpoint, of user: LiveUser, at now: Int64
    ) {
        guard user.number != 0 else { return }
        // Where the server still takes the token, another page of the app may have kept it.
        if sent.isOutdated, let token = tokens[sent.access] {
            let text = BrokenPromise.sentReplaced(token.name)
            let age = sent.sentAt - (user.refreshedAt ?? sent.sentAt)
            if age <= reuseWindow ?? -1 {
                arguable(.noKnownDeadToken, text + BrokenPromise.otherPage)
            } else {
                foundOfOne(.noKnownDeadToken, text, by: user, [Int(sent.number)])
            }
        }
        var refusal = SessionExpiry.RefusedRequest(
            handedOverAt: Int64(sent.moment), access: sent.access)
        refusal.call = TokenTrace(call: sent.request, shows: nil).call
        let position = nextMoment()
        keeps(sent.access, user)
        // A client that loops refreshes at once where its call is refused again.
        if user.wasRefused(refusal.call, sent, at: position, now, pace) {
            user.session.succeeded(refusal.call)
        }
        switch user.session.refused(refusal, at: Int64(position)) {
        case .first: summary.expiries += 1
        case .late: seen.insert(.staleRefusal)
        case .further: break
        }
        tokens.refused(sent.access)
        (user.refusedAt, user.refusedToken) = (now, sent.access)
        if sent.access == user.newest { user.isRefused = true }
        turnsGoOn(of: user, at: now)
        user.turns.refused()
        if !user.open.contains(where: \.isRefresh) {
            user.backoff.refused(sentAt: sent.sentAt, at: now, grace: pace.grace)
        }
        if user.who.leftAt == nil {
            user.calls.wasRefused(sent, by: endpoint.name, at: now)
            let isRepeated =
                !sent.isOutdated && !user.mayLackTokens && !user.isPool
                && user.staleRepeats.refused(
                    sent, by: endpoint.name, at: now, position, grace: pace.grace)
            if isRepeated {
                lookAgain(at: user)
            } else {
                followUp(sent, refusal.call, of: user, at: now)
            }
        }
        if LiveCalls.isWrite(sent.request) {
            user.writes.wasRefused(WriteWatch.Write(sent, isWhole: false))
        }
    }

    /// Of tokens that were brought at once an app has kept the one that it shows, which need not be
    /// the newest: its refusal is no late one (LiveJudgeTests.keepsSibling).
    private func keeps(_ access: TokenNumber?, _ user: LiveUser) {
        guard let token = tokens[access], token.user == user.number, !token.isRefused,
            let newest = tokens[user.newest], !newest.isRefused, access != user.newest,
            token.number >= newest.siblings
        else { return }
        user.newest = access
        user.session.got(access: access, refresh: nil, for: nil)
    }

    /// Judges a client that does nothing about a token that is refused again and again.
    private func followUp(
        _ sent: LiveRequest, _ call: UInt64, of user: LiveUser, at now: Int64
    ) {
        guard let access = sent.access, let token = tokens[access], token.user == user.number,
            user.isPool || token.number >= user.shownMax
        else { return }
        showed(access, sent, of: user)
        let isRenewed = withAccount(of: user) {
            $0.watch.refused(access, sentAt: sent.sentAt, at: now)
        }
        if isRenewed == true { return }
        if user.refusedSends.count >= 32 { user.refusedSends.removeFirst() }
        user.refusedSends.append((call, access, now, sent.connection))
        let requests = user.followUp.refused(
            access, Int(sent.number), sentAt: sent.sentAt, patience: patience, at: now)
        guard let requests else { return }
        let lines = timeline(of: user, from: requests)
        let isFound = { [self] in
            found(
                .expiryIsFollowedUp, BrokenPromise.nothingRefreshed(token.name), by: user,
                cause: token.name, timeline: lines, requests)
        }
        // A drill ends tokens before their stated end: who looks at the clock cannot know.
        if follower == nil { isFound() } else { heldBack.append(isFound) }
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
        case .status(let status):
            // A refusal of a call is about its token or its user; that of a refresh is its failure.
            hasFailed =
                meaning == .failure || status == 429 || sent.isRefresh && meaning != .success
        case .error(let code): hasFailed = code != .cancelled
        case .neverEnded: return
        }
        if meaning != .success, meaning != .expired { user.calls.mayComeAgain(sent) }
        guard hasFailed else {
            if meaning == .success, !sent.isRefresh { user.retries.succeeded(sent, now, pace) }
            return user.calls.hasSucceeded(sent)
        }
        seen.insert(.pausedRetries)
        user.calls.hasFailed(sent, at: now)
        if !sent.isRefresh { user.retries.failed(sent, at: now) }
    }

    func read(_ arrival: LiveReading.Arrival, by user: LiveUser) {
        guard user.number != 0 else { return }
        if !arrival.page.isFirst { seen.insert(.wholeList) }
        report(user.reading.read(arrival, pause: pace.grace), by: user)
    }

    /// Looks at a user's calls that came again with an old token once nothing more has come of it.
    private func lookAgain(at user: LiveUser) {
        guard let looksAgain else { return }
        let span = user.isAlone ? pace.grace : pace.idle
        simulation.schedule(
            looksAgain, argument: user.number, at: simulation.now.advanced(byNanoseconds: span))
    }

    func looksAgain(at number: UInt64) {
        guard let user = users[number], let since = user.staleRepeats.since else { return }
        let now = simulation.now.nanoseconds
        let quiet = user.open.isEmpty ? now - user.quietSince : 0
        guard quiet >= (user.isAlone ? pace.grace : pace.idle) || now >= since + pace.comeback
        else { return lookAgain(at: user) }
        report(user.staleRepeats.ended(isAlone: user.isAlone), by: user)
    }

    func report(_ found: StaleRepeats.Repeat?, by user: LiveUser) {
        guard let found else { return }
        let text = BrokenPromise.repeatedWithOld(
            found.call, tokens[found.token]?.name ?? "its token", isLate: found.isLate)
        report(
            LiveCalls.Breach(
                promise: .noKnownDeadToken,
                text: text + (found.isArguable ? BrokenPromise.byAnother : ""),
                requests: found.requests, isArguable: found.isArguable,
                cause: found.isLate ? "repeated" : "at once"), by: user)
    }

    func report(_ breach: LiveCalls.Breach?, by user: LiveUser) {
        guard let breach else { return }
        guard !breach.isArguable else { return arguable(breach.promise, breach.text) }
        found(
            breach.promise, breach.text, by: user, cause: breach.cause,
            breach.requests.map { Int($0) })
    }

    func report(_ reuses: [ReuseWatch.Reuse], by user: LiveUser) {
        guard let reuse = reuses.first else { return }
        let name = tokens.token(atPlace: reuse.shows, of: user)?.name ?? "a refresh token"
        let text = BrokenPromise.reused(name, isAfter: reuse.isAfter)
        // Another tab, which cannot know yet: LiveArguableTests.replayed, replayedLater.
        if user.reuses(reuses) == 1, reuse.pause ?? 0 <= reuseWindow ?? -1 {
            return arguable(.noReuse, text + BrokenPromise.replayed)
        }
        found(
            .noReuse, text, by: user,
            cause: reuse.isAfter ? "after" : "at once",
            user.refreshes(at: reuse.earlier, reuse.later))
    }
}
