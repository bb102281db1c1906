import SquallBackend
import SquallFormat
import SquallJudge
import SquallKernel

/// Finds the expiries of users' access tokens and the refreshes that belong to them, by the rules
/// of `SessionExpiry`.
///
/// Where a service states how long its tokens live, the end of a token that its client renews
/// before any call was refused is an expiry, too. A token counts as near its end in the last half
/// of its life and in the last 15 minutes, as clients renew half way (MSAL) or from 900 s on
/// (botocore); a renewal before that, as at a launch, is unprompted. One of a token that had just
/// come, and with which no call has succeeded yet, is redundant: a call that waited for the last
/// one sends it.
///
/// An expiry that lasts beyond a warm-up counts as soon as a part of it is measured.
struct ExpiryLedger {
    /// The lives of access tokens of a sign-in and of a refresh as the service states them; `nil`
    /// where it states none.
    var statedLives: (signIn: Int64, refreshed: Int64)?
    private var users: [Session]
    /// The part of the run that is measured: 1 before the end of a warm-up, 2 after it.
    private var part: UInt8 = 1

    private struct Session {
        var expiry = SessionExpiry()
        /// The call that was refused last, by its endpoint's number, and the step that made it.
        var refused: Int32 = -1
        var refusedInStep: UInt32 = 0
        /// When the newest access token ends by what the service says; `max` when that is unknown.
        var end = Int64.max
        /// The part of the run in which the last expiry was counted; 0 before there was any, `max`
        /// while nothing of it has been measured.
        var countedIn: UInt8 = 0
        /// True if a renewal, and no refusal, has told of that end.
        var isRenewed = false
        /// True as soon as a call has succeeded since that token came.
        var isUsed = true
        /// True if a refresh has brought that token.
        var isRefreshed = false
    }

    /// No expiries yet; incomplete when `isStopped` said so meanwhile.
    init(users: Int, unless isStopped: () -> Bool = { false }) {
        self.users = Array(repeating: Session(), count: users, unless: isStopped)
    }

    /// Counts open expiries and loops anew, at the end of a warm-up.
    mutating func restart() {
        part += 1
        for user in users.indices { users[user].expiry.recountLoops() }
    }

    /// True if a user's calls that succeed matter, because one was refused before in the step.
    func follows(user: Int, inStep step: UInt32) -> Bool {
        users[user].expiry.hasRefusedCalls(inStep: step)
    }

    /// Notes that a call got a response other than an expired one.
    mutating func succeeded(_ call: UInt64, user: Int) { users[user].expiry.succeeded(call) }

    /// Notes that a request got an expired response; returns if that begins an expiry, and if it is
    /// an expiry's first measured attempt.
    @discardableResult
    mutating func refused(
        _ request: SessionExpiry.RefusedRequest, of endpoint: Endpoint, user: Int,
        isMeasured: Bool = true, at now: Int64
    ) -> (begins: Bool, counts: Bool) {
        (users[user].refused, users[user].refusedInStep) = (endpoint.number, request.step)
        let begins = users[user].expiry.refused(request, at: now) == .first
        if begins, !users[user].isRenewed { users[user].countedIn = .max }
        return (begins, isMeasured && count(user))
    }

    /// The endpoint of the call that was refused last, if that was in a step.
    func lastRefused(user: Int, inStep step: UInt32) -> Int32? {
        users[user].refused >= 0 && users[user].refusedInStep == step ? users[user].refused : nil
    }

    /// Notes that a user has new tokens by a sign-in.
    mutating func signedIn(user: Int, at now: Int64) { users[user].expiry.signedIn(at: now) }

    /// Notes the end of the token that a phone has from before the run.
    mutating func issued(to user: Int, until end: Int64) {
        if users[user].end == .max { users[user].end = end }
    }

    /// The life of a user's newest access token as the service states it.
    private func statedLife(of user: Int) -> Int64? {
        guard let statedLives else { return nil }
        return users[user].isRefreshed ? statedLives.refreshed : statedLives.signIn
    }

    /// Notes the tokens that a refresh or a sign-in has brought.
    mutating func got(_ tokens: TokenTrace, user: Int, byRefresh: Bool, at now: Int64) {
        users[user].expiry.got(
            access: tokens.newAccess, refresh: tokens.newRefresh, for: tokens.refresh)
        guard tokens.newAccess != nil else { return }
        users[user].isRefreshed = byRefresh
        guard let life = statedLife(of: user) else { return }
        users[user].end = now.clampedSum(life)
        (users[user].isRenewed, users[user].isUsed) = (false, false)
    }

    /// Notes that a call succeeded that was handed over at a moment.
    mutating func used(_ user: Int, handedOverAt moment: Int64) {
        guard let life = statedLife(of: user), users[user].end - life <= moment else { return }
        users[user].isUsed = true
    }

    /// True if a user's newest token had just come at a moment, and no call had succeeded with it
    /// yet.
    private func isNew(_ user: Int, at moment: Int64) -> Bool {
        guard let life = statedLife(of: user), !users[user].isUsed else { return false }
        return users[user].end - moment > life / 2
    }

    /// True if a user's newest token was near its end, or beyond it, at a moment.
    private func isEnding(_ user: Int, at moment: Int64) -> Bool {
        guard let life = statedLife(of: user), users[user].end != .max else { return false }
        return users[user].end - moment <= max(life / 2, 15 * Span.minute)
    }

    /// The result of a refresh that has ended, or never will.
    struct Finding {
        let cause: WireCause
        /// True for an expiry's first measured attempt.
        let counts: Bool
        let loops: SessionExpiry.Loops
    }

    /// Notes that a refresh has ended, or never will.
    ///
    /// One that is sent again is part of the same refresh, unless it is redundant.
    mutating func ended(
        _ refresh: SessionExpiry.EndedRefresh, user: Int, isRepeated: Bool = false,
        isMeasured: Bool = true, at now: Int64
    ) -> Finding {
        let (reason, loops) = users[user].expiry.ended(refresh, countsLoops: isMeasured, at: now)
        if isRepeated, !reason.isRedundant {
            return Finding(cause: .repeatedRefresh, counts: false, loops: loops)
        }
        if reason == .unprompted, isNew(user, at: refresh.handedOverAt) {
            return Finding(
                cause: .redundantRefresh, counts: isMeasured && count(user), loops: loops)
        }
        if reason == .unprompted, isEnding(user, at: refresh.handedOverAt) {
            if !users[user].isRenewed { users[user].countedIn = .max }
            users[user].isRenewed = true
            return Finding(
                cause: .neededRefresh, counts: isMeasured && count(user), loops: loops)
        }
        guard reason != .unprompted else {
            return Finding(cause: .unpromptedRefresh, counts: false, loops: loops)
        }
        return Finding(
            cause: reason.isRedundant ? .redundantRefresh : .neededRefresh,
            counts: isMeasured && count(user), loops: loops)
    }

    /// Counts a user's expiry unless there is none or it was counted; returns true if it did.
    private mutating func count(_ user: Int) -> Bool {
        guard ![0, part].contains(users[user].countedIn) else { return false }
        users[user].countedIn = part
        return true
    }
}
