import SquallBackend
import SquallJudge

extension RaceInvariant {
    /// A refusal is followed by a refresh, a sign-in or an end of the session.
    static let refusalIsFollowedUp = RaceInvariant(
        "L1", "refusalIsFollowedUp",
        "A call that is refused as expired succeeds, fails, or signs out in the end.",
        fix: Fix.hang, needs: [.refusal]
    ) { rule, history in
        let open = history.openCalls
        return history.attempts.compactMap { attempt in
            guard !attempt.isRefresh, attempt.meaning == .expired, let end = attempt.ended,
                let call = attempt.sent.call, open[call]
            else { return nil }
            return rule.violation(
                "\(history.name(attempt.sent.endpoint)) was refused and has no end",
                user: attempt.sent.user, cause: history.name(attempt.sent.endpoint),
                events: [end])
        }
    }

    /// All callers that wait for a refresh share its result.
    ///
    /// From axios-auth-refresh #307.
    static let waitersGoOn = RaceInvariant(
        "L5", "waitersGoOn",
        "When a refresh succeeds, every call that waited for it is sent again.",
        fix: Fix.lost, needs: [.refusal, .refreshed]
    ) { rule, history in
        let calls = Calls(history)
        return history.users.compactMap { user in
            for refused in calls.refusals where refused.user == user {
                guard let failed = calls.failure(of: refused),
                    let refresh = calls.success(around: refused, failed)
                else { continue }
                return rule.violation(
                    "\(history.name(refused.endpoint)) failed with the old refusal although a"
                        + " refresh succeeded", user: user, cause: "waiter",
                    events: [refused.ended, refresh, failed].sorted())
            }
            return nil
        }
    }

    /// Every action and every call ends.
    ///
    /// From Alamofire #3509.
    static let everythingEnds = RaceInvariant(
        "L2", "everythingEnds",
        "Every action and every call ends once faults stop: no hang, no deadlock.",
        fix: Fix.hang, needs: []
    ) { rule, history in
        let acts = history.openActs.map { index in
            let event = history.events[index]
            let name = history.name(event.text)
            let (how, fix): (String, String?) =
                switch history.ending {
                case .still: ("and no event is left", nil)
                case .outOfTime: ("and loops without progress", Fix.endless)
                case .spinning: ("and spins while time stands still", Fix.spinning)
                }
            return rule.violation(
                "\(name) of user \(event.user) never ended, \(how)", user: event.user,
                cause: "\(history.ending)", fix: fix,
                events: [index, history.events.count - 1])
        }
        guard acts.isEmpty, history.ending == .still else { return acts }
        let open = history.openCalls
        let first = open.indices.filter { open[$0] }.min {
            history.calls.all[$0] < history.calls.all[$1]
        }
        return first.map { place in
            let call = history.calls.all[place]
            return [
                rule.violation(
                    "call \(call.request) never ended, and no event is left",
                    user: call.user, cause: "call",
                    events: history.events.lastIndex { $0.call == place }.map { [$0] } ?? [])
            ]
        } ?? []
    }

    /// Every waiting caller is told the result once.
    ///
    /// From axios-auth-refresh #14.
    static let completionsOnce = RaceInvariant(
        "S13", "completionsOnce",
        "No completion is dropped, called twice, or called after a cancel.",
        fix: Fix.completions, needs: [.call]
    ) { rule, history in
        history.events.indices.compactMap { index in
            let event = history.events[index]
            return switch event.kind {
            case .completionLost:
                rule.violation(
                    "\(history.name(event.text)) dropped a completion: the call never ends",
                    user: event.user, cause: history.name(event.text), fix: Fix.dropped,
                    events: [index])
            case .completionRepeated:
                rule.violation(
                    "\(history.name(event.text)) called a completion twice", user: event.user,
                    cause: history.name(event.text), events: [index])
            default: nil
            }
        }
    }

