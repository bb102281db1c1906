import SquallFormat
import SquallHTTP

/// A user's calls that failed, were refused or changed something lately: which of them may be sent
/// again, and how soon.
struct LiveCalls {
    private var failed: [Failed] = []
    private var refused: [Refused] = []
    private var repeatable: [Repeatable] = []
    /// When a call was refused last.
    private var refusedAt = Int64.min
    /// What calls in turn would break if they were one client's tries.
    private var tries: Breach?
    /// The number of repeats without a pause, and after a short one.
    private var pauses = (none: 0, short: 0)
    /// The tokens with which calls were refused that have come again since.
    private var returned: [TokenNumber] = []
    private var lost = 0
    /// The calls that wait for the latest refresh, or waited.
    private var waiters: Waiters?
    /// How many times in a row calls that waited for a refresh had not come again by the next
    /// screen.
    private var overtaken = 0
    /// What tells calls that come again from those that come anyway.
    private var rhythm = CallRhythm()
    /// True as soon as a call that waited for a refresh has come again for that.
    private(set) var hasGoneOn = false

    static let refreshCall: UInt64 = 1
    private static let keptMax = 16
    /// The number of repeats of a call without a pause that are a flood; of a refresh, one is too
    /// many.
    private static let quickMax = 2
    /// The number of such repeats of a refresh that are no chance.
    private static let inTurnMin = 3

    /// A call that failed, and has not succeeded since.
    private struct Failed {
        let call: UInt64
        var failures: [Failure] = []
        var quick = 0
        /// How many times in a row it came at once after a failure, whoever sent it.
        var inTurn = 0
    }

    /// A failure after which the call may be sent again, by the same screen or by none.
    private struct Failure {
        let request: UInt32
        let connection: UInt64?
        let at: Int64
        var notBefore: Int64?

        func mustWait(at moment: Int64) -> Bool { notBefore.map { moment < $0 } ?? false }
    }

    /// A call that may come again as it was, with the token that it showed.
    private struct Repeatable: Equatable {
        let call: UInt64
        let access: TokenNumber?
    }

    /// A call that was refused as expired, and has not come again.
    private struct Refused {
        let path: UInt64
        let token: TokenNumber?
        let endpoint: String
        let request: UInt32
        let (sentAt, at): (Int64, Int64)
        var refreshedAt: Int64?
        /// True if the refresh took so long that its caller may have given up.
        var hasWaited = false
        /// True as soon as a refresh has failed that it may have waited for.
        var mayHaveFailed = false
        /// True as soon as its app has begun another call since that refresh.
        var isPassed = false
        /// True as soon as its app has come back from a long silence since.
        var hasResumed = false
    }

    /// All calls that were refused with one token, by path, and what came at once after a silence
    /// in which some of them had come again, and others had not.
    private struct Waiters {
        let token: TokenNumber?
        var paths: [UInt64] = []
        var next: (at: Int64, paths: [UInt64], left: [Refused]) = (0, [], [])

        /// True if each of them has come in that one moment, and so is another screen's.
        var isNextScreen: Bool {
            paths.allSatisfy { path in
                next.paths.count { $0 == path } >= paths.count { $0 == path }
            }
        }
    }

    struct Breach {
        let promise: RaceInvariant
        let text: String
        let requests: [UInt32]
        /// True if a right client may do it, too.
        var isArguable = false
        /// Tells what breaks the promise in another way.
        var cause = ""
    }

