public import SquallFormat

/// How long something takes: a law that turns a random word into whole nanoseconds.
///
/// Sampling is by inversion, one word a sample, with arithmetic that gives the same bits on every
/// platform; so a sample keeps its rank when the law's parameters change, and comparisons under
/// common random numbers stay sharp. A law is one file in `Laws`; one that a profile can ask for
/// stands in ``laws`` as well.
public struct Distribution: Sendable {
    private let form: Form

    /// How a law is kept: the frequent ones as they are, so that copying and sampling them calls
    /// nothing through a table.
    private enum Form: Sendable {
        case constant(ConstantLaw)
        case exponential(ExponentialLaw)
        case logNormal(LogNormalLaw)
        case other(OtherLaw)
    }

    /// A law of another kind: an existential beside the others would be copied with each of them.
    private final class OtherLaw: Sendable {
        let law: any Law

        init(_ law: any Law) { self.law = law }
    }

    init(_ law: any Law) {
        form =
            switch law {
            case let law as ConstantLaw: .constant(law)
            case let law as ExponentialLaw: .exponential(law)
            case let law as LogNormalLaw: .logNormal(law)
            default: .other(OtherLaw(law))
            }
    }

    /// The sample that a stream's word decides, never negative.
    public func sample(_ stream: RandomStream, at ordinal: UInt64) -> Int64 {
        switch form {
        case .constant(let law): law.nanoseconds
        case .exponential(let law): law.sample(stream, at: ordinal)
        case .logNormal(let law): law.sample(stream, at: ordinal)
        case .other(let other): other.law.sample(stream, at: ordinal)
        }
    }

    /// The law's mean in nanoseconds, before anything is cut off; infinite for a Pareto index ≤ 1.
    public var mean: Double { law.mean }

    /// The law's variance, before anything is cut off; infinite for a Pareto index ≤ 2.
    public var variance: Double { law.variance }

    /// The law as profiles write it.
    ///
    /// - Precondition: it is one that a profile can ask for.
    private var written: any WrittenLaw {
        guard let written = law as? any WrittenLaw else {
            preconditionFailure("no profile can write \(law)")
        }
        return written
    }

    private var law: any Law {
        switch form {
        case .constant(let law): law
        case .exponential(let law): law
        case .logNormal(let law): law
        case .other(let other): other.law
        }
    }

    /// The longest sample of any law, where nothing shorter is said: a year, as no run is longer.
    public static let longest = Span.year

    /// The laws that a profile can ask for, in the order of the reference.
    private static let laws: [any WrittenLaw.Type] = [
        ConstantLaw.self, UniformLaw.self, ExponentialLaw.self, LogNormalLaw.self, ParetoLaw.self,
        ErlangLaw.self, HyperexponentialLaw.self, EmpiricalDistribution.self,
    ]

    /// An object with exactly one of the laws, its parameters in a range.
    public static func lawFormat(
        within range: ClosedRange<Int64> = 0...Int64.max
    ) -> SettingFormat<Distribution> {
        .oneOf(laws.map { $0.distribution(within: range) })
    }
}

/// What profiles and estimates know of the laws that a profile can ask for.
///
/// - Precondition: of all of these, that a profile can ask for the law.
extension Distribution {
    /// A parameter by its name in profiles, with the standard error of its estimate if it is known.
    public typealias Value = (name: String, value: Double, error: Double?)

    /// The law's name in profiles.
    public var name: String { type(of: written).name }

    /// The parameters that a profile has to write, as estimated from a number of durations.
    public func values(of count: Double) -> [Value] { written.values(of: count) }

    /// The law as a profile writes it, on one line, with some significant digits.
    public func text(digits: Int) -> String {
        "{ \"\(name)\": \(written.text(digits: digits)) }"
    }

    /// The distribution function: the share of values below a number.
    public func share(below value: Double) -> Double { written.share(below: value) }

    /// The logarithm of the likelihood of some durations; −∞ for a law without a density.
    public func logLikelihood(of durations: [Double]) -> Double {
        let law = written
        return durations.reduce(0) { $0 + law.logDensity(at: $1) }
    }

    /// A duration with some significant digits, between 0 and the longest.
    public static func rounded(_ nanoseconds: Double, digits: Int) -> Int64 {
        let whole = max(0, min(nanoseconds, Double(longest)))
        guard whole >= 1 else { return 0 }
        var (unit, limit) = (1.0, 1.0)
        for _ in 0..<digits { limit *= 10 }
        while whole / unit >= limit { unit *= 10 }
        return Int64((whole / unit).rounded() * unit)
    }

    static func text(_ nanoseconds: Double, digits: Int) -> String {
        "\"\(Units.exact(nanoseconds: rounded(nanoseconds, digits: digits)))\""
    }
}

extension SettingFormat where Value == Distribution {
    /// A law whose parameters lie in a range, or a bare duration that is always the same.
    public static func distribution(_ range: ClosedRange<Int64>) -> SettingFormat {
        Distribution.lawFormat(within: range)
            .orText(SettingFormat<Int64>.duration(range).map { .constant(nanoseconds: $0) })
            .described {
                $0 = .times(
                    "distribution", ["$ref": "#/$defs/distribution"],
                    .either($0.domain, .durations(range)), within: range)
            }
    }
}

extension Distribution: Hashable {
    /// True for the same law with the same parameters, from which the same words draw the same
    /// durations.
    public static func == (left: Distribution, right: Distribution) -> Bool {
        AnyHashable(left.law) == AnyHashable(right.law)
    }

    /// Feeds the law and its parameters to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(law)) }
}

extension WrittenLaw {
    fileprivate static func distribution(
        within range: ClosedRange<Int64>
    ) -> Setting<Distribution> {
        Setting(name, format(within: range).map { Distribution($0) }, about)
    }
}

extension RandomStream {
    /// A number strictly between 0 and 1.
    func openUnit(_ ordinal: UInt64) -> Double {
        (Double(bits(at: ordinal) >> 12) + 0.5) * 0x1p-52
    }
}

extension Int64 {
    /// The nearest whole nanosecond, from 0 to a whole maximum; 0 for what is no number.
    init(rounding nanoseconds: Double, atMost maximum: Double = Double(Distribution.longest)) {
        // Truncating is one instruction where rounding is a call; below 2⁵³ the rest is exact.
        if nanoseconds > 0, nanoseconds < maximum {
            let whole = Int64(nanoseconds)
            self = whole + (nanoseconds - Double(whole) < 0.5 ? 0 : 1)
        } else {
            self = nanoseconds >= maximum ? Int64(maximum) : 0
        }
    }
}
