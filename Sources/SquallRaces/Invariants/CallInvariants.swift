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
                attempt.sent.request != nil, open.contains(attempt.sent.call)
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
            for refused in calls.refusals[user] ?? [] {
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
        return history.openCalls.min().map { call in
            let index = history.events.lastIndex {
                $0.user == call.user && $0.request == call.request
            }
            return [
                rule.violation(
                    "call \(call.request) never ended, and no event is left",
                    user: call.user, cause: "call", events: index.map { [$0] } ?? [])
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
        history.events.enumerated().compactMap { index, event in
            switch event.kind {
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
        var begun: [AttemptKey: Int] = [:]
        for (index, event) in history.events.enumerated() {
            if event.kind == .actBegan { begun[event.act] = index }
            guard event.kind == .actEnded, let start = begun[event.act],
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
        var sends: [AttemptKey: [(token: Int, index: Int)]] = [:]
        var found: [Violation] = []
        for attempt in history.attempts where !attempt.isRefresh {
            guard attempt.sent.request != nil, let token = attempt.sent.access else { continue }
            var all = sends[attempt.sent.call] ?? []
            if all.contains(where: { $0.token == token }) { continue }
            all.append((token, attempt.sentIndex))
            sends[attempt.sent.call] = all
            guard all.count == history.setting.replaysMax + 2 else { continue }
            found.append(
                rule.violation(
                    "one call was sent with \(all.count) different tokens",
                    user: attempt.sent.user, cause: "replays",
                    events: all.map(\.index)))
        }
        return found
    }

    /// A client does not respond to failures with a flood of requests: Google SRE, chapter 21.
    static let boundedRetries = RaceInvariant(
        "S11", "boundedRetries", "A call is sent a bounded number of times, whatever the response.",
        fix: "Limit the attempts of a call, and wait longer before each.", needs: [.failure]
    ) { rule, history in
        var sends: [AttemptKey: [Int]] = [:]
        for attempt in history.attempts where attempt.sent.request != nil {
            sends[attempt.sent.call, default: []].append(attempt.sentIndex)
        }
        let floods = sends.filter { $0.value.count > attemptsMax }.sorted {
            ($0.value.first ?? 0) < ($1.value.first ?? 0)
        }
        return floods.map { key, indices in
            rule.violation(
                "one call was sent \(indices.count) times", user: key.user, cause: "sends",
                events: Array(indices.prefix(attemptsMax + 1)))
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
        history.users.compactMap { user in
            var open: Set<Int> = []
            for index in history.events.indices where history.events[index].user == user {
                let event = history.events[index]
                guard let request = event.request else { continue }
                switch event.kind {
                case .callBegan: open.insert(request)
                case .callEnded, .callFailed: open.remove(request)
                default: continue
                }
                guard open.count > callsMax else { continue }
                return rule.violation(
                    BrokenPromise.openCalls(open.count), user: user, cause: "open calls",
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
        var done: [AttemptKey: Int] = [:]
        var found: [Violation] = []
        for (index, event) in history.events.enumerated() {
            guard event.isWriteDone, event.request != nil else { continue }
            if let earlier = done.updateValue(index, forKey: event.call) {
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
    /// The calls that began and did not end.
    fileprivate var openCalls: Set<AttemptKey> {
        var open: Set<AttemptKey> = []
        for event in events where event.request != nil {
            switch event.kind {
            case .callBegan: open.insert(event.call)
            case .callEnded, .callFailed: open.remove(event.call)
            default: continue
            }
        }
        return open
    }

    /// The positions at which actions began that have not ended.
    fileprivate var openActs: [Int] {
        var open: [AttemptKey: Int] = [:]
        for (index, event) in events.enumerated() {
            switch event.kind {
            case .actBegan: open[event.act] = index
            case .actEnded: open[event.act] = nil
            default: continue
            }
        }
        return open.values.sorted()
    }

    /// True if the session was over by then, so that nothing can succeed.
    fileprivate func isOver(_ user: Int, before start: Int) -> Bool {
        events[..<start].contains {
            $0.user == user
                && ($0.kind == .leaves || ($0.kind == .answered && $0.meaning == .signedOut))
        }
    }
}

/// An attempt that was refused, the first of its call.
///
/// Replays are bounded, so a call that is refused twice may give up although a refresh is under
/// way.
private struct Refused {
    let call: AttemptKey
    let endpoint: Int?
    let sent: Int
    let ended: Int
}

private struct Calls {
    /// By user, in the order of the attempts.
    private(set) var refusals: [Int: [Refused]] = [:]
    /// By user, in the order of the attempts.
    private var refreshes: [Int: [(sent: Int, ended: Int, hasSucceeded: Bool)]] = [:]
    /// Where an attempt of a call was sent, or it failed, or its user left by it.
    private var moments: [AttemptKey: [Int]] = [:]
    /// When a user first left, or cancelled a call.
    private var left: [Int: Int] = [:]
    private let events: [RaceEvent]

    init(_ history: History) {
        events = history.events
        var known: Set<AttemptKey> = []
        for attempt in history.attempts {
            guard let ended = attempt.ended else { continue }
            let sent = attempt.sent
            if attempt.isRefresh {
                refreshes[sent.user, default: []].append(
                    (attempt.sentIndex, ended, attempt.meaning == .success))
            }
            let call = sent.call
            guard attempt.meaning == .expired, known.insert(call).inserted,
                !attempt.isRefresh
            else { continue }
            refusals[sent.user, default: []].append(
                Refused(
                    call: call, endpoint: sent.endpoint, sent: attempt.sentIndex,
                    ended: ended))
        }
        guard !refusals.isEmpty else { return }
        for (index, event) in events.enumerated() {
            switch event.kind {
            case .leaves, .cancelled:
                left[event.user] = left[event.user] ?? index
                guard event.kind == .leaves else { continue }
            case .sent, .callFailed: break
            default: continue
            }
            if known.contains(event.call) { moments[event.call, default: []].append(index) }
        }
    }

    /// Where the call failed, if this attempt was its last.
    func failure(of refused: Refused) -> Int? {
        let later = moments[refused.call]?.first { $0 > refused.sent }
        guard let later, events[later].kind == .callFailed,
            left[refused.call.user] ?? later >= later
        else { return nil }
        return later
    }

    /// The end of a refresh that was under way at the refusal or later and succeeded.
    ///
    /// `nil` when another failed while the call was under way: the call may have waited for
    /// that one, and failing it then follows from that refresh.
    func success(around refused: Refused, _ failed: Int) -> Int? {
        let refreshes = refreshes[refused.call.user] ?? []
        let hasFailed = refreshes.contains {
            !$0.hasSucceeded && $0.ended > refused.sent && $0.ended < failed
        }
        guard !hasFailed else { return nil }
        return refreshes.first {
            $0.hasSucceeded && $0.sent < failed && $0.ended > refused.ended
        }?.ended
    }
}
