import SquallBackend
import SquallJudge

extension RaceInvariant {
    /// The store holds the newest pair of tokens.
    ///
    /// From react-native-firebase #8388, tuist #10276.
    static let atomicPair = RaceInvariant(
        "S5", "atomicPair",
        "Both tokens are stored together, and an older token never replaces a newer one.",
        fix: """
            Write both tokens in one step, and discard the response of a refresh if a newer pair \
            was stored since it started.
            """, needs: [.storeChange]
    ) { rule, history in
        history.users.compactMap { user in
            var newest = (access: -1, refresh: -1, index: 0)
            for index in history.indices(of: user, .stored) {
                let event = history.events[index]
                if let problem = history.storeProblem(event, newest) {
                    return rule.violation(
                        problem, user: user, cause: "older", events: [newest.index, index])
                }
                newest = (history.number(event.access), history.number(event.refresh), index)
            }
            return nil
        }
    }

    /// No call is sent with a token that the app knows to be replaced.
    static let noKnownDeadToken = RaceInvariant(
        "S2", "noKnownDeadToken",
        "Once newer tokens are stored, no call is first sent with an older one.",
        fix: "Read the stored access token when a call is sent, not when it is created.",
        needs: [.callAfterChange]
    ) { rule, history in
        var began = history.byCall(Int.max)
        return history.users.compactMap { user in
            var watch = StoreWatch()
            for index in history.events.indices where history.events[index].user == user {
                let event = history.events[index]
                if event.kind == .callBegan, let call = event.call { began[call] = index }
                if event.kind == .stored, let token = event.access {
                    watch.stored(history.tokens[token].number, at: index)
                }
                guard event.kind == .sent, let sent = event.access,
                    history.tokens[sent].user == user,
                    let stored = watch.replaced(
                        before: event.call.map { began[$0] } ?? .max,
                        history.tokens[sent].number)
                else { continue }
                return rule.violation(
                    BrokenPromise.sentReplaced(history.name(ofToken: sent)), user: user,
                    cause: "\(event.role)",
                    events: [stored, index])
            }
            return nil
        }
    }

    /// A refresh token that was used is not used again.
    ///
    /// From RFC 9700 §4.14.2; supabase auth-js #213, nightscout #326.
    static let noReuse = RaceInvariant(
        "S8", "noReuse", "A refresh token is not sent again after its successor was received.",
        fix: Fix.again, needs: [.rotation, .refreshToken]
    ) { rule, history in
        guard history.setting.isRotating else { return [] }
        return history.users.compactMap { user in
            guard history.showsRefreshTokenAgain(user),
                let reuse = history.firstReuse(among: history.refreshes(of: user))
            else { return nil }
            return rule.violation(
                BrokenPromise.reused(history.name(ofToken: reuse.shows), isAfter: reuse.isAfter),
                user: user, cause: reuse.isAfter ? "after" : "at once",
                events: [reuse.earlier, reuse.later])
        }
    }

    /// A token is only used by its owner.
    static let isolation = RaceInvariant(
        "S12", "isolation", "A token is never sent for another user, nor for a later sign-in.",
        fix: Fix.otherUser, needs: [.secondSession]
    ) { rule, history in
        for (index, event) in history.events.enumerated() where event.kind == .sent {
            for case let token? in [event.access, event.refresh]
            where history.tokens[token].user != event.user {
                let owner = history.tokens[token].user
                return [
                    rule.violation(
                        "user \(event.user) sent \(history.name(ofToken: token)) of user"
                            + " \(owner)", user: event.user, cause: "foreign token",
                        events: [index])
                ]
            }
        }
        return []
    }

