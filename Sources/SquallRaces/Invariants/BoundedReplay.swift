/// A call is not sent again and again with fresh tokens.
struct BoundedReplay: RaceInvariant {
    let id = "S9"
    let name = "boundedReplay"
    let claim =
        "A call that is refused with a fresh token ends: it is sent with at most two tokens."
    let needs: Evidence = [.refusedAgain]
    let source = "load-science R11; Alamofire #3290; the hot loops of the four apps"

    func violations(in history: History) -> [Violation] {
        var sends: [AttemptKey: [(token: Int, index: Int)]] = [:]
        var found: [Violation] = []
        for attempt in history.attempts where !attempt.isRefresh {
            guard attempt.sent.request != nil, let token = attempt.sent.access else { continue }
            let key = attempt.sent.call
            if sends[key, default: []].contains(where: { $0.token == token }) { continue }
            sends[key, default: []].append((token, attempt.sentIndex))
            let all = sends[key, default: []]
            guard all.count == history.setting.replaysMax + 2 else { continue }
            found.append(
                violation(
                    "one call was sent with \(all.count) different tokens",
                    user: attempt.sent.user, cause: "replays",
                    events: all.map(\.index)))
        }
        return found
    }
}
