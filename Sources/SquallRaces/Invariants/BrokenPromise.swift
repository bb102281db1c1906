import SquallFormat

/// Sentences about a broken promise, for explorations and the live judge alike.
enum BrokenPromise {
    static func refreshedTwice(_ token: String, isDue: Bool = true) -> String {
        "\(isDue ? "the expiry of " : "")\(token) was refreshed twice"
    }

    static func signedInTwice(_ token: String) -> String {
        "its client signed in twice for the expiry of \(token)"
    }

    static func refreshedLate(_ token: String, refused: String) -> String {
        "\(token) was fresh when a late refusal of \(refused) had it refreshed"
    }

    static func refreshedEarly(_ token: String, after other: Int? = nil) -> String {
        other.map { "\(token) was refreshed for a \($0) that is not about the token" }
            ?? "\(token) was refreshed although no response had refused it"
    }

    static func refreshedForEach(_ text: String) -> String {
        "\(text): right where each was for another call"
    }

    static func loadedAnew(_ text: String, _ calls: Int) -> String {
        "\(text), three times in a row with up to \(calls) calls between: right for a page that"
            + " keeps its access token in memory and is loaded anew"
    }

    /// Ends a sentence about a token that was refreshed early: a client's margin may be longer than
    /// the token's life.
    static func age(_ age: Int64, of life: Int64) -> String {
        ", \(seconds(age)) after it had come of the \(seconds(life)) that it lives"
    }

    private static func seconds(_ span: Int64) -> String { "\((span / 1_000_000).thousandths) s" }

    static func refreshedByTimer(_ token: String, pause: Int64, life: Int64) -> String {
        "\(token) was refreshed although no response had refused it, as 9 before it, each"
            + " after \(seconds(pause)) of the \(seconds(life)) that it lives"
    }

    static func signedInOften(_ times: Int) -> String {
        "one account signed in over its connection \(times) times although its token was good:"
            + " right in tests"
    }

    static func signedInForEach(_ unused: Int) -> String {
        "one account signed in while \(unused) of its tokens were good and used no more after one"
            + " call: right for jobs that each sign in, and end"
    }

    static func nothingRefreshed(_ token: String) -> String {
        "calls went on being refused as expired with \(token), and nothing was refreshed"
    }

    static func cameAnyway(_ endpoint: String, after pause: Int64) -> String {
        "\(endpoint) was refused as expired, the refresh succeeded, and the call came again only"
            + " when the next was due, after \(seconds(pause))"
    }

    static let refreshedUnused =
        "tokens were refreshed right after they had come, and before any call had shown them, 3"
        + " times or more: right for pages that each have a token and a timer of their own"

    static func triedEvenly(_ pause: Int64) -> String {
        "a call failed 10 times or more, and was sent again each time after"
            + " \(seconds(pause)), until it succeeded"
    }

    static func refreshedEvenly(_ pause: Int64) -> String {
        "the refresh failed 10 times and was tried again each time after"
            + " \(seconds(pause))"
    }

    /// Ends a sentence about refreshes as far apart as screens.
    static let atUsersPace =
        ": right where each was for another call, which failed without being sent"

    /// Ends it where calls were sent meanwhile.
    static let besideCalls =
        ": right where each was for another call, but a timer waits longer each time"

    /// Ends a sentence about refreshes that refused calls asked for.
    static let askedByEach =
        ": right where each was for another call that was refused, but a poll or a retry waits"
        + " longer each time"

    static let askedInTurn =
        "the refresh failed and was sent again at once, by one waiting call after the other: right"
        + " where each call has to ask for itself"

    static func emptyRefresh(_ call: String) -> String {
        "\(call) was sent with nothing in place of a refresh token"
    }

    static func placeholder(_ call: String) -> String {
        "\(call) was sent with a word in place of a token, such as undefined or null"
    }

    static func otherKind(_ call: String, _ token: String, asAccess: Bool) -> String {
        asAccess
            ? "\(call) was sent with \(token), a refresh token, in place of an access token"
            : "\(call) was sent with \(token), an access token, in place of a refresh token"
    }

