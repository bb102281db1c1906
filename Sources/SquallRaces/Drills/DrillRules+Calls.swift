import SquallBackend

extension Violation {
    /// Stands between an action and the error it failed with.
    static let failed = " failed with "

    /// The error that an action failed with; `nil` where something else is wrong.
    var error: String? {
        text.firstRange(of: Violation.failed).map { String(text[$0.upperBound...]) }
    }
}

/// Rules for calls: each ends once, and none is lost that could have been repeated.
extension DrillRules {
    /// Completion handlers that were called again.
    var repeatedCompletions: [Violation] {
        tape.acts.filter { $0.completions > 1 }.prefix(1).map { act in
            Violation(
                "completions",
                "the completion handler of \(act.name) was called \(act.completions) times",
                cause: "completions", events: [act.began, act.ended].compactMap(\.self))
        }
    }

    /// Writes that were refused for their token, and made with another body than they had then.
    var changedBodies: [Violation] {
        let writes = history.events.indices.filter {
            history.events[$0].kind == .served && history.events[$0].isWrite
                && history.events[$0].role == .ordinary
        }
        for index in writes where history.events[index].meaning == .expired {
            let refused = history.events[index]
            guard let wanted = body(refused), wanted.count > 0 else { continue }
            let made = writes.filter {
                history.events[$0].meaning == .success
                    && history.events[$0].endpoint == refused.endpoint
            }
            let bodies = made.compactMap { body(history.events[$0]) }
            // A write after the next start is not the one that was refused before the kill.
            let kill = tape.killedAt.first { $0 > index } ?? .max
            guard let last = made.last(where: { index < $0 && $0 < kill }), let other = bodies.last,
                !bodies.contains(wanted)
            else { continue }
            let what = other.count == wanted.count ? "other bytes" : "\(other.count) bytes"
            return [
                Violation(
                    "body",
                    "\(history.name(refused.endpoint)) was rejected with a body of"
                        + " \(wanted.count) bytes and retried with \(what)",
                    cause: "body", events: [index, last])
            ]
        }
        return []
    }

    /// Calls that ended with an error although a new token came meanwhile and only the old one was
    /// in the way.
    ///
    /// A request does not tell which call it belongs to, so requests are counted: while the failed
    /// call was open, more requests were refused for a replaced token than were sent with the new
    /// one, and nothing else went wrong. A drill's own finding about the same failure comes first.
    var lostCalls: [Violation] {
        guard tape.broken.isEmpty, !tape.isEndless, tape.hung.isEmpty else { return [] }
        return tape.acts.lazy.compactMap(lost).prefix(1).map(\.self)
    }

    private func lost(_ act: DrillAct) -> Violation? {
        guard act.kind == .call || act.kind == .write, act.error != nil, !act.isCancelled,
            !act.isForgotten, let end = act.ended, !isDisturbed(act, until: end)
        else { return nil }
        let span = act.began..<end
        guard
            let fresh = span.first(where: {
                let event = history.events[$0]
                return event.kind == .answered && event.role == .refresh
                    && event.meaning == .success
            })
        else { return nil }
        let token = history.events[fresh].access
        if let end = token.flatMap({ history.tokens[$0].expiry }), end <= history.events[fresh].at {
            // Its repeat could not have succeeded: the new token was dead on arrival.
            return nil
        }
        let refused = span.filter {
            let event = history.events[$0]
            return event.kind == .answered && event.role == .ordinary
                && event.meaning == .expired && (sentPlace(for: $0) ?? .max) < fresh
        }
        let old = Set(refused.compactMap { sent(for: $0)?.access })
        // Calls that were open with it may be repeated later.
        let open = tape.acts.filter { $0.began < end && ($0.ended ?? .max) > act.began }
        let later = open.compactMap(\.ended).max() ?? end
        let others = tape.acts.count { fresh < $0.began && $0.began < later }
        let repeats = (fresh..<later).count {
            let event = history.events[$0]
            return event.kind == .sent && event.role == .ordinary
                && !(event.access.map(old.contains) ?? true)
        }
        guard let last = refused.last, refused.count > repeats - min(repeats, others) else {
            return nil
        }
        return Violation(
            "lost",
            "\(act.name) is lost: it was rejected for a replaced token and not retried",
            cause: "lost", events: [last, end])
    }

    /// The request of an answer.
    private func sent(for answer: Int) -> RaceEvent? {
        sentPlace(for: answer).map { history.events[$0] }
    }

    private func sentPlace(for answer: Int) -> Int? {
        let event = history.events[answer]
        return history.events[..<answer].lastIndex {
            $0.kind == .sent && $0.user == event.user && $0.request == event.request
                && $0.attempt == event.attempt
        }
    }

    /// Whether anything but an expiry may have made an action fail: a sign-out, a sign-in, a kill,
    /// a failure of the network or of the server.
    private func isDisturbed(_ act: DrillAct, until end: Int) -> Bool {
        let span = act.began..<end
        let isOthers = tape.acts.contains { other in
            switch other.kind {
            case .signIn, .switchTo, .signOut:
                other.began < end && (other.ended ?? end) > act.began
            case .call, .write, .refresh, .otherProcess: other.isCancelled
            }
        }
        return isOthers || tape.killedAt.contains(where: span.contains)
            || span.contains { index in
                let event = history.events[index]
                switch event.kind {
                case .unanswered: return true
                case .answered: return event.meaning == .failure || event.meaning == .signedOut
                default: return false
                }
            }
    }
}
