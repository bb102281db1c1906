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

    /// A sign-in has brought tokens: judges the session before, and finds what the sign-in was for.
    func signedInAgain(
        _ sent: LiveRequest, _ trace: TokenTrace?, of user: LiveUser, at now: Int64
    ) {
        guard let access = trace?.newAccess, let token = tokens[access] else { return }
        judgeSession(before: user, sent, at: now)
        let reason = withAccount(of: user) { account in
            account.latest = user.number
            return account.watch.brought(
                access, expiry: token.expiry, sentAt: sent.sentAt, source: sent.connection,
                pause: pace.grace, at: now)
        }
        switch reason {
        case .expiry: if user.isPool { renewed(user, needlessly: false, sent, at: now) }
        case .again(let old):
            seen.insert(.singleFlight)
            summary.redundantRefreshes += 1
            if user.isPool { renewed(user, needlessly: false, sent, at: now) }
            found(
                .singleFlight, BrokenPromise.refreshedTwice(tokens[old]?.name ?? "a token"),
                by: user, cause: "grant", [Int(sent.number)])
        case .needless: if user.isPool { renewed(user, needlessly: true, sent, at: now) }
        case .first, nil: break
        }
    }

    /// A client of the service has renewed its token by another grant than a refresh token.
    private func renewed(
        _ user: LiveUser, needlessly isNeedless: Bool, _ sent: LiveRequest, at now: Int64
    ) {
        summary.refreshes += 1
        summary.refreshesSucceeded += 1
        seen.formUnion([.singleFlight, .refreshIsNeeded])
        judgeNeed(isNeedless, sent, tokens[user.newest]?.name ?? "the token", of: user, at: now)
    }

    /// Notes that a renewal has succeeded; it may be one of several without a reason.
    func judgeNeed(
        _ isNeedless: Bool, _ sent: LiveRequest, _ name: String, of user: LiveUser, at now: Int64
    ) {
        guard let calls = user.refreshes(needlessly: isNeedless, at: now, pace) else { return }
        let other = user.otherRefusal.flatMap { $0.token == user.newest ? $0.status : nil }
        let text = BrokenPromise.refreshedEarly(name, after: other)
        // A page of one call cannot be told from a client that refreshes before each call.
        guard calls <= 1 || other != nil else {
            return arguable(.refreshIsNeeded, BrokenPromise.loadedAnew(text, calls))
        }
        found(.refreshIsNeeded, text, by: user, [Int(sent.number)])
    }

    /// The session that the account had before was over, or was thrown away.
    private func judgeSession(before user: LiveUser, _ sent: LiveRequest, at now: Int64) {
        guard let latest = withAccount(of: user, \.latest), let old = users[latest], old !== user
        else { return }
        if old.followUp.isOpen { seen.insert(.expiryIsFollowedUp) }
        old.followUp.left()
        judgeNeed(ofSignIn: sent, after: old, of: user)
        guard let failed = old.failedRefresh, old.signedOut == nil, old.dead == nil,
            now - failed.at < pace.thrownAway, let refresh = tokens[old.newestRefresh],
            refresh.expiry ?? .max > now
        else { return }
        old.failedRefresh = nil
        found(
            .noFalseSignOut, BrokenPromise.thrownAway(after: failed.status), by: old,
            [failed.request])
    }

    /// Judges a sign-in: again and again on one connection, although the token is good, it is
    /// needless.
    private func judgeNeed(ofSignIn sent: LiveRequest, after old: LiveUser, of user: LiveUser) {
        let isGood = tokens[old.newest].map {
            $0.expiry != nil && !$0.isRefused && !$0.isDue(at: sent.sentAt)
        }
        let isNeedless =
            isGood == true && old.signedOut == nil && old.endedAt == nil
            && old.failedRefresh == nil && old.source.connection == sent.connection
        let times = withAccount(of: user) { account in
            account.needless = isNeedless ? account.needless + 1 : 0
            return account.needless
        }
        guard let times, times >= Self.signInsMax else { return }
        arguable(.refreshIsNeeded, BrokenPromise.signedInOften(times))
    }

    /// So many sign-ins over one connection, each although the token was good, are no user's.
    private static let signInsMax = 3
}
