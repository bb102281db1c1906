import SquallBackend
import SquallJudge

/// Calls in a row that were refused for want of a token, of a client that knows that its session is
/// over.
///
/// Some may have been under way to several screens; a client that polls goes on.
struct TokenlessRow {
    private var first: (request: UInt32, at: Int64)?
    private var count = 0
    private static let rowMin = 3

    /// Notes that such a call was refused; returns the first one where they have gone on for so
    /// long.
    mutating func refused(_ sent: LiveRequest, patience: Int64) -> UInt32? {
        let first = self.first ?? (sent.number, sent.sentAt)
        self.first = first
        count += 1
        return count >= Self.rowMin && sent.sentAt - first.at >= patience ? first.request : nil
    }
}

extension LiveJudge {
    /// A call that may have needed a token has ended, and may have shown none.
    func tokenless(
        _ sent: LiveRequest, _ endpoint: Endpoint, _ meaning: AnswerMeaning, _ status: Int,
        of user: LiveUser
    ) {
        guard sent.access == nil, guarded.contains(endpoint.number) else { return }
        let isRefused = meaning == .expired || meaning == .refused || meaning == .signedOut
        if sent.isTokenless, isRefused {
            user.tokenless = (endpoint.name, Int(sent.number), sent.connection)
        }
        // Who goes on like that may be another, or have lost it: LiveArguableTests.nameless.
        if sent.isTokenless || user.number == 0, status >= 400, status < 500, status != 429 {
            summary.tokenless += 1
            if summary.tokenless >= LiveSummary.tokenlessMin {
                arguable(.neverAnonymous, BrokenPromise.sentWithout(endpoint.name))
            }
        }
        if isRefused { goesOn(sent, endpoint, of: user) }
    }

    /// Judges calls without a token after the end of their user's session.
    private func goesOn(_ sent: LiveRequest, _ endpoint: Endpoint, of user: LiveUser) {
        let ends = [
            (user.who.leftAt, "the sign-out"), (user.who.endedAt, "the end of the session"),
            (user.failedRefresh.map { ($0.at, $0.request) }, "a refresh that failed"),
        ]
        guard user.number != 0,
            case (let over?, let event)? = ends.first(where: { $0.0 != nil }),
            user.knew(over.at, at: sent.sentAt),
            user.isNamed || !users.isShared(sent.connection, beside: user),
            let first = user.tokenlessRow.refused(sent, patience: patience.end)
        else { return }
        let text = BrokenPromise.sentOnWithout(endpoint.name, after: event)
        // A page cannot see its cookies, and asks: LiveArguableTests.cookies.
        if user.sendsCookies { return arguable(.neverAnonymous, text + BrokenPromise.byCookie) }
        found(
            .neverAnonymous, text, by: user, cause: "after the end",
            [over.request, Int(first), Int(sent.number)])
    }
}
