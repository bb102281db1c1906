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
        private var latest: [Refresh] = []
        private static let latestMax = 32

        /// The one that makes a refresh redundant which has just ended; `nil` when it is not
        /// redundant, or when none is for the token that it was to replace.
        ///
        /// Of two that overlap, the one that ends last is redundant, whichever was sent first.
        mutating func ended(_ refresh: Refresh) -> Refresh? {
            defer { remember(refresh) }
            guard let reason = refresh.reason, reason.isRedundant else { return nil }
            let others = latest.filter {
                $0.hasSucceeded || $0.endedIndex > refresh.sentIndex
            }
            return others.last { $0.replaces == refresh.replaces }
                ?? (reason == .again ? others.last : nil)
        }

        /// In the order of sending.
        private mutating func remember(_ refresh: Refresh) {
            if latest.count >= Self.latestMax { latest.removeFirst() }
            let place = latest.lastIndex { $0.sentIndex < refresh.sentIndex }
            latest.insert(refresh, at: place.map { $0 + 1 } ?? 0)
        }
    }
}

extension SingleFlight {
    /// A refresh that has ended, as far as a second one for the same expiry is concerned.
    struct Refresh {
        /// The position or moment of its sending.
        let sentIndex: Int
        /// That of its end; the greatest number when none came.
        let endedIndex: Int
        /// The access token that it was to replace.
        let replaces: Int?
        let hasSucceeded: Bool
        let reason: SessionExpiry.Reason?
    }
}

extension SingleFlight.Refresh {
    init(_ attempt: WireAttempt) {
        self.init(
            sentIndex: attempt.sentIndex, endedIndex: attempt.ended ?? .max,
            replaces: attempt.replaces, hasSucceeded: attempt.meaning == .success,
            reason: attempt.reason)
    }
}

extension History {
    /// A user's refreshes that repeat another, each with that one, in the order of sending.
    func doubledRefreshes(of user: Int) -> [(
        refresh: SingleFlight.Refresh, other: SingleFlight.Refresh
    )] {
        var watch = SingleFlight.Watch()
        let ended = refreshes(of: user).map(SingleFlight.Refresh.init).sorted {
            ($0.endedIndex, $0.sentIndex) < ($1.endedIndex, $1.sentIndex)
        }
        return ended.compactMap { refresh in watch.ended(refresh).map { (refresh, $0) } }
            .sorted { $0.refresh.sentIndex < $1.refresh.sentIndex }
    }
}

/// A client answers a late refusal with the new token, not with a refresh.
struct StaleRefusalRefreshesNothing: RaceInvariant {
    let id = "S4"
    let name = "staleRefusal"
    let claim = "A refusal of a token that has been replaced never starts a refresh."
    let needs: Evidence = [.lateRefusal]
    let source = "load-science R2; OkHttp pattern in edx-app-android #834"

    func violations(in history: History) -> [Violation] {
        history.users.compactMap { user in
            let doubled = Set(history.doubledRefreshes(of: user).map(\.refresh.sentIndex))
            for refresh in history.refreshes(of: user) {
                guard refresh.reason == .late, !doubled.contains(refresh.sentIndex),
                    let refusal = refusal(before: refresh, in: history)
                else { continue }
                return violation(
                    Self.text(
                        history.name(ofToken: refresh.replaces),
                        refused: history.name(ofToken: refusal.token)),
                    user: user, cause: "late refusal",
                    events: [refusal.index, refresh.sentIndex])
            }
            return nil
        }
    }

    /// What is said of a token that was refreshed for the refusal of an older one.
    static func text(_ token: String, refused: String) -> String {
        "\(token) was fresh when a late refusal of \(refused) had it refreshed"
    }

