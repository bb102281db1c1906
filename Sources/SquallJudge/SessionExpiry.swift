public import SquallHTTP

/// Tells which refreshes the expiries of one session's access tokens need, and which calls loop:
/// the one definition, by which runs, worlds of tests and invariants count.
///
/// Only what the wire shows counts. An expiry belongs to an access token: the first refusal of a
/// token as expired reveals its expiry, and every later refusal of the same token is about the same
/// one, whatever was refreshed meanwhile. An expiry is worth one refresh that succeeds; after one
/// that failed, another try is right. A refresh is redundant when another one for the same expiry
/// was under way or had succeeded, or when the refresh token that it shows had been refused or
/// exchanged for another. A call that is refused and refreshed three times in one step, and does
/// not succeed in between, loops, whatever code sends it.
///
/// Where a service does not say which token a request shows, it is taken for the newest that the
/// device had. Moments only have to grow: virtual time in a run, positions in a log. A session
/// without failures is 48 bytes; the tokens of the latest expiries are remembered, so that its size
/// does not grow with its age.
public struct SessionExpiry: Sendable {
    /// When the device got its newest token, and how often it has got one.
    private var renewedAt = Int64.min
    private var renewals: UInt32 = 0
    /// True if the token from before the first renewal was replaced by a proactive refresh.
    private var isFirstReplaced = false
    /// True if an older token than the newest was refused.
    private var wasRefusedLate = false
    /// The newest token of the device.
    private var newest = TokenNumber(unknown: 0)
    /// What is known of tokens, the one of the latest news last.
    private var known: [Known] = []
    /// Refreshes that failed, by the token that they were to replace.
    private var failed: [(token: TokenNumber, until: Int64)] = []
    /// The calls that were refused and have not succeeded since.
    private var calls: [RefusedCall] = []

    private static let knownMax = 16
    /// The number of refreshes of one refused call from which it counts as a loop.
    private static let loop: UInt32 = 3

    /// A token, and what has happened to it.
    private struct Known: Sendable {
        private var bits: UInt64

        init(_ token: TokenNumber) { bits = token.value << 3 }

        var token: TokenNumber { TokenNumber(value: bits >> 3) }
        var isRefused: Bool {
            get { self[0] }
            set { self[0] = newValue }
        }
        /// True as soon as a refresh for it, or a sign-in, has brought another token.
        var isReplaced: Bool {
            get { self[1] }
            set { self[1] = newValue }
        }
        /// True as soon as it was refused, or exchanged for another.
        var isSpent: Bool {
            get { self[2] }
            set { self[2] = newValue }
        }

        private subscript(bit: UInt64) -> Bool {
            get { bits >> bit & 1 == 1 }
            set { bits = newValue ? bits | 1 << bit : bits & ~(1 << bit) }
        }
    }

    /// A call that was refused as expired in a step, and what was done about it.
    private struct RefusedCall: Sendable {
        let call: UInt64
        let step: UInt32
        var refusedAt: Int64
        /// True as soon as a refresh has ended since the refusal.
        var isRefreshed = false
        var refreshes: UInt32 = 0
        var isCounted = false
    }

    /// A session that has a token and has had no response yet.
    public init() {}

    /// What an expired response tells of the device's token.
    public enum Refusal: Sendable {
        /// It has expired, which was not known yet.
        case first
        /// It has expired, which was known.
        case further
        /// Nothing: it was about a token that has been replaced meanwhile.
        case late
    }

    /// Why a refresh was made, or that it was one too many.
    public enum Reason: Hashable, Sendable {
        /// A refusal had told of the expiry, and no other refresh was made.
        case needed
        /// No expired response asked for it, as with a client that looks at its clock.
        case unprompted
        /// Another refresh for the same token was under way, or its refresh token was used up.
        case again
        /// Another refresh for the same token had succeeded before.
        case late

        /// True if it was redundant: the token's expiry did not need it.
        public var isRedundant: Bool { self == .again || self == .late }
    }

    /// A request that was refused as expired.
    public struct RefusedRequest: Sendable {
        /// When it was handed over.
        public var handedOverAt: Int64
        /// The access token that it showed; `nil` where the service does not tell.
        public var access: TokenNumber?
        /// Tells its call from others; 0 where that does not matter.
        public var call: UInt64 = 0
        /// The step in which its user was when the response came.
        public var step: UInt32 = 0

