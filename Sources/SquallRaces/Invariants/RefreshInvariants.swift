import SquallBackend
import SquallHTTP
import SquallJudge

extension RaceInvariant {
    /// An expiry is followed by a refresh, or by the end of the session.
    ///
    /// From requests-oauthlib 2.0.0, Authlib 1.9.10, x/oauth2 0.3.0; dorabot #42.
    static let expiryIsFollowedUp = RaceInvariant(
        "L8", "expiryIsFollowedUp",
        "When a token is refused as expired, it is refreshed, or its user signs in again.",
        fix: """
            Refresh when a response rejects the token as expired, and repeat the call with the new \
            one; a clock alone does not see a revocation, nor a server whose clock differs.
            """, needs: [.refusal, .refreshToken]
    ) { rule, history in
        guard history.ending == .still else { return [] }
        // By position and user by user: a hash for each event took 2 % of a schedule.
        var ended = [Int](repeating: -1, count: history.events.count)
        for (place, call) in history.attempts.enumerated() { call.ended.map { ended[$0] = place } }
        return history.users.compactMap { user in
            var watch = FollowUpWatch()
            for index in history.events.indices where history.events[index].user == user {
                watch.hear(at: index, endOf: ended[index], in: history)
            }
            guard let end = watch.unfollowed.first else { return nil }
            return rule.violation(
                "\(history.name(history.events[end].endpoint)) was refused as expired, and nothing"
                    + " was refreshed", user: user, cause: "expiry", events: [end])
        }
    }

    /// At most one refresh per expiry.
    ///
    /// From Alamofire #3297, Auth0.swift #429.
    static let singleFlight = RaceInvariant(
        "S1", "singleFlight",
        "One expiry is refreshed once: no second refresh follows for the same token.",
        fix: Fix.again, needs: [.replacement, .secondCall]
    ) { rule, history in
        history.users.flatMap { user in
            history.doubledRefreshes(of: user).map { refresh, other in
                rule.violation(
                    BrokenPromise.refreshedTwice(history.name(ofToken: refresh.replaces)),
                    user: user, cause: "second refresh",
                    events: [other.sentIndex, refresh.sentIndex].sorted())
            }
        }
    }

    /// A client sends a late-refused call again with the new token, and does not refresh.
    ///
    /// From OkHttp pattern in edx-app-android #834.
    static let staleRefusal = RaceInvariant(
        "S4", "staleRefusal", "A refusal of a token that has been replaced never starts a refresh.",
        fix: Fix.late, needs: [.lateRefusal]
    ) { rule, history in
        guard history.attempts.contains(where: { $0.reason == .late }) else { return [] }
        return history.users.compactMap { user in
            let doubled = Set(history.doubledRefreshes(of: user).map(\.refresh.sentIndex))
            for refresh in history.refreshes(of: user) {
                guard refresh.reason == .late, !doubled.contains(refresh.sentIndex),
                    let refusal = history.refusal(before: refresh)
                else { continue }
                return rule.violation(
                    BrokenPromise.refreshedLate(
                        history.name(ofToken: refresh.replaces),
                        refused: history.name(ofToken: refusal.token)),
                    user: user, cause: "late refusal",
                    events: [refusal.index, refresh.sentIndex])
            }
            return nil
        }
    }

    /// A refresh needs a reason: an expiry, or a token that is due.
    static let refreshIsNeeded = RaceInvariant(
        "S3", "refreshIsNeeded",
        "A token is refreshed only if it is due or the server has refused it.",
        fix: """
            Refresh only after a response rejected the current token, or shortly before its known \
            expiry, by a margin that is shorter than the token's life.
            """, needs: [.replacement]
    ) { rule, history in
        history.attempts.compactMap { refresh in
            guard refresh.isRefresh, let token = refresh.replaces else { return nil }
            let user = refresh.sent.user
            let wasRefused = history.events[..<refresh.sentIndex].contains {
                $0.user == user && $0.kind == .answered && $0.meaning == .expired
            }
            if wasRefused { return nil }
            guard !mayBeRenewed(history.tokens[token].life, at: refresh.sent.at) else { return nil }
            return rule.violation(
                BrokenPromise.refreshedEarly(history.name(ofToken: token)), user: user,
                cause: "no reason", events: [refresh.sentIndex])
        }
    }

    /// True if a client may refresh a token proactively: it is due, or ends within a minute.
    private static func mayBeRenewed(_ life: TokenLife, at moment: Int64) -> Bool {
        life.isDue(at: moment) ?? true || moment >= (life.expiry ?? .max) - 60_000_000_000
    }

    /// A wrong clock does not make a client refresh without end.
    static let noEarlyRefresh = RaceInvariant(
        "S15", "noEarlyRefresh", "A token that the server still accepts is not refreshed twice.",
        fix: """
            Before a refresh starts, compare the token that it replaces with the stored one; if \
            they differ, use the stored one.
            """, needs: [.refreshAnswer]
    ) { rule, history in
        history.attempts.compactMap { refresh in
            guard refresh.isRefresh, refresh.status == 409, let end = refresh.ended else {
                return nil
            }
            return rule.violation(
                BrokenPromise.stillAccepted(history.name(ofToken: refresh.replaces)),
                user: refresh.sent.user, cause: "409", events: [refresh.sentIndex, end])
        }
    }

