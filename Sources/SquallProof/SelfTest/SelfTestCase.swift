import SquallKernel

/// One model that is simulated and compared with its theory.
///
/// **Start here** to read this module. `Theory/` has the formulas, `Models/` the simulated models,
/// and the extensions of this type compare the two; `Bench/` and `Designs/` are independent of
/// both.
public struct SelfTestCase: Sendable {
    /// The simulated model, as `M/M/1 ρ=0.8`.
    public let model: String
    /// True if it runs only when everything is tested.
    public private(set) var isThorough = false
    let measure: @Sendable (SelfTestConditions) throws -> [SelfTestCheck]

    /// All cases, in the order of their list.
    public static let all: [SelfTestCase] =
        open + loss + closed + backends + runs + retrying + contention + planning

    /// Simulates the model and compares.
    public func checks(under conditions: SelfTestConditions) throws -> [SelfTestCheck] {
        try measure(conditions.of(model)).map { check in
            var check = check
            check.model = model
            return check
        }
    }
}

/// The conditions of a self-test.
public struct SelfTestConditions: Sendable {
    private(set) var randomness: RandomStream
    /// A factor on services that the theory is not told of.
    let bias: Double
    /// The number of independent replications.
    private(set) var replications: Int

    /// Makes conditions from a seed.
    ///
    /// - Parameters:
    ///   - seed: different seeds give independent measurements.
    ///   - biasPercent: the percentage by which services take longer than theory is told; 0 for an
    ///     honest test.
    ///   - isThorough: true for ten times as many replications.
    public init(seed: UInt64, biasPercent: Int64 = 0, isThorough: Bool = false) {
        self.init(seed: seed, biasPercent: biasPercent, replications: isThorough ? 200 : 20)
    }

    init(seed: UInt64, biasPercent: Int64, replications: Int) {
        randomness = RandomStream(seed: seed).stream("selftest")
        bias = 1 + Double(biasPercent) / 100
        self.replications = replications
    }

    /// A copy of the conditions with the randomness of one model.
    func of(_ model: String) -> SelfTestConditions {
        var conditions = self
        conditions.randomness = randomness.stream(named: model)
        return conditions
    }

    /// A copy of the conditions with a fraction of the replications, for long experiments.
    func replicating(oneIn divisor: Int) -> SelfTestConditions {
        var conditions = self
        conditions.replications /= divisor
        return conditions
    }

    /// Measures every replication, each with its own randomness.
    func replicate<Value>(_ measure: (RandomStream) throws -> Value) rethrows -> [Value] {
        try (0..<UInt64(replications)).map { try measure(randomness.stream(number: $0)) }
    }
}