        /// A request that showed a token.
        public init(handedOverAt moment: Int64, access: TokenNumber? = nil) {
            handedOverAt = moment
            self.access = access
        }
    }

    /// A refresh that has ended.
    public struct EndedRefresh: Sendable {
        /// When it was handed over.
        public var handedOverAt: Int64
        /// True if a refused call is known to have made the client refresh.
        public var isPrompted: Bool
        /// The token with which that call was refused.
        public var refused: TokenNumber?
        /// The access token that it showed.
        public var access: TokenNumber?
        /// The refresh token that it showed.
        public var refresh: TokenNumber?
        /// The step in which its user was when the response came; `nil` when it is not known.
        public var step: UInt32?
        /// How it ended.
        public var ending: RenewalEnding

        /// A refresh that showed no token that is known.
        public init(handedOverAt moment: Int64, isPrompted: Bool, _ ending: RenewalEnding) {
            handedOverAt = moment
            self.isPrompted = isPrompted
            self.ending = ending
        }
    }
}

extension SessionExpiry {
    /// Notes that a request got an expired response.
    public mutating func refused(_ request: RefusedRequest, at now: Int64) -> Refusal {
        if request.call != 0 { note(request, at: now) }
        let isOld = request.handedOverAt < renewedAt
        guard let token = request.access ?? (isOld ? nil : newest) else {
            wasRefusedLate = true
            return .late
        }
        let wasKnown = isKnown(token)
        let place = touch(token)
        guard !known[place].isRefused else {
            return known[place].isReplaced ? .late : .further
        }
        // It is none that was brought since, where those are known: so it is the first.
        if !wasKnown, isFirstReplaced, !newest.isUnknown { known[place].isReplaced = true }
        known[place].isRefused = true
        guard !isOld || token == newest else {
            wasRefusedLate = true
            known[place].isReplaced = true
            return .late
        }
        if newest.isUnknown, !isOld { newest = token }
        return .first
    }

    /// Notes that a refresh has ended; returns its reason, and the loops that it goes on with.
    ///
    /// A loop that is not counted now is counted with one of its next refreshes.
    public mutating func ended(
        _ refresh: EndedRefresh, countsLoops: Bool = true, at now: Int64
    ) -> (reason: Reason, loops: Loops) {
        let (token, isGuessed) = replaced(by: refresh)
        let reason = reason(for: refresh, of: token, isGuessed: isGuessed)
        let loops = refreshCalls(counting: countsLoops)
        if refresh.ending == .succeeded {
            if token.isUnknown, renewals == 0 { isFirstReplaced = true }
            known[touch(token)].isReplaced = true
            failed.removeAll { $0.token == token }
            got(nil, at: now)
        } else {
            failed.removeAll { $0.token == token }
            if failed.count >= 4 { failed.removeFirst() }
            failed.append((token, now))
            if refresh.ending == .refused { spend(refresh.refresh) }
        }
        return (reason, loops)
    }

    /// Notes that a sign-in has brought the device a new token.
    public mutating func signedIn(at now: Int64) {
        for place in known.indices where known[place].isRefused {
            known[place].isReplaced = true
            wasRefusedLate = true
        }
        if renewals == 0 { isFirstReplaced = true }
        got(nil, at: now)
    }

    /// Notes the tokens that a refresh or a sign-in brought, after its end, and the refresh token
    /// that it had shown.
    public mutating func got(
        access: TokenNumber?, refresh: TokenNumber?, for shown: TokenNumber?
    ) {
        if let access {
            newest = access
            // Two refreshes of one instant may bring the same token.
            known[touch(access)].isReplaced = false
        }
        if let refresh, let shown, refresh != shown { spend(shown) }
    }

    private mutating func got(_ access: TokenNumber?, at now: Int64) {
        renewedAt = now
        renewals &+= 1
        newest = TokenNumber(unknown: renewals)
    }

    /// The access token whose expiry a refresh is for; `isGuessed` when nothing but its moment says
    /// so.
    private func replaced(by refresh: EndedRefresh) -> (token: TokenNumber, isGuessed: Bool) {
        if refresh.isPrompted, let refused = refresh.refused { return (refused, false) }
        if let shown = refresh.access {
            let isRefused = known.contains { $0.token == shown && $0.isRefused }
            if isRefused || !refresh.isPrompted { return (shown, false) }
        }
        let isNewestRefused = known.contains { $0.token == newest && $0.isRefused }
        guard refresh.isPrompted, !isNewestRefused, refresh.handedOverAt >= renewedAt,
            let last = known.last(where: { $0.isRefused })
        else { return (newest, true) }
        return (last.token, false)
    }

