import SquallBackend

/// The store holds the newest pair of tokens.
struct AtomicPair: RaceInvariant {
    let id = "S5"
    let name = "atomicPair"
    let claim = "Both tokens are stored together, and an older token never replaces a newer one."
    let needs: Evidence = [.storeChange]
    let source = "load-science R4, R7; react-native-firebase #8388, tuist #10276"

    func violations(in history: History) -> [Violation] {
        history.users.compactMap { user in
            var newest = (access: -1, refresh: -1, index: 0)
            for index in history.indices(of: user, .stored, .erased, .leaves, .actBegan) {
                let event = history.events[index]
                guard event.kind == .stored else { continue }
                if let problem = problem(event, newest, history) {
                    return violation(
                        problem, user: user, cause: "older", events: [newest.index, index])
                }
                newest = (number(event.access, history), number(event.refresh, history), index)
            }
            return nil
        }
    }

    private func number(_ token: Int?, _ history: History) -> Int {
        token.map { history.tokens[$0].number } ?? -1
    }

    private func problem(
        _ event: RaceEvent, _ newest: (access: Int, refresh: Int, index: Int), _ history: History
    ) -> String? {
        let (access, refresh) = (number(event.access, history), number(event.refresh, history))
        if access < newest.access, access >= 0 {
            return "\(history.name(ofToken: event.access)) was stored over T\(newest.access)"
        }
        if refresh < newest.refresh, refresh >= 0 {
            return "\(history.name(ofToken: event.refresh)) was stored over R\(newest.refresh)"
        }
        guard event.access != nil, event.refresh == nil, newest.refresh >= 0 else { return nil }
        return "\(history.name(ofToken: event.access)) is stored without a refresh token"
    }
}

/// No call is sent with a token that the app knows to be replaced.
struct NoKnownDeadToken: RaceInvariant {
    let id = "S2"
    let name = "noKnownDeadToken"
    let claim = "Once newer tokens are stored, no call is first sent with an older one."
    let needs: Evidence = [.callAfterChange]
    let source = "simulation §6.6"

    func violations(in history: History) -> [Violation] {
        history.users.compactMap { user in
            var watch = Watch()
            var began: [Int: Int] = [:]
            for index in history.events.indices where history.events[index].user == user {
                let event = history.events[index]
                if event.kind == .callBegan, let call = event.request { began[call] = index }
                if event.kind == .stored, let token = event.access {
                    watch.stored(history.tokens[token].number, at: index)
                }
                guard event.kind == .sent, let sent = event.access,
                    history.tokens[sent].user == user,
                    let stored = watch.replaced(
                        before: event.request.flatMap { began[$0] } ?? .max,
                        history.tokens[sent].number)
                else { continue }
                return violation(
                    Self.text(history.name(ofToken: sent)), user: user, cause: "\(event.role)",
                    events: [stored, index])
            }
            return nil
        }
    }

    /// What is said of a token that was sent although it had been replaced.
    static func text(_ token: String) -> String {
        "a call went out with \(token), which the app had replaced"
    }

    /// The newest access token that an app has stored.
    struct Watch {
        private var stored: (number: Int, index: Int)?

        /// The app stores a token, by its number among the user's.
        mutating func stored(_ number: Int, at index: Int) { stored = (number, index) }

        /// When a token was stored that is newer than a call's own and was there when it began.
        func replaced(before began: Int, _ number: Int) -> Int? {
            guard let stored, began > stored.index, number < stored.number else { return nil }
            return stored.index
        }
    }
}

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

/// A token is only used by its owner.
struct Isolation: RaceInvariant {
    let id = "S12"
    let name = "isolation"
    let claim = "A token is never sent for another user, nor for a later sign-in."
    let needs: Evidence = [.secondSession]
    let source = "simulation §6.6"

    func violations(in history: History) -> [Violation] {
        for (index, event) in history.events.enumerated() where event.kind == .sent {
            for case let token? in [event.access, event.refresh]
            where history.tokens[token].user != event.user {
                let owner = history.tokens[token].user
                return [
                    violation(
                        "user \(event.user) sent \(history.name(ofToken: token)) of user"
                            + " \(owner)", user: event.user, cause: "foreign token",
                        events: [index])
                ]
            }
        }
        return []
    }
}

/// A call that needs an account is never sent without its token.
struct NeverAnonymous: RaceInvariant {
    let id = "S18"
    let name = "neverAnonymous"
    let claim = "No call that needs a token is sent without one while its user is signed in."
    let needs: Evidence = [.sentAgain]
    let source = "load-science R12; supabase-js #2696; 이책저책 TB-7"

    func violations(in history: History) -> [Violation] {
        var carried: [AttemptKey: Int] = [:]
        for attempt in history.attempts where attempt.sent.role == .ordinary {
            guard attempt.sent.request != nil else { continue }
            let key = attempt.sent.call
            if attempt.sent.access != nil { carried[key] = attempt.sentIndex }
            guard attempt.sent.isAnonymous, attempt.sent.attempt > 0, let first = carried[key]
            else { continue }
            return [
                violation(
                    "\(history.name(attempt.sent.endpoint)) was sent again without a token",
                    user: attempt.sent.user, cause: "anonymous",
                    events: [first, attempt.sentIndex])
            ]
        }
        return []
    }
}

/// Nothing written about a run contains a token.
struct NoSecretsInNames: RaceInvariant {
    let id = "S16"
    let name = "noSecrets"
    let claim = "No token appears in an address, an error or an outcome."
    let needs: Evidence = [.call]
    let source = "simulation §6.6"

    func violations(in history: History) -> [Violation] {
        // A token of the mint is 61 letters and digits in a row; no other part of a name is.
        history.names.enumerated().compactMap { position, name in
            guard Self.hasToken(name) else { return nil }
            let index = history.events.firstIndex {
                $0.text == position || $0.endpoint == position
            }
            return violation(
                "a token stands in '\(name.prefix(24))…'", user: 0, cause: "name",
                events: index.map { [$0] } ?? [])
        }
    }

    private static let tokenLength = 61

    private static func hasToken(_ name: String) -> Bool {
        guard name.utf8.count >= tokenLength else { return false }
        var run = 0
        for byte in name.utf8 {
            switch byte {
            case 48...57, 65...70, 97...102, UInt8(ascii: "r"): run += 1
            default: run = 0
            }
            if run == tokenLength { return true }
        }
        return false
    }
}
