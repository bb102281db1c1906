import SquallBackend

/// All callers that wait for a refresh share its result.
struct WaitersGoOn: RaceInvariant {
    let id = "L5"
    let name = "waitersGoOn"
    let claim = "When a refresh succeeds, every call that waited for it is sent again."
    let needs: Evidence = [.refusal, .refreshed]
    let source = "load-science R10; axios-auth-refresh #307"

    func violations(in history: History) -> [Violation] {
        let calls = Calls(history)
        return history.users.compactMap { user in
            for refused in calls.refusals[user] ?? [] {
                guard let failed = calls.failure(of: refused),
                    let refresh = calls.success(around: refused, failed)
                else { continue }
                return violation(
                    "\(history.name(refused.endpoint)) failed with the old refusal although a"
                        + " refresh succeeded", user: user, cause: "waiter",
                    events: [refused.ended, refresh, failed].sorted())
            }
            return nil
        }
    }

    /// An attempt that was refused, the first of its call.
    ///
    /// Replays are bounded, so a call that is refused twice may give up although a refresh is under
    /// way.
    private struct Refused {
        let user: Int
        let call: Call
        let endpoint: Int?
        let sent: Int
        let ended: Int
    }

    private struct Call: Hashable {
        let user: Int
        let request: Int?
    }

    /// What is known of calls and refreshes, found in one pass over a history.
    private struct Calls {
        /// By user, in the order of the attempts.
        private(set) var refusals: [Int: [Refused]] = [:]
        /// By user, in the order of the attempts.
        private var refreshes: [Int: [(sent: Int, ended: Int, hasSucceeded: Bool)]] = [:]
        /// Where an attempt of a call was sent, or it failed, or its user left by it.
        private var moments: [Call: [Int]] = [:]
        /// When a user first left, or cancelled a call.
        private var left: [Int: Int] = [:]
        private let events: [RaceEvent]

        init(_ history: History) {
            events = history.events
            var known: Set<Call> = []
            for attempt in history.attempts {
                guard let ended = attempt.ended else { continue }
                let sent = attempt.sent
                if attempt.isRefresh {
                    refreshes[sent.user, default: []].append(
                        (attempt.sentIndex, ended, attempt.meaning == .success))
                }
                let call = Call(user: sent.user, request: sent.request)
                guard attempt.meaning == .expired, known.insert(call).inserted,
                    !attempt.isRefresh
                else { continue }
                refusals[sent.user, default: []].append(
                    Refused(
                        user: sent.user, call: call, endpoint: sent.endpoint,
                        sent: attempt.sentIndex, ended: ended))
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
                let call = Call(user: event.user, request: event.request)
                if known.contains(call) { moments[call, default: []].append(index) }
            }
        }

        /// Where the call failed, if this attempt was its last.
        func failure(of refused: Refused) -> Int? {
            let later = moments[refused.call]?.first { $0 > refused.sent }
            guard let later, events[later].kind == .callFailed,
                left[refused.user] ?? later >= later
            else { return nil }
            return later
        }

        /// The end of a refresh that was under way at the refusal or later and succeeded.
        ///
        /// `nil` when another failed while the call was under way: the call may have waited for
        /// that one, and failing it then follows from that refresh.
        func success(around refused: Refused, _ failed: Int) -> Int? {
            let refreshes = refreshes[refused.user] ?? []
            let hasFailed = refreshes.contains {
                !$0.hasSucceeded && $0.ended > refused.sent && $0.ended < failed
            }
            guard !hasFailed else { return nil }
            return refreshes.first {
                $0.hasSucceeded && $0.sent < failed && $0.ended > refused.ended
            }?.ended
        }
    }
}
