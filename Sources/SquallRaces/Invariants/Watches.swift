import SquallBackend
import SquallFormat
import SquallJudge

/// Sentences about a broken promise, for explorations and the live judge alike.
enum BrokenPromise {
    static func refreshedTwice(_ token: String) -> String {
        "the expiry of \(token) was refreshed twice"
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

    static func refreshedByTimer(_ token: String, pause: Int64, life: Int64) -> String {
        func seconds(_ span: Int64) -> String { "\((span / 1_000_000).thousandths) s" }
        return "\(token) was refreshed although no response had refused it, as 9 before it, each"
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

    static func refreshedEvenly(_ pause: Int64) -> String {
        "the refresh failed 10 times and was tried again each time after"
            + " \((pause / 1_000_000).thousandths) s"
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

    static func misplaced(_ place: String) -> String {
        "calls show their token as \(place), where the service does not look, so that they are"
            + " refused whatever their client does"
    }

    static func lostBody(_ call: String, _ bytes: Int) -> String {
        "\(call) was refused with a body of \(bytes) bytes and sent again without one"
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

    static func thrownAway(after status: Int?) -> String {
        let answer =
            status.map { "a \($0)\((200..<300).contains($0) ? " without a token" : "")" }
            ?? "no response"
        return "the user signed in again after \(answer) to the refresh, whose token was still good"
    }

    static func writtenTwice(_ call: String) -> String {
        "\(call) was done twice with the same body, before the first response was known"
    }

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

    static func loops(_ refreshes: Int) -> String {
        "a call was refused as expired and refreshed \(refreshes) times in one step"
    }

    static func reused(_ token: String, isAfter: Bool) -> String {
        isAfter
            ? "\(token) was sent again after its successor had arrived"
            : "\(token) was sent twice at the same time"
    }

    static func sentReplaced(_ token: String) -> String {
        "a call went out with \(token), which the app had replaced"
    }

    static func openCalls(_ open: Int) -> String { "\(open) calls are open at once" }

    static let refreshedWhenOver = "the session was refreshed after the server had ended it"
}

/// The latest refreshes of a user, told one after another as they end.
struct RefreshWatch {
    private var latest: [Refresh] = []
    private static let latestMax = 32

    /// A refresh that has ended, with what decides if a second one for the same expiry is
    /// redundant.
    struct Refresh {
        /// The position or moment of its sending.
        let sentIndex: Int
        /// The position or moment of its end; the greatest number when none came.
        let endedIndex: Int
        /// The access token that it was to replace.
        let replaces: Int?
        let hasSucceeded: Bool
        let reason: SessionExpiry.Reason?
        /// True if the token that it was to replace is known to have come to its own end: a refresh
        /// token that was used up for another is the fault then.
        var isDue = false
    }

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
            ?? (reason == .again
                ? others.last { !refresh.isDue || $0.endedIndex > refresh.sentIndex } : nil)
    }

    /// In the order of sending.
    private mutating func remember(_ refresh: Refresh) {
        if latest.count >= Self.latestMax { latest.removeFirst() }
        let place = latest.lastIndex { $0.sentIndex < refresh.sentIndex }
        latest.insert(refresh, at: place.map { $0 + 1 } ?? 0)
    }
}

extension RefreshWatch.Refresh {
    init(_ attempt: WireAttempt) {
        self.init(
            sentIndex: attempt.sentIndex, endedIndex: attempt.ended ?? .max,
            replaces: attempt.replaces, hasSucceeded: attempt.meaning == .success,
            reason: attempt.reason)
    }
}

/// The newest access token that an app has stored.
struct StoreWatch {
    private var stored: (number: Int, index: Int)?

    /// The app stores a token, by its number among the user's.
    mutating func stored(_ number: Int, at index: Int) { stored = (number, index) }

    /// When a token was stored that is newer than a call's own and was there when it began.
    func replaced(before began: Int, _ number: Int) -> Int? {
        guard let stored, began > stored.index, number < stored.number else { return nil }
        return stored.index
    }
}

/// The refresh tokens that a user has shown lately.
struct ReuseWatch {
    private var latest: [Shown] = []
    private static let latestMax = 32

    /// A refresh token that two refreshes showed.
    struct Reuse {
        let earlier, later: Int
        let shows: Int
        /// How long the successor had been there, in nanoseconds; `nil` if the two overlap.
        let pause: Int64?

        var isAfter: Bool { pause != nil }
    }

    private struct Shown {
        let sentIndex, shows: Int
        var endedIndex = Int.max
        /// When its response brought a successor.
        var successorAt: Int64?
    }

    /// A refresh is sent.
    ///
    /// Returns the earlier ones after which its token must not be shown any more.
    mutating func sent(at index: Int, shows token: Int, now: Int64) -> [Reuse] {
        let over = latest.compactMap { shown in
            shown.successorAt.flatMap { arrived in
                shown.shows == token
                    ? Reuse(
                        earlier: shown.sentIndex, later: index, shows: token, pause: now - arrived)
                    : nil
            }
        }
        if latest.count >= Self.latestMax { latest.removeFirst() }
        latest.append(Shown(sentIndex: index, shows: token))
        return over
    }

    /// A refresh has ended: one of two that overlap brings a successor, in whichever order the
    /// server takes them, or a response that never came leaves that open.
    ///
    /// Showing a token again after a response that brought none, or after no response, is right.
    mutating func ended(
        _ sentIndex: Int, shows token: Int, hasSuccessor: Bool, isAnswered: Bool,
        at index: Int, now: Int64
    ) -> [Reuse] {
        guard let place = latest.firstIndex(where: { $0.sentIndex == sentIndex }) else {
            return []
        }
        latest[place].endedIndex = index
        latest[place].successorAt = hasSuccessor ? now : nil
        let others = latest.filter { $0.shows == token && $0.sentIndex != sentIndex }
        let later = others.filter {
            $0.sentIndex > sentIndex && (hasSuccessor || !isAnswered)
        }
        let earlier = others.filter {
            $0.sentIndex < sentIndex && hasSuccessor && $0.successorAt == nil
                && $0.endedIndex > sentIndex
        }
        return later.map {
            Reuse(earlier: sentIndex, later: $0.sentIndex, shows: token, pause: nil)
        }
            + earlier.map {
                Reuse(earlier: $0.sentIndex, later: sentIndex, shows: token, pause: nil)
            }
    }
}
