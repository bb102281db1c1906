import SquallBackend
import SquallJudge

extension RaceInvariant {
    /// No code acts for a user who has left.
    static let noZombie = RaceInvariant(
        "S6", "noZombie",
        "After a sign-out no request uses the old account's tokens, and none is stored.",
        fix: Fix.left, needs: [.leaving]
    ) { rule, history in
        history.users.compactMap { user in
            var state = LeavingState()
            for index in history.events.indices where history.events[index].user == user {
                let event = history.events[index]
                if let (text, cause, earlier) = state.breach(event, in: history) {
                    return rule.violation(text, user: user, cause: cause, events: [earlier, index])
                }
                state.note(event, at: index)
            }
            return nil
        }
    }

    /// A user who could go on is not signed out.
    ///
    /// From peakflo/20x #203.
    static let noFalseSignOut = RaceInvariant(
        "S7", "noFalseSignOut",
        "No user is signed out while the refresh token is valid, unless they asked for it.",
        fix: Fix.staysSignedIn, needs: [.store, .call]
    ) { rule, history in
        history.users.compactMap { user in
            var state = SessionState()
            for index in history.events.indices where history.events[index].user == user {
                let event = history.events[index]
                if state.isEnd(event, in: history) {
                    return rule.violation(
                        "signed out although the server had not ended the session", user: user,
                        cause: state.last.map { history.events[$0].ending } ?? "nothing",
                        events: [state.last, index].compactMap(\.self))
                }
                state.note(event, at: index, in: history)
            }
            return nil
        }
    }

    /// The end of a session is reported once.
    static let oneSignOut = RaceInvariant(
        "L4", "oneSignOut",
        "A session that the server ended is signed out once, and is not refreshed again.",
        fix: """
            Let the one refresh that learns that the session is over sign the user out and fail \
            all calls that wait for it.
            """, needs: [.sessionEnd]
    ) { rule, history in
        history.users.compactMap { user in
            var who = SignInWatch<Int>()
            for index in history.events.indices where history.events[index].user == user {
                let event = history.events[index]
                switch event.kind {
                case .answered where event.role == .refresh && event.meaning == .signedOut:
                    who.ended(at: index)
                case .signedIn, .leaves: who.changes(at: index)
                case .served where event.role == .signIn: who.changes(at: index)
                case .sent where event.role == .refresh:
                    guard let over = who.endedAt else { continue }
                    return rule.violation(
                        BrokenPromise.refreshedWhenOver, user: user, cause: "refresh",
                        events: [over, index])
                default: continue
                }
            }
            return rule.neverSignedOut(user, who.endedAt, history)
        }
    }

    private func neverSignedOut(_ user: Int, _ over: Int?, _ history: History) -> Violation? {
        guard let over, history.ending == .still else { return nil }
        let ends = history.indices(of: user, .signedOut, .erased)
        guard !ends.contains(where: { $0 > over }) else { return nil }
        return violation(
            "the server ended the session and the app never noticed", user: user,
            cause: "unnoticed", events: [over])
    }

    /// An app that was ended from outside recovers.
    ///
    /// From Auth0.swift #490, #763.
    static let recoversFromKill = RaceInvariant(
        "L6", "recoversFromKill",
        "After the app was suspended or killed, its session continues with one refresh.",
        fix: """
            Store new tokens before they are used, and read them at launch, so that a killed app \
            continues with the newest pair.
            """, needs: [.comeBack]
    ) { rule, history in
        history.users.compactMap { user in
            guard let back = history.comeBack(of: user) else { return nil }
            let after = history.indices(of: user, .answered, .signedOut, .leaves)
                .filter { $0 > back }
            for index in after {
                let event = history.events[index]
                if event.kind == .leaves { return nil }
                let isLost =
                    event.kind == .signedOut
                    || event.role == .refresh && event.meaning == .signedOut
                guard isLost else { continue }
                return rule.violation(
                    "the session did not survive the app's end", user: user, cause: "signed out",
                    events: [back, index])
            }
            return nil
        }
    }
}

extension History {
    fileprivate func comeBack(of user: Int) -> Int? {
        indices(of: user, .restarted, .cameBack).last
    }
}

extension RaceEvent {
    /// The end of an attempt as a cause: `refresh 400`.
    fileprivate var ending: String { "\(role) \(status.map(String.init) ?? "unanswered")" }
}

private struct LeavingState {
    /// The act by which the user leaves, whether it has ended, and whether the store has been
    /// empty since it began.
    var leaving: (act: Int, hasEnded: Bool, hasErased: Bool)?
    /// A user has left by the event by which both had happened; a change of the store by the act
    /// itself comes first.
    var who = SignInWatch<Int>()
    /// The event that stored the present tokens.
    var stored: Int?

    mutating func note(_ event: RaceEvent, at index: Int) {
        switch event.kind {
        case .leaves:
            leaving = (event.attempt, false, stored == nil)
            who.changes(at: index)
        case .actEnded where leaving?.act == event.attempt:
            leaving?.hasEnded = true
            if leaving?.hasErased == true { who.left(at: index) }
        case .signedIn: who.changes(at: index)
        case .served where event.role == .signIn:
            leaving = nil
            who.changes(at: index)
        case .stored: stored = index
        case .erased:
            stored = nil
            leaving?.hasErased = true
            if leaving?.hasEnded == true, who.leftAt == nil { who.left(at: index) }
        default: break
        }
    }

    func breach(
        _ event: RaceEvent, in history: History
    ) -> (text: String, cause: String, earlier: Int)? {
        switch event.kind {
        case .actEnded where leaving?.act == event.attempt && leaving?.hasErased == true:
            guard let stored else { return nil }
            let token = history.name(ofToken: history.events[stored].access)
            return ("\(token) was stored during the sign-out", "stored", stored)
        case .stored:
            guard let left = who.leftAt, event.access != nil || event.refresh != nil else {
                return nil
            }
            let name = history.name(ofToken: event.access)
            return ("\(name) was stored after the sign-out", "stored", left)
        case .sent:
            guard let left = who.leftAt, event.access != nil, event.role != .signIn else {
                return nil
            }
            let name = history.name(ofToken: event.access)
            let text = "a call went out with \(name) after the sign-out"
            return (text, "sent \(event.role)", left)
        default: return nil
        }
    }
}

private struct SessionState {
    /// Its session ends when the newest refresh token is rejected.
    var who = SignInWatch<Int>()
    var hasTokens = false
    var stored: Int?
    var last: Int?

    func isEnd(_ event: RaceEvent, in history: History) -> Bool {
        (event.kind == .signedOut || event.kind == .erased) && hasTokens
            && who.leftAt == nil && who.endedAt == nil
    }

    mutating func note(_ event: RaceEvent, at index: Int, in history: History) {
        switch event.kind {
        case .leaves: who.left(at: index)
        case .signedIn: who.signedIn(at: index)
        case .stored:
            hasTokens = hasTokens || event.access != nil
            if let refresh = event.refresh { stored = refresh }
        case .answered where event.role == .refresh:
            last = index
            guard event.meaning == .signedOut else { return }
            let shown = history.sentPlace(for: index).flatMap { history.events[$0].refresh }
            if shown == nil || stored == nil || shown == stored { who.ended(at: index) }
        case .answered:
            last = index
            if event.meaning == .signedOut { who.ended(at: index) }
        case .unanswered: last = index
        default: break
        }
    }
}
