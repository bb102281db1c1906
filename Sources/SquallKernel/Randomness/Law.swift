import SquallFormat

/// A law of durations in nanoseconds.
protocol Law: Hashable, Sendable {
    /// The mean, not counting what is cut off.
    var mean: Double { get }

    /// The variance, not counting what is cut off; infinite for a Pareto index ≤ 2.
    var variance: Double { get }

    /// The sample that a stream's word decides, never negative.
    func sample(_ stream: RandomStream, at ordinal: UInt64) -> Int64
}

/// A law that a profile can ask for: how it is read and written, and what estimates need.
protocol WrittenLaw: Law {
    static var name: String { get }

    /// What it is, in a sentence.
    static var about: String { get }

    /// Its named parameters, in the order of the reference; none for a law written as a list.
    static var parameters: [LawParameter<Self>] { get }

    /// A law before its parameters are read.
    init()

    /// How a profile writes it, with durations in a range.
    static func format(within range: ClosedRange<Int64>) -> SettingFormat<Self>

    /// The values that a profile has to write.
    func values(of count: Double) -> [Distribution.Value]

    /// The law as a profile writes it behind its name, with some significant digits.
    func text(digits: Int) -> String

    /// The distribution function: the share of values below a number.
    func share(below value: Double) -> Double

    /// The logarithm of the density; −∞ where there is none.
    func logDensity(at value: Double) -> Double
}

/// A parameter of a law, declared once for reading, writing and estimating it.
struct LawParameter<Law>: Sendable {
    let name: String
    var kind = Kind.duration
    let place: any WritableKeyPath<Law, Double> & Sendable
    let about: String
    /// The value if a profile does not say it.
    var standard: Double?
    /// The parameter that it must not exceed.
    var most: String?
    /// The standard error of its maximum-likelihood estimate from a number of durations.
    var error: (@Sendable (Law, Double) -> Double)?

    enum Kind {
        case duration
        case number(ClosedRange<Double>)
        case count(ClosedRange<Int>)
    }

    /// What larger values are cut to.
    static func maximum(_ place: any WritableKeyPath<Law, Double> & Sendable) -> Self {
        Self(
            name: "max", place: place,
            about: "Larger values are cut to this; to 366d by default.",
            standard: Double(Distribution.longest))
    }

    fileprivate func value(
        _ read: inout SettingsReader, within range: ClosedRange<Int64>
    ) -> Double {
        switch kind {
        case .duration where standard == nil: Double(read(name, .duration(range), about))
        case .duration where standard == 0:
            Double(read(name, .duration(range), otherwise: "0s", about))
        case .duration:
            Double(read.optional(name, .duration(range), about) ?? Distribution.longest)
        case .number(let range): read(name, .number(range), about)
        case .count(let range): Double(read(name, .integer(range), about))
        }
    }

    fileprivate func text(_ value: Double, digits: Int) -> String {
        switch kind {
        case .duration: Distribution.text(value, digits: digits)
        case .number(let range):
            Units.digits(
                min(range.upperBound, max(range.lowerBound, value)), significant: digits)
        case .count: String(Int(value))
        }
    }
}

extension WrittenLaw {
    static var parameters: [LawParameter<Self>] { [] }

    static func format(within range: ClosedRange<Int64>) -> SettingFormat<Self> {
        .section { read in
            var law = Self()
            for parameter in parameters {
                law[keyPath: parameter.place] = parameter.value(&read, within: range)
            }
            for small in parameters {
                guard let large = parameters.first(where: { $0.name == small.most }),
                    read.isSound(small.name, large.name),
                    let message = read.path.contradiction(
                        small.name, Int64(law[keyPath: small.place]),
                        isAtMost: Int64(law[keyPath: large.place]))
                else { continue }
                read.report(at: read.path, message)
            }
            return law
        }
    }

    /// The parameters that differ from their defaults, each with its value.
    private var written: [(LawParameter<Self>, value: Double)] {
        Self.parameters.map { ($0, self[keyPath: $0.place]) }.filter { $0.standard != $1 }
    }

    func values(of count: Double) -> [Distribution.Value] {
        written.map { ($0.name, $1, $0.error?(self, count)) }
    }

    func text(digits: Int) -> String {
        let members = written.map { "\"\($0.name)\": \($0.text($1, digits: digits))" }
        return "{ \(members.joined(separator: ", ")) }"
    }

    func logDensity(at value: Double) -> Double { -.infinity }
}

extension SettingPath {
    /// An error message for a value that exceeds its limit; `nil` when it does not.
    func contradiction(_ name: String, _ value: Int64, isAtMost limit: Int64) -> String? {
        guard value > limit else { return nil }
        return "\(self): \(name) must be at most \(Units.exact(nanoseconds: limit)),"
            + " got \(Units.exact(nanoseconds: value))"
    }
}
