import SquallFormat
import SquallKernel

/// Customers from outside before c workers, with lines that grow and lines without room; also as
/// requests, with everything between a client's send and its answer.
extension SelfTestCase {
    static let open: [SelfTestCase] =
        [(1, 0.5), (1, 0.8), (1, 0.9), (2, 0.8), (4, 0.8), (10, 0.8), (10, 0.9)]
        .map { station(workers: $0, load: $1) }
        + [(50, 0.9), (100, 0.95)].map { station(workers: $0, load: $1, isThorough: true) }
        + [
            oneWorker("M/G/1 constant", .constant(nanoseconds: service)),
            oneWorker("M/G/1 Erlang-4", .erlang(stages: 4, mean: service)),
            oneWorker("M/G/1 exponential", .exponential(mean: service)),
            oneWorker("M/G/1 SCV 4", .hyperexponential(mean: service, squaredVariation: 4)),
        ]

    static let loss: [SelfTestCase] = [
        loss("M/M", workers: 1, offeredLoad: 0.5, .exponential(mean: service)),
        loss("M/M", workers: 10, offeredLoad: 8, .exponential(mean: service)),
        loss("M/D", workers: 10, offeredLoad: 8, .constant(nanoseconds: service)),
        loss("M/M", workers: 100, offeredLoad: 90, .exponential(mean: service), isThorough: true),
        loss("M/M", workers: 100, offeredLoad: 100, .exponential(mean: service), isThorough: true),
    ]

    static let backends: [SelfTestCase] = [
        backend, closed(users: 100, workers: 1, ofBackend: true),
    ]

    /// The mean service time: 100 ms.
    private static let service = Span.second / 10

    /// M/M/c: means of the line, its probabilities, and Little's law.
    static func station(workers: Int, load: Double, isThorough: Bool = false) -> SelfTestCase {
        let theory = ServiceStation(workers: workers, load: load)
        return SelfTestCase(
            model: "M/M/\(workers) ρ=\(load)", isThorough: isThorough
        ) { conditions in
            var plan = plan(theory, .exponential(mean: service), conditions)
            plan.waitLimits = [0, Int64((theory.wait(exceededBy: 0.05) * 1e9).rounded())]
            let tallies = try conditions.replicate { try QueueingModel.run(plan, $0) }
            let lines = tallies.map { Double($0.lineArea) / Double(plan.window.count) }
            return [
                SelfTestCheck(
                    "W_q", in: "ms", theory: theory.meanWait * 1e3,
                    measured: meanWait(tallies, theory)),
                SelfTestCheck(
                    "L_q", theory: theory.meanQueueLength,
                    measured: Estimate(replications: lines)),
                SelfTestCheck(
                    "P(wait)", theory: theory.waitProbability,
                    measured: tallies.share { $0.exceeded[0] }),
                SelfTestCheck(
                    "P(wait > p95)", theory: 0.05, measured: tallies.share { $0.exceeded[1] }),
            ] + tallies.littleChecks
        }
    }

    /// M/G/1: Pollaczek and Khinchine's mean wait at ρ = 0.8.
    private static func oneWorker(_ name: String, _ law: Distribution) -> SelfTestCase {
        let squaredVariation = law.variance / (law.mean * law.mean)
        return SelfTestCase(model: "\(name) ρ=0.8") { conditions in
            // The more services vary, the longer a line takes to forget its beginning.
            let plan = plan(
                ServiceStation(workers: 1, load: 0.8), law, conditions,
                patience: max(1, (1 + squaredVariation) / 2))
            let tallies = try conditions.replicate { try QueueingModel.run(plan, $0) }
            let theory = PollaczekKhinchine.meanWait(
                arrivalRate: 8, meanService: 0.1, squaredVariation: squaredVariation)
            return [
                SelfTestCheck(
                    "W_q", in: "ms", theory: theory * 1e3,
                    measured: Estimate(replications: tallies.map(\.meanWaitMilliseconds)))
            ] + tallies.littleChecks
        }
    }