    /// A call that needs an account is never sent without its token.
    ///
    /// From supabase-js #2696.
    static let neverAnonymous = RaceInvariant(
        "S18", "neverAnonymous",
        "No call that needs a token is sent without one.",
        fix: Fix.noToken, needs: [.sentAgain]
    ) { rule, history in
        var carried = history.byCall(Int?.none)
        for attempt in history.attempts where attempt.sent.role == .ordinary {
            guard let call = attempt.sent.call else { continue }
            if attempt.sent.access != nil { carried[call] = attempt.sentIndex }
            guard attempt.sent.isAnonymous, attempt.sent.attempt > 0, let first = carried[call]
            else { continue }
            return [
                rule.violation(
                    "\(history.name(attempt.sent.endpoint)) was sent again without a token",
                    user: attempt.sent.user, cause: "anonymous",
                    events: [first, attempt.sentIndex])
            ]
        }
        return []
    }

    /// Nothing written about a run contains a token.
    static let noSecrets = RaceInvariant(
        "S16", "noSecrets", "No token appears in an address, an error or an outcome.",
        fix: "Send tokens in header fields or bodies only; leave them out of errors and logs.",
        needs: [.call]
    ) { rule, history in
        // A token of the mint is 61 letters and digits in a row; no other part of a name is.
        history.names.enumerated().compactMap { position, name in
            guard hasToken(name) else { return nil }
            let index = history.events.firstIndex {
                $0.text == position || $0.endpoint == position
            }
            return rule.violation(
                "a token stands in '\(name.prefix(24))…'", user: 0, cause: "name",
                events: index.map { [$0] } ?? [])
        }
    }

    private static let tokenLength = 61

    private static func hasToken(_ name: String) -> Bool {
        guard name.utf8.count >= tokenLength else { return false }
        var run = 0
        for byte in name.utf8 {
            switch byte {
            case 48...57, 65...70, 97...102, UInt8(ascii: "r"): run += 1
            default: run = 0
            }
            if run == tokenLength { return true }
        }
        return false
    }
}

extension History {
    /// True if two refreshes of a user show one refresh token; false in nearly all runs, which need
    /// no further look.
    fileprivate func showsRefreshTokenAgain(_ user: Int) -> Bool {
        var shown: [Int] = []
        return attempts.contains { refresh in
            guard refresh.isRefresh, refresh.sent.user == user, let token = refresh.sent.refresh
            else { return false }
            defer { shown.append(token) }
            return shown.contains(token)
        }
    }

    /// The reuse that was sent first, with the first refresh that it repeats.
    fileprivate func firstReuse(among refreshes: [WireAttempt]) -> ReuseWatch.Reuse? {
        var watch = ReuseWatch()
        var found: [ReuseWatch.Reuse] = []
        let moments = refreshes.flatMap { refresh in
            [(refresh.sentIndex, refresh, false), (refresh.ended ?? .max, refresh, true)]
        }
        for (index, refresh, isEnd) in moments.sorted(by: { $0.0 < $1.0 }) {
            guard let shown = refresh.sent.refresh else { continue }
            let now = index == .max ? Int64.max : events[index].at
            found +=
                isEnd
                ? watch.ended(
                    refresh.sentIndex, shows: shown, hasSuccessor: refresh.broughtRefresh != nil,
                    isAnswered: refresh.ended != nil, at: index, now: now)
                : watch.sent(at: index, shows: shown, now: now)
        }
        return found.min { ($0.later, $0.earlier) < ($1.later, $1.earlier) }
    }

    fileprivate func number(_ token: Int?) -> Int {
        token.map { tokens[$0].number } ?? -1
    }

    /// The fault of tokens that are stored over the newest ones; `nil` where there is none.
    fileprivate func storeProblem(
        _ event: RaceEvent, _ newest: (access: Int, refresh: Int, index: Int)
    ) -> String? {
        let (access, refresh) = (number(event.access), number(event.refresh))
        if access < newest.access, access >= 0 {
            return "\(name(ofToken: event.access)) was stored over T\(newest.access)"
        }
        if refresh < newest.refresh, refresh >= 0 {
            return "\(name(ofToken: event.refresh)) was stored over R\(newest.refresh)"
        }
        guard event.access != nil, event.refresh == nil, newest.refresh >= 0 else { return nil }
        return "\(name(ofToken: event.access)) is stored without a refresh token"
    }
}
