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
    private static let writeNanosecondsMax: Int64 = 60_000_000_000

    /// A call that failed, and has not succeeded since.
    private struct Failed {
        let call: UInt64
        var at: Int64
        var request: UInt32
        var quick = 0
        var notBefore: Int64?
    }

    /// A call that was refused as expired, and has not come again.
    private struct Refused {
        let path: UInt64
        let endpoint: String
        let request: UInt32
        var refreshedAt: Int64?
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
    mutating func sent(
        _ request: URLRequest, _ number: UInt32, to endpoint: String, isOrdinary: Bool,
        at now: Int64
    ) -> Breach? {
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
        if let moment = earlier.notBefore, now + Self.pauseNanosecondsMin < moment {
            let (waited, asked) = (gap / 1_000_000, (moment - earlier.at) / 1_000_000)
            return Breach(
                promise: .pausedRetries,
                text:
                    "\(endpoint) was sent again after \(waited.thousandths) s, although the server"
                    + " had asked to wait \(asked.thousandths) s",
                requests: [earlier.request, number])
        }
        // A refresh that a new refusal asks for is no repeat of the one that failed.
        guard gap < Self.pauseNanosecondsMin, isOrdinary || refusedAt < earlier.at else {
            failed[place].quick = 0
            return nil
        }
        failed[place].quick += 1
        guard failed[place].quick == Self.quickMax else { return nil }
        return Breach(
            promise: .pausedRetries,
            text: "\(endpoint) failed and was sent again \(Self.quickMax) times without a pause",
            requests: [earlier.request, number])
    }

    /// A request has ended without success.
    mutating func hasFailed(_ request: URLRequest, _ number: UInt32, at now: Int64) {
        let call = Self.call(request)
        if let place = failed.firstIndex(where: { $0.call == call }) {
            (failed[place].at, failed[place].request) = (now, number)
            failed[place].notBefore = nil
            return
        }
        if failed.count >= Self.keptMax { failed.removeFirst() }
        failed.append(Failed(call: call, at: now, request: number))
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

    /// A call that has waited too long by a moment at which its user sends something else.
    mutating func lost(at now: Int64) -> Breach? {
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

    /// The server has done what a request asked; an equal one before it, whose client cannot know
    /// that it was done.
    mutating func wasDone(
        _ request: URLRequest, _ number: UInt32, sentAt: Int64, to endpoint: String, at now: Int64,
        grace: Int64
    ) -> Breach? {
        guard request.value(forHTTPHeaderField: "Idempotency-Key") == nil else { return nil }
        writes.removeAll { now > $0.at + Self.writeNanosecondsMax }
        let call = Self.call(request)
        let earlier = writes.last { write in
            write.call == call && (write.answeredAt ?? .max - grace) + grace > sentAt
        }
        if writes.count >= Self.keptMax { writes.removeFirst() }
        writes.append(Write(call: call, request: number, at: now))
        return earlier.map {
            Breach(
                promise: .writesOnce,
                text: "\(endpoint) was done twice with the same body, before the first response was"
                    + " known", requests: [$0.request, number])
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
