/// A refresh token that was used is not used again.
struct NoReuse: RaceInvariant {
    let id = "S8"
    let name = "noReuse"
    let claim = "A refresh token is not shown again once its successor was received."
    let looksAt = "the refresh tokens that reach the server, and the answers that brought new ones"
    let needs: Evidence = [.rotation, .refreshToken]
    let source = "load-science R3; RFC 9700 §4.14.2; supabase auth-js #213, nightscout #326"

    func violations(in history: History) -> [Violation] {
        guard history.setting.isRotating else { return [] }
        return history.users.compactMap { user in
            let refreshes = history.refreshes(of: user)
            for (position, refresh) in refreshes.enumerated() {
                guard let shown = refresh.sent.refresh else { continue }
                let earlier = refreshes[..<position].first { earlier in
                    earlier.sent.refresh == shown
                        && (earlier.broughtRefresh != nil || earlier.ended == nil)
                }
                guard let earlier else { continue }
                let name = history.name(ofToken: shown)
                let isKnown = earlier.ended.map { $0 < refresh.sentIndex } ?? false
                return violation(
                    isKnown
                        ? "\(name) was shown again after its successor had come"
                        : "\(name) was shown twice at once", user: user,
                    cause: isKnown ? "after" : "at once",
                    events: [earlier.sentIndex, refresh.sentIndex])
            }
            return nil
        }
    }
}
