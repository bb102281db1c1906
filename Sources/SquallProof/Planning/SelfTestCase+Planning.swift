import SquallKernel
import SquallLab
import SquallPlanning
import SquallReport

/// Whether the intervals of plans hold the truth as often as they claim.
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
        equalDesigns,
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

    /// Searches for a capacity that theory knows, with many seeds.
    private static func capacity(
        _ name: String, _ queue: QueueWorld, _ varied: Varied, _ duration: String,
        threshold: String, truth: Double
    ) -> SelfTestCase {
        let model = "capacity of \(name)"
        return SelfTestCase(model, isThorough: true) { conditions in
            let held = try conditions.replicating(oneIn: 2).replicate { stream -> Bool in
                let question = try QueueWorld.question(
                    varied.load, seed: stream.bits(at: 0), duration: duration, warmUp: "40s",
                    threshold: threshold)
                var options = CapacityOptions.standard
                options.surveys = false
                let answer = try CapacitySearch(
                    Variation(varied.name, of: question), options, queue.replicator()
                ).answer(replay: "")
                return answer.capacity?.contains(truth) ?? false
            }
            return [coverage(of: model, held)]
        }
    }

    /// Compares a design with itself on other seeds: in 95 of 100 tables nothing may stand out.
    private static let equalDesigns = SelfTestCase(
        "compare equal designs", isThorough: true
    ) { conditions in
        let queue = QueueWorld(workers: 1, meanServiceSeconds: 0.1)
        let silent = try conditions.replicating(oneIn: 2).replicate { stream -> Bool in
            let sides = try [UInt64(0), 1].map { side in
                let question = try QueueWorld.question(
                    .open(rate: 5), seed: stream.bits(at: side), duration: "100s",
                    threshold: "p(95)<1s")
                let replicator = queue.replicator()
                return try replicator.replications(
                    of: (0..<10).map { replicator.task(question.profile, number: $0) })
            }
            return ComparisonAnswer.isSilent(sides[0], sides[1])
        }
        return [coverage(of: "compare equal designs", silent)]
    }

    private static func coverage(of model: String, _ held: [Bool]) -> SelfTestCheck {
        let count = Double(held.count)
        let level = ConfidenceInterval.level
        return SelfTestCheck(
            "share of right answers", of: model, theory: level,
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

    /// How many users of M/M/c//N have a mean stay at a limit, between whole numbers in a straight
    /// line.
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
