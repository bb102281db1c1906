import SquallFormat
import SquallKernel

/// A fixed number of users who think for 5 s between requests that take 50 ms: M/M/c//N.
extension SelfTestCase {
    static let closed: [SelfTestCase] = [
        closed(users: 10, workers: 1), closed(users: 100, workers: 1),
        closed(users: 200, workers: 1), closed(users: 1_000, workers: 8),
        closed(users: 2_000, workers: 8, isThorough: true),
    ]

    /// The queue alone, or the whole backend.
    ///
    /// To the server, travel is part of thinking, and the closed form only depends on the mean of
    /// thinking.
    static func closed(
        users: Int, workers: Int, isThorough: Bool = false, ofBackend: Bool = false
    ) -> SelfTestCase {
        let theory = ClosedStation(
            users: users, workers: workers, meanThinking: 5, meanService: 0.05)
        return SelfTestCase(
            model: (ofBackend ? "backend, " : "") + "M/M/\(workers)//\(users)",
            isThorough: isThorough
        ) { conditions in
            let warmUp = 100 * Span.second
            let length = Int64((ofBackend ? 2_500 : 5_000) * 1e9 / theory.throughput)
            let travel = ofBackend ? BackendModel.travelUp + BackendModel.travelDown : 0
            let plan = QueueingPlan(
                workers: workers,
                arrivals: .closed(
                    users: users, thinking: .exponential(mean: 5 * Span.second - travel)),
                service: .exponential(mean: Span.second / 20), bias: conditions.bias,
                window: warmUp..<warmUp + length)
            let tallies = try conditions.replicate {
                try ofBackend ? BackendModel.run(plan, $0) : QueueingModel.run(plan, $0)
            }
            let throughputs = tallies.map { Double($0.services) / Double(length) * 1e9 }
            return [
                SelfTestCheck(
                    "X", in: "/s", theory: theory.throughput,
                    measured: Estimate(replications: throughputs)),
                SelfTestCheck(
                    "R", in: "ms", theory: theory.meanResponse * 1e3, measured: tallies.meanStay),
            ] + tallies.littleChecks.suffix(ofBackend ? 1 : 2)
        }
    }
}
