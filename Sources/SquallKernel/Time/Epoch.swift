/// Where a run begins in the calendar.
///
/// Runs begin at a fixed moment, so that dates in answers and identifiers made from them are the
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
