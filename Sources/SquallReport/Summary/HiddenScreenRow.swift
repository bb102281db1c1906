import SquallFormat

/// The calls of screens behind one step that the user did not see.
struct HiddenScreenRow: Hashable {
    /// The population's name in the profile.
    let population: String
    let journey: String
    let step: String
    /// Calls of screens that another screen covered, refreshes included.
    let covered: Int64
    /// Calls of screens that another screen had replaced, refreshes included.
    let replaced: Int64
    /// How many steps ended.
    let steps: Int64

    /// Such calls per step; nil if no step ended.
    var perStep: Double? { Ratio(part: covered + replaced, whole: steps).quotient }

    /// A row for each step with such calls, in the order of the steps.
    static func all(of summary: RunSummary) -> [HiddenScreenRow] {
        let series = summary.series(of: .hiddenScreenCalls)
        return summary.steps.compactMap { step in
            let own = series.filter {
                $0.tags[.population] ?? "" == step.population
                    && $0.tags[.journey] == step.journey && $0.tags[.step] == step.step
            }
            func calls(_ cause: String) -> Int64 {
                own.filter { $0.tags[.cause] == cause }.reduce(0) { $0 + ($1.count ?? 0) }
            }
            let (covered, replaced) = (calls("covered"), calls("replaced"))
            guard covered + replaced > 0 else { return nil }
            return HiddenScreenRow(
                population: step.population, journey: step.journey, step: step.step,
                covered: covered, replaced: replaced, steps: step.count)
        }
    }
}
