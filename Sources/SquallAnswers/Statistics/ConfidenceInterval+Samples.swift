import SquallReport

extension ConfidenceInterval {
    /// The mean of independent replications, with Student's t.
    ///
    /// One replication has no interval; none have no mean. With `ofOne` the interval is for one
    /// further sample instead of the mean, so more samples narrow it no further than their spread.
    init?(
        meanOf samples: [Double], level: Double = Self.level, ofOne: Bool = false,
        leastError: Double = 0
    ) {
        guard !samples.isEmpty else { return nil }
        let mean = samples.mean
        guard samples.count > 1 else {
            self.init(mean, low: nil, high: nil)
            return
        }
        let width =
            StudentT.quantile(level: level, freedom: samples.count - 1)
            * max(leastError, samples.errorOfMean)
            * (ofOne ? (Double(samples.count) + 1).squareRoot() : 1)
        self.init(mean, low: mean - width, high: mean + width)
    }

    /// The interval of an amount, cut at 0, below which an amount never is.
    var ofAmount: ConfidenceInterval {
        ConfidenceInterval(value, low: low.map { value >= 0 ? max(0, $0) : $0 }, high: high)
    }

    /// An estimate that all replications make together, with Tukey's jackknife over them.
    ///
    /// Each replication is left out once. Its pseudo-value R·θ − (R−1)·θ₋ᵢ is its own contribution;
    /// the mean of these is free of the bias of order 1/R and has an interval by Student's t
    /// (Miller, *The jackknife: a review*, Biometrika 61, 1974).
    ///
    /// `estimate` gets the numbers of some replications and returns nil where they have no value.
    init?(
        jackknifing count: Int, level: Double = Self.level, _ estimate: ([Int]) -> Double?
    ) {
        guard let whole = estimate(Array(0..<count)) else { return nil }
        let rests = (0..<count).map { left in estimate((0..<count).filter { $0 != left }) }
        guard let pseudo = rests.pseudoValues(of: whole), count > 1 else {
            self.init(whole, low: nil, high: nil)
            return
        }
        self.init(meanOf: pseudo, level: level)
    }
}

extension [Double] {
    /// The mean.
    ///
    /// - Precondition: there is at least one.
    public var mean: Double { reduce(0, +) / Double(count) }

    /// The standard error of the mean of independent numbers.
    ///
    /// - Precondition: there are at least two.
    public var errorOfMean: Double {
        precondition(count > 1, "an error needs two numbers or more")
        let (count, mean) = (Double(count), mean)
        let squares = reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / (count - 1) / count).squareRoot()
    }
}

extension [Double?] {
    /// The jackknife's pseudo-values, from the estimates without each part; nil where one of them
    /// has no value.
    func pseudoValues(of whole: Double) -> [Double]? {
        let weight = Double(count)
        let known = compactMap { $0.map { weight * whole - (weight - 1) * $0 } }
        return known.count == count ? known : nil
    }
}
