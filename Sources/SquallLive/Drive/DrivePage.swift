import SquallFormat
import SquallReport

/// The page of a driven run while it goes, second by second.
enum DrivePage {
    /// What it shows: the target, the sums so far, the whole seconds, the oldest first.
    typealias Figures = (target: String, now: DriveProgress, seconds: [DriveSecond])

    /// The most seconds that its table has.
    private static let rowsMost = 60

    /// The page of some figures.
    static func document(_ figures: Figures) -> AnswerDocument {
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
        return document
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
            Percentile.first.enumerated().map { place, percentile in
                series(percentile.name) { $0.durations.isEmpty ? nil : $0.durations[place] }
            } + [series("lateness p99", \.late)])
        return [.picture(counts)] + (ended ? [.picture(spans)] : [])
    }
}

extension DriveSecond {
    fileprivate var row: [Cell] {
        let spans = Percentile.first.enumerated().map { place, percentile in
            Column(percentile.name, .duration, "Of the requests that ended in it.")(
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
