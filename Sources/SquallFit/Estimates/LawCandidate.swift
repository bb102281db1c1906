/// A distribution with its maximum-likelihood parameters for some durations.
struct LawCandidate {
    let form: FittedLaw.Form
    /// Akaike's: twice the number of parameters less twice the logarithm of the likelihood.
    let criterion: Double
    private let parameters: Int

    private init(_ form: FittedLaw.Form, parameters: Int, logLikelihood: Double) {
        self.form = form
        self.parameters = parameters
        criterion =
            logLikelihood.isFinite ? 2 * Double(parameters) - 2 * logLikelihood : .infinity
    }

    /// All candidates; durations are sorted, positive, and not all equal.
    static func all(_ sample: [Double], _ moments: Moments) -> [LawCandidate] {
        let n = Double(sample.count)
        let mean = moments.mean
        let logs = sample.map { Portable.log($0) }
        let logSum = logs.reduce(0, +)
        var list = [exponential(sample, mean, n), logNormal(logs, logSum, n)]
        list += [uniform(sample, n), erlang(mean, logSum, n)]
        if let shifted = shifted(sample, mean, n) { list.append(shifted) }
        if let pareto = pareto(sample, logSum, n) { list.append(pareto) }
        if moments.squaredVariation > 1.02 {
            list.append(hyperexponential(sample, mean, moments.squaredVariation))
        }
        return list
    }

    /// How much better a distribution with more parameters must be: chance alone makes it slightly
    /// better.
    private static let leastGain = 6.0

    /// The best candidate by the criterion, or one with fewer parameters that is nearly as good.
    static func best(of candidates: [LawCandidate]) -> LawCandidate? {
        let best = candidates.min { $0.criterion < $1.criterion }
        return best.flatMap { best in
            candidates.filter {
                $0.parameters < best.parameters && $0.criterion < best.criterion + leastGain
            }.min { $0.criterion < $1.criterion } ?? best
        }
    }

    /// The distributions with a mean and a variance.
    static func forms(mean: Double, variance: Double) -> [FittedLaw.Form] {
        guard mean > 0 else { return [.constant(0)] }
        let variation = variance / (mean * mean)
        guard variation > 1e-4 else { return [.constant(mean)] }
        var forms: [FittedLaw.Form] = [.exponential(mean: mean, least: 0)]
        let sigma = Portable.log(1 + variation).squareRoot()
        forms.append(.logNormal(median: mean / (1 + variation).squareRoot(), sigma: min(5, sigma)))
        let stages = Int(min(100, (1 / variation).rounded()))
        if stages > 1 { forms.append(.erlang(stages: stages, mean: mean)) }
        if variation > 1.02 {
            forms.append(.hyperexponential(mean: mean, squaredVariation: variation))
        }
        let half = (3 * variance).squareRoot()
        if half < mean { forms.append(.uniform(low: mean - half, high: mean + half)) }
        let shape = 1 + (1 + 1 / variation).squareRoot()
        forms.append(.pareto(scale: mean * (shape - 1) / shape, shape: shape))
        return forms
    }

    private static func exponential(_ sample: [Double], _ mean: Double, _ n: Double) -> Self {
        .init(
            .exponential(mean: mean, least: 0), parameters: 1,
            logLikelihood: -n * (Portable.log(mean) + 1))
    }

    private static func shifted(_ sample: [Double], _ mean: Double, _ n: Double) -> Self? {
        let least = sample[0] * (1 - 1 / n)
        guard least > 0.02 * mean, mean > least else { return nil }
        return .init(
            .exponential(mean: mean, least: least), parameters: 2,
            logLikelihood: -n * (Portable.log(mean - least) + 1))
    }

    private static func logNormal(_ logs: [Double], _ sum: Double, _ n: Double) -> Self {
        let middle = sum / n
        let variance = logs.reduce(0) { $0 + ($1 - middle) * ($1 - middle) } / n
        return .init(
            .logNormal(median: Portable.exp(middle), sigma: variance.squareRoot()), parameters: 2,
            logLikelihood: -sum - n / 2 * (Portable.log(2 * Double.pi * variance) + 1))
    }

    private static func uniform(_ sample: [Double], _ n: Double) -> Self {
        let (low, high) = (sample[0], sample[sample.count - 1])
        return .init(
            .uniform(low: low, high: high), parameters: 2,
            logLikelihood: -n * Portable.log(high - low))
    }

    private static func erlang(_ mean: Double, _ logSum: Double, _ n: Double) -> Self {
        let all = (2...100).map { stages -> Self in
            let k = Double(stages)
            let likelihood =
                n * (k * Portable.log(k / mean) - Portable.logGamma(k)) + (k - 1) * logSum - k * n
            return .init(
                .erlang(stages: stages, mean: mean), parameters: 2, logLikelihood: likelihood)
        }
        return all.min { $0.criterion < $1.criterion } ?? all[0]
    }

    private static func pareto(_ sample: [Double], _ logSum: Double, _ n: Double) -> Self? {
        let scale = sample[0]
        let excess = logSum - n * Portable.log(scale)
        guard excess > 0 else { return nil }
        let shape = n / excess
        return .init(
            .pareto(scale: scale, shape: shape), parameters: 2,
            logLikelihood: n * (Portable.log(shape) + shape * Portable.log(scale))
                - (shape + 1) * logSum)
    }

    /// A hyperexponential distribution with the given moments.
    private static func hyperexponential(
        _ sample: [Double], _ mean: Double, _ variation: Double
    ) -> Self {
        let first = (1 + ((variation - 1) / (variation + 1)).squareRoot()) / 2
        let second = 1 - first
        let likelihood = sample.reduce(0.0) { sum, value in
            let x = value / mean
            let density =
                2 * first * first * Portable.exp(-2 * first * x) + 2 * second * second
                * Portable.exp(-2 * second * x)
            return sum + Portable.log(density / mean)
        }
        return .init(
            .hyperexponential(mean: mean, squaredVariation: variation), parameters: 2,
            logLikelihood: likelihood)
    }
}

extension FittedLaw.Form {
    /// The share of values below a value.
    func below(_ x: Double) -> Double {
        switch self {
        case .constant(let value): return x >= value ? 1 : 0
        case .exponential(let mean, let least):
            return x <= least ? 0 : 1 - Portable.exp(-(x - least) / (mean - least))
        case .logNormal(let median, let sigma):
            return Portable.erfc(-Portable.log(x / median) / (sigma * 2.0.squareRoot())) / 2
        case .erlang(let stages, let mean):
            let scaled = x * Double(stages) / mean
            var (term, sum) = (1.0, 1.0)
            for stage in 1..<stages {
                term *= scaled / Double(stage)
                sum += term
            }
            return 1 - sum * Portable.exp(-scaled)
        case .hyperexponential(let mean, let variation):
            let first = (1 + ((variation - 1) / (variation + 1)).squareRoot()) / 2
            let t = x / mean
            return 1 - first * Portable.exp(-2 * first * t)
                - (1 - first) * Portable.exp(-2 * (1 - first) * t)
        case .pareto(let scale, let shape):
            return x <= scale ? 0 : 1 - Portable.exp(-shape * Portable.log(x / scale))
        case .uniform(let low, let high): return min(1, max(0, (x - low) / (high - low)))
        case .empirical: return .nan
        }
    }
}
