import SquallKernel
import SquallLab

/// Customers from outside before c workers, with lines that grow and lines without room.
extension SelfTestCase {
    static let open: [SelfTestCase] =
        [(1, 0.5), (1, 0.8), (1, 0.9), (2, 0.8), (4, 0.8), (10, 0.8), (10, 0.9)].map(station)
        + [(50, 0.9), (100, 0.95)].map { station(workers: $0, load: $1, isThorough: true) }
        + [
            oneWorker("M/G/1 constant", .constant(nanoseconds: service), squaredVariation: 0),
            oneWorker("M/G/1 Erlang-4", .erlang(stages: 4, mean: service), squaredVariation: 0.25),
            oneWorker("M/G/1 exponential", .exponential(mean: service), squaredVariation: 1),
            oneWorker(
                "M/G/1 SCV 4", .hyperexponential(mean: service, squaredVariation: 4),
                squaredVariation: 4),
        ]

    static let loss: [SelfTestCase] = [
        loss("M/M", workers: 1, offeredLoad: 0.5, .exponential(mean: service)),
        loss("M/M", workers: 10, offeredLoad: 8, .exponential(mean: service)),
        loss("M/D", workers: 10, offeredLoad: 8, .constant(nanoseconds: service)),
        loss("M/M", workers: 100, offeredLoad: 90, .exponential(mean: service), isThorough: true),
        loss("M/M", workers: 100, offeredLoad: 100, .exponential(mean: service), isThorough: true),
    ]

    /// The mean service time: 100 ms.
    private static let service: Int64 = 100_000_000
    /// The approximate number of customers counted in a replication.
    private static let customers = 10_000.0

    private static func station(workers: Int, load: Double) -> SelfTestCase {
        station(workers: workers, load: load, isThorough: false)
    }

    /// M/M/c: means of the line, its probabilities, and Little's law.
    static func station(
        workers: Int, load: Double, isThorough: Bool
    ) -> SelfTestCase {
        let theory = ServiceStation(
            workers: workers, arrivalRate: Double(workers) * load * 10, serviceRate: 10)
        let model = "M/M/\(workers) ρ=\(load)"
        return SelfTestCase(model, isThorough: isThorough) { conditions in
            var plan = plan(theory, .exponential(mean: service), conditions)
            plan.waitLimits = [0, Int64((theory.wait(exceededBy: 0.05) * 1e9).rounded())]
            let tallies = try conditions.replicate { try QueueingModel.run(plan, $0) }
            return [
                SelfTestCheck(
                    "W_q", of: model, in: "ms", theory: theory.meanWait * 1e3,
                    measured: meanWait(tallies, theory)),
                SelfTestCheck(
                    "L_q", of: model, theory: theory.meanQueueLength,
                    measured: Estimate(
                        replications: tallies.map {
                            Double($0.lineArea) / Double(plan.window.count)
                        })),
                SelfTestCheck(
                    "P(wait)", of: model, theory: theory.waitProbability,
                    measured: tallies.share { $0.exceeded[0] }),
                SelfTestCheck(
                    "P(wait > p95)", of: model, theory: 0.05,
                    measured: tallies.share { $0.exceeded[1] }),
            ] + tallies.littleChecks(of: model)
        }
    }

    /// M/G/1: Pollaczek and Khinchine's mean wait at ρ = 0.8.
    private static func oneWorker(
        _ name: String, _ law: Distribution, squaredVariation: Double
    ) -> SelfTestCase {
        let model = "\(name) ρ=0.8"
        return SelfTestCase(model) { conditions in
            // The more services vary, the longer a line takes to forget its beginning.
            let like = ServiceStation(workers: 1, arrivalRate: 8, serviceRate: 10)
            let plan = plan(like, law, conditions, patience: max(1, (1 + squaredVariation) / 2))
            let tallies = try conditions.replicate { try QueueingModel.run(plan, $0) }
            let theory = PollaczekKhinchine.meanWait(
                arrivalRate: 8, meanService: 0.1, squaredVariation: squaredVariation)
            return [
                SelfTestCheck(
                    "W_q", of: model, in: "ms", theory: theory * 1e3,
                    measured: Estimate(replications: tallies.map(\.meanWaitMilliseconds)))
            ] + tallies.littleChecks(of: model)
        }
    }

