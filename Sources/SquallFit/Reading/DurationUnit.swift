import SquallFormat
import SquallKernel

/// The unit of a log's durations, and the evidence for it.
struct DurationUnit: Equatable, Sendable {
    /// The field's name.
    let field: String
    /// The power of ten that makes nanoseconds of its numbers.
    let power: Int
    let evidence: Evidence
    /// The text for `--format` if the numbers are nanoseconds.
    let option: String
    /// The two readings between which nothing decides; `nil` where a unit is found.
    private(set) var doubt: String?

    /// A member of lines with names.
    init(field: String, power: Int, evidence: Evidence, option: String? = nil) {
        (self.field, self.power, self.evidence) = (field, power, evidence)
        self.option = option ?? "json duration=\(field):ns"
    }

    /// The evidence for a unit, the surest first.
    enum Evidence: String, Sendable {
        case given = "as --format says"
        case written = "by the unit beside each number"
        case name = "by the field's name"
        case times = "by the two times on each line"
        case convention = "as servers with such lines write it"
        case size = "by the size of the numbers and the times of the lines"
    }

    /// The names of units, by their power.
    static let names = [
        0: "nanoseconds", 3: "microseconds", 6: "milliseconds", 9: "seconds",
    ]
    static let symbols = [0: "ns", 3: "us", 6: "ms", 9: "s"]

    /// Durations are read with this power before their unit is known.
    static let trial = 6
    /// The median of response times that needs no explanation, and the decades around it that are
    /// one standard deviation.
    private static let usual = 30e6
    /// With odds of less than 5 to 1 by their size alone, the unit of numbers is not known.
    private static let clearly = 1.6

    /// Chooses the power for numbers without a unit that were read with ``trial``.
    ///
    /// The times of the lines say most: a line with a beginning and an end tells the unit exactly,
    /// and a user's next request seldom begins long before the last one has ended, where others'
    /// durations would often end too late. Else the unit that servers use by custom wins, or that
    /// with the most usual median.
    ///
    /// Where times are whole seconds, sizes may leave two units: `other` is the second one.
    static func power(
        of requests: [Sample], custom: Int?
    ) -> (power: Int, evidence: Evidence, other: Int?) {
        if let power = told(by: requests) { return (power, .times, nil) }
        if let power = [9, 6, 3].first(where: { Gaps(requests, factor($0)).fit }) {
            return (power, .size, nil)
        }
        let scores = [0, 3, 6, 9].map { power in
            (power, score(power, requests) + (power == custom ? 2 : 0))
        }.ordered { ($1.1, $0.0) < ($0.1, $1.0) }
        let best = scores[0].0
        let isCoarse = requests.count(where: \.isWholeSecond) * 10 >= requests.count * 9
        let isUnclear =
            isCoarse && custom == nil && scores[0].1 - scores[1].1 < clearly
            && requests.count { $0.number > 0 } * 2 > requests.count
        return (best, best == custom ? .convention : .size, isUnclear ? scores[1].0 : nil)
    }

    /// One of the lines that a unit is found from.
    struct Sample {
        /// The number, read with ``trial``.
        let number: Double
        let time: Int64
        let isBeginning: Bool
        let isWholeSecond: Bool
        let person: UInt64
        /// The time from its beginning to its end, where the line has both.
        let between: Int64?
    }

    private static func factor(_ power: Int) -> Double {
        DurationText.power(ofTen: power) / DurationText.power(ofTen: trial)
    }

    private static func told(by requests: [Sample]) -> Int? {
        let ratios = requests.compactMap { request -> Double? in
            guard let between = request.between, between > 0, request.number > 0 else { return nil }
            return Double(between) / request.number
        }.sorted()
        guard ratios.count >= 5, ratios.count * 3 >= requests.count else { return nil }
        let ratio = ratios.quantile(0.5)
        return [0, 3, 6, 9].first { abs(PortableMath.log10(ratio / factor($0))) < 0.5 }
    }

    private static func score(_ power: Int, _ requests: [Sample]) -> Double {
        let numbers = requests.map(\.number).sorted()
        let middle = numbers.quantile(0.5)
        let mean = numbers.reduce(0, +) / Double(max(1, numbers.count))
        let usual = PortableMath.log10(max(1, (middle > 0 ? middle : mean) * factor(power)) / usual)
        // Whole seconds are no times of requests.
        let isWhole = requests.allSatisfy { $0.number.truncatingRemainder(dividingBy: 1e6) == 0 }
        return -usual * usual / 2 - (isWhole && power == 9 ? 3 : 0) - clash(power, requests)
    }