    private func reason(
        for refresh: EndedRefresh, of token: TokenNumber, isGuessed: Bool
    ) -> Reason {
        let isSpent = known.contains { $0.token == refresh.refresh && $0.isSpent }
        let isBeside = failed.contains { $0.token == token && refresh.handedOverAt < $0.until }
        if isSpent || isBeside || isGuessed && refresh.handedOverAt < renewedAt { return .again }
        let state = known.last { $0.token == token }
        if let state, state.isReplaced {
            return refresh.handedOverAt < renewedAt ? .again : .late
        }
        if let state, state.isRefused { return .needed }
        return wasRefusedLate && (refresh.isPrompted || followsRefusal(refresh))
            ? .late : .unprompted
    }

    /// True if a call of the refresh's step had been refused before it was handed over, and was
    /// neither refreshed for nor has succeeded since.
    private func followsRefusal(_ refresh: EndedRefresh) -> Bool {
        calls.contains {
            ($0.step == refresh.step ?? $0.step) && !$0.isRefreshed
                && $0.refusedAt <= refresh.handedOverAt
        }
    }

    private mutating func spend(_ token: TokenNumber?) {
        if let token { known[touch(token)].isSpent = true }
    }

    private func isKnown(_ token: TokenNumber) -> Bool { known.contains { $0.token == token } }

    /// The place of a token, which is now the one with the latest news.
    private mutating func touch(_ token: TokenNumber) -> Int {
        if known.last?.token == token { return known.count - 1 }
        let place = known.lastIndex { $0.token == token }
        let entry = place.map { known.remove(at: $0) } ?? Known(token)
        if known.count >= Self.knownMax { known.removeFirst() }
        known.append(entry)
        return known.count - 1
    }
}

/// Calls that are refused and refreshed again and again.
extension SessionExpiry {
    /// What a refresh adds to loops.
    public struct Loops: Sendable {
        /// Calls that loop and were not counted before.
        public var calls: Int64 = 0
        /// The most refreshes of a call that loops; 0 without one.
        public var longest: Int64 = 0

        /// No loops.
        public init() {}
    }

    /// True if it has to be told of calls that succeed in a step.
    public func hasRefusedCalls(inStep step: UInt32) -> Bool { calls.contains { $0.step == step } }

    /// Notes that a call got a response other than an expired one, with which its story ends.
    public mutating func succeeded(_ call: UInt64) {
        calls.removeAll { $0.call == call }
        // A million sessions keep no memory for calls that they do not have.
        if calls.isEmpty { calls = [] }
    }

    /// Notes that the refused calls have failed: what is sent like them later is no next try.
    public mutating func callsFailed() { calls = [] }

    /// Notes that a refresh has ended for every refused call that waits for one.
    private mutating func refreshCalls(counting: Bool) -> Loops {
        var loops = Loops()
        for place in calls.indices where !calls[place].isRefreshed {
            calls[place].isRefreshed = true
            calls[place].refreshes += 1
            guard counting, calls[place].refreshes >= Self.loop else { continue }
            if !calls[place].isCounted { loops.calls += 1 }
            calls[place].isCounted = true
            loops.longest = max(loops.longest, Int64(calls[place].refreshes))
        }
        return loops
    }

    /// Lets loops that go on be counted anew, at the end of a warm-up.
    public mutating func recountLoops() {
        for place in calls.indices { calls[place].isCounted = false }
    }

    /// A call that is sent before its refusal came is another one beside it, not the next try.
    private mutating func note(_ request: RefusedRequest, at now: Int64) {
        calls.removeAll { $0.step != request.step }
        guard let place = calls.firstIndex(where: { $0.call == request.call }) else {
            if calls.count >= Self.knownMax { calls.removeFirst() }
            return calls.append(
                RefusedCall(call: request.call, step: request.step, refusedAt: now))
        }
        guard request.handedOverAt >= calls[place].refusedAt else { return }
        calls[place].refusedAt = now
        calls[place].isRefreshed = false
    }
}
