import SquallBackend

/// Finds what is wrong in a drill, whatever the drill is about.
struct DrillRules {
    let history: History
    let tape: DrillRecording
    let run: DrillEnding
    let client: any ClientUnderTest
    /// The account of each token.
    let accounts: [Int: Int]
    /// How many events there were when the client handed a request over, by the position of the
    /// event that it was sent; without those that are sent as they are handed over.
    var handedOver: [Int: Int] = [:]
    /// The redundant refreshes, by the numbers of their requests.
    let redundant: Set<Int>
    /// What a write carried.
    var body: (RaceEvent) -> WrittenBody? = { _ in nil }

    /// All that is wrong, the most important first.
    var violations: [Violation] {
        endless + hangs + redundantRefreshes + identities + repeatedCompletions + changedBodies
            + tape.broken + lostCalls + failedExpectations
    }

    /// What the client's own code expected of its world and did not find.
    private var failedExpectations: [Violation] {
        run.failedExpectations.map { Violation("expected", $0, cause: $0) }
    }

    private var endless: [Violation] {
        guard tape.isEndless else { return [] }
        return [
            Violation(
                "endless", "refresh loop: the client sends requests without end",
                cause: "endless", events: history.events.indices.suffix(1))
        ]
    }

    private var hangs: [Violation] {
        if !run.isWhole, !tape.isEndless, tape.hung.isEmpty {
            // Only a cancellation runs the client's code within the drill's own.
            let act = tape.acts.last { $0.isCancelled }
            let call = act.map { "the cancellation of \($0.name)" } ?? "a call of the client"
            return [
                Violation(
                    Violation.hang,
                    "\(call) never returns" + (run.blocks.map { ": \($0)" } ?? ""),
                    cause: "hang", events: history.events.indices.suffix(1))
            ]
        }
        return tape.hung.prefix(1).map { act in
            Violation(
                Violation.hang, "\(act.name) hangs", cause: "hang",
                events: [act.began])
        }
    }

    private var redundantRefreshes: [Violation] {
        if tape.toleratesReuse { return [] }
        for index in history.events.indices {
            let event = history.events[index]
            guard event.kind == .sent, let request = event.request, redundant.contains(request)
            else { continue }
            let earlier = history.events[..<index].lastIndex {
                $0.kind == .sent && $0.role == .refresh && $0.refresh == event.refresh
            }
            guard let earlier else {
                // Each scope has a token of its own, which may be refreshed on its own.
                if tape.hasOtherScope || isNewestOver(at: index) { continue }
                return [
                    Violation(
                        "refresh", "redundant refresh: the token had already been replaced",
                        cause: "late", events: [index])
                ]
            }
            // A server that leaves the refresh token in place has it shown for each expiry.
            if isNewestOver(at: index, after: earlier, by: event.refresh) { continue }
            let name = history.name(ofToken: event.refresh)
            return [
                Violation(
                    "refresh",
                    "redundant refresh: \(name) was sent again while or after it was used",
                    cause: "again", events: [earlier, index])
            ]
        }
        return []
    }

    /// Whether the newest access token before an event had expired by then: one that lives shorter
    /// than a round trip may be refreshed whatever it replaced.
    private func isNewestOver(at index: Int) -> Bool { isOver(newest(before: index), at: index) }

    /// The same where a refresh with this refresh token was sent earlier: it has ended, and brought
    /// no other one.
    private func isNewestOver(at index: Int, after earlier: Int, by refresh: Int?) -> Bool {
        guard let newest = newest(before: index), newest.request == history.events[earlier].request,
            newest.refresh ?? refresh == refresh
        else { return false }
        return isOver(newest, at: index)
    }

    private func newest(before index: Int) -> RaceEvent? {
        history.events[..<index].last {
            $0.kind == .answered && $0.role == .refresh && $0.meaning == .success
        }
    }

    private func isOver(_ newest: RaceEvent?, at index: Int) -> Bool {
        guard let expiry = newest?.access.flatMap({ history.tokens[$0].expiry }) else {
            return false
        }
        return expiry <= history.events[index].at
    }

    /// Requests without a token, or with the token of a user who has left or is not signed in.
    ///
    /// What counts is who was signed in when the client handed the request over: it cannot know
    /// what happens while the system takes its time to send it.
    private var identities: [Violation] {
        var who = Presence()
        var earlier: [Presence] = []
        var found: [Violation] = []
        for (index, event) in history.events.enumerated() {
            earlier.append(who)
            if event.kind == .sent, event.user == who.life,
                let wrong = breach(event, earlier[handedOver[index] ?? index])
            {
                if !found.contains(where: { $0.cause == wrong.cause }) {
                    found.append(
                        Violation(
                            "identity", wrong.text, cause: wrong.cause,
                            events: [who.since, index].compactMap(\.self)))
                }
            }
            who.note(event, at: index, tape, history)
        }
        return found
    }

    private func breach(_ event: RaceEvent, _ who: Presence) -> (text: String, cause: String)? {
        let endpoint = history.name(event.endpoint)
        guard event.role != .signIn, endpoint != client.logOut else { return nil }
        let token = event.access ?? event.refresh
        let name = history.name(ofToken: token)
        switch who.state {
        case .unknown: return nil
        case .left:
            guard token != nil else { return nil }
            return ("\(endpoint) was sent with \(name) after sign-out", "left")
        case .signedIn(let account):
            if let token, let owner = accounts[token], owner != account {
                return ("\(endpoint) was sent with \(name), another user's token", "other user")
            }
            guard event.role == .ordinary, event.isAnonymous, !tape.toleratesAnonymous,
                client.needsToken(endpoint)
            else {
                return nil
            }
            return ("\(endpoint) was sent without a token while a user was signed in", "no token")
        }
    }

    /// The user who is signed in on the device, as far as that is known.
    private struct Presence {
        enum State { case unknown, signedIn(Int), left }

        var state = State.unknown
        var since: Int?
        /// The start of the app that is alive.
        var life = 0

        mutating func note(
            _ event: RaceEvent, at index: Int, _ tape: DrillRecording, _ history: History
        ) {
            switch event.kind {
            case .actBegan:
                switch tape.acts[event.attempt].kind {
                case .signIn, .signOut, .switchTo: (state, since) = (.unknown, index)
                default: break
                }
            case .actEnded:
                let act = tape.acts[event.attempt]
                switch act.kind {
                case .signIn(let account) where act.error == nil:
                    (state, since) = (.signedIn(account), index)
                case .signOut: (state, since) = (.left, index)
                default: break
                }
            case .answered where event.meaning == .signedOut:
                // The server has ended the session: the client decides what it shows then.
                if case .signedIn = state { (state, since) = (.unknown, index) }
            case .meanwhile where history.name(event.text) == AttemptReader.restart:
                life = event.user + 1
                if case .signedIn = state { (state, since) = (.unknown, index) }
            default: break
            }
        }
    }
}