    static func sentWithout(_ call: String) -> String {
        "\(call) went on being sent without a token, which it needs: by a client that had one, or"
            + " by another"
    }

    static func sentOnWithout(_ call: String, after event: String) -> String {
        "\(call) went on being sent without a token after \(event), and was refused each time"
    }

    /// Ends it where the token may have been in a cookie.
    static let byCookie = ": right for a page that asks whether its cookie is good"

    static func misplaced(_ place: String) -> String {
        "calls show their token as \(place), where the service does not look, so that they are"
            + " refused whatever their client does"
    }

    static func lostBody(_ call: String, _ bytes: Int, for other: Int? = 0) -> String {
        "\(call) was refused with a body of \(bytes) bytes and sent again "
            + (other == 0
                ? "without one" : "with an empty object, a placeholder or its own text in quotes")
    }

    static func sentRefused(_ token: String) -> String {
        "a call was sent again with \(token), which had been refused, while its refresh was open"
    }

    static func repeatedWithOld(_ call: String, _ token: String, isLate: Bool = true) -> String {
        "\(call) was refused with \(token) and sent again with it, "
            + (isLate
                ? "although its refresh had brought another token"
                : "at once and before anything was refreshed")
    }

    /// Ends a sentence about a call that came again with its old token.
    static let byAnother = ": right where that was another thread's"
    static let byProcesses =
        ": right where processes share a refresh token, each with an access token of its own"

    static func thrownAway(after status: Int?) -> String {
        let answer =
            status.map { "a \($0)\((200..<300).contains($0) ? " without a token" : "")" }
            ?? "no response"
        return "the user signed in again after \(answer) to the refresh, whose token was still good"
    }

    static func writtenTwice(_ call: String) -> String {
        "\(call) was done twice with the same body, before the first response was known"
    }

    /// Ends a sentence about a write that comes as often as before.
    static let atItsPace = ": right for a call that comes at that pace anyway"

    static func writtenWithOtherKey(_ call: String) -> String {
        "\(call) was done twice: after its response was lost it was sent again with another"
            + " idempotency key"
    }

    static func maybeWritten(_ call: String) -> String {
        "after the response to \(call) was lost, one with another body was sent: it may be another"
            + " write"
    }

    /// Ends a sentence about a list that was read by offset or by page while it changed.
    static let byOffset =
        ": where pages are counted, what moves up meanwhile is passed over, unless pages overlap"

    /// Ends a sentence about two refreshes at once.
    static let replayed = ": the server answers both on purpose, for a while"

    /// Ends a sentence about an older token.
    static let otherPage =
        ": right for another page, for which the server takes its refresh token for a while"

    /// Ends a sentence about what a client did when the server had stood still.
    static let stoodStill =
        ": the server had stood still, so that its client may not have got a response"

    static func stillAccepted(_ token: String) -> String {
        "\(token) was refreshed while the server still accepted it"
    }

    static func refusedOtherwise(_ status: Int) -> String {
        "a refresh was refused with \(status), but not for its token: its error says why, and its"
            + " session goes on"
    }

    static func loops(_ refreshes: Int) -> String {
        "a call was refused as expired and refreshed \(refreshes) times in one step"
    }

    static func reused(_ token: String, isAfter: Bool) -> String {
        isAfter
            ? "\(token) was sent again after its successor had arrived"
            : "\(token) was sent twice at the same time"
    }

    static func lostPair(_ token: String) -> String {
        "an older token was sent after \(token) had come, which no request has shown:"
            + " right, once, for a process that was ended before it had stored the new pair"
    }

    static func sentReplaced(_ token: String) -> String {
        "a call went out with \(token), which the app had replaced"
    }

    static func openCalls(_ open: Int) -> String { "\(open) calls are open at once" }

    static let refreshedWhenOver = "the session was refreshed after the server had ended it"
}
