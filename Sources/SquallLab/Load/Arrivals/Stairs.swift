import SquallReport

/// A rate that changes in equal steps, each held for a while.
struct Stairs: ArrivalShape {
    let firstRate: Double
    let lastRate: Double
    let steps: Int64
    let stepNanoseconds: Int64

    static let field = Field(
        "stairs",
        .section([
            ArrivalShapes.rate("from", "Sessions per second on the first step."),
            ArrivalShapes.rate("to", "Sessions per second on the last step."),
            Field("steps", .integer(2...1_000), .required, "How many steps there are."),
            ArrivalShapes.span("every", "How long each step lasts."),
        ]), .optional, "A rate that changes in equal steps, each held for a while.")

    init(_ settings: FieldValues) {
        firstRate = settings.number("from")
        lastRate = settings.number("to")
        steps = settings.integer("steps")
        stepNanoseconds = settings.nanoseconds("every")
    }

    var durationNanoseconds: Int64 { steps * stepNanoseconds }

    func expected(inFirst nanoseconds: Int64) -> Double {
        let whole = min(nanoseconds / stepNanoseconds, steps)
        let rest = nanoseconds - whole * stepNanoseconds
        // Rates of whole steps form an arithmetic series.
        let sum = Double(whole) * (rate(onStep: 0) + rate(onStep: whole - 1)) / 2
        return sum * stepNanoseconds.seconds + rate(onStep: whole) * rest.seconds
    }

    private func rate(onStep step: Int64) -> Double {
        firstRate + (lastRate - firstRate) * Double(step) / Double(steps - 1)
    }
}