    /// A client comes to rest once faults have ended.
    ///
    /// From supabase-swift #630.
    static let calmsDown = RaceInvariant(
        "L7", "calmsDown", "Once faults have stopped, actions that begin succeed again.",
        fix: """
            Retry with exponential backoff, jitter and a retry budget, so that the load returns to \
            normal after a fault.
            """, needs: [.calm]
    ) { rule, history in
        guard history.setting.hasFaults else { return [] }
        var begun = OpenActs()
        for (index, event) in history.events.enumerated() {
            if event.kind == .actBegan { begun.began(event, at: index) }
            guard event.kind == .actEnded, let start = begun.ended(event),
                history.events[start].at >= history.setting.calmFrom,
                event.result != .fine,
                !history.isOver(event.user, before: index)
            else { continue }
            return [
                rule.violation(
                    "an action that began when all was well ended with"
                        + " \(history.name(event.text))", user: event.user, cause: "action",
                    events: [start, index])
            ]
        }
        return []
    }

    /// A call is not sent again and again with fresh tokens.
    ///
    /// From Alamofire #3290.
    static let boundedReplay = RaceInvariant(
        "S9", "boundedReplay",
        "A call that is refused with a fresh token ends: it is sent with at most two tokens.",
        fix: Fix.endless, needs: [.refusedAgain]
    ) { rule, history in
        var sends = history.byCall([(token: Int, index: Int)]())
        var found: [Violation] = []
        for attempt in history.attempts where !attempt.isRefresh {
            guard let call = attempt.sent.call, let token = attempt.sent.access,
                !sends[call].contains(where: { $0.token == token })
            else { continue }
            sends[call].append((token, attempt.sentIndex))
            guard sends[call].count == history.setting.replaysMax + 2 else { continue }
            found.append(
                rule.violation(
                    "one call was sent with \(sends[call].count) different tokens",
                    user: attempt.sent.user, cause: "replays",
                    events: sends[call].map(\.index)))
        }
        return found
    }

    /// A client does not respond to failures with a flood of requests: Google SRE, chapter 21.
    static let boundedRetries = RaceInvariant(
        "S11", "boundedRetries", "A call is sent a bounded number of times, whatever the response.",
        fix: "Limit the attempts of a call, and wait longer before each.", needs: [.failure]
    ) { rule, history in
        var counts = history.byCall(0)
        for attempt in history.attempts { attempt.sent.call.map { counts[$0] += 1 } }
        guard counts.contains(where: { $0 > attemptsMax }) else { return [] }
        var floods: [Int] = []
        for case let call? in history.attempts.map(\.sent.call)
        where counts[call] > attemptsMax && !floods.contains(call) {
            floods.append(call)
        }
        return floods.map { call in
            let sends = history.attempts.filter { $0.sent.call == call }.map(\.sentIndex)
            return rule.violation(
                "one call was sent \(sends.count) times", user: history.calls.all[call].user,
                cause: "sends", events: Array(sends.prefix(attemptsMax + 1)))
        }
    }

    /// As many as the most patient of the common policies: five attempts, as in gRPC.
    private static let attemptsMax = 5

    /// Calls that wait for a refresh do not pile up.
    static let boundedWaiters = RaceInvariant(
        "S17", "boundedWaiters", "A device has a bounded number of calls in flight.",
        fix: "Limit how many calls of a device are open at once; let the others wait in line.",
        needs: [.secondCall]
    ) { rule, history in
        guard history.calls.count > callsMax else { return [] }
        return history.users.compactMap { user in
            var (open, isOpen) = (0, history.byCall(false))
            for (index, event) in history.events.enumerated() where event.user == user {
                guard let call = event.call, let opens = event.opensCall, isOpen[call] != opens
                else { continue }
                isOpen[call] = opens
                open += opens ? 1 : -1
                guard open > callsMax else { continue }
                return rule.violation(
                    BrokenPromise.openCalls(open), user: user, cause: "open calls",
                    events: [index])
            }
            return nil
        }
    }

    /// More than any screen of the apps begins: four screens with eight calls at once.
    static let callsMax = 32

    /// A purchase or a write happens once.
    static let writesOnce = RaceInvariant(
        "S10", "writesOnce",
        "A call that changes something is done once: nothing is paid or written twice.",
        fix: """
            Retry a write only if it was rejected before it took effect (401), or with an \
            idempotency key.
            """, needs: [.write]
    ) { rule, history in
        var done = history.byCall(Int?.none)
        var found: [Violation] = []
        for (index, event) in history.events.enumerated() {
            guard event.isWriteDone, let call = event.call else { continue }
            defer { done[call] = index }
            if let earlier = done[call] {
                found.append(
                    rule.violation(
                        "\(history.name(event.endpoint)) was done twice for one call",
                        user: event.user, cause: history.name(event.endpoint),
                        events: [earlier, index]))
            }
        }
        for audit in history.audits where audit.kind.concern == .doublePayment {
            found.append(
                rule.violation("something was paid for twice", user: audit.user, cause: "payment"))
        }
        return found
    }
}

