import SquallBackend
import SquallHTTP
import SquallJudge
import SquallKernel

/// Writes, and renewals by a sign-in.
extension LiveJudge {
    /// The server has done what a request asked.
    func wasDone(_ sent: LiveRequest, _ endpoint: Endpoint, of user: LiveUser) {
        let verdict = user.writes.wasDone(
            WriteWatch.Write(sent, isWhole: true), at: simulation.now.nanoseconds,
            openMax: pace.lost)
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

    /// A sign-in has brought tokens: for what, and what became of the session before.
    func signedInAgain(
        _ sent: LiveRequest, _ trace: TokenTrace?, of user: LiveUser, at now: Int64
    ) {
        guard let access = trace?.newAccess, let token = tokens[access] else { return }
        judgeSession(before: user, at: now)
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
        guard user.refreshes(needlessly: isNeedless, at: now, pace) else { return }
        let name = tokens[user.newest]?.name ?? "the token"
        found(.refreshIsNeeded, BrokenPromise.refreshedEarly(name), by: user, [Int(sent.number)])
    }

    /// The session that the account had before was over, or was thrown away.
    private func judgeSession(before user: LiveUser, at now: Int64) {
        guard let latest = withAccount(of: user, \.latest), let old = users[latest], old !== user
        else { return }
        old.followUp.left()
        guard let failed = old.failedRefresh, old.signedOut == nil, old.dead == nil,
            now - failed.at < pace.thrownAway, let refresh = tokens[old.newestRefresh],
            refresh.expiry ?? .max > now
        else { return }
        old.failedRefresh = nil
        found(
            .noFalseSignOut, BrokenPromise.thrownAway(after: failed.status), by: old,
            [failed.request])
    }
}
