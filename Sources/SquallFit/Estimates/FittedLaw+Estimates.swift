import SquallKernel

/// The laws of a profile with the parameters that durations tell.
extension FittedLaw {
    /// The least gain of likelihood for a law with more parameters: chance alone makes it slightly
    /// better.
    private static let leastGain = 6.0

    /// The best law by Akaike's criterion, or one with fewer parameters that is nearly as good;
    /// durations are sorted, positive, and not all equal.
    static func likeliest(_ sample: [Double], _ moments: Moments) -> Distribution? {
        let candidates = maximumLikelihood(sample, moments).map { law in
            let parameters = law.values(of: 1).count
            let likelihood = law.logLikelihood(of: sample)
            let criterion =
                likelihood.isFinite ? 2 * Double(parameters) - 2 * likelihood : .infinity
            return (law: law, parameters: parameters, criterion: criterion)
        }
        let best = candidates.min { $0.criterion < $1.criterion }
        return best.flatMap { best in
            candidates.filter {
                $0.parameters < best.parameters && $0.criterion < best.criterion + leastGain
            }.min { $0.criterion < $1.criterion } ?? best
        }?.law
    }

    /// All laws with a density by their maximum-likelihood parameters; the hyperexponential one by
    /// its moments.
    private static func maximumLikelihood(
        _ sample: [Double], _ moments: Moments
    ) -> [Distribution] {
        let n = Double(sample.count)
        let (mean, least, most) = (moments.mean, sample[0], sample[sample.count - 1])
        let logs = sample.map { PortableMath.log($0) }
        let logSum = logs.reduce(0, +)
        let middle = logSum / n
        let variance = logs.reduce(0) { $0 + ($1 - middle) * ($1 - middle) } / n
        var laws: [Distribution] = [
            .exponential(mean: mean),
            .logNormal(median: PortableMath.exp(middle), sigma: variance.squareRoot()),
            .uniform(low: least, high: most),
        ]
        // The likelihood has one peak over the number of stages, which is the shape of a gamma law.
        let shape = min(99, max(2, gammaShape(PortableMath.log(mean) - middle)))
        laws += [Int(shape), Int(shape) + 1].map { .erlang(stages: $0, mean: mean) }
        let start = least * (1 - 1 / n)
        if start > 0.02 * mean, mean > start {
            laws.append(.exponential(mean: mean, minimum: start))
        }
        let excess = logSum - n * PortableMath.log(least)
        if excess > 0 { laws.append(.pareto(scale: least, shape: n / excess)) }
        let variation = moments.squaredVariation
        if variation > 1.02 {
            laws.append(.hyperexponential(mean: mean, squaredVariation: variation))
        }
        return laws
    }

    /// The maximum-likelihood shape of a gamma law by the gap between the logarithm of the mean and
    /// the mean of the logarithms; exact to a thousandth from shape 5 on, and to 1.5 %
    /// below (Minka, "Estimating a gamma distribution", 2002).
    static func gammaShape(_ gap: Double) -> Double {
        (3 - gap + ((gap - 3) * (gap - 3) + 24 * gap).squareRoot()) / (12 * gap)
    }

    /// The laws with a mean and a variance.
    static func laws(mean: Double, variance: Double) -> [Distribution] {
        guard mean > 0 else { return [.constant(nanoseconds: 0)] }
        let variation = variance / (mean * mean)
        guard variation > 1e-4 else { return [.constant(nanoseconds: Int64(mean))] }
        var laws: [Distribution] = [.exponential(mean: mean)]
        let sigma = PortableMath.log(1 + variation).squareRoot()
        laws.append(
            .logNormal(median: mean / (1 + variation).squareRoot(), sigma: min(5, sigma)))
        let stages = Int(min(100, (1 / variation).rounded()))
        if stages > 1 { laws.append(.erlang(stages: stages, mean: mean)) }
        if variation > 1.02 {
            laws.append(.hyperexponential(mean: mean, squaredVariation: variation))
        }
        let half = (3 * variance).squareRoot()
        if half < mean { laws.append(.uniform(low: mean - half, high: mean + half)) }
        let shape = 1 + (1 + 1 / variation).squareRoot()
        laws.append(.pareto(scale: mean * (shape - 1) / shape, shape: shape))
        return laws
    }

    private static let points = 120

    /// The law of which the sums with other pauses are nearest to some pauses, and the distance of
    /// the two distributions; both lists are sorted.
    static func nearest(
        _ laws: [Distribution], to sums: [Double], less other: [Double]
    ) -> (law: Distribution, distance: Double)? {
        let shares = (0..<points).map { (Double($0) + 0.5) / Double(points) }
        let others = shares.map(other.quantile)
        return laws.map { law in
            let own = shares.map { quantile(law, $0, from: max(1, sums.last ?? 1)) }
            let model = own.flatMap { value in others.map { $0 + value } }.sorted()
            var place = 0
            let distance = sums.distance { sum in
                while place < model.count, model[place] <= sum { place += 1 }
                return Double(place) / Double(model.count)
            }
            return (law: law, distance: distance)
        }.min { $0.distance < $1.distance }
    }

    /// The value below which a law has a share, by bisection.
    private static func quantile(
        _ law: Distribution, _ share: Double, from first: Double
    ) -> Double {
        var (low, high) = (0.0, first)
        while law.share(below: high) < share, high < 1e18 { high *= 2 }
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if law.share(below: middle) < share { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }
}
