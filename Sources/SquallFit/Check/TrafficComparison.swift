import SquallFormat
import SquallReport

/// A log compared with the model that was fitted to it.
///
/// Both are measured in the same way, from lines of an access log.
public struct TrafficComparison: Sendable {
    private let log: TrafficView
    private let model: TrafficView
    /// The compared numbers.
    private let judged: [Judged]
    /// What of the log was compared, and the misfits in words, the worst first.
    let remarks: [String]
    /// A call whose share of the requests is another one in the last third of the log.
    private let drift: Judged?

    /// One number of the log and of the model.
    private struct Judged {
        let name: String
        let log, model: Double
        /// The tolerance, as a share of the log's number.
        let within: Double
        /// A model that is off by more has another load than the log; nil if none has.
        var usable: Double?
        /// A model that is off by more is not the log's to the last percent; nil if none has to be.
        var close: Double?
        var note = ""
        /// True for a time in nanoseconds.
        var isTime = false

        var change: Double { log > 0 ? model / log - 1 : 0 }
        var isOff: Bool { log > 0 && abs(change) > within }

        var words: String {
            if model == 0 { return "\(name) is not in the model" }
            let way = change < 0 ? "lower" : "higher"
            return "\(name) is \(Units.percent(abs(change))) \(way) in the model than in the"
                + " log\(note)"
        }
    }

    private static let leastCount = 60
    /// The largest deviation of a model's rate, refreshes and p95 that needs no remark.
    private static let closeMax = 0.05
    private static let remarksMax = 12

    /// Compares the measurements of a log with those of a model.
    ///
    /// Of the log only what came from a moment on.
    init(log: TrafficLog, from start: Int64, model: TrafficLog) {
        let (seen, made) = (TrafficView(log, from: start), TrafficView(model))
        self.log = seen
        self.model = made
        judged = Self.totals(seen, made) + Self.calls(seen, made)
        drift = Self.drift(log, from: start)
        let off = judged.filter(\.isOff)
        let worst = off.ordered { (abs($1.change), $0.name) < (abs($0.change), $1.name) }
        let rest = worst.count - Self.remarksMax
        let apart = start - log.reading.span.first
        let whole = Double(log.reading.requests) / max(1, Double(log.span) / 1e9)
        let more = whole > 0 ? seen.rate / whole - 1 : 0
        let ramp =
            apart > 0
            ? [
                "In the first \(Units.approximate(nanoseconds: apart)) of the log its users came"
                    + " one after the other; the profile has all of them, and is compared with"
                    + " the rest of the log"
                    + (abs(more) < 0.01
                        ? "."
                        : ", which has \(Units.percent(abs(more))) \(more > 0 ? "more" : "fewer")"
                            + " requests a second than all of it.")
            ] : []
        remarks =
            ramp + worst.prefix(Self.remarksMax).map { $0.words + "." }
            + (rest > 0
                ? [
                    "\(Units.counted(rest, "more metric")) \(rest == 1 ? "is" : "are") outside"
                        + " tolerance."
                ] : [])
    }

    /// The call whose share of the requests changes most after two thirds of a log, if no mix of
    /// calls can be that of all of it.
    private static func drift(_ log: TrafficLog, from start: Int64) -> Judged? {
        let cut = start + (log.reading.span.last - start) / 3 * 2
        var counts = log.calls.map { _ in (early: 0.0, late: 0.0) }
        for request in log.requests where request.began >= start {
            let weight = Double(log.weight(of: request))
            if request.began < cut {
                counts[Int(request.call)].early += weight
            } else {
                counts[Int(request.call)].late += weight
            }
        }
        let early = max(1, counts.reduce(0) { $0 + $1.early })
        let late = max(1, counts.reduce(0) { $0 + $1.late })
        let changes = counts.enumerated().map { index, count in
            let (one, other) = (count.early / early, count.late / late)
            return Judged(
                name: log.calls[index].title, log: other, model: one,
                within: max(0.2, 4 / max(1, min(early, late) * max(one, other)).squareRoot()),
                usable: max(one, other) > 0.1 ? 0.2 : nil)
        }
        return changes.filter {
            $0.usable != nil && abs($0.log - $0.model) > $0.within * max($0.log, $0.model)
        }
        .max { abs($0.log - $0.model) < abs($1.log - $1.model) }
    }

