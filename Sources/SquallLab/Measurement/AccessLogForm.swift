import Foundation
public import SquallBackend
import SquallFormat
import SquallHTTP
import SquallKernel

/// How a simulated server writes its access log, as those of real servers are written.
public enum AccessLogForm: Sendable {
    /// `$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent
    /// "$http_referer" "$http_user_agent" $request_time $msec`, nginx's combined log with the time.
    case combined
    /// An object on each line, times in nanoseconds and microseconds.
    case json

    /// The form that a file's name asks for.
    public init(fileName: String) {
        self =
            [".json", ".jsonl", ".ndjson"].contains { fileName.hasSuffix($0) } ? .json : .combined
    }

    /// The line of a reply, without its line feed.
    ///
    /// Users have invented addresses; virtual time begins at 2024-09-01T00:00:00Z.
    public func line(_ record: ServerRecord) -> String {
        let (user, url) = (record.cause.user, record.url)
        let address = "10.\(user >> 16 & 255).\(user >> 8 & 255).\(user & 255)"
        let target = url.path + (url.query.map { "?\($0)" } ?? "")
        let end = record.replied.nanosecondsSince1970
        let begin = record.arrived.nanosecondsSince1970
        switch self {
        case .combined:
            // The difference of two clocks that show milliseconds, as nginx has it.
            let span = (end / 1_000_000 - begin / 1_000_000) * 1_000_000
            return "\(address) - user\(user) [\(Self.local(end))] \"\(record.method.rawValue)"
                + " \(target) HTTP/1.1\" \(record.status) \(record.bytes) \"-\" \"squall\""
                + " \(Self.seconds(span)) \(Self.seconds(end))"
        case .json:
            return "{\"time\":\"\(Self.iso(end))\",\"remote_addr\":\"\(address)\",\"user\":"
                + "\"user\(user)\",\"method\":\"\(record.method.rawValue)\",\"uri\":"
                + "\(JSON.string(target).line),\"status\":\(record.status),\"bytes\":"
                + "\(record.bytes),\"duration_us\":\(end / 1_000 - begin / 1_000)}"
        }
    }

    /// Nanoseconds as seconds with three decimals, rounded down as nginx does.
    private static func seconds(_ nanoseconds: Int64) -> String {
        "\(nanoseconds / 1_000_000_000)." + digits(nanoseconds % 1_000_000_000 / 1_000_000, 3)
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    private static func local(_ nanoseconds: Int64) -> String {
        let (day, clock) = parts(nanoseconds)
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov"]
        let month = day.month <= 11 ? names[Int(day.month) - 1] : "Dec"
        return "\(digits(day.day, 2))/\(month)/\(day.year):\(clock) +0000"
    }

    private static func iso(_ nanoseconds: Int64) -> String {
        let (day, clock) = parts(nanoseconds)
        let fraction = digits(nanoseconds % 1_000_000_000, 9)
        return "\(day.year)-\(digits(day.month, 2))-\(digits(day.day, 2))T\(clock).\(fraction)Z"
    }

    /// The civil date of days since 1970, by Howard Hinnant's algorithm, and the time of day.
    private static func parts(
        _ nanoseconds: Int64
    ) -> (day: (year: Int64, month: Int64, day: Int64), clock: String) {
        let seconds = nanoseconds / 1_000_000_000
        let shifted = seconds / 86_400 + 719_468
        let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
        let year =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
        let number = (5 * dayOfYear + 2) / 153
        let month = number < 10 ? number + 3 : number - 9
        let clock = [seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60]
        return (
            (
                year + era * 400 + (month <= 2 ? 1 : 0), month,
                dayOfYear - (153 * number + 2) / 5 + 1
            ),
            clock.map { digits($0, 2) }.joined(separator: ":")
        )
    }
}
