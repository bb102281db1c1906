public import SquallFormat
import SquallReport

/// A fit as a document for readers, and as one JSON document.
public struct FitDocument {
    let fit: TrafficFit
    private let subject: String
    private let replay: String
    /// The comparison of the model with the log; `nil` if it was not asked for.
    let comparison: TrafficComparison?

    /// Makes the document of a fit.
    public init(
        _ fit: TrafficFit, subject: String, replay: String, comparison: TrafficComparison?
    ) {
        self.fit = fit
        self.subject = subject
        self.replay = replay
        self.comparison = comparison
    }

    /// The answer as a document for readers.
    public var answer: AnswerDocument {
        let reading = fit.log.reading
        var answer = AnswerDocument(
            kind: "Fit", subject: subject, sentence: sentence, replayCommand: replay)
        answer.isBrief = true
        answer.verdict = verdict
        answer.remarks = [about] + remarks
        answer.facts = [
            ("requests", Units.grouped(Int64(reading.requests))),
            ("lines", Units.grouped(Int64(reading.lines))),
            ("time", Units.approximate(nanoseconds: fit.log.span)),
            ("format", reading.formats.joined(separator: "; ")),
        ]
        let compared = comparison?.sections ?? []
        answer.sections =
            [figureSection(), fit.judgement.section, callSection] + (wayCounts.map { [$0] } ?? [])
            + compared
        answer.briefSections =
            [figureSection(isBrief: true), fit.judgement.section] + compared + [callSection]
        return answer
    }

    /// The answer as one JSON document.
    public var json: JSON {
        let reading = fit.log.reading
        return [
            "kind": "fit", "profile": .string(subject), "sentence": .string(sentence),
            "verdict": .string(verdict.words),
            "requests": .integer(Int64(reading.requests)), "lines": .integer(Int64(reading.lines)),
            "brokenLines": .integer(Int64(reading.broken)),
            "formats": .array(reading.formats.map { .string($0) }),
            "remarks": .array(([about] + remarks).map { .string($0) }),
            "figures": .array(fit.figures.map(\.json)),
            "calls": .array(fit.endpoints.map(callJSON)),
            "judgement": fit.judgement.json,
            "comparison": comparison?.json ?? .null,
        ]
    }

    /// The verdict: usable, usable with care, not usable or not compared.
    public var verdict: Verdict {
        if comparison?.isUsable == false { return .notUsable }
        if fit.scarcity != nil || comparison?.isClose == false { return .notReliable }
        return comparison == nil ? .notChecked : .usable
    }

    /// The reason of the verdict.
    private var sentence: String {
        let compared = comparison?.sentence ?? "the model was not compared with the log"
        guard let scarcity = fit.scarcity else { return compared }
        return "too little data (\(scarcity); at least 200 requests of 10 users over 5 minutes"
            + " with durations and statuses are needed); \(compared)"
    }

    /// The facts that were found in the log.
    private var about: String {
        let unknown = fit.figures.filter { $0.estimate == nil }.count
        let load =
            fit.visits.map {
                "\(Units.counted($0.people * Int(fit.log.sampling.oneIn), "user")) and "
                    + loadWords($0)
            }
            ?? "no users to be seen: calls arrive at the observed rate"
        return "\(Units.counted(fit.endpoints.count, "endpoint")), \(load); \(unknown) of"
            + " \(fit.figures.count) figures are not known from this log."
    }

    private func loadWords(_ visits: Visits) -> String {
        guard fit.isClosed else { return "visits that arrive" }
        return visits.kind.isConstant ? "a closed load, all of the time" : "a closed load"
    }

    /// The figures; in brief those that are known, without notes.
    private func figureSection(isBrief: Bool = false) -> Section {
        let rows = fit.figures.filter { !isBrief || $0.estimate != nil }.map { figure -> [Cell] in
            guard let estimate = figure.estimate else {
                return [.init(figure.name), .init("not known"), .none, .none, .init(figure.note)]
            }
            var interval = Cell.none
            if let low = estimate.low, let high = estimate.high {
                interval = .init("\(figure.unit.text(low))…\(figure.unit.text(high))")
            }
            return [
                .init(figure.name), .init(figure.unit.text(estimate.value), estimate.value),
                interval,
                .init(Units.grouped(Int64(estimate.count)), Double(estimate.count)),
                .init(figure.note),
            ]
        }
        return Section(
            "What the log tells", note: "Lines: the log lines behind the estimate.",
            [
                .table(
                    Table(
                        [.figure, .value, .interval, .logLines] + (isBrief ? [] : [.note]),
                        isBrief ? rows.map { Array($0.dropLast()) } : rows))
            ])
    }

    private var callSection: Section {
        let names = CallNames(fit.log.calls, fit.endpoints)
        let tokenCalls = fit.tokens.named.map { ($0.call, $0.name) }
            .filter { !fit.endpoints.contains($0.0) }
        let calls = fit.endpoints.map { ($0, names[$0]) } + tokenCalls
        let rows = calls.map { index, name -> [Cell] in
            let call = fit.log.calls[index]
            let law = fit.laws[index]
            let share = Double(call.count) / Double(max(1, fit.log.reading.requests))
            let failed = call.share(of: 500...599)
            return [
                .init(name), .init(call.title),
                .init(Units.grouped(Int64(call.count)), Double(call.count)),
                .init(Units.percent(share), share),
                failed == 0 ? .none : .init(Units.percent(failed), failed),
                law.map {
                    .init(FittedProfile.interval($0.mean, .nanoseconds), $0.mean.value)
                } ?? .none,
                .init(law?.name ?? "not known"),
            ]
        }
        return Section(
            "Calls", note: "Service time: the time a worker needs, without waiting.",
            [
                .table(
                    Table(
                        [.calledAs, .call, .requests, .shareOfRequests, .errors, .work, .law], rows)
                )
            ])
    }

    /// The number of times that each screen follows another.
    private var wayCounts: Section? {
        guard let visits = fit.visits else { return nil }
        let names = FittedScreens(fit, CallNames(fit.log.calls, fit.endpoints)).names
        let rows = visits.transitions.enumerated().prefix(20).map { index, row in
            let total = row.reduce(0, +)
            let next = row.enumerated().filter { $0.element > 0 }
                .ordered { ($1.element, $0.offset) < ($0.element, $1.offset) }.prefix(4)
                .map { place, count in
                    let name = place < names.count ? names[place] : "the end"
                    return "\(name) \(Units.percent(Double(count) / Double(max(1, total))))"
                }
            return Entry(
                names.indices.contains(index) ? names[index] : "–",
                "\(Units.counted(total, "time")), then \(next.joined(separator: ", "))")
        }
        return Section("What follows a screen", [.entries(Array(rows))])
    }

    private func callJSON(_ index: Int) -> JSON {
        let call = fit.log.calls[index]
        let law = fit.laws[index]
        return [
            "method": .string(call.method), "path": .string(call.path),
            "requests": .integer(Int64(call.count)), "law": .optional(law?.name) { .string($0) },
            "parameters": .array(
                (law?.parameters ?? []).map {
                    FitFigure($0.name, .number, $0.estimate).json
                }),
            "serviceTime": FitFigure("serviceTime", .nanoseconds, law?.mean).json,
            "failed": fit.log.hasStatuses ? .number(call.share(of: 500...599)) : .null,
        ]
    }
}
