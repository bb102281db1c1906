import SquallFormat
import SquallReport

/// Counts what the generator sends, and how late it is.
struct GeneratorTally {
    private var lateness = Histogram()
    private var began: (elapsed: Int64, processor: Int64) = (0, 0)
    private var ended: (elapsed: Int64, processor: Int64)?
    private var sent: Int64 = 0
    private var held: Int64 = 0
    private var waiting = 0
    private var withoutDescriptor: Int64 = 0
    private var busiestSecond: Int64 = 0
    /// The present second and the one before it.
    private var (second, before) = (Second(), Second())
    private var (failures, refreshes): (Int64, Int64) = (0, 0)
    /// The whole seconds so far, for a page; nil where none is served.
    private(set) var seconds: [DriveSecond]?

    private struct Second {
        var number: Int64 = 0
        var (sent, failures, refreshes): (Int64, Int64, Int64) = (0, 0, 0)
        var durations = Histogram()
        var late = Histogram()

        var figures: DriveSecond {
            DriveSecond(
                number: number, sent: sent, failures: failures, refreshes: refreshes,
                durations: durations.count == 0
                    ? [] : Percentile.first.map { durations.value(atPercentile: $0.rank) },
                late: sent == 0 ? nil : late.value(atPercentile: 99))
        }
    }

    /// Keeps the figures of every second from now on.
    mutating func keepSeconds() { seconds = [] }

    mutating func begin(at elapsed: Int64, processor: Int64) { began = (elapsed, processor) }

    mutating func end(at elapsed: Int64, processor: Int64) {
        if ended == nil { ended = (elapsed, processor) }
    }

    mutating func sent(isRefresh: Bool, lateBy late: Int64, at now: Int64) {
        turn(to: now)
        sent += 1
        if waiting > 0 { waiting -= 1 }
        second.sent += 1
        busiestSecond = max(busiestSecond, second.sent)
        lateness.record(late)
        second.late.record(late)
        if isRefresh {
            refreshes += 1
            second.refreshes += 1
        }
    }

    /// Notes that so many requests wait because no more are allowed; each counts once.
    mutating func throttled(upTo count: Int) {
        held += Int64(max(0, count - waiting))
        waiting = max(waiting, count)
    }

    mutating func ended(after duration: Int64, isFailure: Bool, at now: Int64) {
        turn(to: now)
        second.durations.record(max(0, duration))
        if isFailure { fail() }
    }

    private mutating func fail() {
        failures += 1
        second.failures += 1
    }

    mutating func failed(_ problem: WireProblem, at now: Int64) {
        turn(to: now)
        fail()
        if problem.lacksDescriptor { withoutDescriptor += 1 }
    }

    private mutating func turn(to now: Int64) {
        let number = (now - began.elapsed) / Span.second
        guard number > second.number else { return }
        before = number == second.number + 1 ? second : Second()
        seconds?.append(second.figures)
        if let last = seconds?.last?.number, last + 1 < number {
            seconds? += (last + 1..<number).suffix(DriveSecond.most).map {
                DriveSecond(number: $0)
            }
        }
        seconds = seconds.map { Array($0.suffix(DriveSecond.most)) }
        second = Second()
        second.number = number
    }

    func view(
        of setup: DriveSetup, at elapsed: Int64, processor: Int64,
        connections: (most: Int, made: Int), sentAgain: Int, unexpected: [UnexpectedResponse]
    ) -> GeneratorView {
        let end = ended ?? (elapsed, processor)
        let share =
            Double(end.processor - began.processor) / Double(max(1, end.elapsed - began.elapsed))
        return GeneratorView(
            target: setup.target.text, sent: sent, lateness: LatencySummary(lateness),
            processorShare: share, busiestSecond: busiestSecond,
            rateLimit: setup.limits.requestsPerSecond, throttled: held,
            connectionsMost: Int64(connections.most), connectionsMade: Int64(connections.made),
            withoutDescriptor: withoutDescriptor, sentAgain: Int64(sentAgain),
            unexpected: unexpected)
    }

    mutating func progress(at now: Int64, open: Int) -> DriveProgress {
        turn(to: now)
        return DriveProgress(
            perSecond: before.sent, p95Nanoseconds: before.durations.value(atPercentile: 95),
            failures: failures, refreshes: refreshes, connections: Int64(open),
            lateNanoseconds: before.late.value(atPercentile: 99))
    }
}

/// The figures of a second of a driven run.
struct DriveSecond {
    /// So many are kept: ten minutes.
    static let most = 600

    /// Its number, from 0.
    let number: Int64
    /// Requests sent; requests that ended without a response or with 500 and above; refreshes.
    var sent: Int64 = 0
    var failures: Int64 = 0
    var refreshes: Int64 = 0
    /// `Percentile.first` of the requests that ended in it, in nanoseconds; empty where none did.
    var durations: [Int64] = []
    /// How late 99 % of the requests were sent at most, in nanoseconds; `nil` where none was.
    var late: Int64?
}

/// The figures of a line of progress: of the last whole second, or counted so far.
public struct DriveProgress: Hashable, Sendable {
    /// Requests sent in the last whole second.
    public let perSecond: Int64
    /// How long 95 % of the requests that ended in it took at most, from when they were sent.
    public let p95Nanoseconds: Int64
    /// Requests so far without a response, or with a status of 500 and above.
    public let failures: Int64
    /// Refreshes so far.
    public let refreshes: Int64
    /// Connections that are open.
    public let connections: Int64
    /// How late 99 % of the requests sent in that second were at most.
    public let lateNanoseconds: Int64
}
