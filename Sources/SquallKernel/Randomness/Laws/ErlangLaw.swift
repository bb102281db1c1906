/// The sum of some equal exponential stages.
struct ErlangLaw: SurvivalLaw {
    static let name = "erlang"
    static let about =
        "Varies less than an exponential law: the sum of equal exponential stages."
    static let parameters = [
        LawParameter<Self>(
            name: "stages", kind: .count(1...100), place: \.stageCount,
            about: "How many stages; one is exponential."),
        LawParameter<Self>(name: "mean", place: \.mean, about: "The mean of the sum."),
    ]

    private var stages = 1
    private(set) var mean = 0.0

    init() {}

    /// The sum of 1…100 stages, with the mean of the sum.
    init(stages: Int, mean: Double) {
        precondition((1...100).contains(stages), "an Erlang law has 1…100 stages, not \(stages)")
        (self.stages, self.mean) = (stages, mean)
    }

    private var stageCount: Double {
        get { Double(stages) }
        set { stages = Int(newValue) }
    }

    var variance: Double { mean * mean / stageCount }

    /// The mean of a stage.
    var unit: Double { mean / stageCount }

    var start: Double { stageCount }

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

extension Distribution {
    /// The sum of `stages` equal exponential parts, 1…100 of them; `mean` is that of the sum.
    public static func erlang(stages: Int, mean: Int64) -> Distribution {
        erlang(stages: stages, mean: Double(mean))
    }

    /// A law with an estimated mean.
    @_disfavoredOverload
    public static func erlang(stages: Int, mean: Double) -> Distribution {
        Distribution(ErlangLaw(stages: stages, mean: mean))
    }
}
