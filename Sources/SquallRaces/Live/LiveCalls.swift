import SquallBackend
import SquallFormat
import SquallHTTP

/// A user's calls that failed, were refused or changed something lately: what may be sent again,
/// and how soon.
struct LiveCalls {
    private var failed: [Failed] = []
    private var refused: [Refused] = []
    private var writes: [Write] = []
    /// When a call was refused last.
    private var refusedAt = Int64.min

    private static let keptMax = 16
    /// A client that sends again within this span has not waited.
    private static let pauseNanosecondsMin: Int64 = 100_000_000
    /// So many repeats without a pause are a flood.
    private static let quickMax = 2
    /// A call that waited for a refresh has come again within this span.
    private static let returnNanosecondsMax: Int64 = 10_000_000_000
    /// An app that was silent for so long may have been suspended, and goes on within this span.
    private static let silenceNanosecondsMin: Int64 = 30_000_000_000
    private static let resumeNanosecondsMax: Int64 = 2_000_000_000
    private static let writeNanosecondsMax: Int64 = 60_000_000_000

    /// A call that failed, and has not succeeded since.
    private struct Failed {
        let call: UInt64
        var at: Int64
        var request: UInt32
        var connection: UInt64?
        var quick = 0
        var notBefore: Int64?
    }

    /// A call that was refused as expired, and has not come again.
    private struct Refused {
        let path: UInt64
        let endpoint: String
        let request: UInt32
        var refreshedAt: Int64?
        /// Whether its app has come back from a long silence since.
        var hasResumed = false
    }

    /// A change that the server has made.
    private struct Write {
        let call: UInt64
        let request: UInt32
        let at: Int64
        /// When its answer came; `nil` while it has not, or never will.
        var answeredAt: Int64?
    }

    /// A promise that is broken.
    struct Breach {
        let promise: LivePromise
        let text: String
        let requests: [UInt32]
    }

    /// A request is sent; what it breaks as the next try of a call that failed.
    ///
    /// So many equal calls as `atOnceMax` may be those of several screens. `follows` tells whether
    /// what was sent on an earlier connection may be known to the sender of this one.
    mutating func sent(
        _ sent: LiveRequest, to endpoint: String, isOrdinary: Bool, atOnceMax: Int,
        follows: (_ connection: UInt64?, _ isAtOnce: Bool) -> Bool
    ) -> Breach? {
        let (request, now) = (sent.request, sent.sentAt)
        if isOrdinary, !refused.isEmpty {
            let path = Self.path(request)
            if let place = refused.firstIndex(where: { $0.path == path }) {
                refused.remove(at: place)
            }
        }
        guard !failed.isEmpty else { return nil }
        let call = Self.call(request)
        guard let place = failed.firstIndex(where: { $0.call == call }) else { return nil }
        let earlier = failed[place]
        let gap = now - earlier.at
        // A call that is sent right after a response was under way before that was known.
        if let moment = earlier.notBefore, now + Self.pauseNanosecondsMin < moment,
            gap >= Self.pauseNanosecondsMin, follows(earlier.connection, false)
        {
            let (waited, asked) = (gap / 1_000_000, (moment - earlier.at) / 1_000_000)
            return Breach(
                promise: .pausedRetries,
                text:
                    "\(endpoint) was sent again after \(waited.thousandths) s, although the server"
                    + " had asked to wait \(asked.thousandths) s",
                requests: [earlier.request, sent.number])
        }
        // A refresh that a new refusal asks for is no repeat of the one that failed.
        guard gap < Self.pauseNanosecondsMin, isOrdinary || refusedAt < earlier.at else {
            failed[place].quick = 0
            return nil
        }
        guard gap >= 0, follows(earlier.connection, true) else { return nil }
        failed[place].quick += 1
        let quickMax = max(Self.quickMax, atOnceMax)
        guard failed[place].quick == quickMax else { return nil }
        return Breach(
            promise: .pausedRetries,
            text: "\(endpoint) failed and was sent again \(quickMax) times without a pause",
            requests: [earlier.request, sent.number])
    }

