import SquallBackend
import SquallJudge

/// Rules that hold in every drill.
extension DrillRecording {
    /// The violations, the most important first.
    var violations: [Violation] {
        endless + hangs + redundantRefreshes + identities + repeatedCompletions + changedBodies
            + broken + lostCalls + failedExpectations
    }

    private var failedExpectations: [Violation] {
        run.failedExpectations.map { Violation("expected", $0, cause: $0) }
    }

    private var endless: [Violation] {
        guard isEndless else { return [] }
        return [
            RaceInvariant.noRefreshLoop.violation(
                "refresh loop: the client sends requests without end", cause: "endless",
                events: history.events.indices.suffix(1))
        ]
    }

    private var hangs: [Violation] {
        if !run.isWhole, !isEndless, hung.isEmpty {
            // Only a cancellation runs the client's code within the drill's own.
            let act = acts.last { $0.isCancelled }
            let call = act.map { "the cancellation of \($0.name)" } ?? "a call of the client"
            return [
                Violation(
                    Violation.hang,
                    "\(call) never returns" + (run.blocks.map { ": \($0)" } ?? ""),
                    cause: "hang", events: history.events.indices.suffix(1), fix: Fix.hang)
            ]
        }
        return hung.prefix(1).map { act in
            Violation(
                Violation.hang, "\(act.name) hangs", cause: "hang",
                events: [act.began], fix: Fix.hang)
        }
    }

    private var redundantRefreshes: [Violation] {
        if toleratesReuse { return [] }
        for refresh in history.attempts where refresh.reason?.isRedundant ?? false {
            let earlier = history.attempts.last {
                $0.isRefresh && $0.sentIndex < refresh.sentIndex
                    && $0.sent.refresh == refresh.sent.refresh
            }
            if isNewestOver(at: refresh, after: earlier) { continue }
            if let earlier {
                let name = history.name(ofToken: refresh.sent.refresh)
                if earlier.meaning == .signedOut, let end = earlier.ended,
                    end < refresh.sentIndex
                {
                    return [
                        RaceInvariant.oneSignOut.violation(
                            "redundant refresh: \(name) was sent again after it was refused",
                            cause: "refused", events: [end, refresh.sentIndex])
                    ]
                }
                return [
                    RaceInvariant.singleFlight.violation(
                        "redundant refresh: \(name) was sent again while or after it was used",
                        cause: "again", events: [earlier.sentIndex, refresh.sentIndex])
                ]
            }
            // Each scope has a token of its own, which may be refreshed on its own.
            if hasOtherScope { continue }
            return [
                RaceInvariant.staleRefusal.violation(
                    "redundant refresh: the token had already been replaced", cause: "late",
                    events: [refresh.sentIndex])
            ]
        }
        return []
    }

    /// True if the newest access token had expired when a refresh was sent: one that lives shorter
    /// than a round trip may be refreshed whatever it replaced.
    ///
    /// A server that leaves the refresh token in place has it shown for each expiry, so that the
    /// newest has to be of the earlier refresh with it, which brought no other one.
    private func isNewestOver(at refresh: WireAttempt, after earlier: WireAttempt?) -> Bool {
        let newest = history.events[..<refresh.sentIndex].last(where: \.isRefreshed)
        let shown = refresh.sent.refresh
        if let earlier {
            guard newest?.request == earlier.sent.request, newest?.refresh ?? shown == shown
            else { return false }
        }
        return history.hasExpired(newest?.access, at: refresh.sent.at)
    }

    /// Requests without a token, or with the token of a user who has left or is not signed in.
    ///
    /// What counts is who was signed in when the client handed the request over: it cannot know
    /// what happens while the system takes its time to send it.
    private var identities: [Violation] {
        var (who, life) = (SignInWatch<Int>(), 0)
        var earlier: [SignInWatch<Int>] = []
        var found: [Violation] = []
        for (index, event) in history.events.enumerated() {
            earlier.append(who)
            if event.kind == .sent, event.user == life,
                let (rule, text) = breach(event, earlier[history.handedOver[index] ?? index]),
                !found.contains(where: { $0.invariant == rule.id })
            {
                found.append(
                    rule.violation(
                        text, cause: rule.name, events: [who.since, index].compactMap(\.self)))
            }
            note(event, at: index, &who)
            if event.kind == .restarted { life = event.user + 1 }
        }
        return found
    }

    private func breach(
        _ event: RaceEvent, _ who: SignInWatch<Int>
    ) -> (rule: RaceInvariant, text: String)? {
        let endpoint = history.name(event.endpoint)
        guard event.role != .signIn, endpoint != client.logOut else { return nil }
        let token = event.access ?? event.refresh
        let name = history.name(ofToken: token)
        switch who.state {
        case .unknown, .ended: return nil
        case .left:
            guard token != nil else { return nil }
            return (.noZombie, "\(endpoint) was sent with \(name) after sign-out")
        case .signedIn(let account):
            if let token, let owner = history.tokens[token].account, owner != account {
                return (.isolation, "\(endpoint) was sent with \(name), another user's token")
            }
            guard event.role == .ordinary, event.isAnonymous, !toleratesAnonymous,
                client.needsToken(endpoint)
            else {
                return nil
            }
            return (
                .neverAnonymous, "\(endpoint) was sent without a token while a user was signed in"
            )
        }
    }

