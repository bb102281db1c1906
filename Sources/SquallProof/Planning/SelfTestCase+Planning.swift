import SquallAnswers
import SquallKernel
import SquallLab
import SquallReport

/// Checks that the intervals of plans contain the truth as often as they claim.
extension SelfTestCase {
    static let planning: [SelfTestCase] = [
        capacity(
            "M/M/1, p95 ≤ 1 s", QueueWorld(workers: 1, meanServiceSeconds: 0.1),
            .rate(from: 3), "400s", threshold: "p(95)<=1s",
            truth: 10 - PortableMath.log(20)),
        capacity(
            "M/M/4, p95 ≤ 600 ms", QueueWorld(workers: 4, meanServiceSeconds: 0.1),
            .rate(from: 10), "400s", threshold: "p(95)<=600ms",
            truth: openRate(workers: 4, meanService: 0.1, share: 0.05, limit: 0.6)),
        capacity(
            "M/M/2//N, mean ≤ 300 ms", QueueWorld(workers: 2, meanServiceSeconds: 0.1),
            .users(from: 20), "600s", threshold: "avg<=300ms",
            truth: closedUsers(workers: 2, meanService: 0.1, meanThinking: 5, limit: 0.3)),
        equalDesigns, besideBisection, steadyBeginnings,
    ]

    private enum Varied {
        case rate(from: Double)
        case users(from: Int)

        var name: String { if case .rate = self { "rate" } else { "users" } }

        var load: QueueWorld.Load {
            switch self {
            case .rate(let rate): .open(rate: rate)
            case .users(let users): .closed(users: users)
            }
        }
    }

    /// Searches, with many seeds, for a capacity known from theory.
    private static func capacity(
        _ name: String, _ queue: QueueWorld, _ varied: Varied, _ duration: String,
        threshold: String, truth: Double
    ) -> SelfTestCase {
        SelfTestCase(model: "capacity of \(name)", isThorough: true) { conditions in
            let found = try conditions.replicating(oneIn: 2).replicate { stream in
                let experiment = try QueueWorld.experiment(
                    varied.load, seed: stream.bits(at: 0), duration: duration, warmUp: "40s",
                    threshold: threshold)
                return try queue.searched(varied.name, of: experiment).capacity
            }
            let held = found.map { $0?.contains(truth) ?? false }
            return [coverage(held), width(of: found.compactMap(\.self))]
        }
    }

    /// The width of intervals compared with the spread of the answers of many searches.
    ///
    /// The half-width of a correct 95 % interval is about twice their standard deviation, computed
    /// from the median deviation: one stray answer in a hundred would hide intervals too wide.
    private static func width(of found: [ConfidenceInterval]) -> SelfTestCheck {
        func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
        let centre = median(found.map(\.value))
        let spread = median(found.map { ($0.value - centre).magnitude }) * 1.4826
        let ratio = median(found.compactMap(\.halfWidth)) / spread
        return SelfTestCheck(
            "half-width in spreads of the answer, ≤ 2.3", atMost: 2.3,
            // A median deviation of a normal law is 37 % as efficient as its standard deviation.
            Estimate(
                mean: ratio, standardError: ratio / (2 * 0.37 * Double(found.count)).squareRoot()))
    }

    /// One worker with services of 100 ms.
    private static let single = QueueWorld(workers: 1, meanServiceSeconds: 0.1)

    /// The profile of a single worker's load.
    private static func profile(
        rate: Double, _ stream: RandomStream, _ number: UInt64 = 0, for duration: String,
        warmUp: String? = nil, threshold: String = "p(95)<1s"
    ) throws -> Profile {
        try QueueWorld.experiment(
            .open(rate: rate), seed: stream.bits(at: number), duration: duration, warmUp: warmUp,
            threshold: threshold
        ).profile
    }

    private static func tenRuns(of profile: Profile) throws -> [Replication] {
        try single.replicator().replications(10) { _ in profile }
    }

    /// Compares a design with itself on other seeds: in 95 of 100 tables nothing may stand out.
    private static let equalDesigns = SelfTestCase(
        model: "compare equal designs", isThorough: true
    ) { conditions in
        let silent = try conditions.replicating(oneIn: 2).replicate { stream -> Bool in
            let sides = try [UInt64(0), 1].map { side in
                try tenRuns(of: profile(rate: 5, stream, side, for: "100s"))
            }
            return ComparisonAnswer.isSilent(sides[0], sides[1])
        }
        return [coverage(silent)]
    }

    /// The share of ten runs that are said to begin in a transient although their station is steady
    /// from the beginning of what is measured.
    private static let steadyBeginnings = SelfTestCase(
        model: "steady beginnings", isThorough: true
    ) { conditions in
        let alarms = try conditions.replicate { stream -> Double in
            let found = try tenRuns(of: profile(rate: 6, stream, for: "240s", warmUp: "40s"))
            return Transient(found) == nil ? 0 : 1
        }
        let count = Double(alarms.count)
        return [
            SelfTestCheck(
                "share called unsteady, ≤ 5 %", atMost: 0.05,
                Estimate(
                    mean: alarms.reduce(0, +) / count,
                    standardError: (0.05 * 0.95 / count).squareRoot()))
        ]
    }

