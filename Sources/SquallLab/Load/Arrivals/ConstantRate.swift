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
