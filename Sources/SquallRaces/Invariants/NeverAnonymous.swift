import SquallBackend

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