    /// A request has ended without success.
    mutating func hasFailed(_ sent: LiveRequest, at now: Int64) {
        let call = Self.call(sent.request)
        if let place = failed.firstIndex(where: { $0.call == call }) {
            (failed[place].at, failed[place].request) = (now, sent.number)
            (failed[place].connection, failed[place].notBefore) = (sent.connection, nil)
            return
        }
        if failed.count >= Self.keptMax { failed.removeFirst() }
        failed.append(
            Failed(call: call, at: now, request: sent.number, connection: sent.connection))
    }

    /// The answer to a request that failed asked its client to wait.
    mutating func mustWait(_ number: UInt32, seconds: Int) {
        guard let place = failed.firstIndex(where: { $0.request == number }) else { return }
        failed[place].notBefore = failed[place].at + Int64(seconds) * 1_000_000_000
    }

    mutating func hasSucceeded(_ request: URLRequest) {
        guard !failed.isEmpty else { return }
        let call = Self.call(request)
        failed.removeAll { $0.call == call }
    }

    mutating func wasRefused(
        _ request: URLRequest, _ number: UInt32, by endpoint: String, at now: Int64
    ) {
        refusedAt = now
        if refused.count >= Self.keptMax { refused.removeFirst() }
        refused.append(
            Refused(path: Self.path(request), endpoint: endpoint, request: number))
    }

    mutating func refreshed(at now: Int64) {
        for place in refused.indices where refused[place].refreshedAt == nil {
            refused[place].refreshedAt = now
        }
    }

    /// A call that has waited too long by a moment at which its user sends something else, after
    /// a silence.
    mutating func lost(at now: Int64, after silence: Int64) -> Breach? {
        guard !refused.isEmpty else { return nil }
        if silence >= Self.silenceNanosecondsMin { resume(at: now) }
        guard
            let place = refused.firstIndex(where: { call in
                call.refreshedAt.map { now > $0 + Self.returnNanosecondsMax } ?? false
            })
        else { return nil }
        let call = refused.remove(at: place)
        return Breach(
            promise: .waitersGoOn,
            text:
                "\(call.endpoint) was refused as expired, the refresh succeeded, and the call never"
                + " came again", requests: [call.request])
    }

    /// Leaves each call time once, as its app may not have run since it was refused.
    private mutating func resume(at now: Int64) {
        for place in refused.indices where !refused[place].hasResumed {
            refused[place].hasResumed = true
            refused[place].refreshedAt = refused[place].refreshedAt.map {
                max($0, now + Self.resumeNanosecondsMax - Self.returnNanosecondsMax)
            }
        }
    }

    /// The server has done what a request asked; an equal one before it, whose client cannot know
    /// that it was done.
    ///
    /// A client that has the first response means the second write.
    mutating func wasDone(_ sent: LiveRequest, to endpoint: String, at now: Int64) -> Breach? {
        let request = sent.request
        guard request.value(forHTTPHeaderField: "Idempotency-Key") == nil else { return nil }
        writes.removeAll { now > $0.at + Self.writeNanosecondsMax }
        let call = Self.call(request)
        let earlier = writes.last { write in
            write.call == call && (write.answeredAt ?? .max) > sent.sentAt
        }
        if writes.count >= Self.keptMax { writes.removeFirst() }
        writes.append(Write(call: call, request: sent.number, at: now))
        return earlier.map {
            Breach(
                promise: .writesOnce,
                text: "\(endpoint) was done twice with the same body, before the first response was"
                    + " known", requests: [$0.request, sent.number])
        }
    }

    mutating func writeWasAnswered(_ number: UInt32, at now: Int64) {
        guard let place = writes.firstIndex(where: { $0.request == number }) else { return }
        writes[place].answeredAt = now
    }

    mutating func signedOut() { refused = [] }

    /// Tells equal requests, by as much of the body as is worth reading.
    private static func call(_ request: URLRequest) -> UInt64 {
        var hash = StableHash(of: request.method.rawValue.utf8)
        hash.combine(request.url.path.utf8)
        if let query = request.url.query { hash.combine(query.utf8) }
        hash.mix(request.body.count)
        if request.body.count > 0 { hash.combine(request.body.bytes.prefix(1_024)) }
        return hash.value
    }

    private static func path(_ request: URLRequest) -> UInt64 {
        var hash = StableHash(of: request.method.rawValue.utf8)
        hash.combine(request.url.path.utf8)
        return hash.value
    }
}
