import SquallKernel
import SquallLab

/// A fixed number of users who think for 5 s between requests that take 50 ms: M/M/c//N.
extension SelfTestCase {
    static let closed: [SelfTestCase] = [
        closed(users: 10, workers: 1), closed(users: 100, workers: 1),
        closed(users: 200, workers: 1), closed(users: 1_000, workers: 8),
        closed(users: 2_000, workers: 8, isThorough: true),
    ]

    private static func closed(users: Int, workers: Int, isThorough: Bool = false) -> SelfTestCase {
        let theory = ClosedStation(
            users: users, workers: workers, meanThinking: 5, meanService: 0.05)
        let model = "M/M/\(workers)//\(users)"
        return SelfTestCase(model, isThorough: isThorough) { conditions in
            let warmUp: Int64 = 100_000_000_000
            let length = Int64(5_000e9 / theory.throughput)
            let plan = QueueingPlan(
                workers: workers,
                arrivals: .closed(users: users, thinking: .exponential(mean: 5_000_000_000)),
                service: .exponential(mean: 50_000_000), bias: conditions.bias,
                window: warmUp..<warmUp + length)
            let tallies = try conditions.replicate { try QueueingModel.run(plan, $0) }
            return tallies.stationChecks(of: model, against: theory, over: length)
                + tallies.littleChecks(of: model)
        }
    }
}

extension [QueueingTally] {
    /// Whether throughput and stay are those of theory for a closed station.
    func stationChecks(
        of model: String, against theory: ClosedStation, over nanoseconds: Int64
    ) -> [SelfTestCheck] {
        let throughputs = map { Double($0.services) / Double(nanoseconds) * 1e9 }
        return [
            SelfTestCheck(
                "X", of: model, in: "/s", theory: theory.throughput,
                measured: Estimate(replications: throughputs)),
            SelfTestCheck(
                "R", of: model, in: "ms", theory: theory.meanResponse * 1e3, measured: meanStay),
        ]
    }
}
