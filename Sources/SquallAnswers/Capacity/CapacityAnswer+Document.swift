public import SquallFormat
import SquallReport

extension CapacityAnswer {
    /// The answer as a document for readers.
    public var document: AnswerDocument {
        var document = AnswerDocument(
            kind: "Capacity", subject: profile, sentence: sentence, replayCommand: replay)
        document.question = experiment
        document.verdict = .init(isEnough)
        document.remarks = remarks
        document.facts = facts
        document.sections = [chartSection, pointSection, kneeSection].compactMap { $0 }
        return document
    }

    /// The document of a search that goes on, with its bounds so far.
    func documentSoFar(_ bounds: String?) -> AnswerDocument {
        var document = AnswerDocument(
            kind: "Capacity", subject: profile,
            sentence: bounds.map { "So far, \($0)." } ?? "The first value is being run.")
        document.question = experiment
        document.facts = facts.filter { $0.name != "seeds" }
        document.sections = [chartSection, pointSection].compactMap(\.self)
        return document
    }

    /// True if the answer meets the limits, or there are none.
    public var hasPassed: Bool { isEnough ?? true }

    /// True if the answer meets the limits; false where no value holds, `nil` where no limit was
    /// set.
    var isEnough: Bool? {
        if outcome == .never { return false }
        guard let capacity else { return false }
        if let atLeast { return (capacity.low ?? capacity.value) >= atLeast }
        return atMost.map { (capacity.high ?? capacity.value) <= $0 }
    }

    /// The points as CSV, with every number exact.
    public var csv: String {
        let heads = [csvName, "runs", "ended_early"] + Self.figures.map(\.csvName)
        let levels = points.first?.thresholds ?? []
        let rows = points.map { point -> [Cell] in
            [.exact(point.value), .init("\(point.replications)"), .init("\(point.stopped)")]
                + Self.figures.map { .exact($0.value(point)) }
                + levels.indices.map { .exact(point.level($0)?.limitUsed) }
        }
        return Table.csv(heads + levels.map { "share of the limit of \($0.threshold)" }, rows)
    }

    /// The figures of a point, in the order of the table's columns.
    private static let figures: [PointFigure] = [
        ("good_steps_per_second", .goodSteps, { $0.goodput }),
        ("p95_ns", .waited95, { $0.p95 }),
        ("failed_share", .failedSteps, { $0.failed }),
        ("busy_share", .busiest, { $0.busy }),
    ]

    private typealias PointFigure = (
        csvName: String, column: Column, value: @Sendable (CapacityPoint) -> Double?
    )

    func text(_ value: Double) -> String {
        (unit ?? .number).settingText(value)
    }

    /// What was varied, with its unit where it has one.
    private var csvName: String { unit == .nanoseconds ? "\(varied)_ns" : varied }

    private var remarks: [String] {
        [
            fittedRemark, resourceRemark, headroomRemark, precisionRemark, contradictionRemark,
            warmUpRemark, notTried.map { "Not tried: \($0)" },
        ]
        .compactMap { $0 }
            + notes + [measurementWindow]
    }

    private var resourceRemark: String? {
        guard let resource else { return nil }
        let share = Units.percent(resource.busy)
        let place = "At \(resourceAt.map(counted) ?? "the capacity")"
        return resource.busy >= 0.7
            ? "\(place) the busiest resource is \(resource.name), \(share) busy."
            : "\(place) no measured resource is near saturation; the busiest is \(resource.name),"
                + " \(share) busy."
    }

    private var headroomRemark: String? {
        guard let headroom, outcome != .always else { return nil }
        let (own, times) = ("Today's \(text(today))", Units.threeDigits(headroom))
        guard direction == .moreIsWorse else {
            return headroom <= 1
                ? "\(own) are \(Units.threeDigits(1 / headroom)) times what is needed."
                : "\(own) are not enough: \(times) times as many are needed."
        }
        return headroom >= 1
            ? "\(own) are \(Units.percent(1 / headroom)) of capacity (\(times)× headroom)."
            : "\(own) are more than the capacity, which is \(times) times as many."
    }

