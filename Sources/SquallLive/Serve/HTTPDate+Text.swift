import SquallFormat
import SquallHTTP

extension HTTPDate {
    /// `Sun, 01 Sep 2024 00:00:00 GMT`.
    static func text(_ seconds: Int64) -> String {
        let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let clock = [second / 3_600, second / 60 % 60, second % 60].map { $0.padded(2) }
        return CivilDate(daysSince1970: days).spelled + " \(clock.joined(separator: ":")) GMT"
    }
}
