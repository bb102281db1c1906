import SquallFormat

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
