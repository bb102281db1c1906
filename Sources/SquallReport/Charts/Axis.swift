import SquallFormat

/// A scale from values to places between 0 and 1, with the values that get a label.
struct Axis {
    /// A value with its place and its label.
    struct Tick {
        let place: Double
        let label: String
        /// True for a label that is left out where there is little room.
        let isMinor: Bool
    }

    private var labels: [(value: Double, label: String)]
    private var minorLabels: [Int] = []
    private let range: ClosedRange<Double>
    private let isLogarithmic: Bool

    private init(
        _ range: ClosedRange<Double>, isLogarithmic: Bool,
        _ labels: [(value: Double, label: String)]
    ) {
        self.range = range
        self.isLogarithmic = isLogarithmic
        self.labels = labels
    }

    /// The labels in rising order.
    var ticks: [Tick] {
        labels.enumerated().map { index, entry in
            Tick(
                place: place(of: entry.value), label: entry.label,
                isMinor: minorLabels.contains(index))
        }
    }

    /// The place of a value, from 0 to 1; values off the scale are at its nearer end.
    func place(of value: Double) -> Double {
        let value = min(max(value, range.lowerBound), range.upperBound)
        guard isLogarithmic else {
            return (value - range.lowerBound) / (range.upperBound - range.lowerBound)
        }
        let (low, high) = (log2(range.lowerBound), log2(range.upperBound))
        return (log2(value) - low) / (high - low)
    }

    /// From 0 to at least the highest value, in steps of 1, 2 or 5 and a power of ten.
    static func linear(to highest: Double, label: (Double) -> String = Units.threeDigits) -> Axis {
        var step = 1e-4
        let factors = [2.0, 2.5, 2.0]
        var turn = 0
        while step * 5 < highest {
            step *= factors[turn % 3]
            turn += 1
        }
        let count = max(1, Int((highest / step).rounded(.up)))
        let ticks = (0...count).map { (Double($0) * step, label(Double($0) * step)) }
        return Axis(0...Double(count) * step, isLogarithmic: false, ticks)
    }

    /// Between two values that are near each other, in steps as ``linear(to:label:)``'s, with as
    /// much room at both ends as a dot needs.
    static func linear(
        from lowest: Double, to highest: Double, label: (Double) -> String
    ) -> Axis {
        let room = (highest - lowest) * 0.03
        let (low, high) = (max(0, lowest - room), highest + room)
        let steps = linear(to: high - low, label: label).labels
        let step = steps.count > 1 ? steps[1].value : high - low
        let first = Int64((low / step).rounded(.up))
        let last = max(first, Int64((high / step).rounded(.down)))
        let ticks = (first...last).map { (Double($0) * step, label(Double($0) * step)) }
        return Axis(low...high, isLogarithmic: false, ticks)
    }

    /// One place for each label, with half a place of room at both ends.
    static func ordinal(_ labels: [String]) -> Axis {
        named(
            labels.enumerated().map { (Double($0.offset + 1), $0.element) },
            to: Double(labels.count), within: 0.5...Double(labels.count) + 0.5)
    }

    /// An axis from 0 on which only the given values are labelled; logarithmic if they span more
    /// than a factor of twenty.
    static func named(
        _ values: [(value: Double, label: String)], to widest: Double,
        within range: ClosedRange<Double>? = nil
    ) -> Axis {
        let lowest = min(widest, values.map(\.value).min() ?? 0)
        let isLogarithmic = range == nil && lowest > 0 && widest > lowest * 20
        var axis = Axis(
            range ?? (isLogarithmic ? lowest / 1.2...widest * 1.2 : 0...widest * 1.05),
            isLogarithmic: isLogarithmic, [])
        // The width of a character, as a share of a wide and of a narrow chart.
        let (wide, narrow) = (0.0065, 0.023)
        var (last, lastMajor) = (-1.0, -1.0)
        for label in values {
            let (place, length) = (axis.place(of: label.value), Double(label.label.count))
            guard place - last >= max(0.06, wide * length) else { continue }
            last = place
            if place - lastMajor < max(0.15, narrow * length) {
                axis.minorLabels.append(axis.labels.count)
            } else {
                lastMajor = place
            }
            axis.labels.append(label)
        }
        return axis
    }

    /// Virtual time from 0 to an end, in steps customary for clocks.
    static func time(toNanoseconds end: Int64) -> Axis {
        let second: Int64 = 1_000_000_000
        let steps: [Int64] = [
            1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200,
            10_800, 21_600, 43_200, 86_400, 172_800, 432_000,
        ]
        let end = max(1, end)
        let step = (steps.first { $0 * second * 8 >= end } ?? 864_000) * second
        let ticks = stride(from: 0, through: end, by: Int(step)).map { moment in
            (Double(moment), Units.exact(nanoseconds: Int64(moment)))
        }
        var axis = Axis(0...Double(end), isLogarithmic: false, ticks)
        if ticks.count > 5 { axis.minorLabels = Array(stride(from: 1, to: ticks.count, by: 2)) }
        return axis
    }

    /// Durations up to at least the highest, with a label for each power of ten; over less than two
    /// powers also for 2 and 5 times each.
    static func durations(from lowest: Int64, to highest: Int64) -> Axis {
        let power = powerOfTen(atMost: lowest)
        let isShort = highest < power * 100
        let low = (isShort ? [5, 2, 1] : [1]).map { $0 * power }.first { $0 <= lowest } ?? power
        let high = max(highest, low * 4)
        var ticks: [(Double, String)] = []
        var decade = power
        while decade <= high {
            for moment in (isShort ? [1, 2, 5] : [1]).map({ $0 * decade })
            where (low...high).contains(moment) {
                ticks.append((Double(moment), Units.approximate(nanoseconds: moment)))
            }
            decade *= 10
        }
        return Axis(Double(low)...Double(high), isLogarithmic: true, ticks)
    }

    /// The largest power of ten up to a duration; at least a microsecond.
    static func powerOfTen(atMost duration: Int64) -> Int64 {
        var power: Int64 = 1_000
        while power <= duration / 10 { power *= 10 }
        return power
    }

    /// Percentiles on a scale of 1/(1 − p), where each further nine takes the same width.
    static func percentiles(nines: Int) -> Axis {
        var ticks = [(1.0, "0 %"), (2.0, "50 %")]
        var rest = 1.0
        for nine in 1...max(1, nines) {
            rest *= 10
            let digits = nine < 3 ? "" : "." + String(repeating: "9", count: nine - 2)
            ticks.append((rest, nine == 1 ? "90 %" : "99\(digits) %"))
        }
        // With many nines this label does not fit beside the first one.
        if nines >= 3 { ticks.remove(at: 1) }
        var axis = Axis(1...rest, isLogarithmic: true, ticks)
        axis.minorLabels = nines < 3 ? [1] : nines < 4 ? [] : [ticks.count - 2]
        return axis
    }

    /// The binary logarithm of a positive number, to 2⁻³⁰, equal on every machine.
    private func log2(_ number: Double) -> Double {
        var result = Double(number.exponent)
        var rest = number.significand
        var bit = 0.5
        while bit > 1e-9 {
            rest *= rest
            if rest >= 2 {
                rest /= 2
                result += bit
            }
            bit /= 2
        }
        return result
    }
}