    /// Notes that a request is sent; returns what it breaks as the next try of a call that failed.
    ///
    /// As many equal calls as `atOnceMax` may be those of several screens: a call is the next try
    /// of one of them where that many have failed. `isTurn` is true for a refresh that may be for
    /// another call than those before, `follows` if its sender may be that of a request on an
    /// earlier connection.
    mutating func sent(
        _ sent: LiveRequest, to endpoint: String, isOrdinary: Bool, isTurn: Bool, atOnceMax: Int,
        _ pace: LivePace, follows: (_ connection: UInt64?, _ isAtOnce: Bool) -> Bool
    ) -> Breach? {
        let request = sent.request
        if isOrdinary, let breach = comesAgain(sent, to: endpoint, pace) { return breach }
        guard !failed.isEmpty else { return nil }
        let call = Self.call(request, isRefresh: sent.isRefresh)
        guard let place = failed.firstIndex(where: { $0.call == call }) else { return nil }
        let screens = min(atOnceMax, Self.keptMax)
        let failures = failed[place].failures
        let waiting = failures.filter {
            follows($0.connection, false) && $0.mustWait(at: sent.sentAt + pace.grace)
        }
        // A call that is sent right after a response was under way before that was known.
        if let last = failures.last, sent.sentAt - pace.grace >= last.at, waiting.count >= screens {
            return waiting.first.flatMap { Self.impatient(sent, to: endpoint, after: $0) }
        }
        // A refresh that a new refusal asks for is no repeat of the one that failed.
        let recent = failures.filter {
            (0..<pace.again).contains(sent.sentAt - $0.at) && (isOrdinary || refusedAt < $0.at)
        }
        let instant = isOrdinary ? pace.instant : pace.atOnce
        guard let earlier = recent.last, sent.sentAt - earlier.at < instant else {
            if !recent.isEmpty { pauses.short += 1 }
            (failed[place].quick, failed[place].inTurn) = (0, 0)
            return nil
        }
        failed[place].inTurn += 1
        guard recent.count >= screens, recent.contains(where: { follows($0.connection, true) })
        else {
            let isRow = sent.isRefresh && failed[place].inTurn == Self.inTurnMin
            return isRow ? inTurn(sent, after: earlier) : nil
        }
        // Each screen's call may come again at once, once (LiveInnocenceTests.transport); a refresh
        // may not.
        let most = isOrdinary ? screens * (Self.quickMax - 1) : 0
        let breach = pauseless(sent, to: endpoint, moreThan: most, after: earlier, at: place)
        guard isTurn, breach?.isArguable == false else { return breach }
        tries = breach
        return inTurn(sent, after: earlier)
    }

    /// Notes that a call is sent that may have been refused before.
    private mutating func comesAgain(
        _ sent: LiveRequest, to endpoint: String, _ pace: LivePace
    ) -> Breach? {
        let path = Self.path(sent.request)
        defer { rhythm.note(path, at: sent.sentAt, pace) }
        guard !refused.isEmpty || rhythm.isAwaited else { return nil }
        var breach = rhythm.sent(path, to: endpoint, sent, pace)
        guard !refused.isEmpty else { return breach }
        if let place = refused.firstIndex(where: { $0.path == path }) {
            let call = refused.remove(at: place)
            // Who sends it with the old token waits no less (StaleRepeatTests.impatientWaiters).
            if call.token != sent.access {
                breach = breach ?? goesOn(call, sent, path, pace)
                returned = returned.suffix(Self.keptMax - 1) + [call.token].compactMap(\.self)
            } else if waiters?.token == call.token,
                let waiter = waiters?.paths.firstIndex(of: path)
            {
                waiters?.paths.remove(at: waiter)
            }
        } else {
            for place in refused.indices
            where refused[place].refreshedAt ?? .max < sent.sentAt - pace.grace {
                refused[place].isPassed = true
            }
        }
        // The app goes on with another call, and not by trying the refresh again
        // (LiveInnocenceTests.failedWithRefresh).
        refused.removeAll(where: \.mayHaveFailed)
        return breach
    }

    /// A refused call comes with another token, as one that has waited for it, or anyway.
    private mutating func goesOn(
        _ call: Refused, _ sent: LiveRequest, _ path: UInt64, _ pace: LivePace
    ) -> Breach? {
        guard let refreshedAt = call.refreshedAt, !call.mayHaveFailed, !call.hasWaited else {
            return nil
        }
        let wait = sent.sentAt - refreshedAt
        // An app that was suspended sends it before any other (LiveInnocenceTests.suspended).
        if call.isPassed, wait > pace.comeback { return neverCame(call) }
        let isDue = rhythm.isDue(path, after: sent.sentAt - call.sentAt, within: 4)
        if wait < pace.grace * 2 || !call.isPassed && !isDue { hasGoneOn = true }
        let late = wait >= pace.idle ? (call.sentAt, call.request) : nil
        return rhythm.cameAgain(sent, path, to: call.endpoint, with: call.token, late)
    }

