import SquallKernel

/// N users who think, ask, wait for the answer and think again, before c workers: M/M/c//N.
///
/// Thinking and service are exponential. The number of users at the station is a birth-death
/// process with a closed-form equilibrium (the machine repair model; Gross and Harris §2.7).
struct ClosedStation {
    let users: Int
    let workers: Int
    /// Z, the mean thinking time in seconds.
    let meanThinking: Double
    /// S, the mean service time in seconds.
    let meanService: Double

    /// X, the throughput in answers per second.
    var throughput: Double {
        let busy = presence(of: users).enumerated().reduce(0) { sum, state in
            sum + Double(min(state.offset, workers)) * state.element
        }
        return busy / meanService
    }

    /// The probability of each number of users at the station, from 0.
    private func presence(of users: Int) -> [Double] {
        var weights = [1.0]
        for present in stride(from: 1, through: users, by: 1) {
            let arrivals = Double(users - present + 1) / meanThinking
            let services = Double(min(present, workers)) / meanService
            weights.append(weights[present - 1] * arrivals / services)
            // The weights of thousands of users overflow; only their ratios matter.
            if weights[present] > 1e200 { weights = weights.map { $0 / weights[present] } }
        }
        let total = weights.reduce(0, +)
        return weights.map { $0 / total }
    }

    /// P(W_q > t): an arriving user meets the others as they are without that user (Sevcik and
    /// Mitrani, Journal of the ACM 28, 1981), and waits until enough of them have gone.
    func waitExceeds(_ time: Double) -> Double {
        let mean = Double(workers) / meanService * time
        var term = PortableMath.exp(-mean)
        var (atMost, sum) = (0.0, 0.0)
        for (others, likely) in presence(of: users - 1).enumerated() where others >= workers {
            if others > workers { term *= mean / Double(others - workers) }
            atMost += term
            sum += likely * atMost
        }
        return sum
    }

    /// R, the mean time from request to answer in seconds, by the response time law N = X(R + Z).
    var meanResponse: Double { Double(users) / throughput - meanThinking }
}