    /// A tolerance, or four standard deviations of a count where that is more: visits come in
    /// groups of calls, so counts vary twice as much as at random.
    ///
    /// Of one event in the log and five in the model either may be chance, so the larger count says
    /// how much both vary.
    private static func tolerance(
        _ least: Double, _ rate: Double, _ view: TrafficView, made: Double = 0
    ) -> Double {
        let count = max(1, rate * view.seconds)
        return max(least, 4 * max(count, made * view.seconds).squareRoot() / count)
    }

    private static func totals(_ log: TrafficView, _ model: TrafficView) -> [Judged] {
        func rate(_ name: String, _ least: Double, _ part: (TrafficView) -> Double) -> Judged {
            Judged(
                name: name, log: part(log), model: part(model),
                within: tolerance(least, part(log), log, made: part(model)))
        }
        var all = [
            rate("requests per second", 0.1, \.rate),
            Judged(
                name: "concurrent requests", log: log.concurrency, model: model.concurrency,
                within: tolerance(0.2, log.rate, log)),
        ]
        all.append(rate("refreshes per second", 0.1, \.refreshes))
        if log.failures != nil {
            all.append(rate("5xx responses per second", 0.1) { $0.failures ?? 0 })
        }
        for (index, limit) in [0.2, 0.2, 0.5].enumerated() { all[index].usable = limit }
        all[0].close = closeMax
        // Refreshes are few: of two counts each has its chance.
        let renewed = max(1, log.refreshes * log.seconds)
        let both = renewed + max(renewed, model.refreshes * log.seconds)
        all[2].close = max(closeMax, 2 * both.squareRoot() / renewed)
        guard log.hasTimes, model.hasTimes else { return all }
        return all + [
            Judged(
                name: "p95 of all requests", log: log.p95, model: model.p95, within: 0.1,
                usable: nil, close: closeMax, isTime: true)
        ]
    }

    private static func calls(_ log: TrafficView, _ model: TrafficView) -> [Judged] {
        log.calls.filter { $0.times.count >= leastCount }.flatMap { call -> [Judged] in
            let other = model.calls.first { $0.index == call.index }
            var own = [
                Judged(
                    name: "the rate of \(call.name)", log: call.rate, model: other?.rate ?? 0,
                    within: tolerance(0.2, call.rate, log),
                    usable: call.rate > 0.1 * log.rate ? 0.2 : nil)
            ]
            guard let other, other.times.count >= leastCount else { return own }
            for (share, within) in [(0.5, 0.1), (0.95, 0.15), (0.99, 0.25)]
            where Double(call.times.count) * (1 - share) >= 10 {
                let hump = call.hasTwoHumps && !other.hasTwoHumps
                own.append(
                    Judged(
                        name: "p\(Int((share * 100).rounded())) of \(call.name)",
                        log: call.times.quantile(share), model: other.times.quantile(share),
                        within: within, note: hump ? ": its times have a second hump" : ""))
            }
            return own
        }
    }

    /// True if the model has the log's load: the rate, the mix of calls with refreshes, and the
    /// busy time.
    public var isUsable: Bool { drift == nil && unusable == nil }

    /// True if the rate, refreshes and the p95 are the log's within 5 %.
    var isClose: Bool { distant == nil }

    private var unusable: Judged? { worst { $0.isOff ? $0.usable : nil } }

    private var distant: Judged? { worst(\.close) }