    /// The turns of refused calls are over, and were the tries of one client.
    mutating func wereTries() -> Breach? {
        defer { tries = nil }
        return tries
    }

    /// A refresh that failed comes again at once, from one waiting call after the other
    /// (LiveArguableTests.inTurn).
    private func inTurn(_ sent: LiveRequest, after earlier: Failure) -> Breach {
        Breach(
            promise: .pausedRetries, text: BrokenPromise.askedInTurn,
            requests: [earlier.request, sent.number], isArguable: true)
    }

    private mutating func pauseless(
        _ sent: LiveRequest, to endpoint: String, moreThan most: Int, after earlier: Failure,
        at place: Int
    ) -> Breach? {
        pauses.none += 1
        failed[place].quick += 1
        guard failed[place].quick == most + 1 else { return nil }
        let times = most > 0 ? " \(most + 1) times" : ""
        // Pauses that are drawn from 0 on are short now and then.
        let isDrawn = pauses.short * 2 >= pauses.none
        return Breach(
            promise: .pausedRetries,
            text: isDrawn
                ? "\(endpoint) was sent again now at once, now after a pause: full jitter may be so"
                : "\(endpoint) failed and was sent again\(times) without a pause",
            requests: [earlier.request, sent.number], isArguable: isDrawn)
    }

    private static func impatient(
        _ sent: LiveRequest, to endpoint: String, after earlier: Failure
    ) -> Breach? {
        guard let moment = earlier.notBefore else { return nil }
        let waited = (sent.sentAt - earlier.at) / 1_000_000
        let asked = (moment - earlier.at) / 1_000_000
        return Breach(
            promise: .pausedRetries,
            text:
                "\(endpoint) was sent again after \(waited.thousandths) s, although the server"
                + " had asked to wait \(asked.thousandths) s",
            requests: [earlier.request, sent.number])
    }

    /// A request has ended without success.
    mutating func hasFailed(_ sent: LiveRequest, at now: Int64) {
        let call = Self.call(sent.request, isRefresh: sent.isRefresh)
        let failure = Failure(request: sent.number, connection: sent.connection, at: now)
        if let place = failed.firstIndex(where: { $0.call == call }) {
            if failed[place].failures.count >= Self.keptMax { failed[place].failures.removeFirst() }
            failed[place].failures.append(failure)
            return
        }
        if failed.count >= Self.keptMax { failed.removeFirst() }
        failed.append(Failed(call: call, failures: [failure]))
    }

    /// The response to a request that failed asked its client to wait.
    mutating func mustWait(_ number: UInt32, seconds: Int) {
        for place in failed.indices {
            let last = failed[place].failures.lastIndex { $0.request == number }
            guard let last else { continue }
            let failure = failed[place].failures[last]
            failed[place].failures[last].notBefore = failure.at + Int64(seconds) * 1_000_000_000
        }
    }

    /// A request has failed: its client may send it again as it was.
    mutating func mayComeAgain(_ sent: LiveRequest) {
        if repeatable.count >= Self.keptMax { repeatable.removeFirst() }
        repeatable.append(Repeatable(call: Self.call(sent.request), access: sent.access))
    }

    /// True for a request that may be one that comes again as it was (LiveInnocenceTests.repeated).
    func isRepeated(_ request: URLRequest, access: TokenNumber?) -> Bool {
        guard !repeatable.isEmpty else { return false }
        return repeatable.contains(Repeatable(call: Self.call(request), access: access))
    }

    mutating func hasSucceeded(_ sent: LiveRequest) {
        guard !failed.isEmpty else { return }
        let call = Self.call(sent.request, isRefresh: sent.isRefresh)
        failed.removeAll { $0.call == call }
    }

