public import SquallFormat
import SquallReport

/// The columns of benchmarks.
extension Column {
    static let side = Column("client", .words, "What was run.")
    static let attemptsOfRun = Column(
        "attempts a run", "attempts", .count, "Attempts that the users of one run made.")
    static let processor = Column(
        "processor time an attempt", "an attempt", .duration,
        "Median over the runs; a run of one user is subtracted.")
    static let throughput = Column(
        "attempts a processor second", "a second", .number, "What one core simulates in a second.")
    static let memory = Column("memory a user", .words, "Median over the runs, as time.")
    static let refreshed = Column(
        "refreshes per expiry of a run", "refreshes", .number, "Of the first run; 1 is ideal.")
}

extension BenchmarkAnswer {
    /// The answer as a document for readers.
    public var document: AnswerDocument {
        var document = AnswerDocument(
            kind: "Benchmark", subject: profile, sentence: sentence, replayCommand: replay)
        document.isBrief = true
        document.verdict = verdict
        document.remarks = [
            "Times of one machine and moment: compare them only in pairs, with --against or --with."
        ]
        let rows = ([baseline, side].compactMap(\.self)).map(\.row)
        document.sections = [Section("", [.table(Table(rows).inBrief)])]
        return document
    }

    private var sentence: String {
        guard let baseline, let ratio = timeRatio, let low = ratio.low, let high = ratio.high else {
            let time = Units.approximate(nanoseconds: Int64(side.perAttempt.median))
            let subject = side.name == profile ? "" : "\(side.name): "
            return "\(subject)\(time) of processor time an attempt, median of"
                + " \(Units.counted(side.runs.count, "run"))"
        }
        let interval = "95 %: \(Self.change(low))…\(Self.change(high))"
        let pairs = Units.counted(side.runs.count, "pair")
        let change =
            low <= 1 && high >= 1
            ? "no significant difference in processor time an attempt (\(Self.change(ratio.value)),"
                + " \(interval), \(pairs))"
            : "\(Self.change(ratio.value)) processor time an attempt (\(interval), \(pairs))"
        let more = refreshes.map {
            let shown = ShownChanges(.number, between: [$0.baseline, $0.side])
            return ", and \(shown.text($0.side)) refreshes per expiry instead of"
                + " \(shown.text($0.baseline))"
        }
        let undecided =
            verdict == .notJudged
            ? "; whether it is more than \(Self.change(1 + tolerance)) takes more --pairs" : ""
        return "\(side.name) beside \(baseline.name): \(change)\(more ?? "")\(undecided)"
    }

    /// A ratio as a change: `+4.2 %`.
    private static func change(_ ratio: Double) -> String {
        let percent = (ratio - 1) * 100
        return (percent < 0 ? "−" : "+") + Units.threeDigits(percent.magnitude) + " %"
    }
}

extension BenchmarkAnswer.Side {
    fileprivate var row: [Cell] {
        let time = perAttempt.median
        let memory = perUser.median
        return [
            Column.side(name), Column.attemptsOfRun(runs.first?.attempts),
            Column.processor(Int64(time)),
            Column.throughput(time > 0 ? 1e9 / time : nil),
            Column.memory("\(Units.threeDigits(memory / 1_000)) kB", memory),
            Column.refreshed(runs.first?.refreshesPerExpiry),
        ]
    }
}

extension [Double] {
    /// The middle value, or the mean of the middle two; 0 for none.
    fileprivate var median: Double {
        let ordered = sorted()
        guard !ordered.isEmpty else { return 0 }
        return (ordered[(count - 1) / 2] + ordered[count / 2]) / 2
    }
}
