import SquallFormat
import SquallHTTP
import SquallReport
import SquallSockets

/// A page that shows how a driven run goes, second by second, for this machine alone.
///
/// It is served on the generator's thread between its requests; drawing it takes a few
/// milliseconds every two seconds while a browser shows it, and nothing otherwise.
final class DrivePage {
    /// What it shows: the target, the sums so far, the whole seconds, the oldest first.
    typealias Figures = (target: String, now: DriveProgress, seconds: [DriveSecond])

    /// Where it is.
    let address: String
    private let target: String
    private let sockets: SocketServer
    private let asking = WhoMayAsk()

    private static let refreshSeconds = 2
    /// The most seconds that its table has.
    private static let rowsMost = 60

    /// A page on a port of 127.0.0.1, 0 for a free one.
    ///
    /// - Throws: `SocketServer.Problem`.
    init(of target: String, port: UInt16, watch: SocketWatch?) throws(SocketServer.Problem) {
        self.target = target
        var limits = HTTPLimits()
        (limits.connections, limits.pendingRequests, limits.bodyBytes) = (16, 16, 0)
        sockets = try SocketServer(limits, origin: "http://localhost", watch: watch)
        let bound = try sockets.listen(on: "127.0.0.1", port: port)
        address = "http://127.0.0.1:\(bound)/"
    }

    /// Answers who has asked for it.
    func enter(at now: Int64, _ figures: (String) -> Figures) {
        guard sockets.poll() else { return }
        sockets.enter(at: now) { incoming, client in
            let answer = self.answer(incoming.request) { figures(target) }
            sockets.respond(
                to: client, status: answer.status, headers: answer.headers, body: answer.body)
        }
        sockets.send(at: now)
    }

    private func answer(_ request: URLRequest, _ figures: () -> Figures) -> ControlAnswer {
        if let reason = asking.refusal(of: request, isControl: true) {
            return .problem(reason, status: 403)
        }
        guard request.method == .get, request.url.path == "/" else {
            return .problem("the page is at /", status: 404)
        }
        return ControlAnswer(html: Self.page(figures()))
    }

    /// The page of some figures.
    static func page(_ figures: Figures) -> String {
        let (now, seconds) = (figures.now, figures.seconds)
        let sent = seconds.reduce(0) { $0 + $1.sent }
        var document = AnswerDocument(
            kind: "Drive", subject: figures.target,
            sentence: "\(Units.grouped(now.perSecond)) requests/s, p95"
                + " \(Units.approximate(nanoseconds: now.p95Nanoseconds)),"
                + " \(Units.grouped(now.failures)) failed,"
                + " \(Units.grouped(now.refreshes)) refreshes"
        )
        document.facts = [
            ("requests shown", Units.grouped(sent)), ("seconds", "\(seconds.count)"),
            ("connections", Units.grouped(now.connections)),
            ("lateness (p99)", Units.approximate(nanoseconds: now.lateNanoseconds)),
        ]
        document.sections = [
            Section("Second by second", seconds.count > 1 ? charts(seconds) : []),
            Section(
                "The last \(rowsMost) seconds", note: "The newest first.",
                [.table(Table(seconds.suffix(rowsMost).reversed().map(\.row)))]),
        ]
        return document.page(refreshSeconds: refreshSeconds).html
    }

    private static func charts(_ seconds: [DriveSecond]) -> [Block] {
        let time = AnswerChart.Scale("time (s)", of: [], text: AnswerChart.Scale.number)
        func series(_ name: String, _ value: (DriveSecond) -> Int64?) -> AnswerChart.Series {
            AnswerChart.Series(
                name,
                seconds.compactMap { second in
                    value(second).map { .init(Double(second.number), Double($0)) }
                })
        }
        let counts = AnswerChart(
            "Requests, failures and refreshes per second", over: time, up: AnswerChart.Scale(),
            [
                series("requests") { $0.sent }, series("failed") { $0.failures },
                series("refreshes") { $0.refreshes },
            ])
        let ended = seconds.contains { !$0.durations.isEmpty }
        let spans = AnswerChart(
            "Duration of requests, and how late they were sent", over: time, up: .durations,
            [
                series("p50", \.durations.first), series("p95") { $0.durations.dropFirst().first },
                series("p99", \.durations.last), series("lateness p99", \.late),
            ])
        return [.picture(counts)] + (ended ? [.picture(spans)] : [])
    }
}

extension DriveSecond {
    fileprivate var row: [Cell] {
        let spans = [50, 95, 99].enumerated().map { place, percent in
            Column("p\(percent)", .duration, "Of the requests that ended in it.")(
                durations.isEmpty ? nil : durations[place])
        }
        return [
            Column("second", .count, "Seconds since the load began.")(number),
            Column("requests", .count, "Requests sent in it.")(sent),
            Column("failed", .count, "Ended without a response, or with 500 and above.")(
                failures),
            Column("refreshes", .count, "Refreshes sent in it.")(refreshes),
        ] + spans + [
            Column("lateness p99", .duration, "How late 99 % were sent at most.")(late)
        ]
    }
}
