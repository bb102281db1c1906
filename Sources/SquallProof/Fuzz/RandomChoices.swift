import SquallKernel

/// Choices one after the other, each with a random word of its own.
public struct RandomChoices {
    private let stream: RandomStream
    private var ordinal: UInt64 = 0

    init(_ stream: RandomStream) { self.stream = stream }

    /// RandomChoices of their own for each purpose and number.
    public init(seed: UInt64, _ purpose: String, number: UInt64) {
        self.init(RandomStream(seed: seed).stream(named: purpose).stream(number: number))
    }

    /// A whole number below a bound.
    public mutating func below(_ bound: Int) -> Int {
        defer { ordinal += 1 }
        return Int(stream.integer(below: UInt64(bound), at: ordinal))
    }

    /// True with the given probability.
    public mutating func chance(_ probability: Double) -> Bool { unit() < probability }

    /// A number from 0 up to 1.
    mutating func unit() -> Double {
        defer { ordinal += 1 }
        return stream.unit(at: ordinal)
    }

    /// All 64 bits.
    public mutating func word() -> UInt64 {
        defer { ordinal += 1 }
        return stream.bits(at: ordinal)
    }

    /// One element of a list.
    ///
    /// - Precondition: the list is not empty.
    public mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    /// A whole number in a range: an end of it, a neighbour of an end, or one between, with all
    /// orders of magnitude equally likely.
    public mutating func integer(in range: ClosedRange<Int64>) -> Int64 {
        let (low, high) = (range.lowerBound, range.upperBound)
        switch below(10) {
        case 0, 1: return low
        case 2, 3: return high
        case 4: return min(high, low.addingReportingOverflow(1).partialValue)
        case 5: return max(low, high - 1)
        case 6: return low + Int64(unit() * Double(high - low) * 0.999_999)
        default:
            let size = Double(high - low) * 0.999_999 + 1
            return min(high, low + Int64(power(of: size) - 1))
        }
    }

    /// A number in a range: an end of it, or anything between.
    mutating func number(in range: ClosedRange<Double>) -> Double {
        let (low, high) = (range.lowerBound, range.upperBound)
        switch below(8) {
        case 0, 1: return low
        case 2, 3: return high
        case 4, 5: return low + (high - low) * unit()
        case 6: return min(high, low + (high - low) * 1e-9)
        default: return min(high, low + (power(of: high - low + 1) - 1))
        }
    }

    /// A number from 1 to a size of at least 1, log-uniform.
    private mutating func power(of size: Double) -> Double {
        PortableMath.exp(unit() * PortableMath.log(max(1, size)))
    }
}
