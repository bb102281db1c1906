import SquallFormat

extension SavedRun {
    /// The top of the page: the verdict, the subject, and how to repeat the run.
    var head: Markup {
        let verdict = summary.hasOnlyFindings ? "findings" : summary.verdict.rawValue
        let question = summary.question
        let brand = "Squall \(SquallVersion.current) · a run in \(summary.kindOfTime)"
        let title = [
            Markup("span", ["class": "verdict"], summary.shownVerdict.marked), .text(" "),
            .text(summary.profile),
        ]
        let questions = [question, summary.overridden ?? ""].filter { !$0.isEmpty }
            .map { Markup("p", ["class": "question"], $0) }
        let first = [
            Markup("p", ["class": "brand"], brand), Markup("h1", [:], title),
            Markup("p", ["class": "reason"], summary.reason),
        ]
        return Markup(
            "header", ["class": verdict], first + questions + [answer, facts, tiles, replay])
    }

    private var answer: Markup {
        Markup("p", ["class": "answer"], [.prose(summary.answer.joined(separator: " "))])
    }

    private var facts: Markup {
        let from = summary.measuredFromNanoseconds
        let drain = summary.drainNanoseconds
        let parts =
            (from > 0 ? [("warm-up excluded", Units.approximate(nanoseconds: from))] : [])
            + (drain > 0
                ? [("ramp-down at the end", Units.approximate(nanoseconds: drain))] : [])
        let facts =
            [
                ("users", Units.grouped(summary.users)),
                (
                    summary.kindOfTime,
                    Units.approximate(nanoseconds: summary.virtualNanoseconds)
                ),
            ] + parts + [
                ("attempts", Units.grouped(summary.total(of: .requests)?.count ?? 0)),
                ("seed", "\(summary.seed)"),
            ] + (summary.generator == nil ? [("digest", summary.digest.text)] : [])
        return Page.list("facts", facts.map { ($0, .text($1)) })
    }

    private var replay: Markup {
        Markup(
            "p", ["class": "replay"],
            [.text("Repeat: "), Markup("code", [:], command)])
    }

    /// The replay command, with no line break inside an option.
    private var command: [Markup] {
        let parts = summary.replay.split(separator: " --").map(String.init)
        return parts.enumerated().flatMap { index, part in
            index == 0
                ? [.text(part)] : [.text(" "), Markup("span", ["class": "whole"], "--" + part)]
        }
    }

    /// The five most asked-for numbers.
    private var tiles: Markup {
        let attempts = summary.total(of: .requestDuration)?.latency
        let failed = summary.total(of: .stepFailed)?.quotient?.value
        let tiles = [
            slowest,
            ("attempt, p95", p95(attempts), "a single HTTP exchange"),
            (
                "steps that failed or hung", failed.map(Units.percent),
                "the requested content was not shown"
            ),
            refreshes,
            ("request amplification", amplification, "attempts per call"),
        ]
        return Markup(
            "div", ["class": "tiles"],
            tiles.map { name, value, remark in
                Markup(
                    "div", [:],
                    [
                        Markup("span", ["class": "name"], name),
                        Markup("span", ["class": "value"], value ?? "–"),
                        Markup("span", ["class": "remark"], remark),
                    ])
            })
    }

    /// The step with the longest wait beyond its minimum: a step that always takes the same time,
    /// such as a splash screen, does not count.
    private var slowest: (String, String?, String) {
        let rows = summary.steps.filter { $0.durationNanoseconds.count > 0 }
        let slowest = rows.max {
            $0.durationNanoseconds.p95 - $0.durationNanoseconds.minimum < $1.durationNanoseconds.p95
                - $1.durationNanoseconds.minimum
        }
        let name = "slowest step, p95"
        guard let slowest else { return (name, nil, "no step ended") }
        let whose = summary.populations.count > 1 ? ", \(slowest.population)" : ""
        return (
            name, p95(slowest.durationNanoseconds), "\(slowest.journey) · \(slowest.step)\(whose)"
        )
    }

    private func p95(_ latency: LatencySummary?) -> String? {
        guard let latency, latency.count > 0 else { return nil }
        return Units.approximate(nanoseconds: latency.p95)
    }

    /// Refreshes per expiry over all users; with several designs, of the worst population.
    private var refreshes: (String, String?, String) {
        let (name, ideal) = ("refreshes per expiry", "1 is ideal")
        if let each = summary.refreshes?.refreshesPerExpiry {
            return (name, Units.threeDigits(each), ideal)
        }
        let rows = summary.populations.filter { $0.refreshesPerExpiry != nil }
        let worst = rows.max { $0.refreshesPerExpiry ?? 0 < $1.refreshesPerExpiry ?? 0 }
        guard let worst else { return (name, nil, ideal) }
        return (
            name, worst.refreshesPerExpiry.map(Units.threeDigits),
            "\(worst.name), the worst population; \(ideal)"
        )
    }

    private var amplification: String? {
        summary.retries?.amplification.last.map { Units.threeDigits($0.factor) }
    }
}