    /// The contradiction of a unit to the lines' times: the share of requests that would have begun
    /// before the same user's last one ended, and more requests at once than servers have.
    private static func clash(_ power: Int, _ requests: [Sample]) -> Double {
        let factor = factor(power)
        let gaps = Gaps(requests, factor)
        let times = requests.map(\.time)
        let span = Double((times.max() ?? 0) - (times.min() ?? 0)) + 1e9
        let atOnce = requests.reduce(0) { $0 + $1.number * factor } / span
        let crowd = max(0, PortableMath.log10(max(1, atOnce) / 200)) * 2
        return crowd + (gaps.pairs >= 10 ? 4 * Double(gaps.early) / Double(gaps.pairs) : 0)
    }

    /// The times between a user's requests, beside their durations in one unit.
    private struct Gaps {
        private(set) var pairs = 0
        /// Those of calls that were not made at once: the duration, and the time it may take.
        private var single: [(span: Double, left: Double)] = []

        /// Calls that an app makes at once begin at about one time in the right unit, and at times
        /// that differ like their durations in one that is too large; only these contradict.
        init(_ requests: [Sample], _ factor: Double) {
            let order = requests.sorted { ($0.person, $0.time) < ($1.person, $1.time) }
            for (last, next) in zip(order, order.dropFirst())
            where last.person == next.person && last.person != 0 {
                pairs += 1
                let spans = (last.number * factor, next.number * factor)
                let apart = Double(next.time - last.time)
                let began = next.isBeginning ? apart : apart - spans.1 + spans.0
                guard abs(began) >= min(spans.0, spans.1) / 4 else { continue }
                let slack = next.isWholeSecond ? 1e9 : 1e6
                single.append((next.isBeginning ? spans.0 : spans.1, apart + slack))
            }
        }

        /// The requests that would have begun before the last one ended.
        var early: Int { single.count { $0.span > $0.left } }

        /// True if next to none is early, and many would be with the durations of others.
        ///
        /// In a unit that is too large durations have nothing to do with the gaps, in one that is
        /// too small they are nothing beside them.
        var fit: Bool {
            let half = single.count / 2
            let mixed = zip(single, single[half...] + single[..<half]).count { $0.span > $1.left }
            return mixed >= 10 && early * 10 <= mixed
        }
    }
}

/// The field and the evidence of a file's durations.
extension DurationUnit {
    /// The reading in a sentence, with the median of the durations.
    func sentence(median: Double) -> String {
        "`\(field)` was read as \(Self.names[power] ?? "nanoseconds"), \(evidence.rawValue): median"
            + " \(Units.approximate(nanoseconds: Int64(median)))"
    }
}

extension DurationUnit {
    /// The unit of a field's durations by the lines that have one; nil if there is none.
    init?(
        field: String, custom: Int?, of lines: [[UInt8]], option: String? = nil,
        _ read: (Bytes, inout RawRequest) -> Bool
    ) {
        var (list, withUnit) = ([Sample](), 0)
        for line in lines {
            line.withUnsafeBufferPointer { line in
                var raw = RawRequest()
                guard read(line, &raw), raw.duration >= 0 else { return }
                if raw.hasUnit { withUnit += 1 }
                let isBoth = raw.beginning.time >= 0 && raw.end.time >= 0
                list.append(
                    Sample(
                        number: Double(raw.duration), time: raw.time,
                        isBeginning: raw.isBeginning, isWholeSecond: raw.isWholeSecond,
                        person: raw.person,
                        between: isBoth ? raw.end.time - raw.beginning.time : nil))
            }
        }
        guard !list.isEmpty else { return nil }
        let told = Self.power(of: list, custom: custom)
        let areWritten = withUnit * 2 > list.count
        self.init(
            field: field, power: areWritten ? Self.trial : told.power,
            evidence: areWritten ? .written : told.evidence, option: option)
        guard let other = told.other, !areWritten else { return }
        let median = list.map(\.number).sorted().quantile(0.5)
        doubt = [told.power, other].map { power in
            let span = Units.approximate(nanoseconds: Int64(median * Self.factor(power)))
            return "\(Self.names[power] ?? "") (median \(span))"
        }.joined(separator: " or ")
    }
}
