import SquallBackend

/// A refresh brings progress; `SessionExpiry` decides what is a loop.
struct NoRefreshLoop: RaceInvariant {
    let id = "L3"
    let name = "noRefreshLoop"
    let claim = "No call is refused as expired and refreshed three times in one step."
    let needs: Evidence = [.refresh]
    let source = "load-science R11; Share.D 2024-08-18, Senthil455/Atlas #97"

    func violations(in history: History) -> [Violation] {
        history.users.compactMap { user in
            let refreshes = history.refreshes(of: user)
            guard let place = refreshes.firstIndex(where: { $0.loop > 0 }) else { return nil }
            let refresh = refreshes[place]
            let first = refreshes[max(0, place + 1 - refresh.loop)]
            return violation(
                Self.text(refresh.loop), user: user, cause: "loop",
                events: [first.sentIndex, refresh.sentIndex])
        }
    }

    /// What is said of a call that loops.
    static func text(_ refreshes: Int) -> String {
        "a call was refused as expired and refreshed \(refreshes) times in one step"
    }
}
