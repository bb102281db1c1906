import SquallKernel

/// One worker whose services all take the same time, and Poisson arrivals: M/D/1.
///
/// Rates are per second and times in seconds.
struct ConstantStation {
    let arrivalRate: Double
    let service: Double

    /// W_q, the mean wait, by Pollaczek and Khinchine.
    var meanWait: Double {
        PollaczekKhinchine.meanWait(
            arrivalRate: arrivalRate, meanService: service, squaredVariation: 0)
    }

    /// P(W_q > t), by Franx ("A simple solution for the M/D/c waiting time distribution",
    /// Operations Research Letters 29, 2001): with (k − 1)D ≤ t < kD,
    /// P(W_q ≤ t) = e^{−λ(kD − t)} Σⱼ₌₀ᵏ⁻¹ Q₍ₖ₋₁₋ⱼ₎ λʲ(kD − t)ʲ / j!, where Qⱼ is the probability
    /// that at most j are in line.
    ///
    /// All terms are positive, so there is no cancellation.
    func waitExceeds(_ time: Double) -> Double {
        let k = Int((time / service).rounded(.down)) + 1
        let line = lineProbabilities(upTo: k)
        let rest = arrivalRate * (Double(k) * service - time)
        var (term, sum) = (1.0, 0.0)
        for j in 0..<k {
            if j > 0 { term *= rest / Double(j) }
            sum += line[k - 1 - j] * term
        }
        return max(0, 1 - PortableMath.exp(-rest) * sum)
    }

    /// Q₀…Qₙ: the probabilities that at most 0…n are in line, by the chain embedded at the ends of
    /// services.
    private func lineProbabilities(upTo count: Int) -> [Double] {
        let load = arrivalRate * service
        var arrivals = [PortableMath.exp(-load)]
        for number in 1...(count + 2) {
            arrivals.append(arrivals[number - 1] * load / Double(number))
        }
        var present = [1 - load]
        for number in 0...count {
            var next = present[number] - present[0] * arrivals[number]
            for earlier in stride(from: 1, through: number, by: 1) {
                next -= present[earlier] * arrivals[number - earlier + 1]
            }
            present.append(max(0, next / arrivals[0]))
        }
        var sum = present[0]
        return (0...count).map { number in
            sum += present[number + 1]
            return sum
        }
    }
}