extension History {
    /// True for each call that began and did not end.
    fileprivate var openCalls: [Bool] {
        var open = byCall(false)
        for event in events {
            if let call = event.call, let opens = event.opensCall { open[call] = opens }
        }
        return open
    }

    /// The positions at which actions began that have not ended.
    fileprivate var openActs: [Int] {
        var open = OpenActs()
        for (index, event) in events.enumerated() {
            switch event.kind {
            case .actBegan: open.began(event, at: index)
            case .actEnded: _ = open.ended(event)
            default: continue
            }
        }
        return open.positions.sorted()
    }

    /// True if the session was over by then, so that nothing can succeed.
    fileprivate func isOver(_ user: Int, before start: Int) -> Bool {
        events[..<start].contains {
            $0.user == user
                && ($0.kind == .leaves || ($0.kind == .answered && $0.meaning == .signedOut))
        }
    }
}

extension RaceEvent {
    /// True if it begins its call, and false if it ends it; `nil` for anything else.
    fileprivate var opensCall: Bool? {
        switch kind {
        case .callBegan: true
        case .callEnded, .callFailed: false
        default: nil
        }
    }
}

/// The positions at which actions began that have not ended: never many at once.
private struct OpenActs {
    private var open: [(act: AttemptKey, position: Int)] = []

    var positions: [Int] { open.map(\.position) }

    mutating func began(_ event: RaceEvent, at index: Int) {
        _ = ended(event)
        open.append((event.act, index))
    }

    /// Takes out the action that an event ends; returns where it began.
    mutating func ended(_ event: RaceEvent) -> Int? {
        let place = open.lastIndex { $0.act == event.act }
        return place.map { open.remove(at: $0).position }
    }
}

/// An attempt that was refused, the first of its call.
///
/// Replays are bounded, so a call that is refused twice may give up although a refresh is under
/// way.
private struct Refused {
    let user, call: Int
    let endpoint: Int?
    let sent: Int
    let ended: Int
}

private struct Calls {
    /// In the order of the attempts.
    private(set) var refusals: [Refused] = []
    private let history: History

    init(_ history: History) {
        self.history = history
        var isKnown = history.byCall(false)
        for attempt in history.attempts {
            guard attempt.meaning == .expired, let ended = attempt.ended,
                let call = attempt.sent.call, !isKnown[call]
            else { continue }
            isKnown[call] = true
            guard !attempt.isRefresh else { continue }
            refusals.append(
                Refused(
                    user: attempt.sent.user, call: call, endpoint: attempt.sent.endpoint,
                    sent: attempt.sentIndex, ended: ended))
        }
    }

    /// Where the call failed, if this attempt was its last and its user had neither left nor
    /// cancelled a call before.
    func failure(of refused: Refused) -> Int? {
        let later = history.events[(refused.sent + 1)...].firstIndex {
            $0.call == refused.call
                && ($0.kind == .sent || $0.kind == .callFailed || $0.kind == .leaves)
        }
        guard let later, history.events[later].kind == .callFailed else { return nil }
        let hasLeft = history.events[..<later].contains {
            $0.user == refused.user && ($0.kind == .leaves || $0.kind == .cancelled)
        }
        return hasLeft ? nil : later
    }

    /// The end of a refresh that was under way at the refusal or later and succeeded.
    ///
    /// `nil` when another failed while the call was under way: the call may have waited for
    /// that one, and failing it then follows from that refresh.
    func success(around refused: Refused, _ failed: Int) -> Int? {
        var success: Int?
        for refresh in history.attempts where refresh.isRefresh {
            guard refresh.sent.user == refused.user, let ended = refresh.ended else { continue }
            if refresh.meaning != .success {
                if ended > refused.sent, ended < failed { return nil }
            } else if success == nil, refresh.sentIndex < failed, ended > refused.ended {
                success = ended
            }
        }
        return success
    }
}
