import SquallFormat

struct ConstantRate: ArrivalShape {
    static let name = "constant"
    static let summary = "The same rate all the time."
    let sessionsPerSecond: Double
    let durationNanoseconds: Int64

    init(_ read: inout SettingsReader) {
        sessionsPerSecond = read("rate", .rate, "Sessions per second.")
        durationNanoseconds = read("for", .span, "How long it lasts.")
    }

    func expected(inFirst nanoseconds: Int64) -> Double {
        sessionsPerSecond * nanoseconds.seconds
    }
}

struct LinearRamp: ArrivalShape {
    static let name = "ramp"
    static let summary = "A rate that rises or falls evenly."
    let firstRate: Double
    let lastRate: Double
    let durationNanoseconds: Int64

    init(_ read: inout SettingsReader) {
        firstRate = read("from", .rate, "Sessions per second at the beginning.")
        lastRate = read("to", .rate, "Sessions per second at the end.")
        durationNanoseconds = read("for", .span, "How long it lasts.")
    }

    func expected(inFirst nanoseconds: Int64) -> Double {
        let share = Double(nanoseconds) / Double(durationNanoseconds)
        return (firstRate + (lastRate - firstRate) * share / 2) * nanoseconds.seconds
    }
}

struct Stairs: ArrivalShape {
    static let name = "stairs"
    static let summary = "A rate that changes in equal steps, each held for a while."
    let firstRate: Double
    let lastRate: Double
    let steps: Int64
    let stepNanoseconds: Int64

    init(_ read: inout SettingsReader) {
        firstRate = read("from", .rate, "Sessions per second on the first step.")
        lastRate = read("to", .rate, "Sessions per second on the last step.")
        steps = read("steps", .integer(2...1_000), "How many steps there are.")
        stepNanoseconds = read("every", .span, "How long each step lasts.")
    }

    var durationNanoseconds: Int64 { steps.clampedProduct(stepNanoseconds) }

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

struct Spike: ArrivalShape {
    static let name = "spike"
    static let summary = "A steady rate with a sudden burst in it."
    let baseRate: Double
    let peakRate: Double
    let beforeNanoseconds: Int64
    let widthNanoseconds: Int64
    let afterNanoseconds: Int64

    init(_ read: inout SettingsReader) {
        baseRate = read("base", .rate, "Sessions per second outside the burst.")
        peakRate = read("peak", .rate, "Sessions per second in the burst.")
        beforeNanoseconds = read("before", .span, "How long until the burst.")
        widthNanoseconds = read("width", .span, "How long the burst lasts.")
        afterNanoseconds = read("after", .span, "How long the base rate goes on after it.")
    }

    var durationNanoseconds: Int64 { beforeNanoseconds + widthNanoseconds + afterNanoseconds }

    func expected(inFirst nanoseconds: Int64) -> Double {
        let inBurst = min(max(0, nanoseconds - beforeNanoseconds), widthNanoseconds)
        return baseRate * (nanoseconds - inBurst).seconds + peakRate * inBurst.seconds
    }
}

struct SineWave: ArrivalShape {
    static let name = "sine"
    static let summary = "A rate that swings around its mean, as over the hours of a day."
    let meanRate: Double
    let swing: Double
    let periodNanoseconds: Int64
    let peakNanoseconds: Int64
    let durationNanoseconds: Int64

    init(_ read: inout SettingsReader) {
        meanRate = read("mean", .rate, "Sessions per second on average.")
        swing = read(
            "swing", .number(0...1),
            "Height of the wave as a share of the mean; 1 falls to nothing.")
        periodNanoseconds = read("period", .span, "From one peak to the next.")
        peakNanoseconds = read(
            "peakAt", .duration(0...Span.year), otherwise: "0s",
            "When the first peak is.")
        durationNanoseconds = read("for", .span, "How long it lasts.")
    }

    func expected(inFirst nanoseconds: Int64) -> Double {
        let wave = sine(at: nanoseconds - peakNanoseconds) - sine(at: -peakNanoseconds)
        let radian = periodNanoseconds.seconds / (2 * Double.pi)
        return meanRate * (nanoseconds.seconds + swing * radian * wave)
    }

    /// The sine of a moment's place in the period, from the four IEEE operations alone: system
    /// libraries differ in the last digit, which could move an arrival.
    private func sine(at nanoseconds: Int64) -> Double {
        let place = nanoseconds % periodNanoseconds
        var turn = Double(place) / Double(periodNanoseconds)
        turn -= turn.rounded()
        // Fold into the quarter around zero, where the series converges fast.
        if turn.magnitude > 0.25 { turn = (turn < 0 ? -0.5 : 0.5) - turn }
        let angle = turn * 2 * Double.pi
        var sum = 1.0
        for factor in stride(from: 20.0, through: 2.0, by: -2.0) {
            sum = 1 - sum * angle * angle / (factor * (factor + 1))
        }
        return angle * sum
    }
}
