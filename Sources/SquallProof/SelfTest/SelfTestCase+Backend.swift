import SquallKernel
import SquallLab

/// The same theory for everything between a client's send and its answer.
extension SelfTestCase {
    static let backends: [SelfTestCase] = [
        backendOpen(workers: 1, load: 0.8), backendClosed(users: 100, workers: 1),
    ]

    /// Requests from outside before one worker: time from queue to answer is exponential.
    private static func backendOpen(workers: Int, load: Double) -> SelfTestCase {
        let theory = ServiceStation(
            workers: workers, arrivalRate: Double(workers) * load * 10, serviceRate: 10)
        let meanStay = theory.meanWait + 0.1
        let model = "backend, M/M/\(workers) ρ=\(load)"
        return SelfTestCase(model) { conditions in
            let gap = 1e9 / theory.arrivalRate
            let warmUp = Int64(8e9 * theory.relaxationTime)
            let plan = QueueingPlan(
                workers: workers,
                arrivals: .open(gap: .exponential(mean: Int64(gap.rounded()))),
                service: .exponential(mean: 100_000_000), bias: conditions.bias,
                window: warmUp..<warmUp + Int64(5_000 * gap),
                stayLimit: Int64((meanStay * PortableMath.log(20) * 1e9).rounded()))
            let tallies = try conditions.replicate { try BackendModel.run(plan, $0) }
            return [
                SelfTestCheck(
                    "W", of: model, in: "ms", theory: meanStay * 1e3, measured: tallies.meanStay),
                SelfTestCheck(
                    "P(W > p95)", of: model, theory: 0.05, measured: tallies.share(\.stayedLonger)),
            ] + tallies.littleChecks(of: model).suffix(1)
        }
    }

    /// Users who think between requests; to the server, travel is part of their thinking.
    private static func backendClosed(users: Int, workers: Int) -> SelfTestCase {
        let theory = ClosedStation(
            users: users, workers: workers, meanThinking: 5, meanService: 0.05)
        let model = "backend, M/M/\(workers)//\(users)"
        return SelfTestCase(model) { conditions in
            let warmUp: Int64 = 100_000_000_000
            let length = Int64(2_500e9 / theory.throughput)
            // The closed form only depends on the mean of thinking, so 35 ms of it may be travel.
            let plan = QueueingPlan(
                workers: workers,
                arrivals: .closed(
                    users: users,
                    thinking: .exponential(mean: 4_965_000_000)),
                service: .exponential(mean: 50_000_000), bias: conditions.bias,
                window: warmUp..<warmUp + length)
            let tallies = try conditions.replicate { try BackendModel.run(plan, $0) }
            return tallies.stationChecks(of: model, against: theory, over: length)
                + tallies.littleChecks(of: model).suffix(1)
        }
    }
}

extension [QueueingTally] {
    /// The mean time from arrival to departure, in milliseconds.
    var meanStay: Estimate {
        Estimate(replications: map { Double($0.stayed) / Double($0.arrivals) / 1e6 })
    }
}