    /// A refresh brings progress; `SessionExpiry` decides what is a loop.
    ///
    /// From Senthil455/Atlas #97.
    static let noRefreshLoop = RaceInvariant(
        "L3", "noRefreshLoop",
        "No call is refused as expired and refreshed three times in one step.",
        fix: Fix.endless, needs: [.refresh]
    ) { rule, history in
        guard history.attempts.contains(where: { $0.loop > 0 }) else { return [] }
        return history.users.compactMap { user in
            let refreshes = history.refreshes(of: user)
            guard let place = refreshes.firstIndex(where: { $0.loop > 0 }) else { return nil }
            let refresh = refreshes[place]
            let first = refreshes[max(0, place + 1 - refresh.loop)]
            return rule.violation(
                BrokenPromise.loops(refresh.loop), user: user, cause: "loop",
                events: [first.sentIndex, refresh.sentIndex])
        }
    }

    /// Users do not all refresh at the same moment.
    ///
    /// From firebase-ios-sdk #15474.
    static let spreadRefreshes = RaceInvariant(
        "S20", "spreadRefreshes",
        "Fewer than half of the users refresh within the same second (with at least eight users).",
        fix: "Refresh at a random time before the expiry (jitter), not at a fixed age.",
        needs: [.crowd, .refresh]
    ) { rule, history in
        guard history.setting.users >= AttemptReader.crowdMin else { return [] }
        let served = history.events.indices.filter {
            history.events[$0].kind == .served && history.events[$0].role == .refresh
        }
        for (position, first) in served.enumerated() {
            let end = history.events[first].at + 1_000_000_000
            let within = served[position...].prefix { history.events[$0].at < end }
            let users = Set(within.map { history.events[$0].user }).count
            guard users * 2 >= history.setting.users, let last = within.last else { continue }
            return [
                rule.violation(
                    "\(users) of \(history.setting.users) users refreshed within one second",
                    user: history.events[first].user, cause: "peak", events: [first, last])
            ]
        }
        return []
    }
}

extension History {
    /// The refusal that made a client refresh, or the newest one before, and the refused token.
    fileprivate func refusal(before refresh: WireAttempt) -> (index: Int, token: Int?)? {
        let refused = attempts.filter { attempt in
            guard let end = attempt.ended, end < refresh.sentIndex else { return false }
            return attempt.sent.user == refresh.sent.user && attempt.meaning == .expired
        }
        let own = refused.last { $0.sent.request == refresh.sent.refreshFor }
        let newest = own ?? refused.max { ($0.ended ?? 0) < ($1.ended ?? 0) }
        return newest.flatMap { attempt in attempt.ended.map { ($0, attempt.sent.access) } }
    }

    /// A user's refreshes that repeat another, each with that one, in the order of sending.
    fileprivate func doubledRefreshes(of user: Int) -> [(
        refresh: RefreshWatch.Refresh, other: RefreshWatch.Refresh
    )] {
        guard attempts.contains(where: { $0.reason?.isRedundant ?? false }) else { return [] }
        var watch = RefreshWatch()
        let ended = refreshes(of: user).map(RefreshWatch.Refresh.init).sorted {
            ($0.endedIndex, $0.sentIndex) < ($1.endedIndex, $1.sentIndex)
        }
        return ended.compactMap { refresh in watch.ended(refresh).map { (refresh, $0) } }
            .sorted { $0.refresh.sentIndex < $1.refresh.sentIndex }
    }
}

extension RefreshWatch.Refresh {
    init(_ attempt: WireAttempt) {
        self.init(
            sentIndex: attempt.sentIndex, endedIndex: attempt.ended ?? .max,
            replaces: attempt.replaces, hasSucceeded: attempt.meaning == .success,
            reason: attempt.reason)
    }
}

extension FollowUpWatch {
    /// Takes an event of a user that may end an attempt; requests are the positions of ends.
    fileprivate mutating func hear(at index: Int, endOf place: Int, in history: History) {
        let event = history.events[index]
        switch event.kind {
        case .leaves, .signedOut, .erased, .restarted: left()
        case .sent where event.request != nil:
            if event.role == .ordinary { shows(Self.number(event.access)) } else { renews() }
        case .answered, .unanswered:
            guard place >= 0 else { return }
            let ended = history.attempts[place]
            if event.role != .ordinary {
                renewed(RenewalEnding(ended.meaning ?? .none), at: Int64(index))
            } else if ended.meaning == .expired {
                refused(
                    Self.number(ended.sent.access), index, sentAt: Int64(ended.sentIndex),
                    patience: FollowUpPatience(), at: Int64(index))
            }
        default: break
        }
    }

    private static func number(_ token: Int?) -> TokenNumber {
        token.map(TokenNumber.init(place:)) ?? TokenNumber(unknown: 0)
    }
}
