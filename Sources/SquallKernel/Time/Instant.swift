/// A moment of virtual time: whole nanoseconds since the run began.
///
/// An ``Epoch`` says where the run begins in the calendar.
public struct Instant: Hashable, Sendable {
    /// Nanoseconds since the run began; never negative.
    public let nanoseconds: Int64

    /// The moment this many nanoseconds after the run began.
    ///
    /// - Precondition: `nanoseconds` is not negative.
    @inlinable
    public init(nanoseconds: Int64) {
        precondition(nanoseconds >= 0, "an instant cannot be \(nanoseconds) ns before the run")
        self.nanoseconds = nanoseconds
    }

    /// The beginning of the run.
    public static let start = Instant(nanoseconds: 0)

    /// The instant this many nanoseconds later, but no later than 292 years.
    ///
    /// - Precondition: the result is not before the run.
    @inlinable
    public func advanced(byNanoseconds nanoseconds: Int64) -> Instant {
        let (sum, overflow) = self.nanoseconds.addingReportingOverflow(nanoseconds)
        return Instant(nanoseconds: overflow ? .max : sum)
    }
}

extension Instant: Comparable {
    /// True if the left instant is earlier.
    @inlinable
    public static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Instant: CustomStringConvertible {
    /// Seconds since the run began, with nine decimals.
    public var description: String {
        let fraction = String(nanoseconds % 1_000_000_000)
        let zeros = String(repeating: "0", count: 9 - fraction.count)
        return "\(nanoseconds / 1_000_000_000).\(zeros)\(fraction) s"
    }
}

extension Duration {
    /// Whole nanoseconds, rounded toward zero and exact at every length.
    ///
    /// Spans beyond 292 years, either way, are clamped to that. A quotient of spans is a `Double`,
    /// which for some of a second and more is a nanosecond less.
    public var nanosecondsClamped: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !overflow, !carry else { return seconds < 0 ? .min : .max }
        return sum
    }

    /// Whole nanoseconds, rounded up so that nothing wakes early; negative spans count as zero.
    ///
    /// Spans beyond 292 years are clamped to that.
    var wholeNanoseconds: Int64 {
        let whole = max(0, nanosecondsClamped)
        let hasRest = components.attoseconds % 1_000_000_000 > 0
        return hasRest && whole < .max ? whole + 1 : whole
    }
}

/// Where a run begins in the calendar.
///
/// Runs begin at a fixed moment, so that dates in responses and identifiers made from them are the
/// same in every one. A simulation that follows real time begins now: clients compare an expiry
/// with their own clock.
public struct Epoch: Hashable, Sendable {
    /// Nanoseconds between 1970 and the beginning of the run.
    public let nanosecondsSince1970: Int64

    /// A run that begins this many nanoseconds after 1970.
    public init(nanosecondsSince1970: Int64) {
        self.nanosecondsSince1970 = nanosecondsSince1970
    }

    /// The beginning of every run in virtual time: 2024-09-01T00:00:00Z.
    public static let standard = Epoch(nanosecondsSince1970: 1_725_148_800_000_000_000)

    /// An instant in nanoseconds since 1970, as clocks show it.
    @inlinable public func nanosecondsSince1970(at instant: Instant) -> Int64 {
        nanosecondsSince1970 &+ instant.nanoseconds
    }
}