    /// M/G/c/c: Erlang's B, which depends on the mean service only.
    private static func loss(
        _ name: String, workers: Int, offeredLoad: Double, _ law: Distribution,
        isThorough: Bool = false
    ) -> SelfTestCase {
        let load = offeredLoad < 1 ? "\(offeredLoad)" : "\(Int(offeredLoad))"
        return SelfTestCase(
            model: "\(name)/\(workers)/\(workers) a=\(load)", isThorough: isThorough
        ) { conditions in
            var plan = QueueingPlan(
                workers: workers, gap: Double(service) / offeredLoad, law, conditions,
                warmUp: 20 * service)
            plan.queueLimit = 0
            let tallies = try conditions.replicate { try QueueingModel.run(plan, $0) }
            return [
                SelfTestCheck(
                    "P(refused)", theory: Erlang.loss(workers: workers, offeredLoad: offeredLoad),
                    measured: tallies.share(\.refused))
            ] + tallies.littleChecks.suffix(1)
        }
    }

    /// Requests before one worker: the time from queue to answer is exponential.
    private static let backend = SelfTestCase(model: "backend, M/M/1 ρ=0.8") { conditions in
        let theory = ServiceStation(workers: 1, load: 0.8)
        let meanStay = theory.meanWait + 0.1
        var plan = plan(theory, .exponential(mean: service), conditions, customers: 5_000)
        plan.stayLimit = Int64((meanStay * PortableMath.log(20) * 1e9).rounded())
        let tallies = try conditions.replicate { try BackendModel.run(plan, $0) }
        return [
            SelfTestCheck("W", in: "ms", theory: meanStay * 1e3, measured: tallies.meanStay),
            SelfTestCheck("P(W > p95)", theory: 0.05, measured: tallies.share(\.stayedLonger)),
        ] + tallies.littleChecks.suffix(1)
    }

    /// A plan in which counting begins when the line has forgotten that it began empty.
    private static func plan(
        _ theory: ServiceStation, _ law: Distribution, _ conditions: SelfTestConditions,
        patience: Double = 1, customers: Double = 10_000
    ) -> QueueingPlan {
        QueueingPlan(
            workers: theory.workers, gap: 1e9 / theory.arrivalRate, law, conditions,
            warmUp: Int64(8e9 * theory.relaxationTime * patience), customers: customers)
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

extension QueueingPlan {
    /// A plan that counts about so many customers from outside, with a mean gap in nanoseconds.
    fileprivate init(
        workers: Int, gap: Double, _ service: Distribution, _ conditions: SelfTestConditions,
        warmUp: Int64, customers: Double = 10_000
    ) {
        self.init(
            workers: workers, arrivals: .open(gap: .exponential(mean: Int64(gap.rounded()))),
            service: service, bias: conditions.bias,
            window: warmUp..<warmUp + Int64(customers * gap))
    }
}

extension [QueueingTally] {
    /// The share of arrivals with a property.
    func share(_ count: (QueueingTally) -> Int) -> Estimate {
        Estimate(replications: map { Double(count($0)) / Double($0.arrivals) })
    }

    /// The mean time from arrival to departure, in milliseconds.
    var meanStay: Estimate {
        Estimate(replications: map { Double($0.stayed) / Double($0.arrivals) / 1e6 })
    }

    /// Little's law, exact to the nanosecond, for the line and for line and workers together.
    var littleChecks: [SelfTestCheck] {
        let sum = { (side: KeyPath<QueueingTally, Int64>) in
            reduce(0) { $0 + $1[keyPath: side] }
        }
        return [
            SelfTestCheck(
                "∫N_q dt = Σ waits", in: "ns", theory: sum(\.little.waits),
                exactly: sum(\.little.lineArea)),
            SelfTestCheck(
                "∫N dt = Σ stays", in: "ns", theory: sum(\.little.stays),
                exactly: sum(\.little.stationArea)),
        ]
    }
}

extension QueueingTally {
    fileprivate var meanWaitMilliseconds: Double { Double(waited) / Double(arrivals) / 1e6 }
}
