import SquallFormat

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
