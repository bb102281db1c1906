import SquallFormat

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
