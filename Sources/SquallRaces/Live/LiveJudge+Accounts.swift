import SquallBackend
import SquallHTTP
import SquallJudge
import SquallKernel

/// Writes, and renewals by a sign-in.
extension LiveJudge {
    /// The server has done what a request asked.
    func wasDone(
        _ sent: LiveRequest, _ endpoint: Endpoint, leftAt: Int64?, of user: LiveUser
    ) {
        let verdict = user.writes.wasDone(
            WriteWatch.Write(sent, isWhole: true), leftAt: leftAt,
            at: simulation.now.nanoseconds, openMax: pace.lost)
        guard let verdict else { return }
        seen.insert(.writesOnce)
        switch verdict {
        case .repeatedSafely: break
        case .doneTwice where user.calls.isPoll(sent):
            // LiveRhythmTests.heartbeat.
            arguable(
                .writesOnce, BrokenPromise.writtenTwice(endpoint.name) + BrokenPromise.atItsPace)
        case .doneTwice(let earlier):
            found(
                .writesOnce, BrokenPromise.writtenTwice(endpoint.name), by: user,
                [earlier, Int(sent.number)])
        case .otherKey(let earlier):
            found(
                .writesOnce, BrokenPromise.writtenWithOtherKey(endpoint.name), by: user,
                [earlier, Int(sent.number)])
        case .unclear: arguable(.writesOnce, BrokenPromise.maybeWritten(endpoint.name))
        }
    }

    /// A write has ended for its client, which may have gone while the server was at it.
    func writeEnded(_ sent: LiveRequest, _ status: Int?, of user: LiveUser, at now: Int64) {
        if user.writes.ended(Int(sent.number), isAnswered: status != nil, at: now) {
            seen.insert(.writesOnce)
        } else if status == nil {
            user.leaves(sent, at: now)
        }
    }

    /// The users of an account who may be the one that signs in to it again
    /// (LiveInnocenceTests.triesToSignIn).
    func others(signingInAs user: LiveUser) -> [LiveUser] {
        let recent = withAccount(of: user, \.recent) ?? []
        return recent.compactMap { $0 == user.number ? nil : users[$0] }
    }

    /// A sign-in has brought tokens: judges the session before, and finds what the sign-in was for.
    func signedInAgain(
        _ sent: LiveRequest, _ trace: TokenTrace?, of user: LiveUser, at now: Int64
    ) {
        guard let access = trace?.newAccess, let token = tokens[access] else { return }
        judgeSession(before: user, sent, at: now)
        let pace = pace.account
        let unused = withAccount(of: user) { $0.watch.leftUnused(at: sent.sentAt, pace: pace) } ?? 0
        if unused >= Self.unusedMax {
            arguable(.refreshIsNeeded, BrokenPromise.signedInForEach(unused))
        }
        let reason = withAccount(of: user) { account in
            account.latest = user.number
            return account.watch.brought(
                access, expiry: token.life.expiry, sentAt: sent.sentAt, source: sent.connection,
                pace: pace, at: now)
        }
        user.signedIn(by: sent, with: access)
        guard let reason, reason != .first else { return }
        if user.isPool {
            summary.refreshes += 1
            summary.refreshesSucceeded += 1
        }
        renewed(for: reason, with: access, by: sent, of: user)
    }

    /// The server has taken a call's token, or has refused it.
    func showed(_ access: TokenNumber, _ sent: LiveRequest, of user: LiveUser) {
        let pace = pace.account
        let reason = withAccount(of: user) {
            $0.watch.shown(access, on: sent.connection, sentAt: sent.sentAt, pace: pace)
        }
        if let reason = reason ?? nil { renewed(for: reason, with: access, by: sent, of: user) }
    }

    /// A user's token is of no use any more, or cannot be renewed now: a sign-in has a reason.
    func sessionEnded(of user: LiveUser, at now: Int64) {
        guard let newest = user.newest else { return }
        withAccount(of: user) { $0.watch.refused(newest, at: now) }
    }

    /// A sign-in was made for a reason that its own request shows, or the first call with what it
    /// brought.
    private func renewed(
        for reason: AccountWatch<TokenNumber>.Reason, with new: TokenNumber,
        by sent: LiveRequest, of user: LiveUser
    ) {
        var times: (needless: Int, isClient: Bool)?
        if case .needless = reason {
            times = withAccount(of: user) { ($0.isNeedless(), $0.isClient) }
        } else if reason != .first {
            withAccount(of: user) { $0.needless = 0 }
        }
        if reason != .first { seen.formUnion([.singleFlight, .refreshIsNeeded]) }
        switch reason {
        case .first: break
        case .expiry(let old):
            user.signIn(with: new, replaces: old)
            tokens[old].flatMap { users[$0.user] }?.followUp.left()
        case .again(let old):
            seen.insert(.singleFlight)
            summary.redundantRefreshes += 1
            let owner = tokens[old].flatMap { users[$0.user] } ?? user
            let name = tokens[old]?.name ?? "a token"
            found(
                .singleFlight, BrokenPromise.signedInTwice(name), by: owner, cause: "grant",
                owner === user ? user.signIns(with: new, replacing: old) : [])
        case .needless(let old):
            guard let times, times.needless >= Self.signInsMax else { return }
            guard times.isClient, times.needless >= Self.renewalsMax else {
                return arguable(.refreshIsNeeded, BrokenPromise.signedInOften(times.needless))
            }
            let name = tokens[old]?.name ?? "the token"
            found(
                .refreshIsNeeded, BrokenPromise.refreshedEarly(name), by: user,
                [Int(sent.number)])
        }
    }