    /// Notes what an event tells of who is signed in: where the server has ended the session, the
    /// client decides what it shows then.
    private func note(_ event: RaceEvent, at index: Int, _ who: inout SignInWatch<Int>) {
        switch event.kind {
        case .actBegan:
            switch acts[event.attempt].kind {
            case .signIn, .signOut, .switchTo: who.changes(at: index)
            default: break
            }
        case .actEnded:
            let act = acts[event.attempt]
            switch act.kind {
            case .signIn(let account) where act.error == nil:
                who.signedIn(as: account, at: index)
            case .signOut: who.left(at: index)
            default: break
            }
        case .answered where event.meaning == .signedOut: who.ended(at: index)
        case .restarted where who.leftAt == nil: who.changes(at: index)
        default: break
        }
    }
}

/// Rules for calls: each ends once, and none is lost that could have been repeated.
extension DrillRecording {
    /// Completion handlers that were called again.
    var repeatedCompletions: [Violation] {
        acts.filter { $0.completions > 1 }.prefix(1).map { act in
            RaceInvariant.completionsOnce.violation(
                "the completion handler of \(act.name) was called \(act.completions) times",
                cause: "completions", events: [act.began, act.ended].compactMap(\.self))
        }
    }

    /// Writes that were refused for their token, and made with another body than they had then.
    var changedBodies: [Violation] {
        let writes = history.events.indices.filter {
            history.events[$0].kind == .served && history.events[$0].isWrite
                && history.events[$0].role == .ordinary
        }
        for index in writes where history.events[index].meaning == .expired {
            let refused = history.events[index]
            guard let wanted = history.bodies[refused.key], wanted.count > 0 else { continue }
            let made = writes.filter {
                history.events[$0].isWriteDone && history.events[$0].endpoint == refused.endpoint
            }
            let bodies = made.compactMap { history.bodies[history.events[$0].key] }
            // A write after the next start is not the one that was refused before the kill.
            let kill = killedAt.first { $0 > index } ?? .max
            guard let last = made.last(where: { index < $0 && $0 < kill }), let other = bodies.last,
                !bodies.contains(wanted)
            else { continue }
            let what = other.count == wanted.count ? "other bytes" : "\(other.count) bytes"
            return [
                RaceInvariant.wholeBodies.violation(
                    "\(history.name(refused.endpoint)) was rejected with a body of"
                        + " \(wanted.count) bytes and retried with \(what)",
                    cause: "body", events: [index, last])
            ]
        }
        return []
    }

    /// Calls that ended with an error although a new token came meanwhile and only the old one was
    /// in the way.
    ///
    /// A request does not tell which call it belongs to, so requests are counted: while the failed
    /// call was open, more requests were refused for a replaced token than were sent with the new
    /// one, and nothing else went wrong. A drill's own finding about the same failure comes first.
    var lostCalls: [Violation] {
        guard broken.isEmpty, !isEndless, hung.isEmpty else {
            return []
        }
        return acts.lazy.compactMap(lost).prefix(1).map(\.self)
    }

    private func lost(_ act: DrillAct) -> Violation? {
        guard act.kind == .call || act.kind == .write, act.error != nil, !act.isCancelled,
            !act.isForgotten, let end = act.ended, !isDisturbed(act, until: end)
        else { return nil }
        let span = act.began..<end
        // Where the new token was dead on arrival, its repeat could not have succeeded.
        guard let fresh = span.first(where: { history.events[$0].isRefreshed }),
            !history.hasExpired(history.events[fresh].access, at: history.events[fresh].at)
        else { return nil }
        let refused = span.filter {
            let event = history.events[$0]
            return event.kind == .answered && event.role == .ordinary
                && event.meaning == .expired && (history.sentPlace(for: $0) ?? .max) < fresh
        }
        let sent = refused.compactMap(history.sentPlace(for:))
        let old = Set(sent.compactMap { history.events[$0].access })
        // Calls that were open with it may be repeated later.
        let open = acts.filter { $0.began < end && ($0.ended ?? .max) > act.began }
        let later = open.compactMap(\.ended).max() ?? end
        let others = acts.count { fresh < $0.began && $0.began < later }
        let repeats = (fresh..<later).count {
            let event = history.events[$0]
            return event.kind == .sent && event.role == .ordinary
                && !(event.access.map(old.contains) ?? true)
        }
        guard let last = refused.last, refused.count > repeats - min(repeats, others) else {
            return nil
        }
        return RaceInvariant.waitersGoOn.violation(
            "\(act.name) is lost: it was rejected for a replaced token and not retried",
            cause: "lost", events: [last, end])
    }

    /// True if anything but an expiry may have made an action fail: a sign-out, a sign-in, a kill,
    /// a failure of the network or of the server.
    private func isDisturbed(_ act: DrillAct, until end: Int) -> Bool {
        let span = act.began..<end
        let isOthers = acts.contains { other in
            switch other.kind {
            case .signIn, .switchTo, .signOut:
                other.began < end && (other.ended ?? end) > act.began
            case .call, .write, .refresh, .otherProcess: other.isCancelled
            }
        }
        return isOthers || killedAt.contains(where: span.contains)
            || span.contains { index in
                let event = history.events[index]
                switch event.kind {
                case .unanswered: return true
                case .answered: return event.meaning == .failure || event.meaning == .signedOut
                default: return false
                }
            }
    }
}