    private var fittedRemark: String? {
        guard let fitted else { return nil }
        guard let spread = fitted.spread else {
            return "What the fit is not sure of is not in the interval: not every draw of its"
                + " settings has an end near this one."
        }
        let runs = fitted.runs.flatMap { runs in
            runs.low.flatMap { low in runs.high.map { "\(text(low))…\(text($0))" } }
        }
        return "The interval counts what the fit is not sure of: \(fitted.ends.count) draws of its"
            + " settings have ends of their own within ± \(Units.percent(spread)) of it (95 %). The"
            + " runs alone leave \(runs ?? "no interval"); the two add up as squares."
    }

    private var precisionRemark: String? {
        guard fitted?.spread == nil, outcome == .found, let width = capacity?.relativeHalfWidth,
            width > precision
        else {
            return nil
        }
        return "The interval is ± \(Units.percent(width)), wider than the ± "
            + "\(Units.percent(precision)) that were asked for: let the run last longer, or allow"
            + " more --max-replications."
    }

    private var warmUpRemark: String? {
        guard let ownWarmUpNanoseconds else { return nil }
        return "Users begin together and the profile leaves nothing out, so the search left out"
            + " the first \(Units.exact(nanoseconds: ownWarmUpNanoseconds)), after which it goes on"
            + " evenly; --set warmUp.for=0s counts them."
    }

    private var contradictionRemark: String? {
        guard !contradictions.isEmpty else { return nil }
        let list = contradictions.map(text).joined(separator: ", ")
        return "The few replications at \(list) say otherwise, see the points."
    }

    /// True for a point that is too near the limit for its own replications to say that it holds or
    /// not.
    private func isUndecided(_ point: CapacityPoint) -> Bool {
        guard outcome == .found, let capacity, let low = capacity.low, let high = capacity.high
        else { return false }
        let isBetter = direction == .moreIsBetter
        let good = shown ?? (isBetter ? high : low)
        return isBetter
            ? point.value < good && point.value >= low : point.value > good && point.value <= high
    }

    private var facts: [(name: String, value: String)] {
        [
            ("varied", varied), ("replications", replicationsShown),
            ("stopped early", Units.grouped(Int64(points.reduce(0) { $0 + $1.stopped }))),
            ("requests, with warm-up", Units.grouped(requests)),
            ("seeds", seeds.firstOnes + (seeds.count > 3 ? " (\(seeds.count))" : "")),
        ]
    }

    /// The number of all replications, which are more than the table has where a search with a
    /// shorter warm-up, or one for each draw of a fit, came before.
    private var replicationsShown: String {
        let own = Int64(points.reduce(0) { $0 + $1.replications })
        let all = Units.grouped(replications)
        return own == replications ? all : "\(all), \(Units.grouped(own)) of them at the values run"
    }

    /// Marks of the answer on the axis, with the ends of its interval.
    private var marks: [(place: Double, end: Double?, label: String)] {
        guard let capacity else { return [] }
        guard let low = capacity.low, let high = capacity.high, low < high else {
            return [(capacity.value, nil, text(capacity.value))]
        }
        return [(low, high, "95 %"), (capacity.value, nil, text(capacity.value))]
    }

    private var chartSection: Section? {
        let whole = points.filter { $0.goodput != nil }
        guard whole.count > 1 else { return nil }
        func chart(
            _ title: String, _ figure: String, _ unit: NumberUnit,
            _ lines: [(name: String, value: (CapacityPoint) -> Double?)]
        ) -> Block {
            let across = AnswerChart.Scale(noun) { [self] in text($0) }
            var chart = AnswerChart(
                title, over: across, up: unit.scale,
                lines.map { name, value in
                    AnswerChart.Series(
                        name,
                        whole.compactMap { point in value(point).map { .init(point.value, $0) } })
                })
            chart.marks = marks
            chart.focus = capacity?.value
            return .picture(
                chart.held(figure, against: whole[0].thresholds.map(\.threshold)))
        }
        typealias Line = (name: String, value: (CapacityPoint) -> Double?)
        let law: [Line] =
            scalability.map { law in
                [("Universal Scalability Law", { law.throughput(at: $0.value) })]
            } ?? []
        return Section(
            "By load",
            note:
                "Means over the replications that ran to completion. The charts show the values"
                + " near the answer if there are enough of them; the data below each chart has"
                + " all. The shaded part is the answer's 95 % interval; a broken line is a limit.",
            [
                chart(
                    "Throughput", "", .perSecond,
                    [("steps that succeed, per second", { $0.goodput })] + law),
                chart(
                    "Step duration, p95", "step_duration p(95)", .nanoseconds,
                    [("p95", { $0.p95 })]),
                chart(
                    "Steps that failed", "step_failed rate", .share, [("failed", { $0.failed })]),
            ])
    }

