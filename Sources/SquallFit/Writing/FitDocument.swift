public import SquallFormat
import SquallReport

/// A fit as a document for readers, and as one JSON document.
public struct FitDocument {
    private let fit: TrafficFit
    private let subject: String
    private let replay: String
    /// The comparison of the model with the log; `nil` if it was not asked for.
    private let comparison: TrafficComparison?

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
        answer.sections = [figureSection, fit.judgement.section, callSection, wayCounts].compactMap
        { $0 }
        if let comparison { answer.sections += comparison.sections }
        return answer
    }

    /// The answer as one JSON document.
    public var json: JSON {
        let reading = fit.log.reading
        return [
            "kind": "fit", "profile": .string(subject), "sentence": .string(sentence),
            "verdict": .string(verdict.rawValue),
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
    private var verdict: AnswerDocument.Verdict {
        if comparison?.isUsable == false { return .notUsable }
        if fit.scarcity != nil || comparison?.isClose == false { return .notReliable }
        return comparison == nil ? .notChecked : .usable
    }

    /// The reason of the verdict.
    private var sentence: String {
        let compared = comparison?.sentence ?? "the model was not compared with the log"
        guard let scarcity = fit.scarcity else { return compared }
        return "too little data (\(scarcity); at least 200 requests of 10 users over 5 minutes"
            + " with durations are needed); \(compared)"
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

    /// Both kinds of load where the log does not tell them apart, and the option that decides.
    private var unclearLoad: [String] {
        guard let visits = fit.visits, visits.kind.isUnclear else { return [] }
        let users = visits.kind.present ?? visits.people * Int(fit.log.sampling.oneIn)
        let rate = Units.rate(perSecond: fit.arrivals.rate.value)
        let screens = Units.threeDigits(visits.screensSeen)
        let (closed, open) = (
            "a closed load of \(Units.counted(users, "user"))",
            "visits that arrive, \(rate) of \(screens) screens"
        )
        return [
            "Closed or open is not known from this log: \(fit.isClosed ? closed : open) is written,"
                + " \(fit.isClosed ? open : closed) is nearly as likely (users came"
                + " \(Units.threeDigits(visits.returns)) times). A longer log decides, or --load"
                + " \(fit.isClosed ? "open" : "closed")."
        ]
    }

    /// The assumptions of the profile that the log does not tell.
    private var assumptions: [String] {
        let profile = FittedProfile(fit, file: "")
        let (users, seen) = profile.users
        let more =
            users == seen
            ? []
            : fit.visits == nil
                ? ["The profile has \(users) users, so that each call that comes finds one."]
                : [
                    "The profile has \(users) users, \(seen) were seen: visits arrive at the log's"
                        + " rate, and each takes a user who is away."
                ]
        let paths = profile.assumed
        guard !paths.isEmpty else { return more }
        return more + ["Assumed, not known from this log: \(paths.joined(separator: ", "))."]
    }

    private var remarks: [String] {
        let reading = fit.log.reading
        var remarks: [String] = []
        if reading.broken > 0 {
            let quotes = reading.quotes.map { "'\($0)'" }.joined(separator: ", ")
            remarks.append(
                "\(Units.counted(reading.broken, "line")) could not be read (letters and digits"
                    + " hidden): \(quotes).")
        }
        if reading.otherLines > 0 {
            remarks.append(
                "\(Units.counted(reading.otherLines, "line")) without a request were passed over.")
        }
        if reading.unordered > 0 {
            remarks.append(
                "\(Units.counted(reading.unordered, "line")) came out of order, by"
                    + " \(Units.approximate(nanoseconds: reading.largestStepBack)) at the most;"
                    + " they were put in order of their times.")
        }
        if reading.repeated > 0 {
            remarks.append(
                "\(Units.counted(reading.repeated, "line")) stood twice in the same order, as after"
                    + " a rotation that copies (copytruncate) or in a file given twice: they count"
                    + " once.")
        }
        if let most = reading.setBack.max() {
            remarks.append(
                "The clock was set back \(Units.counted(reading.setBack.count, "time")), by"
                    + " \(Units.approximate(nanoseconds: most)) at the most: what follows is taken"
                    + " to go on where it stood.")
        }
        remarks += sourceRemarks + skewRemarks
        if reading.areBeginnings {
            remarks.append(
                "Times are read as those when requests came: the lines are in the order of time"
                    + " and duration together.")
        }
        if reading.hosts > 1 {
            remarks.append(
                "Its calls went to \(reading.hosts) hosts, which are taken for one backend; leave"
                    + " out what is not yours.")
        }
        if reading.isWholeSeconds {
            remarks.append(
                "Times tell the second only: requests of one were spread over it, and workers are"
                    + " not known. Log $msec (nginx) or %{msec_frac}t (Apache), too.")
        }
        if reading.withDuration == 0 {
            remarks.append(
                "No line tells how long it took; log $request_time (nginx) or %D (Apache).")
        }
        if reading.otherMethods > 0 {
            remarks.append(
                "\(Units.counted(reading.otherMethods, "request")) had verbs that profiles do not"
                    + " have, such as OPTIONS, and were left out.")
        }
        if fit.log.sampling.oneIn > 1 {
            remarks.append(
                "The log is large: every \(fit.log.sampling.oneIn)th user and every"
                    + " \(fit.log.sampling.oneIn)th interval of two minutes was analysed; counts"
                    + " are of the whole log.")
        }
        if let worst = fit.others.max(by: { $0.count < $1.count }) {
            let count = fit.others.reduce(0) { $0 + $1.count }
            func time(_ value: Double) -> String { Units.approximate(nanoseconds: Int64(value)) }
            remarks.append(
                "\(Units.counted(count, "response")) other than successes took other times"
                    + " (\(worst.status) of \(fit.log.calls[worst.call].title): median"
                    + " \(time(worst.median)), successes \(time(worst.success))) and are not"
                    + " counted as work; in a run they cost as much as a success.")
        }
        remarks += unclearLoad
        if let refresh = fit.tokens.refresh {
            let call = fit.log.calls[refresh]
            remarks.append(
                "\(call.title) is taken for the refresh, \(fit.tokens.reason).")
        }
        remarks += tokenRemarks
        if let unseen = fit.tokens.unseen, fit.tokens.lacksLines {
            remarks.append(
                "After \(Units.percent(unseen.value)) of \(Units.counted(unseen.count, "expiry"))"
                    + " a call succeeded and no refresh is logged: lines are missing, or one user"
                    + " is several devices. Pauses and visits have no interval.")
        }
        if let design = fit.tokens.design {
            remarks.append("The nearest token design is \(design.name): \(design.reason).")
        }
        return remarks + (comparison?.remarks ?? [])
    }

    /// Refusals that are not those of expired tokens.
    private var tokenRemarks: [String] {
        let tokens = fit.tokens
        var remarks: [String] = []
        for call in tokens.neverAccepted.sorted().prefix(3) {
            let logged = fit.log.calls[Int(call)]
            let loops =
                tokens.fruitless > 0
                ? ", which made \(Units.counted(tokens.fruitless, "refresh")) that could not help"
                : ""
            remarks.append(
                "\(logged.title) was refused \(Units.counted(logged.count, "time")),"
                    + " with new tokens"
                    + " too, and never accepted\(loops): it says nothing of tokens.")
        }
        if tokens.isRenewedElsewhere {
            remarks.append(
                "Refused calls succeed later, and no call of this log renews a token: refreshes go"
                    + " elsewhere, and how many there are is not known. Give that log, too.")
        }
        if fit.visits?.isOneUser == false {
            remarks.append(
                "Several users are behind one address, as their"
                    + " \(tokens.isOneUser == false ? "tokens" : "screens") show:"
                    + " pauses, visits and tokens of single users are not known; log a user.")
        }
        return remarks
    }

    /// The fields from which the numbers were read.
    private var sourceRemarks: [String] {
        let reading = fit.log.reading
        var units: [String] = []
        for (_, unit, median) in reading.units where median > 0 {
            let sentence = unit.sentence(median: median) + "."
            if !units.contains(sentence) { units.append(sentence) }
        }
        var remarks = units + [fit.sender.sentence]
        remarks += assumptions
        let leftOut = RequestFilter.Reason.allCases.compactMap { reason in
            reading.leftOut[reason].map { "\(Units.grouped(Int64($0))) of \(reason.words)" }
        }
        if !leftOut.isEmpty {
            remarks.append(
                "Requests left out: \(leftOut.joined(separator: ", ")); --include '*' takes them"
                    + " in.")
        }
        if reading.hiddenWords > 0 {
            remarks.append(
                "\(Units.counted(reading.hiddenWords, "word")) of paths"
                    + " \(reading.hiddenWords == 1 ? "is" : "are") hidden, since fewer than three"
                    + " users asked for each; --keep-words shows them.")
        }
        return remarks
    }

    private var skewRemarks: [String] {
        fit.log.reading.skews.map { skew in
            if fit.log.reading.areClocksMixed {
                return skew.nanoseconds.map {
                    "Its lines are of two clocks, \(Units.approximate(nanoseconds: abs($0))) apart"
                        + " by calls of the same users: the difference was removed."
                } ?? LogIdentity.mixedClocks + ": give each server's log as a file of its own."
            }
            let file = "file \(skew.source + 1)"
            guard let apart = skew.nanoseconds else {
                return "Whether the clocks of \(file) and of the first file agree is not known: too"
                    + " few users have calls in both at once. They are assumed to agree."
            }
            guard apart != 0 else { return "The clocks of \(file) and of the first agree." }
            let size = Units.approximate(nanoseconds: Int64(apart.magnitude))
            return "The clock of \(file) is \(size) \(apart < 0 ? "behind" : "ahead of") the first"
                + " file's, by calls of the same users in both; the difference was removed."
        }
    }

    private var figureSection: Section {
        let rows = fit.figures.map { figure -> [Cell] in
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
                        [.figure, .value, .interval, .logLines, .note], rows))
            ])
    }

    private var callSection: Section {
        let names = CallNames(fit.log.calls, fit.endpoints)
        let tokenCalls = [(fit.tokens.refresh, "refresh"), (fit.tokens.logIn, "logIn")]
            .compactMap { index, name in index.map { ($0, name) } }
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
            "failed": .number(call.share(of: 500...599)),
        ]
    }
}
