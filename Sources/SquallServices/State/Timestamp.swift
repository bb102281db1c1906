import SquallFormat
import SquallKernel

/// Spells moments as the contract does: `2024-09-01T00:00:00.000Z`.
enum Timestamp {
    /// The text of a number of milliseconds since 1970.
    static func text(milliseconds: Int64) -> String {
        let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        let date = CivilDate(daysSince1970: days)
        let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60]
            .map { $0.padded(2) }.joined(separator: ":")
        return "\(date.year)-\(date.month.padded(2))-\(date.day.padded(2))T\(time)"
            + ".\((rest % 1_000).padded(3))Z"
    }
}

extension Epoch {
    /// Whole milliseconds since 1970, the precision of the contract.
    func milliseconds(at instant: Instant) -> Int64 {
        nanosecondsSince1970(at: instant) / 1_000_000
    }

    /// Whole seconds since 1970, the precision of its identifiers.
    func seconds(at instant: Instant) -> Int64 {
        nanosecondsSince1970(at: instant) / 1_000_000_000
    }
}
