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
        var weight = 1.0
        var total = 1.0
        var busy = 0.0
        for present in 1...users {
            let arrivals = Double(users - present + 1) / meanThinking
            let services = Double(min(present, workers)) / meanService
            weight *= arrivals / services
            total += weight
            busy += weight * Double(min(present, workers))
            // Weights of thousands of users exceed every number; only their ratios matter.
            if weight > 1e200 {
                total /= weight
                busy /= weight
                weight = 1
            }
        }
        return busy / total / meanService
    }

    /// R: from question to answer, in seconds, by the response time law N = X(R + Z).
    var meanResponse: Double { Double(users) / throughput - meanThinking }

    /// N*: how many users the workers could serve without anybody waiting.
    var knee: Double { Double(workers) * (meanThinking + meanService) / meanService }
}