    /// M/G/c/c: Erlang's B, which depends on the mean service only.
    private static func loss(
        _ name: String, workers: Int, offeredLoad: Double, _ law: Distribution,
        isThorough: Bool = false
    ) -> SelfTestCase {
        let load = offeredLoad < 1 ? "\(offeredLoad)" : "\(Int(offeredLoad))"
        let model = "\(name)/\(workers)/\(workers) a=\(load)"
        return SelfTestCase(model, isThorough: isThorough) { conditions in
            let gap = Double(service) / offeredLoad
            let warmUp = 20 * service
            let plan = QueueingPlan(
                workers: workers, queueLimit: 0,
                arrivals: .open(gap: .exponential(mean: Int64(gap.rounded()))), service: law,
                bias: conditions.bias, window: warmUp..<warmUp + Int64(customers * gap))
            let tallies = try conditions.replicate { try QueueingModel.run(plan, $0) }
            return [
                SelfTestCheck(
                    "P(refused)", of: model,
                    theory: Erlang.loss(workers: workers, offeredLoad: offeredLoad),
                    measured: tallies.share(\.refused))
            ] + tallies.littleChecks(of: model).suffix(1)
        }
    }

    /// A plan in which counting begins when the line has forgotten that it began empty.
    private static func plan(
        _ theory: ServiceStation, _ law: Distribution, _ conditions: SelfTestConditions,
        patience: Double = 1
    ) -> QueueingPlan {
        let warmUp = Int64(8e9 * theory.relaxationTime * patience)
        let gap = 1e9 / theory.arrivalRate
        return QueueingPlan(
            workers: theory.workers,
            arrivals: .open(gap: .exponential(mean: Int64(gap.rounded()))), service: law,
            bias: conditions.bias, window: warmUp..<warmUp + Int64(customers * gap))
    }

    /// The mean of all waits, with Daley's error where his formula holds.
    private static func meanWait(
        _ tallies: [QueueingTally], _ theory: ServiceStation
    ) -> Estimate {
        guard theory.workers == 1 else {
            return Estimate(replications: tallies.map(\.meanWaitMilliseconds))
        }
        let customers = tallies.reduce(0) { $0 + $1.arrivals }
        let waited = tallies.reduce(0) { $0 + $1.waited }
        return Estimate(
            mean: Double(waited) / Double(customers) / 1e6,
            standardError: (theory.varianceOfMeanWaits / Double(customers)).squareRoot() * 1e3)
    }
}

extension [QueueingTally] {
    /// The share of arrivals with a property.
    func share(_ count: (QueueingTally) -> Int) -> Estimate {
        Estimate(replications: map { Double(count($0)) / Double($0.arrivals) })
    }

    /// Little's law, exact to the nanosecond, for the line and for line and workers together.
    func littleChecks(of model: String) -> [SelfTestCheck] {
        let sum = { (side: KeyPath<QueueingTally, Int64>) in
            reduce(0) { $0 + $1[keyPath: side] }
        }
        return [
            SelfTestCheck(
                "∫N_q dt = Σ waits", of: model, in: "ns", theory: sum(\.little.waits),
                exactly: sum(\.little.lineArea)),
            SelfTestCheck(
                "∫N dt = Σ stays", of: model, in: "ns", theory: sum(\.little.stays),
                exactly: sum(\.little.stationArea)),
        ]
    }
}

extension QueueingTally {
    fileprivate var meanWaitMilliseconds: Double { Double(waited) / Double(arrivals) / 1e6 }
}
