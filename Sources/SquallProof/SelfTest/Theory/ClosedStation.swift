import SquallKernel
import SquallLab

/// N users who think, ask, wait for the answer and think again, before c workers: M/M/c//N.
///
/// Thinking and service are exponential. The number of users at the station is a birth-death
/// process, whose equilibrium has a closed form (the machine repair model; Gross and Harris §2.7).
struct ClosedStation {
    let users: Int
    let workers: Int
    /// Z, in seconds.
    let meanThinking: Double
    /// S, in seconds.
    let meanService: Double

    /// X: answers a second.
    var throughput: Double {
        let busy = presence(of: users).enumerated().reduce(0) { sum, state in
            sum + Double(min(state.offset, workers)) * state.element
        }
        return busy / meanService
    }

    /// How likely so many of some users are at the station: nobody, one, two and so on.
    private func presence(of users: Int) -> [Double] {
        var weights = [1.0]
        for present in stride(from: 1, through: users, by: 1) {
            let arrivals = Double(users - present + 1) / meanThinking
            let services = Double(min(present, workers)) / meanService
            weights.append(weights[present - 1] * arrivals / services)
            // Weights of thousands of users exceed every number; only their ratios matter.
            if weights[present] > 1e200 { weights = weights.map { $0 / weights[present] } }
        }
        let total = weights.reduce(0, +)
        return weights.map { $0 / total }
    }

    /// P(W_q > t): whoever comes meets the others as they are without him (Sevcik and Mitrani,
    /// Journal of the ACM 28, 1981), and waits until as many have gone as are before him.
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

    /// R: from question to answer, in seconds, by the response time law N = X(R + Z).
    var meanResponse: Double { Double(users) / throughput - meanThinking }

    /// N*: how many users the workers could serve without anybody waiting.
    var knee: Double { Double(workers) * (meanThinking + meanService) / meanService }
}
