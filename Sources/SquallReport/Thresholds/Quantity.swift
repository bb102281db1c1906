public import SquallFormat

/// A number together with its unit.
public enum Quantity: Hashable, Sendable {
    case nanoseconds(Int64)
    case count(Int64)
    case share(Double)
    case perSecond(Double)
    case number(Double)

    /// The bare number, for comparisons; exact below 2⁵³.
    public var magnitude: Double {
        switch self {
        case .nanoseconds(let value), .count(let value): Double(value)
        case .share(let value), .perSecond(let value), .number(let value): value
        }
    }

    /// The unit of the number.
    public var unit: NumberUnit {
        switch self {
        case .nanoseconds: .nanoseconds
        case .count: .count
        case .share: .share
        case .perSecond: .perSecond
        case .number: .number
        }
    }

    /// The quantity of a document's number.
    init(_ number: Double, _ unit: NumberUnit) {
        switch unit {
        case .nanoseconds: self = .nanoseconds(Int64(exactly: number) ?? .max)
        case .count: self = .count(Int64(exactly: number) ?? .max)
        case .share: self = .share(number)
        case .number: self = .number(number)
        case .perSecond: self = .perSecond(number)
        }
    }
}

extension Quantity: CustomStringConvertible {
    /// The quantity for people: `271 ms`, `3.21 %`.
    public var description: String { unit.text(magnitude) }
}

/// A text that is not a limit for an aggregate of a metric.
struct LimitError: Error {
    /// The fault, and a text that would be right.
    let problem: String
}

extension Quantity {
    /// Reads the limit of an aggregate; its unit must be that of the metric.
    init(
        limit text: String, of metric: Metric, _ aggregate: Threshold.Aggregate
    ) throws(LimitError) {
        let wanted = NumberUnit(metric, aggregate)
        let limit = WrittenLimit(text)
        guard limit.fits(wanted) else { throw limit.mismatch(with: wanted, of: metric, aggregate) }
        do throws(UnitError) {
            switch wanted {
            case .nanoseconds:
                self = .nanoseconds(try Units.nanoseconds(limit.isBare ? text + "ms" : text))
            case .count: self = .count(try Units.count(text))
            case .share, .perSecond, .number:
                self = Quantity((limit.number ?? 0) / (limit.unit == "%" ? 100 : 1), wanted)
            }
        } catch {
            throw LimitError(problem: "\(error)")
        }
        if case .share(let share) = self, share > 1 {
            throw LimitError(
                problem: "a share is at most 1, which is 100%"
                    + (limit.isBare ? "; did you mean '\(text)%'?" : ""))
        }
    }
}

extension NumberUnit {
    /// The unit of an aggregate's number.
    init(_ metric: Metric, _ aggregate: Threshold.Aggregate) {
        switch (metric.kind, aggregate) {
        case (.trend, .count), (.counter, .count), (.gauge, _): self = .count
        case (.trend, _): self = .nanoseconds
        case (.rate, _): self = .share
        case (.counter, _): self = .perSecond
        case (.ratio, _): self = .number
        }
    }

    /// The form of a limit in thresholds: in words, by an example, and the suffix of its number.
    var writing: (words: String, example: String, suffix: String) {
        switch self {
        case .nanoseconds: ("a duration", "300ms", "ms")
        case .count: ("a count", "100", "")
        case .share: ("a share", "0.01 or 1%", "%")
        case .perSecond: ("a number each second", "25.5", "")
        case .number: ("a quotient", "1.5", "")
        }
    }
}

/// A limit as it was written: a number and what follows it.
private struct WrittenLimit {
    let text: String
    let unit: String
    /// The number; nil when there is none.
    let number: Double?

    init(_ text: String) {
        self.text = text
        let digits = text.prefix { $0.isNumber || "+-._".contains($0) }
        unit = String(text.dropFirst(digits.count))
        number = Double(digits.filter { $0 != "_" }).flatMap { $0.isFinite ? $0 : nil }
    }

    var isBare: Bool { unit.isEmpty && number != nil }

    func fits(_ wanted: NumberUnit) -> Bool {
        guard number != nil else { return false }
        switch wanted {
        case .nanoseconds: return isBare || isDuration
        case .count: return ["", "k", "M", "G"].contains(unit)
        case .share: return isBare || unit == "%"
        case .perSecond, .number: return isBare
        }
    }

    /// True if it looks like a duration; the order of its units is checked later.
    private var isDuration: Bool {
        unit.first?.isLetter == true && !["k", "M", "G"].contains(unit)
    }

    func mismatch(
        with wanted: NumberUnit, of metric: Metric, _ aggregate: Threshold.Aggregate
    ) -> LimitError {
        guard let number else {
            return LimitError(problem: "expected a limit such as \(wanted.writing.example)")
        }
        let written = Units.digits(number, significant: 12)
        return LimitError(
            problem: "\(aggregate.name) of \(metric.name) is \(wanted.writing.words), and"
                + " '\(text)' is \(words); did you mean '\(written)\(wanted.writing.suffix)'?")
    }

    private var words: String {
        if unit == "%" { return "a share" }
        return isDuration && (try? Units.nanoseconds(text)) != nil ? "a duration" : "none"
    }
}
