import SquallHTTP
import SquallJudge

/// Tells a failed call that is sent again and again at one interval, until it succeeds, from one
/// that comes at that pace anyway, as a poll does.
///
/// A poll comes on time before its failures, and goes on when it succeeds again.
struct RetryRhythm {
    private var rows: [UInt64: Row] = [:]
    /// The calls that succeeded last, and when.
    private var successes: [(path: UInt64, at: Int64)] = []
    /// A row that has ended with a success.
    private var over: (path: UInt64, pause: Int64, at: Int64, request: UInt32)?

    private static let keptMax = 8
    /// How many pauses without the call tell that it has no such pace.
    private static let silence: Int64 = 4

    /// The failures of a call in a row.
    private struct Row {
        let path: UInt64
        let beganAt: Int64
        var pauses = EvenPauses()
        var failedAt: Int64?
        var request: UInt32 = 0
        /// True as soon as the server has named a moment for the next try.
        var isTold = false
    }

    /// Notes that a call is sent; returns what is wrong with an earlier one.
    mutating func sent(_ sent: LiveRequest) -> LiveCalls.Breach? {
        if !rows.isEmpty {
            let call = LiveCalls.call(sent.request)
            if let failedAt = rows[call]?.failedAt {
                rows[call]?.pauses.note(sent.sentAt - failedAt)
                rows[call]?.failedAt = nil
            }
        }
        guard let row = over else { return nil }
        let isSilent = sent.sentAt - row.at >= row.pause * Self.silence
        guard isSilent || LiveCalls.path(sent.request) == row.path else { return nil }
        over = nil
        guard isSilent else { return nil }
        return LiveCalls.Breach(
            promise: .pausedRetries, text: BrokenPromise.triedEvenly(row.pause),
            requests: [row.request], cause: "calls evenly")
    }

    /// A call has ended without success.
    mutating func failed(_ sent: LiveRequest, at now: Int64) {
        let call = LiveCalls.call(sent.request)
        if rows[call] == nil {
            if rows.count >= Self.keptMax { rows = [:] }
            rows[call] = Row(path: LiveCalls.path(sent.request), beganAt: now)
        }
        rows[call]?.failedAt = now
        rows[call]?.request = sent.number
    }

    /// The response to a request that failed names the moment of the next try.
    mutating func mustWait(_ number: UInt32) {
        for (call, row) in rows where row.request == number { rows[call]?.isTold = true }
    }

    /// A call has succeeded.
    mutating func succeeded(_ sent: LiveRequest, _ now: Int64, _ pace: LivePace) {
        let path = LiveCalls.path(sent.request)
        defer {
            if successes.count >= Self.keptMax { successes.removeFirst() }
            successes.append((path, now))
        }
        guard !rows.isEmpty, let row = rows.removeValue(forKey: LiveCalls.call(sent.request)),
            !row.isTold, let pause = row.pauses.even(within: 10), pause < pace.prompt
        else { return }
        let before = successes.last { $0.path == path }
        if let before, row.beganAt - before.at < pause * Self.silence { return }
        over = (path, pause, now, row.request)
    }
}
