import SquallBackend

/// A refresh brings progress.
struct NoRefreshLoop: RaceInvariant {
    let id = "L3"
    let name = "noRefreshLoop"
    let claim = "No five refreshes of a user follow one another without a call that succeeds."
    let needs: Evidence = [.refresh]
    let source = "load-science R11; Share.D 2024-08-18, Senthil455/Atlas #97"

    private static let refreshesMax = 5

    func violations(in history: History) -> [Violation] {
        history.users.compactMap { user in
            var watch = Watch()
            let replaced = history.replacedTokens(of: user)
            for index in history.events.indices where history.events[index].user == user {
                let event = history.events[index]
                if event.kind == .answered, event.role == .ordinary, event.meaning == .success {
                    watch.callSucceeded()
                }
                guard event.kind == .sent, event.role == .refresh,
                    let first = watch.refreshSent(index, at: event.at, for: replaced[index])
                else { continue }
                return violation(
                    Self.text, user: user, cause: "loop", events: [first, index])
            }
            return nil
        }
    }

    /// What is said of a user who refreshes without progress.
    static let text = "\(refreshesMax) refreshes and not one call that succeeded between them"

    /// The refreshes of a user since a call succeeded.
    struct Watch {
        private var vain: [(index: Int, at: Int64, token: Int?)] = []

        mutating func callSucceeded() { vain.removeAll() }

        /// A refresh is sent for a token; the first of those that have brought nothing, when they
        /// are a loop with it.
        ///
        /// They follow one another; simultaneous ones break another promise.
        mutating func refreshSent(_ index: Int, at moment: Int64, for token: Int?) -> Int? {
            guard vain.count < NoRefreshLoop.refreshesMax else { return nil }
            vain.append((index, moment, token))
            let isLoop =
                Set(vain.map(\.token)).count > 1 || Set(vain.map(\.at)).count == vain.count
            return vain.count == NoRefreshLoop.refreshesMax && isLoop ? vain[0].index : nil
        }
    }
}