    /// The number that is off most beyond its limit.
    private func worst(_ limit: (Judged) -> Double?) -> Judged? {
        judged.filter { $0.log > 0 && abs($0.change) > limit($0) ?? .infinity }
            .max { abs($0.change) < abs($1.change) }
    }

    /// The verdict, with the number that decides against the model, in a sentence.
    var sentence: String {
        let off = judged.count(where: \.isOff)
        let compared = judged.count { $0.log > 0 }
        let counted =
            off == 0
            ? "\(compared) of \(compared) metrics are within tolerance"
            : "\(off) of \(compared) metrics \(off == 1 ? "is" : "are") outside tolerance"
        if let drift {
            return "\(drift.name) is \(Units.percent(drift.log)) of the requests in the last third"
                + " of the log and \(Units.percent(drift.model)) before: one mix of calls is not"
                + " that of all of it; \(counted)"
        }
        return (unusable ?? distant).map { "\($0.words); \(counted)" } ?? counted
    }

    var sections: [Section] {
        [
            Section(
                "Log and model",
                note: "The model is the profile that is written, run once.",
                [.table(total), .table(table), .sentence(Self.tolerances)]),
            Section("Over time", [.picture(rates), .picture(times)]),
        ]
    }

    private static let tolerances = """
        Tolerance: 10 % for rates, 20 % for concurrent requests and the rate of one call, 10, 15 \
        and 25 % for p50, p95 and p99; for rates of n events, or m in the model, at least 4/√n or \
        4√m/n.
        """

    private var totalCount: Int {
        3 + (log.failures == nil ? 0 : 1) + (log.hasTimes && model.hasTimes ? 1 : 0)
    }

    private var total: Table {
        Table(
            [Column("all", .sentence), .log, .model, .beside, .tolerance],
            judged.prefix(totalCount).map { row -> [Cell] in
                func text(_ value: Double) -> String {
                    row.isTime ? Self.time(value) : Units.threeDigits(value)
                }
                return [
                    .init(row.name), .init(text(row.log), row.log),
                    .init(text(row.model), row.model), Self.change(row),
                    .init("± " + Units.percent(row.within), row.within),
                ]
            })
    }

    private static func change(_ row: Judged) -> Cell {
        guard row.log > 0 else { return .none }
        let text = (row.change < 0 ? "-" : "+") + Units.percent(abs(row.change))
        return .init(text, row.change, isGood: !row.isOff)
    }

    private var table: Table {
        let shares = [0.5, 0.95, 0.99]
        let rows = log.calls.filter { $0.times.count >= Self.leastCount }.prefix(40).map { call in
            let other = model.calls.first { $0.index == call.index }
            func isGood(_ name: String) -> Bool? {
                judged.first { $0.name == "\(name) of \(call.name)" }.map { !$0.isOff }
            }
            let cells = shares.flatMap { share -> [Cell] in
                guard let other, other.times.count >= Self.leastCount else {
                    return [.none, .none]
                }
                let (seen, made) = (call.times.quantile(share), other.times.quantile(share))
                return [
                    .init(Self.time(seen), seen),
                    .init(
                        Self.time(made), made, isGood: isGood("p\(Int((share * 100).rounded()))")),
                ]
            }
            let (own, others) = (call.rate, other?.rate ?? 0)
            return [
                .init(call.name), .init(Units.threeDigits(own), own),
                .init(Units.threeDigits(others), others, isGood: isGood("the rate")),
            ] + cells
        }
        func pair(_ name: String) -> [Column] {
            [
                Column(name, .number, "Of the log."),
                Column("\(name) in model", .number, "Of a run of the fitted profile.")
                    .ofColumnBefore,
            ]
        }
        return Table(
            [.call] + [Column.rate.name, "p50", "p95", "p99"].flatMap(pair), Array(rows))
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
            "isUsable": .bool(isUsable), "isClose": .bool(isClose),
            "remarks": .array(remarks.map { .string($0) }),
            "log": log.json,
            "model": model.json,
        ]
    }
}
