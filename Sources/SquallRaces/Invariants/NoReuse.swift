/// A refresh token that was used is not used again.
struct NoReuse: RaceInvariant {
    let id = "S8"
    let name = "noReuse"
    let claim = "A refresh token is not shown again once its successor was received."
    let needs: Evidence = [.rotation, .refreshToken]
    let source = "load-science R3; RFC 9700 §4.14.2; supabase auth-js #213, nightscout #326"

    func violations(in history: History) -> [Violation] {
        guard history.setting.isRotating else { return [] }
        return history.users.compactMap { user in
            let refreshes = history.refreshes(of: user)
            for (position, refresh) in refreshes.enumerated() {
                guard let shown = refresh.sent.refresh else { continue }
                let earlier = refreshes[..<position].first { earlier in
                    earlier.sent.refresh == shown && isReuse(of: earlier, by: refresh)
                }
                guard let earlier else { continue }
                let name = history.name(ofToken: shown)
                let isKnown = isOver(earlier, before: refresh)
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

    /// Whether a refresh shows an earlier one's token after its successor came, or while one of the
    /// two brings a successor, in whichever order the server takes them.
    ///
    /// Showing it again after an answer that brought none, or after no answer, is right.
    private func isReuse(of earlier: WireAttempt, by later: WireAttempt) -> Bool {
        if earlier.broughtRefresh != nil || earlier.ended == nil { return true }
        return !isOver(earlier, before: later) && later.broughtRefresh != nil
    }

    private func isOver(_ earlier: WireAttempt, before later: WireAttempt) -> Bool {
        earlier.ended.map { $0 < later.sentIndex } ?? false
    }
}
