import SquallBackend

/// A refresh token that was used is not used again.
struct NoReuse: RaceInvariant {
    let id = "S8"
    let name = "noReuse"
    let claim = "A refresh token is not sent again after its successor was received."
    let needs: Evidence = [.rotation, .refreshToken]
    let source = "load-science R3; RFC 9700 §4.14.2; supabase auth-js #213, nightscout #326"

    func violations(in history: History) -> [Violation] {
        guard history.setting.isRotating else { return [] }
        return history.users.compactMap { user in
            let refreshes = history.refreshes(of: user)
            guard let reuse = Self.first(among: refreshes) else { return nil }
            return violation(
                Self.text(history.name(ofToken: reuse.shows), isAfter: reuse.isAfter), user: user,
                cause: reuse.isAfter ? "after" : "at once",
                events: [reuse.earlier, reuse.later])
        }
    }

    /// What is said of a refresh token that was shown again.
    static func text(_ token: String, isAfter: Bool) -> String {
        isAfter
            ? "\(token) was sent again after its successor had arrived"
            : "\(token) was sent twice at the same time"
    }

    /// The reuse that was sent first, with the first refresh that it repeats.
    private static func first(among refreshes: [WireAttempt]) -> Reuse? {
        var watch = Watch()
        var found: [Reuse] = []
        let moments = refreshes.flatMap { refresh in
            [(refresh.sentIndex, refresh, false), (refresh.ended ?? .max, refresh, true)]
        }
        for (index, refresh, isEnd) in moments.sorted(by: { $0.0 < $1.0 }) {
            guard let shown = refresh.sent.refresh else { continue }
            found +=
                isEnd
                ? watch.ended(
                    refresh.sentIndex, shows: shown, hasSuccessor: refresh.broughtRefresh != nil,
                    isAnswered: refresh.ended != nil, at: index)
                : watch.sent(at: index, shows: shown)
        }
        return found.min { ($0.later, $0.earlier) < ($1.later, $1.earlier) }
    }

    /// A refresh token that two refreshes showed.
    struct Reuse {
        let earlier, later: Int
        let shows: Int
        /// Whether the earlier one had ended.
        let isAfter: Bool
    }

    /// The refresh tokens that a user has shown lately.
    struct Watch {
        private var latest: [Shown] = []
        private static let latestMax = 32

        private struct Shown {
            let sentIndex, shows: Int
            var endedIndex = Int.max
            var hasSuccessor = false
        }

        /// A refresh is sent; the earlier ones whose token it may not show any more.
        mutating func sent(at index: Int, shows token: Int) -> [Reuse] {
            let over = latest.filter { $0.shows == token && $0.hasSuccessor }
            if latest.count >= Self.latestMax { latest.removeFirst() }
            latest.append(Shown(sentIndex: index, shows: token))
            return over.map {
                Reuse(earlier: $0.sentIndex, later: index, shows: token, isAfter: true)
            }
        }

        /// A refresh has ended: one of two that overlap brings a successor, in whichever order the
        /// server takes them, or an answer that never came leaves that open.
        ///
        /// Showing a token again after an answer that brought none, or after no answer, is right.
        mutating func ended(
            _ sentIndex: Int, shows token: Int, hasSuccessor: Bool, isAnswered: Bool,
            at index: Int
        ) -> [Reuse] {
            guard let place = latest.firstIndex(where: { $0.sentIndex == sentIndex }) else {
                return []
            }
            latest[place].endedIndex = index
            latest[place].hasSuccessor = hasSuccessor
            let others = latest.filter { $0.shows == token && $0.sentIndex != sentIndex }
            let later = others.filter {
                $0.sentIndex > sentIndex && (hasSuccessor || !isAnswered)
            }
            let earlier = others.filter {
                $0.sentIndex < sentIndex && hasSuccessor && !$0.hasSuccessor
                    && $0.endedIndex > sentIndex
            }
            return later.map {
                Reuse(earlier: sentIndex, later: $0.sentIndex, shows: token, isAfter: false)
            }
                + earlier.map {
                    Reuse(earlier: $0.sentIndex, later: sentIndex, shows: token, isAfter: false)
                }
        }
    }
}
