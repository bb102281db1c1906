import SquallReport

/// A rate that rises or falls evenly.
struct LinearRamp: ArrivalShape {
    let firstRate: Double
    let lastRate: Double
    let durationNanoseconds: Int64

    static let field = Field(
        "ramp",
        .section([
            ArrivalShapes.rate("from", "Sessions per second at the beginning."),
            ArrivalShapes.rate("to", "Sessions per second at the end."),
            ArrivalShapes.span("for", "How long it lasts."),
        ]), .optional, "A rate that rises or falls evenly.")

    init(_ settings: FieldValues) {
        firstRate = settings.number("from")
        lastRate = settings.number("to")
        durationNanoseconds = settings.nanoseconds("for")
    }

    func expected(inFirst nanoseconds: Int64) -> Double {
        let share = Double(nanoseconds) / Double(durationNanoseconds)
        return (firstRate + (lastRate - firstRate) * share / 2) * nanoseconds.seconds
    }
}
