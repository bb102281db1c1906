import SquallAnswers
import SquallFormat
import SquallKernel
import SquallLab
import SquallReport

/// A minimal backend in place of a world: equal workers behind one line, exponential services, and
/// the arrivals of a profile.
///
/// With an open load it is M/M/c, with a closed one M/M/c//N: each user thinks for
/// `meanThinkingSeconds` on average, asks, and waits. It serves to compare plans of many runs with
/// theory, thousands of times as fast as a world.
struct QueueWorld: Sendable {
    let workers: Int
    let meanServiceSeconds: Double
    /// The mean thinking time of a user of a closed load.
    var meanThinkingSeconds = 5.0

    /// Runs a profile's sessions or users, for its duration, with its warm-up and thresholds.
    func run(_ profile: Profile) -> RunResult {
        var metrics = Metrics()
        let slot = metrics.trend(MetricKey(.stepDuration))
        let services = RandomStream(seed: profile.seed).stream("services")
        let end = Double(profile.durationNanoseconds) / 1e9
        var begin = 0.0
        if case .first(let warmUp) = profile.warmUp { begin = Double(warmUp) / 1e9 }
        var arrivals = Arrivals(profile, thinking: meanThinkingSeconds)
        var free = Array(repeating: 0.0, count: workers)
        var number: UInt64 = 0
        var course = Course()
        while let (now, user) = arrivals.next(), now < end {
            let worker = free.indices.min { free[$0] < free[$1] } ?? 0
            let service = exponential(services, number) * meanServiceSeconds
            free[worker] = max(now, free[worker]) + service
            if now >= begin { metrics.record(Int64((free[worker] - now) * 1e9), in: slot) }
            course.tell(from: now, to: free[worker])
            arrivals.answered(user, at: free[worker])
            number += 1
        }
        return result(profile, metrics, Int64(number), course, from: Int64(begin * 1e9))
    }

    func result(
        _ profile: Profile, _ metrics: Metrics, _ requests: Int64, _ course: Course,
        from begin: Int64
    ) -> RunResult {
        let duration = profile.durationNanoseconds
        var summary = RunSummary(
            of: metrics, fromNanoseconds: begin, untilNanoseconds: duration)
        (summary.profile, summary.seed, summary.users) = ("queue", profile.seed, profile.users)
        summary.digest = RunDigest(profile.seed)
        summary.thresholds = profile.thresholds.map {
            $0.judge(metrics, overNanoseconds: duration)
        }
        summary.settling = Course.rows
        let evidence = profile.thresholds.map {
            $0.evidence(of: metrics.value(of: $0.selection), overNanoseconds: duration)
        }
        return RunResult(
            output: RunOutput(
                summary: summary.judged(), metrics: metrics,
                timeseries: course.series(until: duration), latencies: course.latencies.log,
                evidence: evidence), requests: requests)
    }

    /// A replicator that runs profiles in this world.
    func replicator(threads: Int = 1) -> Replicator {
        Replicator(build: "queue", threads: threads, store: nil) { [self] profile, _, _ in
            run(profile)
        }
    }

    /// An experiment with such a load, with one threshold of `step_duration`.
    static func experiment(
        _ load: Load, seed: UInt64, duration: String, warmUp: String? = nil, threshold: String,
        fitted: String = ""
    ) throws -> Experiment {
        let settings =
            switch load {
            case .open(let rate):
                #""users": 100000, "load": { "open": { "stages": [ { "constant": "#
                    + #"{ "rate": \#(rate), "for": "\#(duration)" } } ] } }"#
            case .closed(let users): #""users": \#(users)"#
            }
        let text = """
            { "schemaVersion": 1, "seed": \(seed), "duration": "\(duration)",
              \(warmUp.map { #""warmUp": { "for": "\#($0)" },"# } ?? "")
              "populations": [
                { "app": "scrolly", "journeys": { "read": 1 }, \(settings) } ],
              "fitted": { \(fitted) },
              "thresholds": { "step_duration": ["\(threshold)"] } }
            """
        let bytes = Array(text.utf8)
        return try Experiment("queue") {
            try Profile.reading(bytes, file: "queue", vocabulary: .installed, overrides: $0)
        }
    }

    /// The source of requests.
    enum Load {
        /// A rate of requests per second, whatever happens to earlier ones.
        case open(rate: Double)
        /// A number of users who wait for an answer before they think.
        case closed(users: Int)
    }
}

/// The number of requests and their times, second by second.
struct Course {
    static let rows = [
        SettlingRow(series: TimelineColumn.stepsRunning.name, .tooShort),
        SettlingRow(series: TimelineColumn.p95(of: .stepDuration)?.name ?? "", .tooShort),
    ]
    private static let second: Int64 = 1_000_000_000
    private var changes: [(time: Double, by: Int64)] = []
    private(set) var latencies = LatencyRecorder(
        tags: [Metric.stepDuration.name], intervalNanoseconds: 5 * Course.second)

    mutating func tell(from begin: Double, to end: Double) {
        changes.append((begin, 1))
        changes.append((end, -1))
        // Recorded at its arrival, since records must be in order of time.
        latencies.record(
            Int64((end - begin) * 1e9), inTag: 0, atNanoseconds: Int64(begin * 1e9))
    }

    func series(until end: Int64) -> TimeSeries {
        var series = TimeSeries(
            columns: TimelineColumn.builtIn, intervalNanoseconds: Self.second)
        var running: Int64 = 0
        for change in changes.ordered(by: { $0.time < $1.time })
        where change.time * 1e9 < Double(end) {
            running += change.by
            series.count(.stepsRunning, running, at: Int64(change.time * 1e9))
        }
        series.extend(toNanoseconds: end)
        return series
    }
}

/// The times of requests, in order.
private struct Arrivals {
    private let stream: RandomStream
    private let rate: Double?
    private let thinking: Double
    private var now = 0.0
    private var number: UInt64 = 0
    /// The users in the order of their next requests, the next one last.
    private var line: [(time: Double, user: Int)] = []
    private var asked: [UInt64] = []

    init(_ profile: Profile, thinking: Double) {
        stream = RandomStream(seed: profile.seed).stream("arrivals")
        rate = profile.plannedSessionsPerSecond
        self.thinking = thinking
        guard rate == nil else { return }
        asked = Array(repeating: 0, count: Int(profile.users))
        for user in asked.indices { answered(user, at: 0) }
    }

    mutating func next() -> (time: Double, user: Int)? {
        guard let rate else { return line.popLast() }
        now += exponential(stream, number) / rate
        number += 1
        return (now, 0)
    }

    /// A user of a closed load gets the answer, and thinks until the next request.
    mutating func answered(_ user: Int, at time: Double) {
        guard rate == nil else { return }
        let own = stream.stream(number: UInt64(user))
        let next = time + exponential(own, asked[user]) * thinking
        asked[user] += 1
        line.insert((next, user), at: line.firstIndex { $0.time < next } ?? line.count)
    }
}

/// An exponential number with mean 1 from a stream.
private func exponential(_ stream: RandomStream, _ number: UInt64) -> Double {
    -PortableMath.log(1 - stream.unit(at: number))
}
