import SquallKernel
import SquallLab

/// One model that is simulated and held against its theory.
///
/// **Start here** to read this module. `Theory/` has the formulas, `Models/` what is simulated, and
/// the extensions of this type put the two side by side; `Bench/` and `Designs/` stand for
/// themselves.
public struct SelfTestCase: Sendable {
    /// What is simulated, as `M/M/1 ρ=0.8`.
    public let model: String
    /// Whether it takes part only when everything is tested.
    public let isThorough: Bool
    let measure: @Sendable (SelfTestConditions) throws -> [SelfTestCheck]

    init(
        _ model: String, isThorough: Bool = false,
        measure: @escaping @Sendable (SelfTestConditions) throws -> [SelfTestCheck]
    ) {
        self.model = model
        self.isThorough = isThorough
        self.measure = measure
    }

    /// Every case, in the order in which they are listed.
    public static let all: [SelfTestCase] =
        open + loss + closed + farSide + runs + retrying + contention + planning

    /// Simulates the model and compares.
    public func checks(under conditions: SelfTestConditions) throws -> [SelfTestCheck] {
        try measure(conditions.of(model))
    }
}

/// What a self-test is told from outside.
public struct SelfTestConditions: Sendable {
    let randomness: RandomStream
    /// What services are multiplied by, without telling the theory.
    let bias: Double
    /// How many independent replications there are.
    let replications: Int

    /// Conditions that the seed decides.
    ///
    /// - Parameters:
    ///   - seed: two seeds give independent measurements.
    ///   - biasPercent: how much longer than theory is told services take; 0 for an honest test.
    ///   - isThorough: whether there are ten times as many replications.
    public init(seed: UInt64, biasPercent: Int64 = 0, isThorough: Bool = false) {
        self.init(seed: seed, biasPercent: biasPercent, replications: isThorough ? 200 : 20)
    }

    init(seed: UInt64, biasPercent: Int64, replications: Int) {
        self.init(
            randomness: RandomStream(seed: seed).stream("selftest"),
            bias: 1 + Double(biasPercent) / 100, replications: replications)
    }

    private init(randomness: RandomStream, bias: Double, replications: Int) {
        self.randomness = randomness
        self.bias = bias
        self.replications = replications
    }

    /// The same conditions with randomness that belongs to one model.
    func of(_ model: String) -> SelfTestConditions {
        SelfTestConditions(
            randomness: randomness.stream(named: model), bias: bias, replications: replications)
    }

    /// The same conditions with a share of the replications, for experiments that take long.
    func replicating(oneIn divisor: Int) -> SelfTestConditions {
        SelfTestConditions(
            randomness: randomness, bias: bias, replications: replications / divisor)
    }

    /// Measures every replication, each with randomness of its own.
    func replicate<Value>(_ measure: (RandomStream) throws -> Value) rethrows -> [Value] {
        try (0..<UInt64(replications)).map { try measure(randomness.stream(number: $0)) }
    }
}
