import SquallKernel

/// A distribution of lengths, by its densities over the logarithms of lengths.
struct PauseLaw {
    enum Family {
        case logNormal, gamma
        /// The lengths themselves, without a law.
        case seen

        /// Laws with two parameters.
        static let laws: [Family] = [.logNormal, .gamma]
    }

    let shares: [Double]
    let mean: Double
    private let middle, variance: Double

    /// The maximum-likelihood distribution of a family for weighted cells.
    init(_ family: Family, _ cells: [PauseKinds.Cell], _ weights: [Double]) {
        var sums = (weight: 0.0, log: 0.0, square: 0.0, value: 0.0)
        for (cell, weight) in zip(cells, weights) {
            let log = PauseKinds.log(cell.bin)
            sums.weight += weight
            sums.log += weight * log
            sums.square += weight * log * log
            sums.value += weight * PortableMath.exp(log)
        }
        let all = max(1e-9, sums.weight)
        let middle = sums.log / all
        let variance = max(0.01, sums.square / all - middle * middle)
        let mean = max(1, sums.value / all)
        (self.middle, self.variance, self.mean) = (middle, variance, mean)
        switch family {
        case .logNormal:
            let scale = PortableMath.log(2 * Double.pi * variance) / 2
            shares = (0..<PauseKinds.bins).map { bin in
                let from = PauseKinds.log(bin) - middle
                return PortableMath.exp(-from * from / (2 * variance) - scale)
            }
        case .gamma:
            let shape = FittedLaw.gammaShape(max(0.005, PortableMath.log(mean) - middle))
            let scale = PortableMath.logGamma(shape)
            shares = (0..<PauseKinds.bins).map { bin in
                let scaled = PauseKinds.log(bin) + PortableMath.log(shape / mean)
                return PortableMath.exp(shape * scaled - PortableMath.exp(min(700, scaled)) - scale)
            }
        case .seen: shares = Self.smoothed(cells, weights, all)
        }
    }

    /// The density over the logarithms of lengths, smoothed over neighbours.
    private static func smoothed(
        _ cells: [PauseKinds.Cell], _ weights: [Double], _ all: Double
    ) -> [Double] {
        var sums = [Double](repeating: 0, count: PauseKinds.bins)
        for (cell, weight) in zip(cells, weights) { sums[cell.bin] += weight }
        return (0..<PauseKinds.bins).map { bin in
            let near = max(0, bin - width)...min(PauseKinds.bins - 1, bin + width)
            let sum = near.reduce(0) { $0 + sums[$1] * Double(width + 1 - abs(bin - $1)) }
            return sum / (all * PauseKinds.step * Double((width + 1) * (width + 1)))
        }
    }

    private static let width = 8
    /// The width of the smoothing in logarithms of lengths.
    static let smoothing = Double(width + 1) * PauseKinds.step

    /// The distance of two distributions' logarithms, in standard deviations.
    func distance(_ other: PauseLaw) -> Double {
        (2 / (variance + other.variance)).squareRoot() * abs(middle - other.middle)
    }
}
