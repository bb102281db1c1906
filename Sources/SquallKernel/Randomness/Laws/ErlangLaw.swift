import SquallFormat

/// The sum of some equal exponential stages.
struct ErlangLaw: WrittenLaw, SurvivalLaw {
    let stages: Int
    let meanNanoseconds: Int64

    init(stages: Int, mean: Int64) {
        precondition((1...100).contains(stages), "an Erlang law has 1…100 stages, not \(stages)")
        self.stages = stages
        meanNanoseconds = mean
    }

    var mean: Double { Double(meanNanoseconds) }

    func sample(_ stream: RandomStream, at ordinal: UInt64) -> Int64 {
        Int64(
            rounding: Double(meanNanoseconds) / Double(stages)
                * quantile(survival: stream.openUnit(ordinal)))
    }

    // In units of a stage's mean.

    var start: Double { Double(stages) }

    /// P(X > x) is the probability that fewer events than stages happen in x: a Poisson sum.
    func survival(at x: Double) -> (logarithm: Double, hazard: Double) {
        var term = 1.0
        var sum = 1.0
        for stage in 1..<max(1, stages) {
            term *= x / Double(stage)
            sum += term
        }
        return (PortableMath.log(sum) - x, term / sum)
    }
}

extension ErlangLaw {
    static func setting(within range: ClosedRange<Int64>) -> Setting<ErlangLaw> {
        Setting(
            "erlang", .section { ErlangLaw(&$0, within: range) },
            "Varies less than an exponential law: the sum of equal exponential stages.")
    }

    private init(_ read: inout SettingsReader, within range: ClosedRange<Int64>) {
        stages = read("stages", .integer(1...100), "How many stages; one is exponential.")
        meanNanoseconds = read("mean", .duration(range), "The mean of the sum.")
    }
}

extension Distribution {
    /// The sum of `stages` equal exponential parts, 1…100 of them; `mean` is that of the sum.
    public static func erlang(stages: Int, mean: Int64) -> Distribution {
        Distribution(ErlangLaw(stages: stages, mean: mean))
    }
}
