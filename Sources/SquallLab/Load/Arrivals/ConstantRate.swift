import SquallReport

/// The same rate all the time.
struct ConstantRate: ArrivalShape {
    let sessionsPerSecond: Double
    let durationNanoseconds: Int64

    static let field = Field(
        "constant",
        .section([
            ArrivalShapes.rate("rate", "Sessions per second."),
            ArrivalShapes.span("for", "How long it lasts."),
        ]), .optional, "The same rate all the time.")

    init(_ settings: FieldValues) {
        sessionsPerSecond = settings.number("rate")
        durationNanoseconds = settings.nanoseconds("for")
    }

    func expected(inFirst nanoseconds: Int64) -> Double {
        sessionsPerSecond * nanoseconds.seconds
    }
}
