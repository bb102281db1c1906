import Foundation
import SquallFormat
public import SquallHTTP
public import SquallKernel

/// The form of a simulated server's access log, as real servers write theirs.
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
    /// Users have invented addresses; the epoch says when virtual time began. A log that is not to
    /// tell what real clients asked for hides what may be a secret in a path or a query, or has
    /// another path.
    public func line(
        _ record: ServerRecord, epoch: Epoch = .standard, hidesSecrets: Bool = false,
        path: String? = nil
    ) -> String {
        let user = record.cause.user
        let address = "10.\(user >> 16 & 255).\(user >> 8 & 255).\(user & 255)"
        let url = path.map { WebURL(origin: "", path: $0, query: record.url.query) } ?? record.url
        let target = Self.target(url, hidesSecrets: hidesSecrets)
        let end = epoch.nanosecondsSince1970(at: record.replied)
        let begin = epoch.nanosecondsSince1970(at: record.arrived)
        switch self {
        case .combined:
            // The difference of two clocks that show milliseconds, as nginx has it.
            let span = end / 1_000_000 - begin / 1_000_000
            return "\(address) - user\(user) [\(Self.local(end))] \"\(record.method.rawValue)"
                + " \(target) HTTP/1.1\" \(record.status) \(record.bytes) \"-\" \"squall\""
                + " \(span.thousandths) \((end / 1_000_000).thousandths)"
        case .json:
            return "{\"time\":\"\(Self.iso(end))\",\"remote_addr\":\"\(address)\",\"user\":"
                + "\"user\(user)\",\"method\":\"\(record.method.rawValue)\",\"uri\":"
                + "\(JSON.string(target).line),\"status\":\(record.status),\"bytes\":"
                + "\(record.bytes),\"duration_us\":\(end / 1_000 - begin / 1_000)}"
        }
    }

    private static func target(_ url: WebURL, hidesSecrets: Bool) -> String {
        guard hidesSecrets else { return url.path + (url.query.map { "?\($0)" } ?? "") }
        let path = url.path.split(separator: "/", omittingEmptySubsequences: false).map {
            $0.utf8.count < 20 || UUID(uuidString: String($0)) != nil ? $0 : "-"
        }
        let query = url.query?.split(separator: "&").map { member in
            let parts = member.split(separator: "=", maxSplits: 1)
            let isShown = parts.count == 2 && parts[1].utf8.count < 6 && Int(parts[1]) != nil
            return isShown ? String(member) : "\(parts.first ?? "")=-"
        }
        return path.joined(separator: "/") + (query.map { "?" + $0.joined(separator: "&") } ?? "")
    }

    private static func local(_ nanoseconds: Int64) -> String {
        let (date, clock) = parts(nanoseconds)
        return "\(date.day.padded(2))/\(date.monthName)/\(date.year):\(clock) +0000"
    }

    private static func iso(_ nanoseconds: Int64) -> String {
        let (date, clock) = parts(nanoseconds)
        return "\(date.year)-\(date.month.padded(2))-\(date.day.padded(2))T\(clock)"
            + ".\((nanoseconds % 1_000_000_000).padded(9))Z"
    }

    /// The date and the time of day of nanoseconds since 1970.
    private static func parts(_ nanoseconds: Int64) -> (date: CivilDate, clock: String) {
        let seconds = nanoseconds / 1_000_000_000
        let clock = [seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60]
        return (
            CivilDate(daysSince1970: seconds / 86_400),
            clock.map { $0.padded(2) }.joined(separator: ":")
        )
    }
}

/// One line of the server's log: a request that it received and replied to.
public struct ServerRecord: Hashable, Sendable {
    /// Why it was sent.
    public let cause: RequestCause
    /// Which endpoint it was for.
    public let endpoint: Endpoint
    /// The verb that was sent.
    public let method: HTTPMethod
    /// Where it was sent: a path with everything that stands for variables, and a query.
    public let url: WebURL
    /// The status of the reply.
    public let status: Int
    /// The meaning of the reply by the rules of the service.
    public let meaning: AnswerMeaning
    /// When the server received it.
    public let arrived: Instant
    /// When a worker took it, or when it was turned away.
    public let started: Instant
    /// When the server replied.
    public let replied: Instant
    /// The number of the worker who did it; `nil` when it was turned away.
    public let worker: Int?
    /// The number of a list's objects in the reply; 0 for any other reply.
    public let items: Int
    /// How many rows were scanned.
    public let rowsScanned: Int
    /// How many bytes the reply had.
    public let bytes: Int
    /// How many refreshes lie between sign-in and access token; `nil` without a genuine one.
    public let tokenGeneration: UInt32?
    /// True if the network had delivered the same bytes before.
    public let isDuplicate: Bool

    /// How long it waited in line.
    public var waitNanoseconds: Int64 { started.nanoseconds - arrived.nanoseconds }
}
