import SquallDocument
import SquallFormat
import SquallReport

/// A log compared with the model that was fitted to it.
///
/// Both are measured in the same way, from lines of an access log.
public struct TrafficComparison: Sendable {
    private let log: TrafficView
    private let model: TrafficView
    /// What does not fit, in words, the worst first.
    let remarks: [String]

    /// The tolerance for a median or a rate, as a share; for a high percentile it is half as much
    /// again.
    private static let tolerance = 0.1
    private static let leastCount = 60

    /// Compares the measurements of a log with those of a model.
    init(log: TrafficLog, model: TrafficLog) {
        let (seen, made) = (TrafficView(log), TrafficView(model))
        self.log = seen
        self.model = made
        var found: [(size: Double, text: String)] = []
        func judge(_ name: String, _ log: Double, _ model: Double, within: Double) {
            guard log > 0 else { return }
            let change = model / log - 1
            guard abs(change) > within else { return }
            found.append(
                (
                    abs(change),
                    "\(name) is \(Units.percent(abs(change))) \(change < 0 ? "low" : "high") in the"
                        + " model"
                ))
        }
        judge("The rate of requests", seen.rate, made.rate, within: Self.tolerance)
        judge("The number of requests at once", seen.concurrency, made.concurrency, within: 0.2)
        for call in seen.calls where call.times.count >= Self.leastCount {
            guard let other = made.calls.first(where: { $0.index == call.index }) else {
                found.append((9, "\(call.name) is not in the model"))
                continue
            }
            judge("The rate of \(call.name)", call.rate, other.rate, within: 0.2)
            guard other.times.count >= Self.leastCount else { continue }
            for (share, within) in [(0.5, 0.1), (0.95, 0.15), (0.99, 0.25)]
            where Double(call.times.count) * (1 - share) >= 10 {
                let before = found.count
                judge(
                    "p\(Int(share * 100)) of \(call.name)", call.times.quantile(share),
                    other.times.quantile(share), within: within)
                if found.count > before, call.hasTwoHumps, !other.hasTwoHumps {
                    found[before].text += ": its times have a second hump"
                }
            }
        }
        let worst = found.ordered { ($1.size, $0.text) < ($0.size, $1.text) }
        remarks = worst.prefix(12).map { $0.text + "." }
    }

    /// Whether it fits, in a sentence.
    var sentence: String {
        remarks.isEmpty
            ? "Beside the part of the log that it was not fitted to, the model fits in every"
                + " number that was compared."
            : "Beside the part of the log that it was not fitted to, the model is off in"
                + " \(Units.counted(remarks.count, "number"))."
    }

    var sections: [Section] {
        [
            Section(
                "Log and model",
                note: "Fitted to the first two thirds of the log, held against the rest of it.",
                [.table(total), .table(table)]),
            Section("Over time", [.picture(rates), .picture(times)]),
        ]
    }

    private var total: Table {
        let rows: [(String, Double, Double)] = [
            ("requests a second", log.rate, model.rate),
            ("requests at once", log.concurrency, model.concurrency),
            ("refreshes an hour", log.refreshes * 3_600, model.refreshes * 3_600),
            ("answers 5xx, a second", log.failures, model.failures),
        ]
        return Table(
            [Column("all", .sentence), .log, .model, .beside],
            rows.map { name, log, model in
                [
                    .init(name), .init(Units.threeDigits(log), log),
                    .init(Units.threeDigits(model), model), Self.change(log, model, within: 0.1),
                ]
            })
    }

    private static func change(
        _ log: Double, _ model: Double, within: Double
    ) -> Cell {
        guard log > 0 else { return .none }
        let change = model / log - 1
        let text = (change < 0 ? "-" : "+") + Units.percent(abs(change))
        return .init(text, change, isGood: abs(change) <= within)
    }

    private var table: Table {
        let shares = [0.5, 0.95, 0.99]
        let rows = log.calls.filter { $0.times.count >= Self.leastCount }.prefix(40).map { call in
            let other = model.calls.first { $0.index == call.index }
            let cells = shares.flatMap { share -> [Cell] in
                guard let other, other.times.count >= Self.leastCount else {
                    return [.none, .none]
                }
                let (seen, made) = (call.times.quantile(share), other.times.quantile(share))
                return [.init(Self.time(seen), seen), .init(Self.time(made), made)]
            }
            let (own, others) = (call.rate, other?.rate ?? 0)
            return [
                .init(call.name), .init(Units.threeDigits(own), own),
                .init(Units.threeDigits(others), others),
            ] + cells
        }
        let heads = ["p50", "p95", "p99"].flatMap { [Column($0, .number), .model] }
        return Table([.call, .rate, .model] + heads, Array(rows))
    }

    private static func time(_ value: Double) -> String {
        Units.approximate(nanoseconds: Int64(max(0, value)))
    }

    private func line(
        _ name: String, _ minutes: [(place: Double, height: Double)]
    ) -> AnswerChart.Series { .init(name, minutes.map { .init($0.place, $0.height) }) }

    private var rates: AnswerChart {
        AnswerChart(
            "Requests a second", over: .init("minutes"),
            [line("log", log.minuteRates), line("model", model.minuteRates)])
    }

    private var times: AnswerChart {
        AnswerChart(
            "p95 of all requests", over: .init("minutes"), up: .durations,
            [line("log", log.minuteTimes), line("model", model.minuteTimes)])
    }

    /// The numbers for a document.
    var json: JSON {
        [
            "remarks": .array(remarks.map { .string($0) }), "log": log.json,
            "model": model.json,
        ]
    }
}