    /// Notes that a call is sent when its user had been idle for a while; returns the call that had
    /// not come again by the next screen, although the refresh for which it waited had succeeded.
    ///
    /// Calls that come again do so when their refresh ends. Some may do so later
    /// (LiveArguableTests.lateWaiter); but all of them at once after a silence, those that have
    /// come again, too, are the next screen's. A screen may have been closed, once
    /// (LiveArguableTests.overtaken).
    /// In a drill, where users stay on their screen, the first one tells.
    mutating func overtakes(
        _ sent: LiveRequest, idle: Int64, isDrilled: Bool, _ pace: LivePace
    ) -> Breach? {
        guard waiters != nil, waiters?.token != sent.access else { return nil }
        let left = refused.filter { $0.token == waiters?.token && $0.refreshedAt != nil }
        if idle >= pace.idle {
            let isPart = !left.isEmpty && waiters?.token.map(returned.contains) ?? false
            if left.isEmpty { overtaken = 0 }
            waiters?.next = isPart ? (sent.sentAt, [], left) : (0, [], [])
        }
        guard let next = waiters?.next, sent.sentAt - next.at < pace.grace,
            let first = next.left.first
        else { return nil }
        waiters?.next.paths.append(Self.path(sent.request))
        guard waiters?.isNextScreen == true else { return nil }
        (waiters, overtaken) = (nil, overtaken + 1)
        return Breach(
            promise: .waitersGoOn,
            text:
                "\(first.endpoint) was refused as expired, the refresh succeeded, and the call came"
                + " again only with the next screen, like all others", requests: [first.request],
            isArguable: first.hasWaited || overtaken == 1 && !isDrilled)
    }

    mutating func wasRefused(
        _ sent: LiveRequest, by endpoint: String, at now: Int64
    ) {
        refusedAt = now
        if waiters?.token != sent.access || waiters == nil { waiters = Waiters(token: sent.access) }
        if waiters?.paths.count ?? 0 < Self.keptMax {
            waiters?.paths.append(Self.path(sent.request))
        }
        if refused.count >= Self.keptMax { refused.removeFirst() }
        refused.append(
            Refused(
                path: Self.path(sent.request), token: sent.access, endpoint: endpoint,
                request: sent.number, sentAt: sent.sentAt, at: now))
    }

    /// True if the server has named a moment for the next try of a refresh.
    var hasWaited: Bool {
        failed.first { $0.call == Self.refreshCall }?.failures.last?.notBefore != nil
    }

    /// A refresh has succeeded.
    mutating func refreshed(at now: Int64, _ pace: LivePace) {
        tries = nil
        for place in refused.indices where refused[place].refreshedAt == nil {
            refused[place].refreshedAt = now
            refused[place].hasWaited = now - refused[place].at >= pace.lost
        }
    }

    /// A refresh has failed, and with it perhaps the calls that wait for it, whatever another one
    /// brought that was open at the same time (LiveInnocenceTests.failedBeside).
    mutating func refreshFailed(sentAt: Int64) {
        for place in refused.indices where refused[place].refreshedAt ?? .max > sentAt {
            refused[place].mayHaveFailed = true
        }
    }

    /// The call that has waited too long by a moment at which its user sends something else, after
    /// a silence.
    mutating func lost(at now: Int64, after silence: Int64, _ pace: LivePace) -> Breach? {
        guard !refused.isEmpty else { return nil }
        if silence >= pace.silence { resume(at: now, pace) }
        guard
            let place = refused.firstIndex(where: { call in
                call.refreshedAt.map { now > $0 + pace.comeback } ?? false
            })
        else { return nil }
        return neverCame(refused.remove(at: place))
    }

    private mutating func neverCame(_ call: Refused) -> Breach {
        lost += 1
        // A screen that closes takes its call with it, but not the others':
        // LiveArguableTests.closedScreen.
        let isAlone = call.token.map { !returned.contains($0) } ?? true
        return Breach(
            promise: .waitersGoOn,
            text:
                "\(call.endpoint) was refused as expired, the refresh succeeded, and the call never"
                + " came again", requests: [call.request],
            isArguable: call.hasWaited || !isAlone && lost == 1)
    }

    /// Gives each call time once, as its app may not have run since it was refused
    /// (LiveInnocenceTests.suspended).
    private mutating func resume(at now: Int64, _ pace: LivePace) {
        for place in refused.indices where !refused[place].hasResumed {
            refused[place].hasResumed = true
            refused[place].refreshedAt = refused[place].refreshedAt.map {
                max($0, now + pace.resume - pace.comeback)
            }
        }
    }

    /// True if a call came as a poll does.
    func isPoll(_ sent: LiveRequest) -> Bool { rhythm.keepsPace(sent) }

    mutating func signedOut() { (refused, waiters, rhythm) = ([], nil, CallRhythm()) }
}