    /// The refusal that made a client refresh, or the newest one before, and the refused token.
    private func refusal(
        before refresh: WireAttempt, in history: History
    ) -> (index: Int, token: Int?)? {
        let refused = history.attempts.filter { attempt in
            guard let end = attempt.ended, end < refresh.sentIndex else { return false }
            return attempt.sent.user == refresh.sent.user && attempt.meaning == .expired
        }
        let own = refused.last { $0.sent.request == refresh.sent.refreshFor }
        let newest = own ?? refused.max { ($0.ended ?? 0) < ($1.ended ?? 0) }
        return newest.flatMap { attempt in attempt.ended.map { ($0, attempt.sent.access) } }
    }
}

/// A refresh has a reason.
struct RefreshIsNeeded: RaceInvariant {
    let id = "S3"
    let name = "refreshIsNeeded"
    let claim = "A token is refreshed only if it is due or the server has refused it."
    let needs: Evidence = [.replacement]
    let source = "simulation §6.6"

    func violations(in history: History) -> [Violation] {
        history.attempts.compactMap { refresh in
            guard refresh.isRefresh, let token = refresh.replaces else { return nil }
            let user = refresh.sent.user
            let wasRefused = history.events[..<refresh.sentIndex].contains {
                $0.user == user && $0.kind == .answered && $0.meaning == .expired
            }
            if wasRefused { return nil }
            guard !Self.isDue(history.tokens[token].expiry, at: refresh.sent.at) else { return nil }
            return violation(
                Self.text(history.name(ofToken: token)), user: user, cause: "no reason",
                events: [refresh.sentIndex])
        }
    }

    /// What is said of a token that was refreshed too early.
    static func text(_ token: String) -> String {
        "\(token) was refreshed although no response had refused it"
    }

    /// Whether a token's expiry is so near that a client may refresh it proactively.
    static func isDue(_ expiry: Int64?, at moment: Int64) -> Bool {
        let expiry = expiry ?? .max
        let life = expiry == .max ? 0 : expiry
        return moment >= life - window(ofLife: life)
    }

    /// How long before its expiry a token of a life may be refreshed proactively.
    static func window(ofLife life: Int64) -> Int64 { max(life / 5, 60_000_000_000) }
}

/// A wrong clock does not make a client refresh without end.
struct NoEarlyRefresh: RaceInvariant {
    let id = "S15"
    let name = "noEarlyRefresh"
    let claim = "A token that the server still accepts is not refreshed twice."
    let needs: Evidence = [.refreshAnswer]
    let source = "simulation §6.6; OOTD OO-2, OO-7"

    func violations(in history: History) -> [Violation] {
        history.attempts.compactMap { refresh in
            guard refresh.isRefresh, refresh.status == 409, let end = refresh.ended else {
                return nil
            }
            return violation(
                Self.text(history.name(ofToken: refresh.replaces)), user: refresh.sent.user,
                cause: "409", events: [refresh.sentIndex, end])
        }
    }

    /// What is said of a refresh that the server refused as too early.
    static func text(_ token: String) -> String {
        "\(token) was refreshed while the server still accepted it"
    }
}

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

/// Users do not all refresh at the same moment.
struct SpreadRefreshes: RaceInvariant {
    let id = "S20"
    let name = "spreadRefreshes"
    let claim =
        "Fewer than half of the users refresh within the same second (with at least eight users)."
    let needs: Evidence = [.crowd, .refresh]
    let source = "load-science R14; firebase-ios-sdk #15474"

    func violations(in history: History) -> [Violation] {
        guard history.setting.users >= EvidenceReader.crowdMin else { return [] }
        let served = history.events.indices.filter {
            history.events[$0].kind == .served && history.events[$0].role == .refresh
        }
        for (position, first) in served.enumerated() {
            let end = history.events[first].at + 1_000_000_000
            let within = served[position...].prefix { history.events[$0].at < end }
            let users = Set(within.map { history.events[$0].user }).count
            guard users * 2 >= history.setting.users, let last = within.last else { continue }
            return [
                violation(
                    "\(users) of \(history.setting.users) users refreshed within one second",
                    user: history.events[first].user, cause: "peak", events: [first, last])
            ]
        }
        return []
    }
}
