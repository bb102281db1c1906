import SquallKernel
import SquallReport

/// The theory of open and closed stations as a user of the tool sees it: a profile, a run, and its
/// summary.
///
/// Another number of workers, or another load, is one more entry in the list.
extension SelfTestCase {
    static let runs: [SelfTestCase] = [
        run(workers: 1, load: 0.5), run(workers: 1, load: 0.8), run(workers: 4, load: 0.8),
        run(workers: 10, load: 0.9, isThorough: true), constantRun(load: 0.5),
        constantRun(load: 0.8), closedRun(users: 100, workers: 1),
        closedRun(users: 1_000, workers: 8, isThorough: true),
    ]

    /// The range of a point's utilisation; closer to 1 a line takes too long to settle.
    public static let pointLoads = 0.01...0.98
    /// The range of a point's number of workers.
    public static let pointWorkers = 1...1_000

    /// The cases of a user's own point: a number of workers, and their utilisation.
    ///
    /// They are the queue alone, and a run of a profile; with one worker also services that all
    /// take the same time.
    ///
    /// - Precondition: ``pointWorkers`` and ``pointLoads`` contain the two.
    public static func point(workers: Int, load: Double) -> [SelfTestCase] {
        precondition(
            pointWorkers.contains(workers) && pointLoads.contains(load),
            "there is no station of \(workers) workers who are busy for \(load) of the time")
        return [station(workers: workers, load: load), run(workers: workers, load: load)]
            + (workers == 1 ? [constantRun(load: load)] : [])
    }

    /// The least number of requests counted in a replication.
    private static let requests = 2_000.0
    /// The length of a replication in relaxation times: the longest waits come in clusters, and
    /// their share only has a spread if there are enough clusters.
    private static let relaxations = 60.0

    /// M/M/c: random sessions before exponential services of 100 ms.
    private static func run(
        workers: Int, load: Double, isThorough: Bool = false
    ) -> SelfTestCase {
        let station = ServiceStation(workers: workers, load: load)
        return openRun(
            "M/M/\(workers) ρ=\(load)", before: station, isThorough: isThorough,
            RunTheory(
                utilisation: station.utilisation, throughput: station.arrivalRate,
                meanWait: station.meanWait, waitExceeds: station.waitExceeds)
        ) { #"{ "exponential": { "mean": "\#($0)ns" } }"# }
    }

    /// M/D/1: as ``run(workers:load:isThorough:)`` with one worker, before services that all take
    /// 100 ms.
    private static func constantRun(load: Double) -> SelfTestCase {
        let theory = ConstantStation(arrivalRate: load * 10, service: 0.1)
        return openRun(
            "M/D/1 ρ=\(load)", before: ServiceStation(workers: 1, load: load),
            RunTheory(
                utilisation: load, throughput: load * 10, meanWait: theory.meanWait,
                waitExceeds: theory.waitExceeds)
        ) { #""\#($0)ns""# }
    }

    private static func openRun(
        _ name: String, before station: ServiceStation, isThorough: Bool = false,
        _ theory: RunTheory, service: @escaping @Sendable (_ nanoseconds: Int64) -> String
    ) -> SelfTestCase {
        let present = theory.throughput * (theory.meanWait + 0.2)
        let rest = station.relaxationTime
        return SelfTestCase(model: "run, \(name)", isThorough: isThorough) { conditions in
            let run = RunModel(
                workers: station.workers,
                load: .open(rate: station.arrivalRate, people: 100 + Int(20 * present)),
                service: service(Int64((1e8 * conditions.bias).rounded())),
                warmUp: Int((8 * rest).rounded(.up)) + 1,
                span: Int(max(requests / theory.throughput, relaxations * rest).rounded(.up)))
            return try theory.checks(of: run, conditions)
        }
    }

    /// M/M/c//N: users who are away for 5 s between calls of 50 ms.
    private static func closedRun(
        users: Int, workers: Int, isThorough: Bool = false
    ) -> SelfTestCase {
        let station = ClosedStation(
            users: users, workers: workers, meanThinking: 5, meanService: 0.05)
        let theory = RunTheory(
            utilisation: station.throughput * station.meanService / Double(workers),
            throughput: station.throughput, meanWait: station.meanResponse - station.meanService,
            waitExceeds: station.waitExceeds)
        return SelfTestCase(
            model: "run, M/M/\(workers)//\(users)", isThorough: isThorough
        ) { conditions in
            let mean = Int64((5e7 * conditions.bias).rounded())
            // A user who thinks for 5 s on average has soon forgotten the beginning.
            let run = RunModel(
                workers: workers, load: .closed(users: users),
                service: #"{ "exponential": { "mean": "\#(mean)ns" } }"#, warmUp: 100,
                span: Int(max(requests / theory.throughput, relaxations * 5).rounded(.up)))
            return try theory.checks(of: run, conditions)
        }
    }
}

/// The theory of a station's waits, line and workers; rates per second, times in seconds.
private struct RunTheory: Sendable {
    let utilisation, throughput, meanWait: Double
    let waitExceeds: @Sendable (Double) -> Double

    /// Compares a run with theory: waits at mean, p95 and p99, the line and the workers.
    func checks(
        of run: RunModel, _ conditions: SelfTestConditions
    ) throws -> [SelfTestCheck] {
        let outcomes = try conditions.replicate { try run.run(seed: $0.bits(at: 0)) }
        let estimate = { (value: (RunModel.Outcome) -> Double) in
            Estimate(replications: outcomes.map(value))
        }
        return [
            SelfTestCheck("busy", theory: utilisation, measured: estimate(\.utilisation)),
            SelfTestCheck(
                "W_q", in: "ms", theory: meanWait * 1e3,
                measured: estimate { $0.waits.mean / 1e6 }),
            SelfTestCheck(
                "L_q", theory: throughput * meanWait, measured: estimate(\.meanQueue)),
        ]
            + [("p95", 0.05), ("p99", 0.01)].filter { waitExceeds(0) > $0.1 }.map { name, share in
                let limit = RunModel.Outcome.boundary(near: wait(exceededBy: share))
                return SelfTestCheck(
                    "P(wait > \(name))", theory: waitExceeds(limit),
                    measured: estimate { $0.share(longerThan: limit) })
            }
    }

    /// The wait in seconds that a given share of waits exceeds, by bisection.
    private func wait(exceededBy share: Double) -> Double {
        var (low, high) = (0.0, 1.0)
        while waitExceeds(high) > share { high *= 2 }
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if waitExceeds(middle) > share { low = middle } else { high = middle }
        }
        return high
    }
}
