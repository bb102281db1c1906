import SquallBackend

/// At most one refresh per expiry.
struct SingleFlight: RaceInvariant {
    let id = "S1"
    let name = "singleFlight"
    let claim = "One expiry is refreshed once: no second refresh follows for the same token."
    let needs: Evidence = [.replacement, .secondCall]
    let source = "load-science R1; Alamofire #3297, Auth0.swift #429"

    func violations(in history: History) -> [Violation] {
        history.users.flatMap { user in
            history.doubledRefreshes(of: user).map { refresh, other in
                violation(
                    Self.text(history.name(ofToken: refresh.replaces)), user: user,
                    cause: "second refresh", events: [other.sentIndex, refresh.sentIndex].sorted())
            }
        }
    }

    /// What is said of a token whose expiry was refreshed twice.
    static func text(_ token: String) -> String { "the expiry of \(token) was refreshed twice" }

    /// The latest refreshes of a user, told one after another as they end.
    struct Watch {
        private var latest: [EndedRefresh] = []
        private static let latestMax = 32

        /// The one that makes a refresh redundant which has just ended; `nil` when it is not
        /// redundant, or when none is for the token that it was to replace.
        ///
        /// Of two that overlap, the one that ends last is redundant, whichever was sent first.
        mutating func ended(_ refresh: EndedRefresh) -> EndedRefresh? {
            defer { remember(refresh) }
            guard let reason = refresh.reason, reason.isRedundant else { return nil }
            let others = latest.filter {
                $0.hasSucceeded || $0.endedIndex > refresh.sentIndex
            }
            return others.last { $0.replaces == refresh.replaces }
                ?? (reason == .again ? others.last : nil)
        }

        /// In the order of sending.
        private mutating func remember(_ refresh: EndedRefresh) {
            if latest.count >= Self.latestMax { latest.removeFirst() }
            let place = latest.lastIndex { $0.sentIndex < refresh.sentIndex }
            latest.insert(refresh, at: place.map { $0 + 1 } ?? 0)
        }
    }
}

/// A refresh after its end, as fed invariants remember it.
struct EndedRefresh {
    /// The position or moment of its sending.
    let sentIndex: Int
    /// That of its end; the greatest number when none came.
    let endedIndex: Int
    /// The access token that it was to replace.
    let replaces: Int?
    /// The refresh token that it showed.
    let shows: Int?
    /// Whether its answer brought another refresh token.
    let hasSuccessor: Bool
    let hasSucceeded: Bool
    let reason: SessionExpiry.Reason?
}

extension EndedRefresh {
    init(_ attempt: WireAttempt) {
        self.init(
            sentIndex: attempt.sentIndex, endedIndex: attempt.ended ?? .max,
            replaces: attempt.replaces, shows: attempt.sent.refresh,
            hasSuccessor: attempt.broughtRefresh != nil,
            hasSucceeded: attempt.meaning == .success, reason: attempt.reason)
    }
}

extension History {
    /// A user's refreshes that repeat another, each with that one, in the order of sending.
    func doubledRefreshes(of user: Int) -> [(refresh: EndedRefresh, other: EndedRefresh)] {
        var watch = SingleFlight.Watch()
        let ended = refreshes(of: user).map(EndedRefresh.init).sorted {
            ($0.endedIndex, $0.sentIndex) < ($1.endedIndex, $1.sentIndex)
        }
        return ended.compactMap { refresh in watch.ended(refresh).map { (refresh, $0) } }
            .sorted { $0.refresh.sentIndex < $1.refresh.sentIndex }
    }
}