    private var pointSection: Section {
        let rows = points.map { point -> [Cell] in
            [
                .init(
                    (isUndecided(point) ? "? " : "") + text(point.value), point.value,
                    isGood: isUndecided(point) ? nil : point.holds),
                .init(
                    point.stopped == 0
                        ? "\(point.replications)" : "\(point.replications), stopped early",
                    Double(point.replications)),
            ] + Self.figures.map { $0.column($0.value(point)) } + decisive(point)
        }
        return Section(
            "Values that were run",
            note:
                "A threshold holds while it uses less than 100 % of its limit, over all"
                + " replications together. For a percentile that is the share of samples beyond"
                + " the limit, relative to the share that is allowed. A run stops early when it can"
                + " no longer meet a threshold.",
            (points.contains(where: isUndecided)
                ? [
                    .sentence(
                        "✓ meets every threshold, ✗ does not, ? is too close to a limit to tell")
                ]
                : []) + [
                    .table(
                        Table(
                            [varyingColumn, .runs] + Self.figures.map(\.column) + thresholdNames,
                            rows))
                ])
    }

    /// The thresholds shown, by index: those that came near their limit at any point.
    private var nearLimit: [Int] {
        (points.first?.thresholds ?? []).indices.filter { index in
            points.contains { $0.level(index)?.holds == false }
        }
    }

    private var varyingColumn: Column { Column(noun, .number) }

    private var thresholdNames: [Column] {
        nearLimit.map { index in
            let name = points.first?.level(index)?.threshold ?? "limit"
            let shown = name.thresholdShown.replacing(": ", with: " ")
            guard let allowed = Threshold.shareBeyond(limitOf: name) else {
                return Column("limit used, \(shown)", .number)
            }
            // A percentile is judged by the share of samples beyond its limit.
            let share = Units.percent(allowed)
            return Column("used of the allowed \(share), \(shown)", .number)
        }
    }

    private func decisive(_ point: CapacityPoint) -> [Cell] {
        nearLimit.map { index in
            guard let level = point.level(index) else { return .none }
            return level.limitUsed.map { .init(Units.percent($0), $0) }
                ?? .init(level.holds ? "holds" : "fails")
        }
    }

    /// The share of its time from which on a resource is shown as 100 % busy.
    private static let fullShare = 0.995

    /// The least load that ran to its end.
    private var lightest: Double? { points.first { $0.busy != nil }?.value }

    private var kneeSection: Section? {
        func cell(_ load: Double) -> Cell { .init(text(load), load) }
        var rows: [[Cell]] = []
        if let asymptoticKnee {
            rows.append([
                .init(
                    "busiest resource 100 % busy, extrapolated"
                        + (lightest.map { " from \(counted($0))" } ?? "")), cell(asymptoticKnee),
            ])
        }
        if let full = points.first(where: { ($0.busy ?? 0) >= Self.fullShare }) {
            rows.append([.init("busiest resource 100 % busy, measured"), cell(full.value)])
        }
        if let scalability, let largest = points.map(\.value).max() {
            // The fitted law is not extrapolated beyond twice the largest load.
            let peak = scalability.peak.flatMap { $0 <= 2 * largest ? $0 : nil }
            rows.append([
                .init("peak of the Universal Scalability Law"),
                peak.map(cell) ?? .init("none up to twice the largest load"),
            ])
        }
        guard !rows.isEmpty, varied == "users" || varied == "rate" else { return nil }
        let fit = scalability.map { law in
            Block.sentence(
                "Universal Scalability Law: X(N) = γN / (1 + α(N−1) + βN(N−1)) with γ ="
                    + " \(Units.scientific(law.gamma))/s (throughput of one), α ="
                    + " \(Units.scientific(law.alpha)) (contention), β ="
                    + " \(Units.scientific(law.beta)) (coherency); largest deviation"
                    + " \(Units.percent(law.largestResidual)), R² ="
                    + " \(Units.digits(law.explained, significant: 4)).")
        }
        return Section(
            "Saturation point, by \(Units.counted(rows.count, "definition"))",
            [.table(Table([.definition, varyingColumn], rows))] + (fit.map { [$0] } ?? []))
    }
}