    /// A capacity to ± 2 % by search and by bisection, from the same beginning with the same seeds.
    ///
    /// Both end within ± 2 %, chance included. A user who bisects must know beforehand how many
    /// replications the search's interval needed at the answer. An eighth of the ± 2 % is for the
    /// last bracket and seven eighths for chance, near the cheapest split, so each value has
    /// (8/7)² times as many.
    private static let besideBisection = SelfTestCase(
        model: "capacity, search beside bisection", isThorough: true
    ) { conditions in
        let pairs = try conditions.replicating(oneIn: 10).replicate { stream in
            try searchAndBisection(seed: stream.bits(at: 0))
        }
        let (search, bisection) = (pairs.map(\.search), pairs.map(\.bisection))
        func mean(_ efforts: [Effort], _ value: (Effort) -> Double) -> Estimate {
            Estimate(replications: efforts.map(value))
        }
        return [
            SelfTestCheck(
                "requests, ≤ ⅓ of bisection's",
                atMost: mean(bisection) { Double($0.requests) }.mean / 3,
                mean(search) { Double($0.requests) }),
            SelfTestCheck(
                "deviation from theory, ≤ 2 %", atMost: 0.02, mean(search) { $0.error.magnitude }),
            SelfTestCheck(
                "deviation of bisection, ≤ 2 %", atMost: 0.02,
                mean(bisection) { $0.error.magnitude }),
        ]
    }

    /// The cost of an answer, and its distance from theory as a share.
    private typealias Effort = (requests: Int64, error: Double)

    private static func searchAndBisection(
        seed: UInt64
    ) throws -> (search: Effort, bisection: Effort) {
        let queue = QueueWorld(workers: 4, meanServiceSeconds: 0.1)
        let truth = openRate(workers: 4, meanService: 0.1, share: 0.05, limit: 0.6)
        let experiment = try QueueWorld.experiment(
            .open(rate: 10), seed: seed, duration: "400s", warmUp: "40s",
            threshold: "p(95)<=600ms")
        let search = try queue.searched("rate", of: experiment)
        let needed = Double(search.points.map(\.replications).max() ?? 1)
        var bisection = PlainBisection(
            experiment: experiment, replicator: queue.replicator(),
            replications: Int((needed * 64 / 49).rounded(.up)), precision: search.precision / 8)
        let middle = try bisection.answer(varying: "rate", from: 10)
        return (
            (search.requests, (search.capacity?.value ?? 0) / truth - 1),
            (bisection.requests, middle / truth - 1)
        )
    }

    private static func coverage(_ held: [Bool]) -> SelfTestCheck {
        let count = Double(held.count)
        let level = ConfidenceInterval.level
        return SelfTestCheck(
            "share of correct results", theory: level,
            measured: Estimate(
                mean: Double(held.count(where: \.self)) / count,
                standardError: (level * (1 - level) / count).squareRoot()))
    }

    /// The rate at which a share of the stays in M/M/c reaches a limit.
    ///
    /// P(T > t) = e^(−μt)·(1 + C·(1 − e^(−μt(c−1−a)))/(c − 1 − a)), with a = λ/μ (Gross and Harris
    /// §2.3).
    private static func openRate(
        workers: Int, meanService: Double, share: Double, limit: Double
    ) -> Double {
        let rate = 1 / meanService
        func exceeds(_ arrivals: Double) -> Double {
            let offered = arrivals / rate
            let waiting = Erlang.waiting(workers: workers, offeredLoad: offered)
            let spare = Double(workers) - 1 - offered
            let alone = PortableMath.exp(-rate * limit)
            let tail =
                spare.magnitude < 1e-9
                ? rate * limit : (1 - PortableMath.exp(-rate * limit * spare)) / spare
            return alone * (1 + waiting * tail)
        }
        var (low, high) = (0.0, Double(workers) * rate)
        for _ in 0..<100 {
            let middle = (low + high) / 2
            if exceeds(middle) < share { low = middle } else { high = middle }
        }
        return low
    }

    /// The number of users of M/M/c//N with a mean stay at a limit, by linear interpolation between
    /// whole numbers.
    private static func closedUsers(
        workers: Int, meanService: Double, meanThinking: Double, limit: Double
    ) -> Double {
        func stay(_ users: Int) -> Double {
            ClosedStation(
                users: users, workers: workers, meanThinking: meanThinking,
                meanService: meanService
            ).meanResponse
        }
        var users = 1
        while stay(users + 1) <= limit { users += 1 }
        let (low, high) = (stay(users), stay(users + 1))
        return Double(users) + (limit - low) / (high - low)
    }
}

extension QueueWorld {
    fileprivate func searched(_ name: String, of experiment: Experiment) throws -> CapacityAnswer {
        try CapacitySearch(Variation(name, of: experiment), .standard, replicator())
            .answer(replay: "")
    }
}
