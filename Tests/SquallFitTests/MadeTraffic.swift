import SquallFormat

@testable import SquallFit

/// Traffic of a small app with known truth, before any server wrote a line of it.
///
/// A home screen of two calls, then two lists; a token that has expired is refused in a
/// millisecond, renewed once, and the calls are sent again.
struct MadeTraffic {
    /// A request, with times in seconds.
    struct Request {
        var at: Double
        let span: Double
        let user: Int
        let method, path: String
        let status: Int
        var end: Double { at + span }
        var isOfTokens: Bool { path.hasPrefix("/auth") }

        /// The line as a server writes it that has a field for the user.
        func object(user: String?, address: String) -> String {
            "{\"ts\":\(1_700_000_000 + end),\"remote_addr\":\"\(address)\","
                + (user.map { "\"user\":\"\($0)\"," } ?? "")
                + "\"method\":\"\(method)\",\"path\":\"\(path)\",\"status\":\(status),"
                + "\"duration\":\(span)}"
        }

        /// A line of nginx with seconds, and what else is configured.
        func combined(_ address: String, at moment: Double, more: String = "") -> String {
            let second = Int(moment)
            func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
            let clock = "\(two(10 + second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60))"
            return "\(address) - - [21/Sep/2026:\(clock) +0000] \"\(method) \(path) HTTP/1.1\""
                + " \(status) 120 \"-\" \"app/1\"\(more)"
        }
    }

    private(set) var requests: [Request] = []
    private var units: Units01

    init(seed: Int = 1) { units = Units01(seed: seed) }

    /// Users who are there from `begin` until `end`, in seconds, with looks of the given mean.
    mutating func add(
        users: Range<Int>, from begin: Double = 0, until end: Double, look: Double = 3,
        life: Double = 40
    ) {
        for user in users {
            var (now, issued) = (begin + look * units.next(), -life)
            while now < end {
                for paths in [["/home", "/me"], ["/list"], ["/list"]] where now < end {
                    if now - issued > life {
                        for path in paths { add(user, path, 401, at: now, for: 0.001) }
                        now = add(user, "/auth/refresh", 200, at: now + 0.06, for: 0.02) + 0.06
                        issued = now
                    }
                    let ends = paths.map {
                        add(user, $0, 200, at: now, for: 0.01 + units.exponential(0.01))
                    }
                    now = (ends.max() ?? now) + 0.06 + units.exponential(look)
                }
            }
        }
    }

    /// Adds a request and returns its end.
    @discardableResult
    mutating func add(
        _ user: Int, _ path: String, _ status: Int, at moment: Double, for span: Double
    ) -> Double {
        let method = path.hasPrefix("/auth") ? "POST" : "GET"
        requests.append(
            Request(
                at: moment, span: span, user: user, method: method, path: path, status: status))
        return moment + span
    }

    static func address(_ user: Int) -> String { "203.0.113.\(user + 1)" }

    /// The log of the lines in the order in which requests end, or come; a strict one leaves out
    /// what is none of the app's.
    func log(
        byBegin: Bool = false, isStrict: Bool = false,
        _ line: (Request) -> String = {
            $0.object(user: "u\($0.user)", address: address($0.user))
        }
    ) throws -> TrafficLog {
        let order = requests.sorted { byBegin ? $0.at < $1.at : $0.end < $1.end }
        return try reading(order.map(line).joined(separator: "\n"), isStrict: isStrict)
    }

    /// The document of a fit, as text.
    static func document(_ fit: TrafficFit) -> String {
        FitDocument(fit, subject: "x", replay: "", comparison: nil).json.document
    }
}
