import SquallFormat

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