    /// So many sign-ins of one process, each although the token was good, are no user's; more of
    /// them are no row of processes that begin (LiveArguableTests.signsInAlways).
    private static let (signInsMax, renewalsMax) = (3, 5)
    /// So many good tokens of an account that are left after one use are no few jobs
    /// (LiveArguableTests.signsInForEach).
    private static let unusedMax = 5

    /// Notes that a renewal has succeeded; it may be one of several without a reason.
    func judgeNeed(
        _ isNeedless: Bool, _ sent: LiveRequest, _ name: String, life: TokenLife?,
        of user: LiveUser, at now: Int64
    ) {
        if isNeedless, let token = tokens[user.newest],
            sent.sentAt - token.life.issuedAt < pace.prompt, user.unused.replaced(user.newest)
        {
            arguable(.refreshIsNeeded, BrokenPromise.refreshedUnused)
        }
        // A 403 makes a page do other things, too.
        let other = user.otherRefusal.flatMap { refusal in
            let isReason = refusal.status == 401 || sent.sentAt - refusal.at < pace.again
            return refusal.token == user.newest && isReason ? refusal.status : nil
        }
        guard
            let row = user.needless.refreshed(
                sent, needlessly: isNeedless, forRefusal: other != nil, at: now, pace)
        else { return }
        let text = BrokenPromise.refreshedEarly(name, after: other)
        // A client cannot know that, and a person, or whoever plays one in a drill, may call again:
        // LiveArguableTests.otherRefusals.
        if other == 401, follower != nil || !row.isQuick {
            return arguable(.refreshIsNeeded, BrokenPromise.refreshedForEach(text))
        }
        if other == nil, let pause = row.pause, let span = life?.span {
            let text = BrokenPromise.refreshedByTimer(name, pause: pause, life: span)
            return found(
                .refreshIsNeeded, text, by: user, cause: "timer", [Int(sent.number)])
        }
        // A page of one call cannot be told from a client that refreshes before each call; one of
        // more calls can: LiveArguableTests.loadedAnew.
        guard row.calls <= 1 || other != nil else {
            return arguable(.refreshIsNeeded, BrokenPromise.loadedAnew(text, row.calls))
        }
        let age = life.flatMap { life in
            life.span.map { BrokenPromise.age(sent.sentAt - life.issuedAt, of: $0) }
        }
        found(
            .refreshIsNeeded, text + (other == nil ? age ?? "" : ""), by: user,
            [Int(sent.number)])
    }

    /// The session that the account had before was over, or was thrown away.
    private func judgeSession(before user: LiveUser, _ sent: LiveRequest, at now: Int64) {
        guard let latest = withAccount(of: user, \.latest), let old = users[latest], old !== user
        else { return }
        if old.followUp.isOpen { seen.insert(.expiryIsFollowedUp) }
        old.followUp.left()
        guard let failed = old.failedRefresh, old.who.leftAt == nil, old.dead == nil,
            failed.isLeft || now - failed.at < pace.thrownAway,
            let refresh = tokens[old.newestRefresh],
            refresh.life.expiry ?? .max > now
        else { return }
        old.failedRefresh = nil
        found(
            .noFalseSignOut, BrokenPromise.thrownAway(after: failed.status), by: old,
            [failed.request])
    }
}

extension LiveJudge {
    /// Notes an event for which a right client may be the cause, too.
    func arguable(_ promise: RaceInvariant, _ why: String) {
        arguable[promise.id] = arguable[promise.id] ?? why
        doubts[promise.id] = doubts[promise.id] ?? why
    }

    /// Notes what one process may not do, and several that know nothing of each other may.
    func foundOfOne(
        _ promise: RaceInvariant, _ text: String, by user: LiveUser, _ requests: [Int]
    ) {
        guard user.isFleet else { return found(promise, text, by: user, requests) }
        arguable(promise, text + BrokenPromise.byProcesses)
    }

    /// Ends the wait for what a drill's client does about its token: what was held back is
    /// found, or was no fault.
    func release(asFound: Bool) {
        let held = heldBack
        heldBack = []
        if asFound { for isFound in held { isFound() } }
    }
}
