import SquallReport

/// A steady rate with a sudden burst in it.
struct Spike: ArrivalShape {
    let baseRate: Double
    let peakRate: Double
    let beforeNanoseconds: Int64
    let widthNanoseconds: Int64
    let afterNanoseconds: Int64

    static let field = Field(
        "spike",
        .section([
            ArrivalShapes.rate("base", "Sessions per second outside the burst."),
            ArrivalShapes.rate("peak", "Sessions per second in the burst."),
            ArrivalShapes.span("before", "How long until the burst."),
            ArrivalShapes.span("width", "How long the burst lasts."),
            ArrivalShapes.span("after", "How long the base rate goes on after it."),
        ]), .optional, "A steady rate with a sudden burst in it.")

    init(_ settings: FieldValues) {
        baseRate = settings.number("base")
        peakRate = settings.number("peak")
        beforeNanoseconds = settings.nanoseconds("before")
        widthNanoseconds = settings.nanoseconds("width")
        afterNanoseconds = settings.nanoseconds("after")
    }

    var durationNanoseconds: Int64 { beforeNanoseconds + widthNanoseconds + afterNanoseconds }

    func expected(inFirst nanoseconds: Int64) -> Double {
        let inBurst = min(max(0, nanoseconds - beforeNanoseconds), widthNanoseconds)
        return baseRate * (nanoseconds - inBurst).seconds + peakRate * inBurst.seconds
    }
}
